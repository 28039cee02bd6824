"""What pages are told of a session on a real process: every stop once, in order, and what became of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from told_apart import POP

from wolverine.page import timeline
from wolverine.page.telling import Teller
from wolverine.session import results

LIST = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *head;
void push(int data) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->data = data;
    fresh->next = head;
    head = fresh;
}
int main(void) {
    push(1);
    push(2);
    push(3);
    printf("done\\n");
    return 0;
}
"""


class Heard:
    """A page that only keeps what it is told."""

    def __init__(self, session: Any) -> None:
        self.messages: list[dict[str, Any]] = []
        self.teller = Teller(session.view.timeline, drives=True)
        self.teller.send = lambda _number, text: self.messages.append(json.loads(text))
        session.view.timeline.listener = self.teller

    def hello(self) -> Any:
        return json.loads(self.teller.hello()[1])

    def of(self, kind: str) -> list[Any]:
        return [message for message in self.messages if message["kind"] == kind]


@pytest.fixture
def session(live: Callable[..., Any]) -> Any:
    return live(LIST, serve=False)


def commands(session: Any, *lines: str) -> None:
    for line in lines:
        session.command(line)


def stops(hello: Any) -> list[tuple[int, int | None, int]]:
    return [(m["number"], m["parent"], m["line"]) for m in hello["moments"]]


def test_every_stop_is_kept_with_the_one_before(session: Any) -> None:
    heard = Heard(session)
    commands(session, "start", "next", "next", "spec", "next", "back 2", "step", "resume 0")
    hello = heard.hello()
    assert stops(hello) == [(1, None, 12), (2, 1, 13), (3, 2, 14), (4, 3, 15), (5, 2, 6)]
    assert hello["here"] == 3
    assert [m["here"] for m in heard.of("here")] == [1, 2, 3, 4, 2, 5, 3]
    assert hello["checkpoints"][0]["moment"] == 3
    assert [m["resumable"] for m in hello["moments"]] == [False, False, True, False, False]


def test_several_steps_at_once_are_one_stop(session: Any) -> None:
    heard = Heard(session)
    commands(session, "start", "next 3")
    assert stops(heard.hello()) == [(1, None, 12), (2, 1, 15)]


def test_a_change_tells_its_stop_anew(session: Any) -> None:
    heard = Heard(session)
    commands(session, "start", "next 2", "change head null", "spec head", "spec drop 0")
    hello = heard.hello()
    assert len(hello["moments"]) == 2
    last = hello["moments"][-1]
    assert [v["text"] for v in last["globals"]] == ["null"]
    assert last["assertions"] == ["checkpoint 0: head (withdrawn)", "changed: head to null"]
    assert {node["state"] for node in last["picture"]["nodes"]} == {"lost"}
    assert "head is null (before, it was null)" not in last["description"]
    assert hello["checkpoints"][0]["dropped"] is True
    assert heard.of("moment")[-1]["moment"] == last


def test_a_new_run_has_no_stop_before_it(session: Any) -> None:
    heard = Heard(session)
    commands(session, "start", "next", "start", "next")
    assert stops(heard.hello()) == [(1, None, 12), (2, 1, 13), (3, None, 12), (4, 3, 13)]


def test_the_end_is_a_stop_too(session: Any) -> None:
    heard = Heard(session)
    commands(session, "start", "continue", "back", "next")
    hello = heard.hello()
    assert [(m["number"], m["parent"], m["alive"]) for m in hello["moments"]] == [
        (1, None, True), (2, 1, False), (3, 1, True),
    ]  # fmt: skip
    assert hello["moments"][1]["text"] == "the program exited with status 0"
    assert hello["output"] == "done\n"


def test_of_a_program_that_has_ended_no_heap_is_drawn(session: Any) -> None:
    heard = Heard(session)
    commands(session, "start", "next 4", "continue", "back")
    before, ended = heard.hello()["moments"][-2:]
    assert before["picture"]["nodes"] and before["alive"] and not ended["alive"]
    shown = ended["picture"]
    assert not any((shown["nodes"], shown["variables"], shown["arrows"], ended["globals"], ended["frames"]))


def test_who_comes_late_is_told_the_same(session: Any) -> None:
    early = Heard(session)
    commands(
        session, "start", "next", "spec", "next", "back 1", "change head n1", "spec", "next 2", "resume 0"
    )
    session.view.timeline.listener = None
    late = Heard(session)
    told, again = early.hello(), late.hello()
    for each in (told, again):
        for moment in each["moments"]:
            del moment["picture"]  # boxes stay where they stood, so they may stand elsewhere
    assert told == again


