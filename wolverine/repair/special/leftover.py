"""What a whole execution leaves behind under a repair: nodes that are lost, or never freed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from wolverine.core.patch import NO_EDITS, Candidate, Edit, Patch
from wolverine.core.program import Program
from wolverine.core.trace import End, Problem, Trace
from wolverine.repair.execution.onward import onward
from wolverine.repair.execution.tape import Tape
from wolverine.repair.heaps.next_fault import is_next_fault_in
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.reaching import Reaching, any_lost, nodes_and_links
from wolverine.semantics.state import seat

_STEPS = 400_000  # of the program as it is
_FEW = 4_000
_SEVERAL = 2
_LONGER = 6  # times what that takes


class Leftover(NamedTuple):
    """What is left at the end of the program: so many of its `made` nodes are `live`, and `lost` of these.

    It `fails` where it crashes, or comes to no end, and is `silent` where it does not print what was printed
    before nodes were lost.  It comes `across` another fault where, under a repair that frees nothing, a
    function that is not repaired uses a freed node: who repairs one fault may come to the next.  The live
    ones are `alive`, the lost ones `unreached`, and what was `printed` is what the model knows of it.
    """

    lost: int = 0
    live: int = 0
    made: int = 0
    alive: frozenset[int] = frozenset()
    unreached: frozenset[int] = frozenset()
    printed: str = ""
    fails: bool = False
    silent: bool = False
    across: bool = False

    def same(self, before: Leftover) -> bool:
        """Whether the program comes to its end, prints what it did `before` and makes as many nodes."""
        whole = not (self.fails or self.silent)
        return whole and (self.made, self.printed) == (before.made, before.printed)

    def leaks_less(self, before: Leftover) -> bool:
        """Whether the program makes all that it did, and more of it is freed in the end.

        What makes fewer nodes, or smaller ones, has fewer to free: that is another program.
        """
        return not self.fails and self.made >= before.made and self.live < before.live

    def ruins(self, before: Leftover) -> bool:
        """Whether the program fails now, or makes none where it made several nodes `before`."""
        return self.fails or (before.made >= _SEVERAL and not self.made)


def together(problem: Problem, whole: Whole, edits: Iterable[Edit]) -> tuple[Patch, Leftover] | None:
    """What was accepted with these edits, and what the program leaves under it.

    None where one of them is in its way, or is not allowed, or where the model does not follow the program.
    """
    made, accepted = [*edits], problem.accepted
    if any(accepted.at(each.location) is not None for each in made):
        return None
    if problem.editable is not None and not {each.location for each in made} <= problem.editable:
        return None
    patch = Patch(tuple(sorted((*accepted.edits, *made), key=lambda edit: edit.location)))
    left = whole.left(patch)
    return (patch, left) if left is not None else None


def without_these(
    problem: Problem, whole: Whole, tried: Iterable[Sequence[Edit]], nodes: Collection[int]
) -> Sequence[Candidate]:
    """Those of the edits under which these nodes are not lost and the program does the same besides.

    What leaves least comes first.
    """
    before = whole.before
    found: list[tuple[tuple[int, int, int], Candidate]] = []
    for edits in tried if before is not None else ():
        made = together(problem, whole, edits)
        if made is None or before is None or not made[1].same(before):
            continue
        patch, left = made
        if left.unreached < before.unreached and left.unreached.isdisjoint(nodes):
            candidate = Candidate(patch, patch.size, float(patch.size))
            found.append(((left.lost, left.live, len(found)), candidate))
    return [candidate for _, candidate in sorted(found, key=lambda entry: entry[0])]


class Whole:
    """Carries out the program under one repair after the other, from where a trace begins to its end."""

    def __init__(self, program: Program, trace: Trace, accepted: Patch = NO_EDITS) -> None:
        """Under the `accepted` edits alone it leaves what `before` tells.

        Raises `Halt` where the trace's state cannot be made.
        """
        name = trace.start_stack[-1][0]
        stops = {name: {program.functions[name].end}}
        self._end = next((e for e in trace.events if isinstance(e, End)), None)
        if self._end is not None:
            stops.setdefault(self._end.position.function, set()).add(self._end.position.instruction)
        self._machine = machine = Machine(program, stops=stops, strict=True)
        machine.keep_output()
        seat(machine, trace.start, trace.start_stack)
        self._tape = Tape(machine, trace)
        self._reaching = Reaching(machine, scoped=True)
        self._origin = machine.mark()
        self._limit = _STEPS
        self._said: str | None = None  # what it has printed at the loss
        self.before = self.left(accepted)
        self._limit = min(_STEPS, max(_FEW, _LONGER * self._taken))

    def frees_but(self, others: Collection[int]) -> bool:
        """Whether, without a repair, only lost nodes and some of the `others` are live at the end."""
        return self.before is not None and self.before.alive - self.before.unreached <= frozenset(others)

    def ruined(self, patch: Patch) -> bool:
        """Whether the repair `ruins` it, as far as the model follows that."""
        left = self.left(patch)
        return left is not None and self.before is not None and left.ruins(self.before)

    def helped(self, patch: Patch) -> bool:
        """Whether under the repair it `leaks_less`, as far as the model follows that."""
        left = self.left(patch)
        return left is None or self.before is None or left.leaks_less(self.before)

    def left(self, patch: Patch) -> Leftover | None:
        """What the program leaves under the repair; None where it comes to what the model does not follow."""
        machine = self._machine
        machine.undo(self._origin)
        machine.set_patch(patch)
        begun = machine.steps
        across = False
        try:
            while True:
                try:
                    return self._carried_out(begun, across=across)
                except Fault as fault:
                    frame = machine.frame
                    if fault.kind != "freed" or frame is None:
                        return Leftover(fails=True)
                    function = frame.linked.name
                    if not is_next_fault_in(machine.program, patch, function):
                        return Leftover(fails=True)
                    machine.memory.tolerate(fault.node, (function, machine.pc))
                    across = True
        except Halt:
            return None
        finally:
            self._taken = machine.steps - begun

    def _carried_out(self, begun: int, *, across: bool) -> Leftover | None:
        """What is left when the machine, which had taken `begun` steps at first, has come to the end."""
        machine = self._machine
        for outcome in onward(machine, self._limit - (machine.steps - begun), self._tape):
            if outcome == "stop" and self._loses():
                self._said = machine.output
            if outcome == "stop" and self._ends():
                return self._here(across=across)
            if outcome in ("limit", "endless"):
                return Leftover(fails=True)
        return None

    def _loses(self) -> bool:
        """Whether the machine stands where the trace's nodes are lost, for the first time."""
        machine, end = self._machine, self._end
        return (
            self._said is None
            and end is not None
            and machine.pc == end.position.instruction
            and any_lost(machine, [node.number for node in end.lost])
        )

    def _ends(self) -> bool:
        """Whether the machine stands at the end of the outermost function."""
        frame = self._machine.frame
        if frame is None or frame.caller is not None:
            return False
        return self._machine.pc == self._machine.program.functions[frame.linked.name].end

    def _here(self, *, across: bool) -> Leftover:
        live, _ = nodes_and_links(self._machine.memory)
        lost = frozenset(self._reaching.unreached())
        silent = not self._machine.output.startswith(self._said or "")
        alive = frozenset(number for number, lives in live.items() if lives)
        return Leftover(
            len(lost), len(alive), len(live), alive, lost, self._machine.output, silent=silent, across=across
        )
