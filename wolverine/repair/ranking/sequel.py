"""How the execution of a mere crash goes on under one repair after the other, up to the program's end.

Nobody has said what is right, but the program says something of itself: what it printed before it crashed,
whether it comes to its end, and what its functions leave behind each time one of them is done: nodes that
nothing leads to, and live nodes that lead to freed ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Hashable, Iterable
from itertools import islice
from math import inf
from typing import NamedTuple

from wolverine.core.parts import null_tests
from wolverine.core.patch import NO_EDITS, Guarded, NewValue, Patch, Replacement
from wolverine.core.program import MAIN, Call, Function, Program, Return
from wolverine.core.trace import Trace
from wolverine.core.types import StructReference
from wolverine.repair.execution.onward import onward
from wolverine.repair.execution.pool import Pool
from wolverine.repair.execution.tape import Tape
from wolverine.repair.heaps.next_fault import is_next_fault
from wolverine.repair.heaps.opened import gone_round, looking_round
from wolverine.repair.heaps.remains import freed, rings, to_themselves
from wolverine.repair.heaps.unrepaired import Null, null_at, null_of, statement_at
from wolverine.repair.ranking.crashed import under_way
from wolverine.repair.ranking.entered import entered
from wolverine.repair.ranking.origins import origins
from wolverine.repair.ranking.twofold import led_twice, links_read, while_sound
from wolverine.repair.source.frees import can_free
from wolverine.repair.source.paired import paired
from wolverine.repair.source.references import counts_references
from wolverine.repair.source.repeated import deletes_repeated
from wolverine.repair.source.together import torn
from wolverine.repair.source.unread import unread
from wolverine.repair.source.walk import compared
from wolverine.repair.special.omitted import allocating
from wolverine.repair.special.severed import STALE
from wolverine.semantics.activation import outwards
from wolverine.semantics.address import (
    ADDRESS_MASK,
    GLOBALS,
    HIDDEN,
    KIND_SHIFT,
    POINTER,
    STATE,
    number_of,
    offset_of,
)
from wolverine.semantics.allocation import FREEING
from wolverine.semantics.concrete import gives_up
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.reaching import nodes_and_links, unreached
from wolverine.semantics.state import seat

_CRASHED = 3.5  # what it adds to the distance that the execution crashes as it goes on, or has no end
_ANOTHER = 1.0  # where that is a fault of its own
_SILENT = 1.0
_DANGLING = 5.0  # more than under another repair
_LOST = 1.0
_FEWER = 1.5  # fewer nodes are made than before the crash
_STANDSTILL = 1.0  # nothing is built any more where the function that crashed makes nodes
_KEPT = 0.7  # after the use of a freed node: fewer nodes are freed than were
_NOT_YET = 0.4  # or than were before an assertion failed: that is no part of what it is about
_SHARED = 4.0  # two links still lead to a node, as they did to one that was freed over both
_IN_THE_RING = 3.0  # another way through a ring in what only looks at it
_PARTED = 3.0  # of two pointers that are set together one is null
_LOOKED_AT = 100  # repairs that are carried out
_LOOKED_AT_LEAST = 20  # of these also where a sound one is closer
_FAR = 3.0  # more than a sound one is away
_STEPS = 20_000  # machine steps for one repair, and where others come to the end
_FEW_STEPS = 2_000
_LONGER = 8  # times what the longest of them took
_ALL_STEPS = 600_000
_STATEMENT = 30  # instructions of one behind a call
_LOOKS = 60  # returns at which the heap is looked at


class Left(NamedTuple):
    """What a repair comes to: `silent` where it does not print what was printed before the crash.

    `dangling` are live nodes that lead to freed ones, and still do at the next look, but for what a call has
    freed that is not through yet; `lost` are live nodes that nothing leads to: the most at one look. Where it
    is `parted`, of two pointers that are set together one was null then. `kept` says that it frees fewer
    nodes than the program did up to the use of a freed one, or up to an assertion that failed, `fewer` that
    it makes fewer nodes than were made before the crash. Where the used one was freed over two links (see
    `twofold`), `shared` says that two lead to some node. It is `mute` where it does not even print what was
    printed before the first nodes were lost in the program as it is. Variables may lead to freed nodes: a
    queue's rear when its front is null. Where it ends by using a freed node, `late` is the line of that, and
    `null` where it goes through null, called by the `callers`, the innermost first, but for `main`; `freer`
    is the function, called where the trace begins, in which that node was freed. Where it
    goes round on its way to null, `ring` says that there is such a ring in the end. `built` says that once
    more nodes were reached than where it begins. What the program as it is mends again by itself, before it
    ends by something else than the use of a freed node, is its own way: a queue's rear that leads to the node
    taken out last, until another one comes.
    """

    crashed: bool = False
    silent: bool = False
    mute: bool = False
    dangling: int = 0
    lost: int = 0
    parted: bool = False
    kept: bool = False
    fewer: bool = False
    shared: bool = False
    late: int = 0
    null: Null | None = None
    callers: tuple[str, ...] = ()
    ring: bool = False
    built: bool = False
    freer: str = ""

    @property
    def sound(self) -> bool:
        """Whether nothing speaks against it."""
        return self._replace(built=False) == Left()


def sequel_of(program: Program, trace: Trace) -> Sequel | None:
    """What carries out the repairs of a mere crash; None where it is none, or cannot begin."""
    try:
        return Sequel(program, trace) if trace.bare else None
    except Halt:
        return None


class Sequel:
    """Carries out the repairs of a program where the trace begins, one after the other, each once."""

    def __init__(self, program: Program, trace: Trace) -> None:
        """Raises `Halt` where the trace's state cannot be made."""
        returns = {
            name: {i for i, step in enumerate(function.code) if isinstance(step, Return)}
            for name, function in program.functions.items()
        }
        self._machine = machine = Machine(program, strict=True)
        machine.keep_output()
        self._pool = Pool(machine)
        seat(machine, trace.start, trace.start_stack)
        self._tape = Tape(machine, trace)
        self._traced = null_of(program, trace)
        self._leaks = bool(trace.lost)
        self._first = {each.number for each in outwards(machine.frame)}
        self._names = {each.linked.name for each in outwards(machine.frame)}
        machine.set_stops({n: each | _freeing(program.functions[n]) for n, each in returns.items()})
        self._origin = machine.mark()
        self._pairs = paired(program, machine.layout)
        self._unread = unread(program)
        owners = {cell[0] for pair in self._pairs for cell in pair if isinstance(cell[0], str)}
        self._tags = {program.types.size(StructReference(tag)): tag for tag in sorted(owners)}
        self._limit = _STEPS
        self._longest = 0  # steps to the program's end
        self._known: dict[Patch, Left] = {}
        self._another: set[Patch] = set()  # repairs under which another fault makes it crash
        self._spent = 0
        self._whole: str | None = None  # what was printed before pointers that are set together were parted
        self._sound: str | None = None  # or before nodes were lost
        self._said = ""
        self._trusted: str | None = None  # before nodes were lost, where an assertion fails behind that
        self._freed, self._keeping = 0, _KEPT
        self._made = 0
        self._stale = 0  # the freed node that was used in the end
        self._fault = ""  # the function that used it
        self._links: Container[int] = ()  # offsets: over two such pointers it was freed
        self._meanwhile, self._joined = frozenset[int](), False  # the same of what was carried out last
        self._looking = ""
        self._rings = frozenset[int]()  # offsets: over these it goes round on its way to null
        # What was made for what a search has not found need not be.
        found = origins(program, trace).answered if self._traced is not None else None
        self._builds = found is None and not trace.endless
        self._builds = self._builds and not allocating(program).isdisjoint(under_way(trace) - {MAIN})
        self._reached = _looked(machine, self._unread)[2]
        self.to_itself = False  # whether a node leads to itself there
        self._left_anyway = 0  # pointers to freed nodes where all that was printed is right
        self._mended = frozenset[int]()  # what led to freed nodes only for a while in the program as it is
        self._tears = False  # and whether pointers that are set together were parted only for a while
        unrepaired = self._under(NO_EDITS)
        if self._gives_up() and can_free(program):
            self._trusted = self._sound
        if not self._stale:
            self._mended, self._tears = self._meanwhile, self._joined
            self._whole = None if self._tears else self._whole
        if trace.endless:
            self._looking = looking_round(program, trace, machine)
            self._rings = gone_round(program, trace, machine)
            self.to_itself = bool(self._rings & to_themselves(machine))
            machine.undo(self._origin)
            self._made, self._said, done = entered(machine, self._tape, trace)
            self._left_anyway = unrepaired.dangling if done else 0
        else:
            checked = self._gives_up()
            self._keeping = _NOT_YET if checked else _KEPT
            self._freed = freed(machine) if trace.strict or checked else 0
            self._made = machine.memory.node_count if found is None else found
            self._said = machine.output if self._whole is None else self._whole
            if self._stale:
                links = links_read(program, self._fault)
                machine.undo(self._origin)
                said, twice = while_sound(machine, self._tape, _STEPS, self._stale, links)
                self._said = min(self._said, said, key=len)
                self._links = links if twice and not self._counted() else ()

    def against(
        self,
        closest: Iterable[tuple[Hashable, Patch, float]],
        besides: Collection[int] = (),
        lacking: Callable[[Patch, str], Collection[Null]] = lambda patch, function: (),
        stranding: Callable[[Patch, str], bool] = lambda patch, function: False,
    ) -> dict[Patch, float]:
        """What speaks against repairs in how the execution goes on, the closest first.

        Each comes with its behaviour and its distance; that freed nodes are used at the lines `besides` is
        another fault, and so it is that it goes through null where a function is `lacking` a case, or uses
        what was freed in one that leaves something `stranding`.  The
        closest are carried out, and the closest of each behaviour, up to where a sound one is closer by far;
        what there is no time for counts as the closest of its behaviour, or else as if it were the worst.
        """
        listed = [*closest]
        behaviours = {patch: behaviour for behaviour, patch, _ in listed}
        distances = {patch: distance for _, patch, distance in listed}
        first: dict[Hashable, Patch] = {}
        for patch, behaviour in behaviours.items():
            first.setdefault(behaviour, patch)
        asked = dict.fromkeys((*islice(behaviours, _LOOKED_AT), *first.values()))
        self._spent = 0
        known: dict[Patch, Left] = {}
        farthest = inf
        for patch in sorted(asked, key=distances.__getitem__):
            if len(known) >= _LOOKED_AT_LEAST and distances[patch] > farthest:
                break
            if (left := self.left(patch)) is not None:
                known[patch] = left
                farthest = min(farthest, distances[patch] + _FAR if left.sound else inf)
        if not known:
            return {}
        trusting = {patch: left._replace(silent=left.mute) for patch, left in known.items()}
        if any(left.sound for left in trusting.values()):
            known = trusting  # to lose nodes is the fault then, and what was printed after that tells nothing
        known = {patch: self._up_to_the_next(patch, left) for patch, left in known.items()}
        good = [left for left in known.values() if not (left.crashed or left.silent)] or list(known.values())
        dangling = max(min(left.dangling for left in good), self._left_anyway)
        lost = min(left.lost for left in good)
        parted, kept = all(left.parted for left in good), all(left.kept for left in good)
        fewer, ring = all(left.fewer for left in good), all(left.ring for left in good)
        builds = self._builds and any(left.built for left in known.values())
        found = {
            patch: self._crashed(patch, left, besides, lacking, stranding)
            + _SILENT * left.silent
            + _DANGLING * (left.dangling > dangling)
            + _LOST * (left.lost > lost)
            + _PARTED * (left.parted and not parted)
            + self._keeping * (left.kept and not kept)
            + _FEWER * (left.fewer and not fewer)
            + _STANDSTILL * (builds and not left.built)
            + _SHARED * left.shared
            + _IN_THE_RING * (left.ring and not ring and not self._looks(patch))
            for patch, left in known.items()
        }
        worst = max(found.values())
        return {
            patch: found.get(patch, found.get(first[behaviour], worst)) + _IN_THE_RING * self._looks(patch)
            for patch, behaviour in behaviours.items()
        }

    def _crashed(
        self,
        patch: Patch,
        left: Left,
        besides: Collection[int],
        lacking: Callable[[Patch, str], Collection[Null]],
        stranding: Callable[[Patch, str], bool],
    ) -> float:
        """What speaks against a repair in that the execution crashes as it goes on."""
        if not left.crashed or left.late in besides:
            return 0.0
        if left.freer:
            another = stranding(patch, left.freer)
        elif left.null is None or left.null == self._traced:
            another = False
        else:
            within = (left.null[0], *left.callers)
            another = any(left.null in lacking(patch, function) for function in within)
        if not another:
            return _CRASHED
        self._another.add(patch)
        return _ANOTHER

    def _up_to_the_next(self, patch: Patch, left: Left) -> Left:
        """What it comes to: where nodes are lost, the next fault does not count, nor what that cuts off."""
        if not (self._leaks and left.late and is_next_fault(self._machine.program, patch, left.late)):
            return left
        self._another.add(patch)
        return left._replace(crashed=False, silent=False, mute=False, kept=False, fewer=False)

    def _looks(self, patch: Patch) -> bool:
        """Whether the repair is one of what only looks at a ring, and still tests for null there."""
        location = self._machine.program.location
        return all(
            location(edit.location).function == self._looking and not _goes_round(edit.replacement)
            for edit in patch.edits
        )

    def left(self, patch: Patch) -> Left | None:
        """What the repair comes to; None where too much was executed to tell."""
        if patch not in self._known:
            if self._spent > _ALL_STEPS:
                return None
            self._known[patch] = self._under(patch)
        return self._known[patch]

    def crashes(self, patch: Patch) -> bool:
        """Whether the execution was seen to crash as it goes on under the repair, or to come to no end.

        Another fault is none of the repair's.
        """
        left = self._known.get(patch)
        return left is not None and left.crashed and patch not in self._another

    def another(self, patch: Patch) -> bool:
        """Whether the execution was seen to crash as it goes on by another fault."""
        return patch in self._another

    def _under(self, patch: Patch) -> Left:
        machine = self._machine
        machine.undo(self._origin)
        machine.set_patch(patch)
        self._whole = self._sound = None
        self._meanwhile, self._joined, torn = frozenset(), False, False
        begun = machine.steps
        crashed, late, dangling, lost, parted, shared, looks = False, 0, 0, 0, False, False, 0
        null: Null | None = None
        callers: tuple[str, ...] = ()
        freer = ""
        built = False
        before: frozenset[tuple[int, int]] = frozenset()
        by: dict[int, int] = {}  # of freed nodes, the activation that freed them
        within: dict[int, str] = {}  # and the call in which that was
        try:
            for outcome in onward(machine, self._limit, self._tape):
                if outcome != "stop":
                    crashed = outcome in ("limit", "endless") or (outcome == "concrete" and self._gives_up())
                elif not self._returns():
                    node, activation = self._freed_here()
                    by[node], within[node] = activation, self._called()
                elif self._ends():
                    dangling = max(dangling, len(_looked(machine, self._unread)[0] & before))
                elif looks < _LOOKS and self._done() and self._behind():
                    looks += 1
                    leading, unreached, reached = _looked(machine, self._unread)
                    built = built or reached > self._reached
                    if unreached and self._sound is None:
                        self._sound = machine.output
                    going_on = {each.number for each in outwards(machine.frame)}
                    leading = frozenset(
                        each
                        for each in leading
                        if by.get(each[1]) not in going_on and each[0] not in self._mended
                    )
                    self._meanwhile |= {holder for holder, _ in before} - {holder for holder, _ in leading}
                    dangling, lost = max(dangling, len(leading & before)), max(lost, unreached)
                    before = leading
                    shared = shared or bool(self._links and led_twice(machine.memory, self._links))
                    if self._pairs and not self._tears and not (parted and patch.edits):
                        torn, before_this = self._parted(), torn
                        self._joined = self._joined or (before_this and not torn)
                        if torn and not parted:
                            parted, self._whole = True, machine.output
        except Fault as fault:
            crashed = True
            null = null_at(machine, self._pool) if fault.kind == "null" else None
            names = (each.linked.name for each in islice(outwards(machine.frame), 1, None))
            callers = tuple(name for name in names if name != MAIN)
            if fault.kind in STALE and machine.frame is not None:
                self._stale, self._fault = fault.node, machine.frame.linked.name
                _, late = statement_at(machine) or ("", 0)
                freer = within.get(fault.node, "")
        except Halt:
            pass
        self._spent += machine.steps - begun
        if not crashed:
            self._longest = max(self._longest, machine.steps - begun)
            self._limit = min(_STEPS, max(_FEW_STEPS, _LONGER * self._longest))
        kept = self._freed > 0 and freed(machine) < self._freed
        fewer = machine.memory.node_count < self._made
        silent = not machine.output.startswith(self._said)
        ring = bool(self._rings) and not self._rings.isdisjoint(rings(machine))
        silent = silent and not deletes_repeated(machine.program, patch)  # it had passed some over by then
        mute = silent and (self._trusted is None or not machine.output.startswith(self._trusted))
        spoken = crashed, silent, mute
        left = Left(*spoken, dangling, lost, parted, kept, fewer, shared, late, null, callers, ring, built)
        return left._replace(freer=freer)

    def _gives_up(self) -> bool:
        """Whether the machine stands where an assertion has failed."""
        frame = self._machine.frame
        return frame is not None and gives_up(frame.linked.steps[self._machine.pc])

    def _counted(self) -> bool:
        """Whether nodes of the used one's size count who refers to them: several may share one then."""
        return counts_references(self._machine.program, self._machine.memory.node_size(self._stale))

    def _parted(self) -> bool:
        """Whether of two pointers that are set together one is null now; nodes go by the sizes of structs."""
        cells: dict[int, list[tuple[int, int, int]]] = {}
        structs: dict[int, str] = {}
        for key, raw in self._machine.memory.cells.items():
            kind = (key & ~HIDDEN) >> KIND_SHIFT  # most cells are counters and numbers
            if kind == POINTER:
                if isinstance(raw, int):
                    address = key & ADDRESS_MASK
                    cells.setdefault(number_of(address), []).append((offset_of(address), kind, raw))
            elif kind == STATE and raw in self._tags:
                number = number_of(key & ADDRESS_MASK)
                if number < GLOBALS:
                    structs[number] = self._tags[raw]
        return torn(self._pairs, cells, structs, structs)

    def _done(self) -> bool:
        """Whether what returns is one of the calls with which the trace begins, or by one of them, and whole.

        A call within a recursion is none.
        """
        frame = self._machine.frame
        if frame is None or frame.caller is None:
            return False
        if frame.number in self._first:
            return True
        return frame.caller.number in self._first and frame.linked.name not in self._names

    def _returns(self) -> bool:
        """Whether a function is about to return."""
        frame = self._machine.frame
        return frame is None or isinstance(frame.linked.steps[self._machine.pc], Return)

    def _called(self) -> str:
        """The function that was called, and is under way, by an activation with which the trace begins."""
        for frame in outwards(self._machine.frame):
            if frame.caller is not None and frame.caller.number in self._first:
                return "" if frame.number in self._first else frame.linked.name
        return ""

    def _freed_here(self) -> tuple[int, int]:
        """The node that is about to be freed by a call (0: none), with the activation that calls."""
        machine, frame = self._machine, self._machine.frame
        step = frame.linked.steps[machine.pc] if frame is not None else None
        if frame is None or not (isinstance(step, Call) and step.function in FREEING):
            return 0, 0
        given = step.arguments[0]
        [freed] = machine.evaluators.values(frame.linked.name, [(given, given.type)])
        address = machine.attempt(freed)
        return (number_of(address), frame.number) if isinstance(address, int) and address else (0, 0)

    def _ends(self) -> bool:
        """Whether the program comes to its end."""
        return self._machine.frame is not None and self._machine.frame.caller is None

    def _behind(self) -> bool:
        """Go on to the end of the statement that called; whether it is come to without another call."""
        machine = self._machine
        machine.step()
        caller = machine.frame
        if caller is None:
            return False
        units = machine.program.functions[caller.linked.name].unit_of
        unit = units[machine.pc - 1]
        for _ in range(_STATEMENT):
            if units[machine.pc] != unit or machine.arrived() is not None:
                break
            machine.step()
            if machine.frame is not caller:
                return False
        return machine.frame is caller


def _freeing(function: Function) -> set[int]:
    """Where the function frees something itself."""
    return {i for i, step in enumerate(function.code) if isinstance(step, Call) and step.function in FREEING}


def _goes_round(replacement: Replacement) -> bool:
    """Whether a replacement compares pointers as who walks in a ring does, and tests none for null."""
    match replacement:
        case NewValue(condition) | Guarded(condition):
            return compared(condition) and not any(null_tests(condition))
    return False


def _looked(machine: Machine, unread: Container[int]) -> tuple[frozenset[tuple[int, int]], int, int]:
    """Which pointers of live nodes lead to freed ones, how many live nodes nothing leads to, and how many
    something does.

    Those of the latter lead nobody there, nor do links at the `unread` offsets.
    """
    live, leads = nodes_and_links(machine.memory, unread)
    lost = unreached(live, leads)
    dangling = frozenset(
        (number, to)
        for number, found in leads.items()
        if live.get(number) and number not in lost
        for to in found
        if live.get(to) is False
    )
    return dangling, len(lost), sum(live.values()) - len(lost)