def test_messages_lead_to_where_a_hello_is(session: Any) -> None:
    heard = Heard(session)
    commands(
        session, "start", "next 3", "change head->data 7", "spec", "step", "continue", "nonsense", "help next"
    )
    moments, entries, output, here = {}, [], "", None
    for message in heard.messages:
        match message["kind"]:
            case "moment":
                moments[message["moment"]["number"]] = message["moment"]
            case "entry":
                entries.append(message["entry"])
            case "output":
                output += message["text"]
            case "here":
                here = message["here"]
    hello = heard.hello()
    assert list(moments.values()) == hello["moments"]
    assert entries == hello["entries"]
    assert (output, here) == (hello["output"], hello["here"])
    assert heard.of("checkpoints")[-1]["list"] == hello["checkpoints"]


def test_commands_are_told_with_what_they_answer(session: Any) -> None:
    heard = Heard(session)
    commands(session, "start; next", "change nobody 7", "change", "print 6*7")
    said = [message["entry"] for message in heard.of("entry")]
    assert [entry["command"] for entry in said] == ["start", "next", "change nobody 7", "change", "print 6*7"]
    assert said[1]["texts"] == [f"main () at {session.session.program.files[0].path}:13\n13\tpush(2);"]
    assert [bool(entry["error"]) for entry in said] == [False, False, True, True, False]
    assert said[4]["texts"] == ["$1 = 42"]
    assert [entry["moment"] for entry in said] == [1, 2, 2, 2, 2]


def test_a_picture_that_is_asked_for_stands_with_the_command(session: Any) -> None:
    heard = Heard(session)
    commands(session, "start", "next", "graph head")
    said = [message["entry"] for message in heard.of("entry")]
    assert "n1" in said[2]["texts"][0]
    assert "┌" not in said[1]["texts"][0]


def test_what_runs_is_told_and_ends(session: Any) -> None:
    heard = Heard(session)
    commands(session, "start", "repair")
    assert [m["busy"] for m in heard.of("busy")] == ["start", None, "repair", None]


def test_the_oldest_stops_are_forgotten(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline, "MOST_STOPS", 2)
    heard = Heard(session)
    commands(session, "start", "next", "next", "next")
    hello = heard.hello()
    assert stops(hello) == [(3, 2, 14), (4, 3, 15)]
    assert hello["forgotten"] == 2
    commands(session, "back 3")
    hello = heard.hello()
    assert hello["here"] == 1
    assert stops(hello) == [(1, None, 12), (4, 3, 15)]


def test_a_frame_lists_its_variables(session: Any) -> None:
    heard = Heard(session)
    commands(session, "start", "next", "step", "next 2")
    frames = heard.hello()["moments"][-1]["frames"]
    assert [(frame["function"], frame["line"]) for frame in frames] == [("push", 8), ("main", 13)]
    assert [(v["place"], v["text"], v["changed"]) for v in frames[0]["variables"]] == [
        ("data", "2", False), ("fresh", "n2", True),
    ]  # fmt: skip


def test_nodes_that_were_freed_earlier_are_named_and_not_counted_as_missing(live: Callable[..., Any]) -> None:
    session = live(LIST.replace("push(1);", "free(malloc(8)); push(1);"), serve=False)
    heard = Heard(session)
    commands(session, "start", "next 2", "next")
    picture = heard.hello()["moments"][-1]["picture"]
    assert (picture["buried"], picture["hidden"]) == (["n1"], 0)


def test_a_large_heap_is_described_as_far_as_it_is_drawn(live: Callable[..., Any]) -> None:
    session = live(LIST.replace("push(1);", "for (int i = 0; i < 300; i++) push(i);"), serve=False)
    heard = Heard(session)
    commands(session, "start", "next")
    moment = heard.hello()["moments"][-1]
    drawn = [node["name"] for node in moment["picture"]["nodes"] if node["state"] != "run"]
    assert moment["picture"]["hidden"] == 300 - len(drawn) > 0
    assert moment["description"][-1] == f"and {moment['picture']['hidden']} more nodes"
    for name in drawn:
        assert any(line.startswith(f"{name}.data is") for line in moment["description"])


COMPOUND = """\
struct pair { int *at; short n; };
int main(void)
{
    int table[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    int (*row)[3] = table;
    char name[] = "wolf";
    struct pair one = { 0, 7 };
    one.n++;
    return row[1][0] + name[0] + one.n;
}
"""


def test_arrays_and_structs_have_values_and_types_as_in_c(live: Callable[..., Any]) -> None:
    session = live(COMPOUND, serve=False)
    heard = Heard(session)
    commands(session, "start", "next 4", "next")
    [frame] = heard.hello()["moments"][-1]["frames"]
    assert [(v["name"], v["type"], v["text"], v["changed"]) for v in frame["variables"]] == [
        ("table", "int [2][3]", "[0] 1 2 3, [1] 4 5 6", False),
        ("row", "int (*)[3]", "&table[0]", False),
        ("name", "char [5]", '"wolf"', False),
        ("one", "struct pair", "at null, n 8", True),
    ]
    assert [v["editable"] for v in frame["variables"]] == [False, True, False, False]


