"""After a repair that leaves several behaviours: one question, and what its answer does."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from told_apart import POP

from wolverine.core.graph import (
    UNINITIALISED,
    Frame,
    MemoryGraph,
    Place,
    Variable,
    VariableId,
)
from wolverine.core.patch import Patch
from wolverine.errors import CommandError, WolverineError
from wolverine.frontend import load
from wolverine.repair.heaps.outcomes import RESULT, Bench
from wolverine.repair.ranking.question import SHOWN, question
from wolverine.session import results
from wolverine.session.asking import _alike

DROP = """\
#include <stdio.h>
#include <stdlib.h>
struct cell { int v; struct cell *next; };
struct cell *head, *tail;
void push(int v)
{
    struct cell *c = malloc(sizeof *c);
    c->v = v;
    c->next = head;
    head = c;
    if (tail == NULL)
        tail = c;
}
void drop(void)
{
    struct cell *old = head;
    head = old;
}
int main(void)
{
    push(1);
    push(2);
    drop();
    push(3);
    push(4);
    drop();
    printf("%d\\n", head->v);
    return 0;
}
"""
AMBIGUOUS = "break drop\nrun\nnext 2\nchange head n1\nspec\n"  # of two cells the second is left

LAST = """\
#include <stdlib.h>
struct cell { int v; struct cell *next; };
struct cell *tail;
struct cell *push(struct cell *list, int v)
{
    struct cell *c = malloc(sizeof *c);
    if (list == NULL)
        tail = c;
    c->v = v;
    c->next = list;
    return c;
}
struct cell *last(struct cell *list)
{
    struct cell *found = list;
    return found;
}
int main(void)
{
    struct cell *all = push(push(NULL, 1), 2);
    struct cell *end = last(all);
    return end->v;
}
"""


def questions(heard: list[results.Result]) -> list[results.Question]:
    return [each for each in heard if isinstance(each, results.Question)]


def heads(question: results.Question) -> list[Any]:
    return [each.data["places"]["head"] for each in question.results]


def test_the_answer_switches_the_patch_in_the_process(play: Callable[..., Any]) -> None:
    session = play(DROP)
    [question] = questions(session(AMBIGUOUS + "repair"))
    assert [node["name"] for node in question.input.data["nodes"]] == ["n1"]
    assert sorted(heads(question), key=str) == [None, "n1"]
    first = session.last(results.Repaired)
    assert first.behaviours == 4  # what goes through a pointer is also offered under a test of it
    assert "next" in first.patch
    session(f"repair --answer {heads(question).index('n1') + 1}")
    repaired = session.last(results.Repaired)
    assert repaired.patch != first.patch
    assert "tail" in repaired.patch
    assert (repaired.behaviours, repaired.cost) == (1, 1)
    assert repaired.candidates < first.candidates
    session("delete\ncontinue")
    assert session.output() == "1\n"


def test_what_differs_between_the_results_is_marked(play: Callable[..., Any]) -> None:
    session = play(DROP, json=False)
    [question] = questions(session(AMBIGUOUS + "repair"))
    marked = sorted("* head: n1 → NULL" in each.picture for each in question.results)
    assert marked == [False, True]
    assert not any("* tail" in each.picture for each in question.results)


def test_a_result_that_changes_nothing_says_so(play: Callable[..., Any]) -> None:
    session = play(DROP, json=False)
    [question] = questions(session(AMBIGUOUS + "repair"))
    for head, each in zip(heads(question), question.results, strict=True):
        assert each.picture.startswith("Nothing changes.\n") == (head == "n1")
        assert each.data.get("unchanged", False) == (head == "n1")


def test_a_value_that_is_returned_is_marked_where_another_result_has_none(play: Callable[..., Any]) -> None:
    session = play(POP, json=False)
    [question] = questions(session("run\nrepair"))
    found = [each.graph for each in question.results]
    [returned] = [v.id for v in found[0].frames[0].variables if v.id.name == RESULT]
    place = Place(returned, 0)
    without = replace(found[0], cells={p: v for p, v in found[0].cells.items() if p != place})
    alike = _alike(found[0], [found[0], without], question.input.graph)
    assert alike.cells[place] == UNINITIALISED
    assert [f"* return: ? → {each.cells[place]}" in q.picture for q, each in zip(question.results, found)]


def test_a_result_without_a_value_is_shown_as_such(tmp_path: Path) -> None:
    source = tmp_path / "bare.c"
    source.write_text("int bare(int x)\n{\n    int v;\n    if (x) v = x;\n    return v;\n}\n")
    program = load([source]).program
    [x] = program.functions["bare"].parameters
    identity = VariableId(0, "bare", "x")
    frame = Frame(0, "bare", (Variable(identity, x.type, parameter=True),))
    for passed, result in ((0, UNINITIALISED), (3, 3)):
        place = Place(identity, 0)
        heap = MemoryGraph(program.types, (frame,), cells={place: passed}, cell_types={place: x.type})
        outcome = Bench(program, "bare").outcome(heap, Patch())
        assert outcome is not None
        assert [v for p, v in outcome.graph.cells.items() if p.object.name == RESULT] == [result]
        assert len(outcome.cells) == (passed != 0)


def test_a_question_waits_while_the_execution_goes_on_and_back(play: Callable[..., Any]) -> None:
    session = play(DROP)
    session(AMBIGUOUS + "repair\nnext\nback\nrepair --answer 1")
    with pytest.raises(CommandError, match="is answered; `back` and on again asks anew"):
        session("repair --answer 2")


def test_a_number_answers_the_question_that_was_asked_here(play: Callable[..., Any]) -> None:
    session, scripted = play(DROP), play(DROP)
    session(AMBIGUOUS + "repair")
    [question] = questions(session.heard)
    number = heads(question).index("n1") + 1
    session(f"{number}")
    scripted(AMBIGUOUS + f"repair\nrepair --answer {number}")
    told = [each.last(results.Repaired).edits for each in (session, scripted)]
    assert told[0] == told[1]
    with pytest.raises(WolverineError, match="Undefined command"):
        session("next\n1")


def test_the_other_answer_keeps_the_patch(play: Callable[..., Any]) -> None:
    session = play(DROP)
    [question] = questions(session(AMBIGUOUS + "repair"))
    before = session.last(results.Repaired)
    session(f"repair --answer {heads(question).index(None) + 1}\ndelete\ncontinue")
    assert session.last(results.Repaired).behaviours < before.behaviours
    assert session.last(results.Repaired).patch == before.patch
    assert session.output() == "3\n"


def test_later_repairs_keep_to_the_answer_until_it_is_gone_back_over(play: Callable[..., Any]) -> None:
    session = play(DROP)
    [question] = questions(session(AMBIGUOUS + "repair"))
    total = session.last(results.Repaired).candidates
    other = heads(question).index(None) + 1
    session(f"repair --answer {other}")
    answered = session.last(results.Repaired)
    assert questions(session("repair")) == []
    again = session.last(results.Repaired)
    assert again.patch == answered.patch
    session("back\nnext 2\nchange head n1\nspec\nrepair --no-question")
    assert session.last(results.Repaired).candidates == total


@pytest.mark.thorough
def test_neither_drops_all_results_that_were_shown(play: Callable[..., Any]) -> None:
    session = play(DROP)
    [question] = questions(session(AMBIGUOUS + "repair"))
    [following] = questions(session("repair --answer neither --ask 2"))
    assert session.last(results.Repaired).cost == 2
    assert following.results
    assert all(each.data != question.results[0].data for each in following.results)


CRASHES = """\
#include <stdlib.h>
struct cell { int v; struct cell *next; };
void append(struct cell **head, int v)
{
    struct cell *c = malloc(sizeof *c), *last = *head;
    c->v = v;
    c->next = NULL;
    while (last->next != NULL)
        last = last->next;
    last->next = c;
}
int main(void)
{
    struct cell *head = NULL;
    append(&head, 1);
    append(&head, 2);
    return head->next->v;
}
"""


@pytest.mark.thorough
def test_the_question_about_a_mere_crash_is_answered(play: Callable[..., Any]) -> None:
    session = play(CRASHES)
    [question] = questions(session("run\nrepair"))
    asked = session.last(results.Repaired)
    session("repair --answer 1")
    answered = session.last(results.Repaired)
    assert 0 < answered.candidates < asked.candidates
    assert len(question.results) > 1
    assert answered.patch == asked.patch
    session("accept 2")
    accepted = session.last(results.Repaired)
    assert accepted.patch != answered.patch
    session("repair --no-question")
    assert session.last(results.Repaired).patch == accepted.patch


REMOVE = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
struct node *push(struct node *list, int key) {
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->next = list;
    return n;
}
struct node *drop(struct node *list, int key) {
    struct node *before = NULL, *at = list;
    while (at != NULL && at->key != key) {
        before = at;
        at = at->next;
    }
    if (at == NULL)
        return list;
    before->next = at->next;
    free(at);
    return list;
}
int main(void) {
    struct node *list = push(push(push(NULL, 1), 2), 3);
    list = drop(list, 2);
    list = drop(list, 3);
    return list->key;
}
"""


