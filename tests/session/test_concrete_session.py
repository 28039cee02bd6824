"""`concrete` on a real process: lines, functions, comments, off; what replay and repair make of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from thorough import WORK

from wolverine.errors import CommandError
from wolverine.session import results
from wolverine.session.options import SessionOptions
from wolverine.session.parse import parse
from wolverine.session.session import Session

PROGRAM = """#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *head;
int seed = 3;

void push(int data)
{
    struct node *fresh = malloc(sizeof(struct node));
    fresh->data = data;
    fresh->next = head;
    head = fresh;
}

int number(void)
{
    seed = seed * 7 % 11;
    return seed;
}

void fill(void)
{
    struct node *current = head;
    int i = 0;
    while (current != NULL) {
        i = number();
        head->data = i;
        current = current->next;
    }
}

int main(void)
{
    push(1);
    push(2);
    push(3);
    fill();
    return 0;
}
"""


class Played:
    """A session and all that it has told."""

    def __init__(self, source: Path) -> None:
        self.told: list[results.Result] = []
        options = SessionOptions(sources=(source,), batch=True, json=True, work=WORK)
        self.session = Session(options, self.told.append)

    def run(self, *lines: str) -> None:
        for line in lines:
            for command in parse(line):
                self.session.execute(command)

    def of(self, kind: type[results.Result]) -> list[results.Result]:
        return [each for each in self.told if isinstance(each, kind)]

    def concretes(self) -> list[tuple[int, str]]:
        return [(each.line, each.function) for each in self.told if isinstance(each, results.ConcreteStep)]

    def patch(self) -> str:
        found = [each for each in self.told if isinstance(each, results.Repaired)]
        return found[-1].patch


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[[str], Played]]:
    if shutil.which("gdb") is None or shutil.which("gcc") is None:
        pytest.skip("gdb and gcc are needed")
    sessions: list[Played] = []

    def start(text: str) -> Played:
        source = tmp_path / "program.c"
        source.write_text(text)
        sessions.append(Played(source))
        return sessions[-1]

    yield start
    for each in sessions:
        each.session.close()


def line_of(part: str) -> int:
    return next(i for i, line in enumerate(PROGRAM.split("\n"), 1) if part in line)


TO_THE_SECOND_ROUND = ("break fill", "run", "next 2", "next 4", "next 4")
CORRECTIONS = ("change n3->data 10", "change n2->data 4", "spec")


def test_a_line_is_taken_from_the_process_and_told_once(play: Callable[[str], Played]) -> None:
    played = play(PROGRAM)
    line = line_of("i = number()")
    played.run("break fill", "run", f"concrete {line}", "next 2", "next 4", "next 4")
    assert played.concretes() == [(line, "fill")]
    played.run(*CORRECTIONS, "repair")
    assert "+        current->data = i;" in played.patch()
    assert played.of(results.Repaired)[-1].applied == "native"  # type: ignore[union-attr]


def test_what_was_executed_before_becomes_concrete_too(play: Callable[[str], Played]) -> None:
    played = play(PROGRAM)
    line = line_of("i = number()")
    played.run(*TO_THE_SECOND_ROUND, *CORRECTIONS)
    assert played.concretes() == []
    played.run(f"concrete {line}")
    assert played.concretes() == [(line, "fill")]
    played.run("repair")
    assert "+        current->data = i;" in played.patch()


@pytest.mark.thorough
def test_what_is_concrete_is_not_repaired(play: Callable[[str], Played]) -> None:
    played = play(PROGRAM)
    line = line_of("head->data = i")
    played.run(*TO_THE_SECOND_ROUND, *CORRECTIONS, f"concrete {line}")
    with pytest.raises(CommandError):
        played.run("repair --insert 0 --function fill")
    played.run("concrete off", "repair --insert 0")
    assert "+        current->data = i;" in played.patch()


def test_calls_of_a_function_that_allocates(play: Callable[[str], Played]) -> None:
    played = play(PROGRAM)
    played.run("concrete push", "start", "next", "next", "next")
    assert [line for line, _ in played.concretes()] == [line_of(f"push({n})") for n in (1, 2, 3)]
    assert not [note for note in played.of(results.Note) if "differ" in str(note)]
    played.run("step", "next 2", "next 4", "next 4", *CORRECTIONS, "repair")
    assert "+        current->data = i;" in played.patch()


@pytest.mark.thorough
def test_a_comment_marks_the_block_that_its_line_opens(play: Callable[[str], Played]) -> None:
    marked = PROGRAM.replace("while (current != NULL) {", "while (current != NULL) { // wolverine: concrete")
    played = play(marked)
    played.run("break fill", "run", "next 2", "next 4")
    inside = (line_of("i = number()"), line_of("head->data = i"), line_of("current = current->next"))
    assert [line for line, _ in played.concretes()] == list(inside)


def test_going_back_past_the_command_keeps_it(play: Callable[[str], Played]) -> None:
    played = play(PROGRAM)
    line = line_of("i = number()")
    played.run("break fill", "run", "next 2", "spec", "next 4", f"concrete {line}", "resume 0")
    played.run("next 4", "next 4", *CORRECTIONS, "repair")
    assert "+        current->data = i;" in played.patch()
    assert played.concretes() == [(line, "fill")]


@pytest.mark.parametrize("command", ["concrete 900", "concrete nobody", "concrete other.c:3"])
def test_what_is_not_there_is_refused(play: Callable[[str], Played], command: str) -> None:
    played = play(PROGRAM)
    played.run("start")
    with pytest.raises(CommandError):
        played.run(command)


LATE = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
static int rate(int n) { return n * 7 % 5; }
static int count(struct node *head) {
    int sum = 0;
    for (struct node *p = head; p; p = p->next)
        if (p->data > 2)
            sum += rate(p->data);
    return sum;
}
int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 4; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->data = i + 2;
        fresh->next = head;
        head = fresh;
    }
    int all = count(head);
    return all > 9;
}
"""


def test_a_stretch_that_is_not_followed_is_told_with_its_end_and_the_statement(
    play: Callable[[str], Played],
) -> None:
    played = play(LATE)
    played.run("break 19", "run", "spec", "next", "concrete rate")
    reasons = [each.reason for each in played.told if isinstance(each, results.ConcreteStep)]
    assert reasons == [
        "up to line 20 in main; line 7 in count: this goes through a pointer that only the process knows"
    ]
