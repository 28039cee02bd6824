"""What the last edit has to touch."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.core.expressions import VariableReference, lvalue_text, text
from wolverine.core.patch import NewAssignment
from wolverine.core.trace import Problem
from wolverine.repair.execution.arrivals import Arrivals
from wolverine.repair.execution.demand import ANY, NEVER, Demand
from wolverine.repair.execution.runner import Runner
from wolverine.repair.execution.schedule import prepare
from wolverine.repair.execution.spaces import Ledger
from wolverine.repair.execution.work import Limits, Work
from wolverine.repair.explicit.bench import editable_locations
from wolverine.repair.explicit.foreseen import Foreseen
from wolverine.repair.explicit.influence import Influence
from wolverine.repair.menus.candidates import Menus
from wolverine.semantics.address import cell_key

TEXT = """\
int a, b, c, d, seen;
int twice(int x) { return x + x; }
void f(void) {
    c = 5;
    a = twice(b);
    if (c > 0)
        d = a;
    seen = 1;
}
int main() { b = 2; f(); return 0; }
"""
TWICE = """\
int a, b, c, d, seen;
void g(void) { a = 7; }
void f(void) {
    g();
    d = c;
    g();
    b = c;
    seen = 1;
}
int main() { c = 3; f(); return 0; }
"""
LAST = 8


class Foresight:
    """The failure of `f`, where `d` is to be 7 before the last statement, whatever else is `asserted`."""

    def __init__(self, folder: Path, *asserted: str, program: str = TEXT) -> None:
        play = Play(program_of(program, folder))
        play.enter_function("f")
        play.to(LAST)
        play.change("d", "7")
        play.spec(*asserted)
        wanted: Problem = play.problem()
        menus = Menus(wanted.program)
        self.program = wanted.program
        self.runner = runner = Runner(wanted.program, wanted.traces[0], menus)
        runner.configure(prepare(runner.machine, runner.trace), editable_locations(wanted, menus, [runner]))
        work = Work(wanted.budget, lambda: False)
        influence = Influence(runner, Arrivals(work, Limits(), Ledger()), work)
        machine = runner.machine
        machine.undo(runner.origin)
        assert machine.frame is not None
        before = machine.mark(), dict(machine.memory.cells)
        here = runner.location(machine.frame.linked.name, machine.pc)
        assert here is not None
        found = influence.foresee(0, None, here, {here: 1}, {})
        assert (machine.mark(), machine.memory.cells) == before
        assert found is not None
        self.foreseen: Foreseen = found

    def key(self, name: str) -> int:
        [variable] = [v for v in self.program.globals if v.name == name]
        _, address = self.runner.machine.layout.address("f", VariableReference(name, variable.type, "global"))
        return cell_key(variable.type, address)

    def behind(self, line: int, mine: str | None = None) -> Demand | None:
        """What another statement has to do instead of the one on a line, which writes to `mine`."""
        kind = "gap" if mine is None else "assignment"
        [location] = [
            n
            for n, found in enumerate(self.program.locations)
            if found.line == line and found.kind == kind and self.foreseen.executed(n, 1)
        ][:1]
        effect = (0, 0) if mine is None else (self.key(mine), 99)
        return self.foreseen.behind(location, 1, effect, self.runner.machine.memory.cells)


@pytest.fixture
def foresight(tmp_path: Path) -> Foresight:
    return Foresight(tmp_path, "d")


def test_only_what_the_failure_depends_on_matters(foresight: Foresight) -> None:
    demand = foresight.behind(5)  # inserted before a = twice(b), behind c = 5
    assert demand is not None
    wishes = {name: demand.of(foresight.key(name)) for name in ("a", "b", "c", "d", "seen")}
    assert wishes == {"a": NEVER, "b": ANY, "c": ANY, "d": NEVER, "seen": NEVER}


def test_what_was_read_already_matters_no_more(foresight: Foresight) -> None:
    demand = foresight.behind(7)  # inserted before d = a, behind the test of c
    assert demand is not None
    wishes = {name: demand.of(foresight.key(name)) for name in ("a", "b", "c", "d", "seen")}
    assert wishes == {"a": 7, "b": NEVER, "c": NEVER, "d": NEVER, "seen": NEVER}  # it is copied to d


def test_what_is_wrong_has_to_be_put_right(foresight: Foresight) -> None:
    demand = foresight.behind(LAST)
    assert demand is not None
    assert demand.of(foresight.key("d")) == 7
    assert demand.of(foresight.key("a")) is NEVER


def test_anything_may_stand_in_the_place_of_what_matters(foresight: Foresight) -> None:
    assert foresight.behind(4, "c") is None  # the test reads it
    demand = foresight.behind(7, "d")
    assert demand is not None
    assert demand.of(0) is NEVER  # without the statement d is not 7 either
    assert demand.of(foresight.key("d")) == 7


def test_what_nothing_writes_later_has_to_be_what_is_asserted(tmp_path: Path) -> None:
    foresight = Foresight(tmp_path, "b", "d")
    demand = foresight.behind(5)
    assert demand is not None
    assert demand.of(foresight.key("b")) == 2


def test_where_a_location_is_executed_once_more_its_choices_count_then(tmp_path: Path) -> None:
    foresight = Foresight(tmp_path, "d", program=TWICE)
    machine, locations = foresight.runner.machine, enumerate(foresight.program.locations)
    [gap] = [n for n, found in locations if (found.line, found.kind) == (2, "gap")][:1]
    menu = foresight.runner.menu(gap)
    assert menu is not None

    def kept(targets: str) -> set[str]:
        """What is left of the assignments to these of the globals, if all of them write to `b` now."""
        made = {
            1 << number: f"{lvalue_text(each.replacement.target)} = {text(each.replacement.value)}"
            for number, each in enumerate(menu.menu.choices)
            if isinstance(each.replacement, NewAssignment) and lvalue_text(each.replacement.target) in targets
        }
        now = {(foresight.key("b"), 5): sum(made)}
        left = foresight.foreseen.left(gap, 1, (0, 0), machine.memory.cells, now)
        return {words for bit, words in made.items() for mask in left.values() if bit & mask}

    assert kept("ab") == {"a = b", "b = b + 1", "b = b - 1"}  # in vain, but for what reads b
    assert kept("d") == {"d = 7", "d = a", "d = b"}
