"""Whole sessions on real processes: correcting, going back, repairing, gdb's own commands."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wolverine.debugger import waiting
from wolverine.errors import CommandError
from wolverine.session import results

LIST = """\
#include <stdio.h>
#include <stdlib.h>
typedef struct cell { int v; struct cell *next; } cell;
cell *first;
void add(int v)
{
    cell *c = malloc(sizeof *c);
    c->v = v;
    c->next = first;
    first = c;
}
int sum(void)
{
    int s = 0;
    cell *c;
    for (c = first; c->next != NULL; c = c->next)
        s = s + c->v;
    return s;
}
int main(void)
{
    add(1);
    add(2);
    add(3);
    printf("%d\\n", sum());
    return 0;
}
"""


def test_change_and_undo_act_on_the_process(play: Callable[..., Any]) -> None:
    session = play(LIST)
    session("start\nnext 3\nchange n3->v 30\nchange first->next null")
    assert session.fields("n3") == {"v": 30, "next": None}
    assert "30" in session("print first->v")[0].text
    session("undo")
    assert session.fields("n3")["next"] == "n2"
    session("undo")
    assert session.fields("n3")["v"] == 3
    with pytest.raises(CommandError, match="nothing was changed"):
        session("undo")


def test_back_restores_heap_and_names(play: Callable[..., Any]) -> None:
    session = play(LIST)
    session("start")
    pictures = [session.last(results.Graph).data["places"]]
    for _ in range(3):
        session("next")
        pictures.append(session.last(results.Graph).data["places"])
    for expected in reversed(pictures[:-1]):
        session("back")
        assert session.last(results.Graph).data["places"] == expected
    with pytest.raises(CommandError, match="this is the first stop"):
        session("back")
    session("next 3")
    assert session.places() == pictures[-1]


def test_back_after_the_exit(play: Callable[..., Any]) -> None:
    session = play(LIST)
    session("start\nnext 3\ncontinue")
    assert session.last(results.Exited).code == 0
    session("back")
    assert session.line() == 25
    session("next")
    assert session.output() == "5\n5\n"
    assert session.line() == 26


def test_resume_brings_back_constraints(play: Callable[..., Any]) -> None:
    session = play(LIST)
    session("tbreak sum\nrun\nnext\nspec\nnext 2\nchange s 7\nspec\nresume 0\nnext\nspec")
    listed = session("checkpoints")[-1].as_event()["list"]
    assert [(each["checkpoint"], each["parent"]) for each in listed] == [(0, None), (1, 0), (2, 0)]
    session("resume 1")
    assert session.places()["sum::s"] == 7


def test_a_loop_that_ends_too_early_is_repaired(play: Callable[..., Any], tmp_path: Path) -> None:
    session = play(LIST)
    session("tbreak sum\nrun\nnext 5\nenter\nnext\nleave\nspec s\nrepair")
    repaired = session.last(results.Repaired)
    assert repaired.applied == "native"
    assert repaired.edits[0].after == "c != NULL"
    assert session.places()["sum::s"] == 6
    session(f"rewrite {tmp_path / 'fixed.c'}")
    assert "overwritten" not in session.texts()
    source = tmp_path / "program0.c"
    session(f"rewrite {source}\ncontinue")
    assert f"{source} is the source itself: it was overwritten" in session.texts()
    assert source.read_bytes() == (tmp_path / "fixed.c").read_bytes()
    assert "6" in session.output()
    subprocess.run(["gcc", "-o", tmp_path / "fixed", tmp_path / "fixed.c"], check=True)
    assert subprocess.run([tmp_path / "fixed"], capture_output=True, check=True).stdout == b"6\n"


def test_the_entry_of_the_function_is_seen_although_the_first_stop_is_its_end(
    play: Callable[..., Any],
) -> None:
    session = play(LIST)
    session("tbreak 18\nrun\nchange s 6\nspec\nrepair")
    assert session.last(results.Repaired).cost == 1
    assert session.places()["sum::s"] == 6
    assert session.output() == ""
    session("continue")
    assert session.output() == "6\n"


def test_a_crash_is_repaired_and_the_program_goes_on(play: Callable[..., Any]) -> None:
    session = play(LIST.replace("c->next != NULL", "c->v != 0"))
    session("break sum\nrun\ncontinue")
    assert session.last(results.Signalled).signal == "SIGSEGV"
    session("repair\ncontinue")
    assert session.last(results.Exited).code == 0
    assert "6" in session.output()


def test_spec_drop_withdraws_and_contradictions_are_explained(play: Callable[..., Any]) -> None:
    session = play(LIST)
    session("tbreak 14\nrun\nspec first\nnext 6\nchange s 77\nspec s")
    with pytest.raises(CommandError, match="asserted; `spec drop 1` withdraws that"):
        session("undo")
    with pytest.raises(CommandError, match="no repair"):
        session("repair --line 18")
    no = session.last(results.NotRepaired)
    assert no.reason == "unsatisfiable"
    assert any("s = 77" in line for line in no.core)
    session("resume 0\nspec drop 0\nspec drop 1")
    with pytest.raises(CommandError, match="nothing is asserted"):
        session("repair")


def test_track_restricts_what_spec_records(play: Callable[..., Any]) -> None:
    session = play(LIST)
    session("tbreak 18\nrun\ntrack s\nchange s 6\nspec\nrepair")
    assert session.last(results.Repaired).cost == 1


def test_gdb_commands_pass_through_and_memory_they_write_counts_as_change(play: Callable[..., Any]) -> None:
    session = play(LIST)
    session("tbreak 18\nrun\nset var s = 6")
    assert session.places()["sum::s"] == 6
    session("repair\ncontinue")
    assert "6" in session.output()


def test_a_moved_pc_ends_the_trace(play: Callable[..., Any]) -> None:
    session = play(LIST)
    session("tbreak 18\nrun\nspec\nset var $pc = $pc\nnext")
    session("return 0")
    assert "trace" in session.texts()


def test_an_endless_loop_is_ended_by_the_budget(play: Callable[..., Any]) -> None:
    session = play(LIST.replace("c = c->next)", "c = c)"))
    session("set step-budget 0.3\ntbreak sum\nrun\nfinish")
    assert session.last(results.Stopped).reason == "budget"
    session("back")
    assert session.line() == 14


ASKING = """\
#include <stdio.h>
int main(void)
{
    int n;
    char word[8];
    scanf("%7s %d", word, &n);
    while (n > 0)
        n = n + 0;
    return n;
}
"""


@pytest.fixture
def asking(
    play: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[Any, list[bytes | None]]]:
    """The program ASKING; whenever it is found to wait for input, it gets the next of the `answers`."""

    def begun(*answers: bytes | None) -> tuple[Any, list[bytes | None]]:
        session, left = play(ASKING, batch=False, json=False), list(answers)
        execution = session.session.debugger._execution
        reads = execution._reads

        def look() -> bool:
            if (found := reads()) and left:
                if (answer := left.pop(0)) is None:
                    execution.interrupt()
                else:
                    execution.terminal.type(answer)
            return bool(found)

        monkeypatch.setattr(execution, "_reads", look)
        return session, left

    return begun


@pytest.mark.parametrize("moves", ["start; next 2", "start; continue", "start; until; advance 8"])
def test_what_waits_for_input_has_all_its_time_behind_it(asking: Callable[..., Any], moves: str) -> None:
    session, left = asking(b"", b"", b"ab 0\n")
    session("break 7")
    session(f"set step-budget 0.3; {moves}")
    assert (session.line(), left) == (7, [])


def test_where_input_is_waited_for_nothing_has_been_executed(asking: Callable[..., Any]) -> None:
    session, _ = asking(None, b"ab 0\n")
    session("start; next")
    assert (session.last(results.Stopped).reason, session.line()) == ("interrupt", 6)
    assert session.places()["main::n"] == {"uninitialised": True}
    assert "not modelled" not in session.texts()
    session("next")
    assert (session.last(results.Stopped).reason, session.line()) == ("step", 7)
    assert session.places()["main::n"] == 0


def test_where_a_library_waits_gdb_is_asked_about_the_programs_own_frame(asking: Callable[..., Any]) -> None:
    session, _ = asking(None, b"ab 0\n")
    session("start; next")
    assert "$1 = 8" in session("print (int) sizeof word")[0].text
    session("next; back")
    assert session.last(results.Stopped).line == 6
    assert "$2 = 8" in session("print (int) sizeof word")[0].text


GROWING = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
int main(void)
{
    struct node *list = NULL;
    for (int i = 1; i != 8; i += 2) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->v = i;
        fresh->next = list;
        list = fresh;
    }
    return list == NULL;
}
"""


