"""What the last edit has to touch."""

from __future__ import annotations

import sys
from pathlib import Path
from time import monotonic

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from playing import Play, program_of

from wolverine.core.expressions import VariableReference
from wolverine.core.trace import Problem
from wolverine.repair.arrivals import Arrivals
from wolverine.repair.bench import editable_locations
from wolverine.repair.candidates import Menus
from wolverine.repair.demand import ANY, NEVER, Demand
from wolverine.repair.influence import Foreseen, Influence
from wolverine.repair.runner import Runner
from wolverine.repair.schedule import prepare
from wolverine.repair.spaces import Ledger
from wolverine.repair.work import Limits, Work
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
LAST = 8


class Foresight:
    """The failure of `f`, where `d` is to be 7 before the last statement."""

    def __init__(self, folder: Path) -> None:
        play = Play(program_of(TEXT, folder))
        play.enter_function("f")
        play.to(LAST)
        play.change("d", "7")
        play.spec()
        wanted: Problem = play.problem()
        menus = Menus(wanted.program)
        self.program = wanted.program
        self.runner = runner = Runner(wanted.program, wanted.traces[0], menus)
        runner.configure(prepare(runner.machine, runner.trace), editable_locations(wanted, menus, [runner]))
        work = Work(wanted.budget, monotonic, lambda: False)
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
            if found.line == line and found.kind == kind and (n, 1) in self.foreseen.needs
        ][:1]
        effect = (0, 0) if mine is None else (self.key(mine), 99)
        return self.foreseen.behind(location, 1, effect, self.runner.machine.memory.cells)


@pytest.fixture
def foresight(tmp_path: Path) -> Foresight:
    return Foresight(tmp_path)


def test_only_what_the_failure_depends_on_matters(foresight: Foresight) -> None:
    demand = foresight.behind(5)  # inserted before a = twice(b), behind c = 5
    assert demand is not None
    wishes = {name: demand.of(foresight.key(name)) for name in ("a", "b", "c", "d", "seen")}
    assert wishes == {"a": NEVER, "b": ANY, "c": ANY, "d": NEVER, "seen": NEVER}


def test_what_was_read_already_matters_no_more(foresight: Foresight) -> None:
    demand = foresight.behind(7)  # inserted before d = a, behind the test of c
    assert demand is not None
    wishes = {name: demand.of(foresight.key(name)) for name in ("a", "b", "c", "d", "seen")}
    assert wishes == {"a": ANY, "b": NEVER, "c": NEVER, "d": NEVER, "seen": NEVER}


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
