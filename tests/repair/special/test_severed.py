"""Which functions may have been meant to set what leads to a freed node."""

from __future__ import annotations

from pathlib import Path

from playing import crash

from wolverine.core.expressions import Constant, Element, Load, VariableReference
from wolverine.core.patch import Candidate, Edit, NewAssignment, NewValue, Patch, Repairs
from wolverine.core.program import Branch, Gap
from wolverine.core.types import INT, ArrayType, PointerType, StructReference
from wolverine.repair.engine.freed import cut_first
from wolverine.repair.special.severed import Severed, severed

CLUB = """\
#include <stdlib.h>
struct member { int number; struct member *later; };
struct member *first;
void join(int number) {
    struct member *m = malloc(sizeof *m);
    m->number = number;
    m->later = first;
    first = m;
}
void strike(struct member *m) {
    struct member **at = &first;
    while (*at != m)
        at = &(*at)->later;
}
void greet(struct member *m) {
    m->number++;
}
void quit(struct member *m) {
    greet(first->later);
    strike(m);
    free(m);
}
int main(void) {
    join(1);
    join(2);
    quit(first);
    return first->number;
}
"""


def test_what_was_given_the_node_that_is_freed_may_have_been(tmp_path: Path) -> None:
    problem = crash(CLUB, "main", tmp_path, strict=True)
    assert severed(problem.program, problem.traces[0]).functions == {"quit", "strike"}


def test_an_element_may_be_what_led_there(tmp_path: Path) -> None:
    text = CLUB.replace("*first;", "*first[2];").replace("&first", "&first[0]")
    text = (
        text.replace("first->", "first[0]->")
        .replace("= first;", "= first[0];")
        .replace("first = m", "first[0] = m")
    )
    problem = crash(text.replace("quit(first)", "quit(first[0])"), "main", tmp_path, strict=True)
    known = severed(problem.program, problem.traces[0])
    member = PointerType(StructReference("member"))
    first = VariableReference("first", ArrayType(member, 2), "global")
    assert known.sets("quit", Element(first, Constant(0, INT), member))
    assert not known.sets(
        "quit", Element(VariableReference("other", first.type, "global"), Constant(0, INT), member)
    )


def test_what_sets_a_stale_pointer_comes_before_a_condition_that_does_more_harm(tmp_path: Path) -> None:
    problem = crash(CLUB, "main", tmp_path, strict=True)
    program = problem.program
    code = program.functions["strike"].code
    first = next(v for v in program.globals if v.name == "first")
    assert isinstance(first, VariableReference)
    asked = Edit(next(s.location for s in code if isinstance(s, Branch)), NewValue(Constant(0, INT)))
    cut = Edit(next(s.location for s in code if isinstance(s, Gap)), NewAssignment(first, Load(first)))
    known = Severed(frozenset({"strike"}), frozenset({"first"}))

    def order(distance: float, lost: int, upset: int) -> list[Edit]:
        other = Candidate(Patch((asked,)), 1, 1.0, 0, lost, 1, against=1.0, upset=upset)
        setting = Candidate(Patch((cut,)), 1, distance, 0, 0, 2, against=distance, upset=1)
        answer = cut_first(problem, known, Repairs((other, setting), "complete", 2, 2))
        return [each.patch.edits[0] for each in answer.candidates]

    assert order(1.2, 0, 3) == [cut, asked]
    assert order(1.2, 0, 1) == [asked, cut]  # it does as little harm
    assert order(1.7, 0, 3) == [asked, cut]  # and here it is much closer
    assert order(1.7, 2, 1) == [cut, asked]  # but loses nodes