def test_endless_allocation_is_ended_before_it_takes_the_memory(
    play: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "_MOST_BLOCKS", 3_000)
    monkeypatch.setattr(waiting, "_LOOKED_AFTER", 60.0)  # the process says it by itself
    session = play(GROWING)
    session("set step-budget 600\nstart\ncontinue")
    assert session.last(results.Stopped).reason == "memory"
    assert session.places()["main::i"] < 8_000  # two for each block
    session("back")
    assert session.line() == 5
    session("break 12\nrun")
    assert session.last(results.Stopped).reason == "memory"


def test_candidates_and_accept(play: Callable[..., Any]) -> None:
    session = play(LIST)
    session("tbreak 18\nrun\nchange s 6\nspec\nrepair\ncandidates")
    assert session.last(results.Text).text.startswith("*  1")
    if session.last(results.Repaired).candidates > 1:
        session("accept 1")
        assert session.last(results.Repaired).stays
        session("accept 2")
        assert not session.last(results.Repaired).stays
        assert session.last(results.Repaired).applied == "native"
        assert session.places()["sum::s"] == 6
    with pytest.raises(CommandError, match="no candidate 999"):
        session("accept 999")


def test_candidates_stay_without_the_patch_and_where_the_program_has_not_gone_on(
    play: Callable[..., Any],
) -> None:
    session = play(LIST)
    session("tbreak 18; run; change s 6; spec; repair --no-question")
    first = session.last(results.Repaired)
    assert first.candidates > 1
    session("accept 0; candidates")
    assert not any(line.startswith("*") for line in session.last(results.Text).text.splitlines())
    session("accept 2")
    assert session.last(results.Repaired).accepted == 2 and session.places()["sum::s"] == 6
    session("accept 0; accept 1")
    assert session.last(results.Repaired).edits == first.edits
    session("finish; candidates")
    with pytest.raises(CommandError, match="has gone on since the repair: `back`"):
        session("accept 2")
    session("back; accept 2")
    assert session.last(results.Repaired).accepted == 2


