"""Elements by the index that other functions reckon for their array."""

from __future__ import annotations

from pathlib import Path

from playing import best, program_of, words
from test_widening_demand import asked

from wolverine.core.expressions import Expression, lvalue_text, text
from wolverine.core.program import Assign, Program
from wolverine.repair.menus.subscripts import Subscripts
from wolverine.repair.menus.vocabulary import Scope

NTH = "b->slots[(b->first + i) % 4]"

BELT = """\
#include <stdlib.h>
struct belt { struct parcel *slots[4]; int first, used; };
struct parcel { int weight; };
struct hall { struct belt belt; };
struct parcel *marked[8];
void load(struct belt *b, int weight) {
    struct parcel *p = malloc(sizeof *p);
    p->weight = weight;
    b->slots[(b->first + b->used) % 4] = p;
    b->used++;
}
void unload(struct belt *b) {
    free(b->slots[b->first]);
    b->first = (b->first + 1) % 4;
    b->used--;
}
int total(struct belt *belt) {
    int sum = 0;
    for (int n = 0; n < belt->used; n++)
        sum += belt->slots[(belt->first + n) % 4]->weight;
    return sum;
}
void mark(struct belt *b) {
    int i;
    for (i = 0; i < b->used; i++)
        marked[i] = b->slots[i];
}
int heaviest(struct hall *h) {
    int k, most = 0;
    for (k = 0; k < h->belt.used; k++)
        if (h->belt.slots[k]->weight > most)
            most = h->belt.slots[k]->weight;
    return most;
}
int main(void) {
    struct hall hall = { 0 };
    load(&hall.belt, 7);
    load(&hall.belt, 8);
    unload(&hall.belt);
    load(&hall.belt, 9);
    mark(&hall.belt);
    return total(&hall.belt) + heaviest(&hall);
}
"""


def _values(program: Program, function: str, target: str) -> list[Expression]:
    code = program.functions[function].code
    return [s.value for s in code if isinstance(s, Assign) and lvalue_text(s.target) == target]


def _scope(program: Program, function: str) -> Scope:
    return (*program.functions[function].parameters, *program.functions[function].locals)


def _offered(program: Program, function: str, value: Expression) -> list[str]:
    scope = _scope(program, function)
    return [text(each) for each in Subscripts(program).of_value(function, scope, value)]


def test_the_index_is_written_with_the_variables_at_hand(tmp_path: Path) -> None:
    program = program_of(BELT, tmp_path)
    [stored] = _values(program, "mark", "marked[i]")
    assert _offered(program, "mark", stored) == [NTH]  # of which the index there is a part


def test_the_array_may_lie_deeper(tmp_path: Path) -> None:
    program = program_of(BELT, tmp_path)
    _, most = _values(program, "heaviest", "most")
    offered = _offered(program, "heaviest", most)
    assert "h->belt.slots[(h->belt.first + k) % 4]->weight" in offered
    assert "h->belt.slots[(h->belt.first + most) % 4]->weight" not in offered


def test_only_what_other_functions_reckon_is_as_elsewhere(tmp_path: Path) -> None:
    known = Subscripts(program := program_of(BELT, tmp_path))
    [plain] = _values(program, "mark", "marked[i]")
    [nth] = known.of_value("mark", _scope(program, "mark"), plain)
    assert known.as_elsewhere("mark", [plain], [nth])
    assert not known.as_elsewhere("mark", [plain], [plain])
    assert not known.as_elsewhere("mark", [nth], [plain])
    assert not known.as_elsewhere("total", [plain], [nth])  # there only this one is reckoned so


def test_what_is_copied_out_of_a_ring_begins_with_its_first(tmp_path: Path) -> None:
    right = BELT.replace("b->slots[i]", NTH)
    problem = asked(right, NTH, "mark", tmp_path, "b->slots[i]", inputs=[()])
    assert words(problem.program, best(problem)) == f"marked[i] = {NTH}"