def test_of_results_that_are_asked_about_only_what_differs_is_marked(live: Callable[..., Any]) -> None:
    session = live(POP, serve=False)
    heard = Heard(session)
    commands(session, "run", "repair")
    answers = [each["picture"]["variables"] for each in heard.hello()["question"]["results"]]
    texts = [{(chip["label"], chip["text"]) for chip in chips} for chips in answers]
    differing = {label for label, text in set.union(*texts) - set.intersection(*texts)}
    for chips in answers:
        assert {chip["label"] for chip in chips if "changed" in chip["marks"]} <= differing
        assert [chip["marks"] for chip in chips if chip["label"] == "return"] == [["changed"]]


PRINTS = """\
#include <stdio.h>
struct item { int value; struct item *next; };
struct item *list;
void drop(void) {
    if (list->next == NULL) {
        printf("last\\n");
        return;
    }
    list = list->next;
}
int main(void) {
    drop();
    return 0;
}
"""


def test_a_result_has_what_is_printed(live: Callable[..., Any]) -> None:
    """Which may be all in which it differs from another one."""
    session = live(PRINTS, serve=False)
    heard = Heard(session)
    commands(session, "run", "repair")
    found = [(each["unchanged"], each["output"]) for each in heard.hello()["question"]["results"]]
    assert sorted(found) == [(False, ""), (True, "last\n")]


FREES = """\
#include <stdlib.h>
struct item { int value; struct item *next; };
struct item *first;
void push(int value) {
    struct item *it = malloc(sizeof *it);
    it->value = value;
    it->next = first;
    first = it;
}
void clear(void) {
    while (first != NULL) {
        free(first);
        first = first->next;
    }
}
int main(void) {
    push(1);
    push(2);
    clear();
    return 0;
}
"""


def test_alternatives_show_the_variables_that_they_declare_and_no_others(live: Callable[..., Any]) -> None:
    session = live(FREES, serve=False)
    heard = Heard(session)
    commands(session, "run", "repair --no-question")
    alternatives = heard.hello()["repair"]["alternatives"]
    declared = [any("*saved" in edit["after"] for edit in each["edits"]) for each in alternatives]
    shown = [each["after"] is not None and "saved" in json.dumps(each["after"]) for each in alternatives]
    assert True in declared and False in declared
    assert shown == declared


FORGOTTEN = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
struct queue { struct node *head, *tail; };
void take(struct queue *q) {
    struct node *first = q->head;
    q->head = first->next;
    free(first);
}
int main(void) {
    struct queue q;
    q.head = q.tail = calloc(1, sizeof *q.head);
    take(&q);
    return 0;
}
"""


def told_changed(session: Any) -> str:
    """The last line of the terminal that tells what has changed."""
    found = [line for line in session.out.getvalue().splitlines() if line.startswith("* ")]
    return str(found[-1])


def test_what_is_gone_back_to_is_marked_as_it_was(session: Any) -> None:
    commands(session, "start", "next")
    first = told_changed(session)
    commands(session, "spec", "next", "resume 0")
    assert told_changed(session) == first
    commands(session, "next", "back")
    assert told_changed(session) == first


def test_what_a_repair_has_changed_is_marked_as_in_the_terminal(live: Callable[..., Any]) -> None:
    session = live(FORGOTTEN, serve=False)
    heard = Heard(session)
    commands(session, "break take", "run", "finish", "change q.tail null", "spec", "repair --no-question")
    hello = heard.hello()
    [picture] = [m["picture"] for m in hello["moments"] if m["number"] == hello["here"]]
    assert "n1 freed" not in session.out.getvalue().rpartition("The running program is patched.")[2]
    assert (picture["buried"], picture["hidden"]) == (["n1"], 0)


def test_a_graph_that_is_narrowed_is_narrowed_on_the_page_and_whole_again(session: Any) -> None:
    commands(session, "start", "next 3")
    heard = Heard(session)

    def shown() -> set[str]:
        return {node["name"] for node in heard.of("moment")[-1]["moment"]["picture"]["nodes"]}

    commands(session, "graph head->next->next")
    assert shown() == {"n1"}
    assert [chip["label"] for chip in heard.of("moment")[-1]["moment"]["picture"]["variables"]] == [
        "head->next->next"
    ]
    commands(session, "graph")
    assert shown() == {"n1", "n2", "n3"}
    commands(session, "graph head->next", "next")
    assert shown() == {"n1", "n2", "n3"}


def test_the_log_has_no_colours() -> None:
    kept = timeline.Timeline.__new__(timeline.Timeline)
    command = timeline._Open("graph", "graph")
    kept._note(command, results.Graph({}, "\x1b[1;36mn8\x1b[0m ->"))
    assert command.texts == ["n8 ->"]