@pytest.mark.parametrize("times", ["s - s", "-s - 1", "0 * s"])
def test_a_step_is_made_at_least_once(play: Callable[..., Any], times: str) -> None:
    session = play(LIST)
    session("tbreak 18; run")
    heard = len(session.heard)
    with pytest.raises(CommandError, match="next needs a number of times from 1 on"):
        session(f"next {times}")
    assert len(session.heard) == heard
    session("next s > 0; back")
    assert session.line() == 18


def test_save_writes_what_the_event_says(play: Callable[..., Any], tmp_path: Path) -> None:
    session = play(LIST)
    session(f"start\nnext 3\nsave {tmp_path / 'heap.json'}")
    saved = json.loads((tmp_path / "heap.json").read_text())
    assert saved["places"]["first"] == "n3"
    for ending in ("svg", "png", "pdf", "dot", "txt"):
        session(f"save {tmp_path / 'heap'}.{ending}")
        assert (tmp_path / f"heap.{ending}").stat().st_size > 0


PUSH_AND_LOSE = """\
#include <stdlib.h>
struct cell { int v; struct cell *next; };
struct cell *push(struct cell **list, int v)
{
    struct cell *fresh = malloc(sizeof *fresh);
    fresh->v = v;
    fresh->next = v > 2 ? NULL : *list;
    *list = fresh;
    return *list;
}
int main(void)
{
    struct cell *list = NULL;
    for (int i = 1; i < 4; i++)
        list = push(&list, i);
    free(list);
    list = NULL;
    return 0;
}
"""


def test_why_tells_since_when_a_node_is_lost(play: Callable[..., Any]) -> None:
    session = play(PUSH_AND_LOSE)
    session("break push if v == 3; break 17; run; continue")
    told = "lost since line 8 in push: *list = fresh;"
    assert f"n1, n2 are {told}" in session.texts()
    session("next\nwhy n2")
    assert (
        session.last(results.Text).text.strip()
        == f"n2 was allocated at line 5 in push, called at line 15 in main; {told}"
    )


def test_why_tells_it_of_what_was_never_freed_when_the_program_has_ended(play: Callable[..., Any]) -> None:
    session = play(PUSH_AND_LOSE)
    session("run\nwhy n2")
    assert session.last(results.Text).text.strip() == (
        "n2 was allocated at line 5 in push, called at line 15 in main; never freed; "
        "lost since line 8 in push: *list = fresh;"
    )
    with pytest.raises(CommandError, match="the program has ended, and n3 is none of the nodes"):
        session("why n3")