@pytest.mark.thorough
def test_it_is_asked_what_the_crash_should_have_been_and_nothing_is_offered_that_nobody_wants(
    play: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []
    outcome = Bench.outcome

    def counted(*given: Any) -> Any:
        made.append(outcome(*given))
        return made[-1]

    monkeypatch.setattr(Bench, "outcome", counted)
    session = play(REMOVE)
    [question] = questions(session("run\nrepair"))
    assert question.input.data["places"]["drop::key"] == 3
    assert [node["name"] for node in question.input.data["nodes"] if node["state"] == "live"] == ["n1", "n3"]
    assert 1 < len(question.results) <= SHOWN
    for each in question.results:
        assert "crash" not in each.data
        assert "leaked" not in {node["state"] for node in each.data["nodes"]}
        live = [node["fields"] for node in each.data["nodes"] if node["state"] == "live"]
        assert "dangling" not in str(live)
    assert len(made) < 20


def test_what_is_told_includes_the_question(
    play: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = play(CRASHES)
    looked: list[bool] = []

    def looking(*given: Any) -> Any:
        looked.append(any(isinstance(each, results.Repaired) for each in session.heard))
        return question(*given)

    monkeypatch.setattr("wolverine.session.asking.question", looking)
    heard = session("run\nrepair")
    assert looked == [False]
    assert questions(heard)


def test_no_question_and_none_left_to_ask(play: Callable[..., Any]) -> None:
    session = play(DROP)
    assert questions(session(AMBIGUOUS + "repair --no-question")) == []
    assert session.last(results.Repaired).behaviours == 4
    with pytest.raises(CommandError, match="no question was asked"):
        session("repair --answer 1")
    assert questions(session("repair --ask 0")) == []
    [question] = questions(session("repair"))
    with pytest.raises(CommandError, match=f"1 to {len(question.results)}"):
        session("repair --answer 99")
    session("next")
    with pytest.raises(CommandError, match="no question was asked"):
        session("repair --answer 1")


@pytest.mark.thorough
def test_several_questions_in_a_row_only_where_they_are_allowed(play: Callable[..., Any]) -> None:
    for allowed in (1, 2):
        session = play(CRASHES)
        assert len(questions(session(f"run\nrepair --ask {allowed}"))) == 1
        before = session.last(results.Repaired)
        following = questions(session("repair --answer 1"))
        after = session.last(results.Repaired)
        assert before.behaviours > after.behaviours > 1
        assert len(following) == allowed - 1
    session("repair --answer 1")
    assert session.last(results.Repaired).behaviours < after.behaviours


def test_the_result_of_a_function_is_asked_about(play: Callable[..., Any]) -> None:
    session = play(LAST)
    [question] = questions(session("break last\nrun\nnext 2\nchange found n1\nspec found\nrepair"))
    places = [each.data["places"] for each in question.results]
    assert question.input.data["places"] == {"tail": "n1", "last::list": "n1"}
    returned = [each["last::return"] for each in places]
    assert len({str(each) for each in returned}) == len(places) == 2
    wanted = returned.index(places[0]["tail"]) + 1
    session(f"repair --answer {wanted}")
    assert "tail" in session.last(results.Repaired).patch
    session("repair")
    assert "tail" in session.last(results.Repaired).patch


def test_results_that_differ_only_in_where_they_crash_are_one(play: Callable[..., Any]) -> None:
    session = play(LAST.replace("struct cell *tail;\n", "").replace("tail = c", "c->v = v"))
    heard = session("break last\nrun\nnext 2\nchange found n1\nspec found\nrepair")
    assert session.last(results.Repaired).behaviours == 3
    assert questions(heard) == []


MADE = """\
#include <stdlib.h>
struct cell { int v; int w; };
struct cell *made(int v, int w)
{
    struct cell *c = malloc(sizeof *c);
    c->v = 0;
    c->w = w;
    return c;
}
int main(void)
{
    struct cell *one = made(7, 7);
    struct cell *two = made(1, 2);
    return one->v + two->v;
}
"""


def test_what_differs_in_a_node_that_the_call_has_made_is_marked(play: Callable[..., Any]) -> None:
    session = play(MADE, json=False)
    session("break 8; run; change c->v 7; repair")
    [question] = questions(session.heard)
    pictures = [each.picture for each in question.results]
    assert [any(f"w*{value}" in each for each in pictures) for value in (7, 0)] == [True, True]
    assert not any("v*" in each for each in pictures)


def test_at_the_end_of_the_program_nothing_was_asked(play: Callable[..., Any]) -> None:
    session = play(DROP)
    session("run")
    with pytest.raises(CommandError, match="no question was asked"):
        session("repair --answer 1")