def test_patched_code_keeps_breakpoints_and_lines(play: Callable[..., Any]) -> None:
    session = play(LIST)
    session("tbreak 18\nrun\nchange s 6\nspec\nrepair\nstart")
    session("break 17\ncontinue")
    assert session.line() == 17


TREE = """\
#include <stdlib.h>
struct t { int key; struct t *left, *right; };
struct t *insert(struct t *root, int key)
{
    if (root == NULL) {
        struct t *fresh = malloc(sizeof *fresh);
        fresh->key = key;
        fresh->left = fresh->right = NULL;
        return fresh;
    }
    if (key < root->key)
        root->left = insert(root->left, key);
    else if (key > root->key)
        insert(root->right, key);
    return root;
}
int depth(struct t *root) { return root ? 1 + depth(root->right) : 0; }
int main(void)
{
    struct t *root = NULL;
    root = insert(root, 5);
    root = insert(root, 8);
    root = insert(root, 9);
    return depth(root);
}
"""


def test_a_value_that_a_call_returns_in_vain_is_stored(play: Callable[..., Any]) -> None:
    session = play(TREE)
    session("tbreak insert if key == 8\nrun\nnext 4\nchange n1->right n2\nspec\nrepair")
    edits = session.last(results.Repaired).edits
    assert [edit.after for edit in edits] == ["root->right = insert(root->right, key)"]
    session("continue")
    assert session.last(results.Exited).code == 3


ROTATE = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int key; struct node *left, *right; };
struct node *rotate(struct node *x)
{
    struct node *y = x->right;
    struct node *t = y->left;
    y->left = x;
    x->left = t;
    return y;
}
struct node *straighten(struct node *n)
{
    int twice = n->right && n->right->right;
    if (twice) return rotate(n);
    return n;
}
int main(void)
{
    struct node *top = 0;
    for (int k = 3; k > 0; k--) {
        struct node *n = calloc(1, sizeof *n);
        n->key = k;
        n->right = top;
        top = n;
    }
    top = straighten(top);
    printf("%d\\n", top->key);
    return 0;
}
"""


def test_what_a_finished_call_did_is_repaired_in_the_callee(play: Callable[..., Any]) -> None:
    session = play(ROTATE)
    session("break rotate\nrun\nfinish")
    assert session.line() == 15
    session("change n3->right null\nspec\nrepair --no-question")
    edits = session.last(results.Repaired).edits
    assert [(edit.line, edit.after) for edit in edits] == [(9, "x->right = t")]


TWICE = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
void drop(struct node *p)
{
    while (p) {
        struct node *q = p->next;
        free(p);
        free(p);
        p = q;
    }
}
int main(void)
{
    struct node *a = calloc(1, sizeof *a);
    a->next = calloc(1, sizeof *a);
    drop(a);
    return 0;
}
"""


def test_a_crash_in_a_call_behind_its_argument_has_to_be_passed(play: Callable[..., Any]) -> None:
    session = play(TWICE)
    session("run")
    assert session.line() == 8
    session("repair --no-question")
    assert session.last(results.Repaired).edits
    session("next")
    assert session.last(results.Stopped).reason == "step"


THROUGH_A_POINTER = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
void push(struct node **top, int key)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->next = *top;
}
int main(void)
{
    struct node *list = NULL;
    push(&list, 1);
    return 0;
}
"""


def test_spec_asserts_what_the_trace_reaches_in_its_callers(play: Callable[..., Any]) -> None:
    session = play(THROUGH_A_POINTER)
    session("break push\nrun\nnext 3\nchange main::list n1\nspec\nrepair --no-question")
    assert session.places()["main::list"] == "n1"
    assert [edit.after for edit in session.last(results.Repaired).edits] == ["*top = n;"]


def test_what_is_said_where_the_trace_begins_is_its_input(play: Callable[..., Any]) -> None:
    session = play(LIST)
    session("break sum\nrun\nchange n1->next null\nspec\nrepair")
    assert session.last(results.Repaired).cost == 0
    assert "begins in main, further out" in session.texts()
    session("start\nchange first null\nspec\nrepair")
    assert session.last(results.Repaired).cost == 0
    assert "counts as its input" in session.texts()
