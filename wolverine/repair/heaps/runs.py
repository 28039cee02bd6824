"""One machine that runs a function on heap after heap, with sets of candidates at once.

A set of candidates (a product of masks) is executed as one until a changed location has different effects
for some of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any

from wolverine.core.graph import MemoryGraph
from wolverine.core.patch import NO_EDITS, Patch
from wolverine.core.program import MAIN, Concrete, Program, Return, reachable
from wolverine.core.trace import Trace
from wolverine.core.types import VOID, PointerType
from wolverine.repair.execution.concrete import passed
from wolverine.repair.execution.effects import Effect, landing, perform
from wolverine.repair.execution.focus import Focus
from wolverine.repair.execution.opening import open_menu
from wolverine.repair.execution.pool import Pool, look
from wolverine.repair.execution.tape import Tape
from wolverine.repair.execution.truths import Conditionals
from wolverine.repair.heaps.backlinks import leaders
from wolverine.repair.heaps.hanging import tables
from wolverine.repair.heaps.ordered import throughout
from wolverine.repair.heaps.remains import (
    Done,
    Left,
    Rules,
    alters,
    changes,
    dangles,
    fills,
    freed,
    held,
    holding,
    redirects,
    remains,
    rings,
)
from wolverine.repair.heaps.unrepaired import returning, run_on, statement_at
from wolverine.repair.menus.calling import writes
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.source.covered import Covered
from wolverine.repair.source.frees import can_free, may_clear
from wolverine.repair.source.retained import retained, surrendered
from wolverine.repair.source.unread import unread
from wolverine.semantics.address import ADDRESS_MASK, GLOBALS, KIND_SHIFT, LOCALS, POINTER, TOKENS, number_of
from wolverine.semantics.closures import Evaluate
from wolverine.semantics.counters import Owner, owners, tags
from wolverine.semantics.endless import Rounds, advance
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.fresh import numbers_in
from wolverine.semantics.machine import Machine
from wolverine.semantics.scratch import numbers_set_behind
from wolverine.semantics.state import seat

_KEPT = 2  # lost nodes that a node which is freed no more counts as
_OTHERS = 4  # of so many heaps one is for other keys than the first
Outcome = Hashable
UNKNOWN = "unknown"
BEYOND = "beyond what was read"
ENDLESS = "endless"


@dataclass
class Ended:
    """What candidates came to on a heap: the outcome, and what `Part` counts.

    `still` nodes are lost besides that the program as it is loses as well.  Where that leaves things amiss,
    a rule broken or a freed node in use, and they do not, it is `mended`; where it does not, and they come to
    something else, they `upset` it.  With `filling`, they set more of what new nodes hold.  Where it crashes
    when it has already redirected a pointer, and they change nothing at all, its work is `undone`.
    """

    masks: dict[int, int]
    outcome: Outcome
    lost: int = 0
    still: int = 0
    broken: int = 0
    fault: str = ""
    changed: bool = False
    apart: int = 0
    seen: int = 0
    done: Done | None = None
    works: bool | None = None
    mended: bool = False
    upset: bool = False
    filling: bool = False
    undone: bool = False


class Runs:
    """One machine that runs the function on heap after heap.

    After `seat`, `passes` tells whether the program as it is, with the `accepted` edits, returns from this
    heap, `crash` how it crashes, `endless` whether it comes to no end, and `done` what it does (None: it does
    not return).  With `tolerating`, freed nodes may be used, and nodes beyond their ends, to see what it
    would come to.  With `leaking`, that nodes are lost is the fault.  Made-up input has the `keys`, on most
    heaps from the first one on.
    """

    def __init__(
        self,
        program: Program,
        menus: Menus,
        editable: Mapping[str, Mapping[int, int]],
        name: str,
        patience: int,
        rules: Rules = Rules(),  # noqa: B008
        *,
        keeping: bool = False,
        tolerating: bool = False,
        keys: str = "",
        leaking: bool = False,
        accepted: Patch = NO_EDITS,
    ) -> None:
        self._program = program
        self._leaking = leaking
        self._accepted = accepted
        self._tolerating = tolerating
        self._keys = keys
        self._keeping = keeping
        self._covered = Covered(program)
        self._seen: set[int] = set()
        self._unchanged: Ended | None = None  # what the program as it is does on the present heap
        self._reached: frozenset[int] = frozenset()
        self._rules = rules
        self._name = name
        self._patience = patience
        stops = {function: set(found) for function, found in editable.items()}
        returns = {i for i, step in enumerate(program.functions[name].code) if isinstance(step, Return)}
        stops.setdefault(name, set()).update(returns)
        self._machine = Machine(program, stops=stops, strict=True)
        self._machine.keep_output()
        self._editable = editable
        self._focus = Focus(self._machine, reachable(program, (name,)), editable, {name: returns})
        self._can_free = can_free(program)
        self._clearing = self._can_free and may_clear(program, name)
        self._unread = unread(program) if self._can_free else frozenset[int]()
        layout = self._machine.layout
        self._anew = numbers_set_behind(program, layout, name) if self._can_free else frozenset[int]()
        self._anew |= frozenset(rules.stale)
        self._writes = writes(program, reachable(program, (name,)))
        self._retained = retained(program, name)
        self._surrendered = surrendered(program, name)
        self._scratch = rules.scratch
        self._ordered = rules.ordered
        self._pool = Pool(self._machine)
        self._menus = menus
        self._opened: dict[int, Any] = {}
        self._result: dict[int, Evaluate | None] = {}
        self._ended: list[Ended] = []
        self._told: dict[Hashable, Ended] = {}  # what came of runs on the present heap, by what they left
        self.seated = 0  # heaps so far
        self._tape: Tape | None = None

    def _owners(self, heap: MemoryGraph) -> dict[str, list[Owner]]:
        """The structs of a heap that may count nodes."""
        if not self._rules.counted:
            return {}
        found = owners(self._machine.layout, heap)
        counting = self._rules.counting
        return {
            tag: [each for each in structs if each.object < GLOBALS or each.object in counting]
            for tag, structs in found.items()
        }

    def seat(self, heap: MemoryGraph, trace: Trace | None = None, turn: int = 0) -> None:
        """Stand at the function's entry, on this heap, with the input of a trace that begins there.

        What is read else depends on how many heaps came before (`turn`).
        """
        machine = self._machine
        if trace is not None:
            machine.make_up_input(None)
        else:
            machine.make_up_input(_first_read(heap, turn), _keys_read(self._keys, turn))
        self._tape = None if trace is None else Tape(machine, trace)
        self.seated = turn + 1
        seat(machine, heap, ((self._name, 0),))
        led = leaders(machine.memory) if self._rules.links else {}
        in_order = throughout(self._ordered, heap, self._rules.links)
        self._rules = self._rules._replace(
            structs=tags(heap),
            led=led,
            owners=self._owners(heap),
            tables=tables(machine.layout, heap) if self._rules.hanging else {},
            ordered=in_order,
        )
        machine.pc = machine.frame.linked.following[0]  # type: ignore[union-attr]
        self._origin = machine.mark()
        self._unchanged = None
        self._told = {}
        self._count = machine.memory.node_count
        base = machine.frame.base  # type: ignore[union-attr]
        self._own = number_of(base)
        function = self._program.functions[self._name]
        passed = [
            (at, at in self._retained or (self._keeping and p.type != function.result), raw)
            for at, p in enumerate(function.parameters)
            if isinstance(p.type, PointerType)
            and isinstance(raw := machine.memory.cells.get(_parameter_key(machine, self._name, p, base)), int)
        ]
        self._passed = [raw for *_, raw in passed]
        taken = {raw for at, _, raw in passed if at in self._surrendered}
        self._taken = frozenset(map(number_of, taken))
        self._staying = [raw for raw in self._passed if raw not in taken]
        self._rules = self._rules._replace(scratch=holding(machine, taken).union(self._scratch))
        # Nothing tells of an empty heap whether it is the beginning of a ring.
        self._straight = self._keeping and self._count > 0 and not rings(machine)
        self._held = held(machine, self._passed) if self._keeping else frozenset[int]()
        # A result stands for what was given of its own type; a table in which it was found remains.
        self._kept = [raw for _, stays, raw in passed if stays]
        given = {number_of(each) for each in self._passed}
        plain = self._rules._replace(counted=(), unshared=(), ordered=(), ringless=(), tables={})
        _, self._unreached, broken = remains(machine, None, self._passed, self._count, plain, given)
        self.spoilt = broken > 0
        self._as_it_is()

    @property
    def steps(self) -> int:
        """How many instructions were executed so far."""
        return self._machine.steps

    @property
    def loses(self) -> bool:
        """Whether the program as it is returns from this heap and leaves nodes to which nothing leads."""
        return self._lost > 0

    def look_ahead(self) -> int:
        """See to which locations the program as it is comes: edits elsewhere make no difference here.

        What it comes to is returned (see `Covered`).
        """
        [self._unchanged] = self._ran({})
        self._reached = frozenset(
            location
            for function, found in self._editable.items()
            for index, location in found.items()
            if self._covered.number(function, index) in self._seen
        )
        return self._unchanged.seen

    def run(self, masks: Mapping[int, int]) -> list[Ended]:
        """What the candidates of these masks do, those together that do the same."""
        if self._unchanged is not None and self._reached.isdisjoint(masks):
            endings = [replace(self._unchanged, masks=dict(masks))]
        else:
            endings = self._ran(masks)
        if all(self._program.location(location).function != self._name for location in masks):
            for ended in endings:
                ended.works = None  # what comes of another function is told where that is tried
        return endings

    def _ran(self, masks: Mapping[int, int]) -> list[Ended]:
        self._focus.on(frozenset(masks))
        self._ended = []
        self._seen = set()
        self._machine.undo(self._origin)
        self._go(dict(masks), self._patience)
        return self._ended

    def _as_it_is(self) -> None:
        """How the program as it is crashes here, how many nodes it frees up to then, and loses.

        What it would come to if it could use what it has freed, and nodes beyond their ends, is what it is
        meant to come to.
        """
        machine = self._machine
        self._focus.on(frozenset())
        machine.set_patch(self._accepted)
        came = run_on(machine, self._pool, self._patience, self._tape)
        self.endless = came == "endless"
        self.crash = None if came == "endless" else came
        self._working = self.crash is not None and redirects(
            machine, self._origin, self._count, self._own, self._rules.scratch
        )
        ended = self.passes = came is None and returning(machine)
        self.unknown = came is None and not ended
        if self.crash is not None and self._tolerating:
            machine.undo(self._origin)
            machine.tolerant = machine.memory.elastic = True
            tolerated = run_on(machine, self._pool, self._patience, self._tape)
            ended = tolerated is None and returning(machine)
            machine.tolerant = machine.memory.elastic = False
        left = self._left(machine.pc) if ended else None
        self._lost = len(left[1]) if left is not None else 0
        self._wasted = self._made(left[1]) if left is not None else 0
        self._reaching = _new(left[0]) if left is not None else 0
        self.done = self._done(machine.pc) if ended and self._keeping else None
        self._dangling = ended and self._dangles(machine.pc)
        self._severed = ended and self._dangles(machine.pc, lost=True)
        taken = left is not None and not left[1].isdisjoint(self._taken)
        self._loses = self._lost > 0 if self._leaking else taken
        self.passes = self.passes and not self._loses
        self._amiss = self._dangling or self._loses or self._wasted > 0 or (left is not None and left[2] > 0)
        self._before = (left[0], machine.output) if left is not None else None
        self._freed = freed(machine) if self._can_free and self._keeping else 0
        if not self._cleared():  # of some nodes it may be the wrong ones, or too many
            self._freed = min(self._freed, 1) if self.crash is not None or self._tolerating else 0
        machine.set_patch(NO_EDITS)
        machine.undo(self._origin)

    # -- one heap ------------------------------------------------------------------------------------

    def _go(self, masks: dict[int, int], left: int) -> None:
        machine, begun, rounds = self._machine, left, Rounds()
        while True:
            frame = machine.frame
            if frame is None:
                self._end(Ended(masks, UNKNOWN))
                return
            left -= 1
            if left <= 0:
                self._end(Ended(masks, ENDLESS, fault="it does not come to an end"))
                return
            pc, name = machine.pc, frame.linked.name
            step = frame.linked.steps[pc]
            self._seen.add(self._covered.number(name, pc))
            location = self._editable.get(name, {}).get(pc)
            if frame.caller is None and isinstance(step, Return):
                self._return(masks, pc)
                return
            if location is not None and location in masks:
                if rounds.again(machine, begun - left):
                    left = 0
                    continue
                if not self._choose(masks, location, pc, left):
                    return
                continue
            try:
                if isinstance(step, Concrete):
                    if rounds.again(machine, begun - left):
                        left = 0
                    elif not passed(machine):
                        if self._tape is None or not self._tape.take(machine):
                            self._end(Ended(masks, UNKNOWN if self._tape is None else BEYOND))
                            return
                        rounds.forget()  # the next thing that is read may be another one
                else:
                    before = machine.steps
                    ends = self._advance(name, left) != "endless"
                    left = left - (machine.steps - before) if ends else 0
            except Fault as fault:
                self._end(Ended(masks, ("crash", fault.kind, self._line()), fault=self._words(fault)))
                return
            except Halt:
                self._end(Ended(masks, UNKNOWN))
                return

    def _advance(self, name: str, limit: int) -> str:
        """Go on from function `name`, and note what is executed."""
        machine = self._machine
        path: list[int] = []
        try:
            return advance(machine, limit, path)
        finally:
            self._covered.add(self._seen, machine, self._name, name, path)
            if machine.frame is not None:
                self._seen.add(self._covered.number(machine.frame.linked.name, machine.pc))

    def _choose(self, masks: dict[int, int], location: int, pc: int, limit: int) -> bool:
        """Perform the changed location; False when the candidates parted (all ways were followed)."""
        machine = self._machine
        frame = machine.frame
        assert frame is not None
        menu = self._opened.get(location)
        if menu is None:
            made = self._menus.menu(location)
            assert made is not None
            menu = self._opened[location] = open_menu(self._pool, made)
        links = frame.linked.following
        classes: dict[Effect, int] = menu.classes(masks[location])
        left = masks[location]
        for mask in classes.values():
            left &= ~mask
        ways = list(classes.items())
        if len(ways) == 1 and not left:
            self._perform(menu, ways[0][0], links, pc)
            return True
        mark, seen = machine.mark(), self._seen
        if left:
            reason = "an edited place goes through a pointer that is null or leads nowhere"
            crash = ("crash", "edit", self._line())
            self._end(Ended({**masks, location: left}, crash, fault=self._where(reason)))
        for effect, mask in ways:
            self._seen = set(seen)
            self._perform(menu, effect, links, pc)
            self._go({**masks, location: mask}, limit)
            machine.undo(mark)
        return False

    def _perform(self, menu: Any, effect: Effect, links: list[int], pc: int) -> None:
        machine = self._machine
        if isinstance(menu, Conditionals):
            machine.pc = links[menu.onward(effect)]
        else:
            perform(machine, effect)
            machine.pc = landing(machine.frame.linked, pc, effect)  # type: ignore[union-attr]

    # -- what came of it -------------------------------------------------------------------------------

    def _return(self, masks: dict[int, int], pc: int) -> None:
        """End at the return `pc`; what came of it is judged once for all runs that leave the same."""
        state = self._state(pc)
        told = self._told.get(state) if state is not None else None
        if told is None:
            told = self._judged(pc)
            if state is not None:
                self._told[state] = told
        self._end(replace(told, masks=masks))

    def _state(self, pc: int) -> Hashable | None:
        """What is left at the return `pc` outside of the activation; None where something leads into it."""
        cells, trail = self._machine.memory.cells, self._machine.memory.trail
        first: dict[int, Any] = {}
        for at in range(self._origin.trail, len(trail), 2):
            first.setdefault(trail[at], trail[at + 1])
        own = max(self._own, LOCALS)
        left: list[tuple[int, Any]] = []
        for key, before in first.items():
            if key < 0 or number_of(key & ADDRESS_MASK) >= own:
                continue
            now = cells.get(key)
            if now != before:
                if isinstance(now, int) and self._own <= number_of(now) and 0 < now < TOKENS:
                    return None
                left.append((key, now))
        return frozenset(left), self._value(pc)

    def _judged(self, pc: int) -> Ended:
        signature, unreached, broken = self._left(pc)
        lost, wasted = len(unreached), self._made(unreached)
        looking = not self._writes or self._before is not None
        if self._name == MAIN or (lost and looking and not self._changes()):
            lost = 0  # what is left when the program ends, or was only looked at, is lost to nobody
        fewer = (self._loses and lost < self._lost) or (
            wasted < self._wasted and _new(signature) > self._reaching
        )
        still = min(lost, self._lost)
        lost -= still
        kept = max(0, self._freed - freed(self._machine)) if self._freed else 0
        dangling = self._dangles(pc)
        # Where the use of a freed node is the fault, what leads to one as before is not mended.
        broken += dangling and (self._tolerating or not self._dangling)
        if self._straight:
            broken += bool(rings(self._machine))
        outcome = (signature, self._machine.output)
        altered = self._before is not None and alters(self._before, outcome)
        making = self._machine.memory.node_count > self._count
        filling = making and self._before is not None and fills(self._before, outcome)
        severed = self._severed and not self._dangles(pc, lost=True)
        changed = altered and not filling and not fewer and not severed
        apart = lost if self._before is None else 0
        ended = Ended({}, outcome, lost + _KEPT * kept, still, broken, changed=changed, apart=apart)
        ended.mended = (
            self._amiss and not broken and not dangling and (fewer or not (self._loses or self._wasted))
        )
        ended.filling = filling
        ended.undone = self._working and not self._changes()
        ended.upset = altered and not self._amiss and not filling
        if self._keeping:
            ended.done = self._done(pc)
            ended.works = self._works(pc)
        return ended

    def _made(self, lost: AbstractSet[int]) -> int:
        """How many of the lost nodes were made in the run: to no purpose, unless the program ends with it."""
        told = self._leaking or self._name == MAIN  # all that is lost counts, or nothing
        return 0 if told else sum(number > self._count for number in lost)

    def _done(self, pc: int) -> Done:
        """What the run up to the return `pc` did."""
        linked = held(self._machine, self._passed, self._value(pc) if self._points() else None)
        return Done(self._machine.memory.node_count - self._count, linked - self._held)

    def _works(self, pc: int) -> bool:
        """Whether it changed anything outside of it, printed, or gives something that it was not given."""
        value, result = self._value(pc), self._program.functions[self._name].result
        given = value in (*self._passed, 0) if self._points() else result == VOID
        return not given or bool(self._machine.output) or self._changes()

    def _changes(self) -> bool:
        """Whether the heap or a global is other than it was given."""
        return changes(self._machine, self._origin, self._rules.scratch)

    def _end(self, ended: Ended) -> None:
        seen = self._seen
        if ended.outcome == BEYOND and self._keeping and not self._leaking:
            seen = seen | self._covered.ahead(self._machine)  # a crash has cut off what would be read
        ended.seen = self._covered.bits(seen)
        self._ended.append(ended)

    def _left(self, pc: int) -> tuple[Left, AbstractSet[int], int]:
        """What is left at the return `pc`; see `remains`.  What was lost before, no run loses."""
        value = self._value(pc)
        roots = [value, *self._kept] if isinstance(value, int) and self._points() else self._staying
        given = {number_of(each) for each in (*self._passed, value) if isinstance(each, int)}
        left, unreached, broken = remains(self._machine, value, roots, self._count, self._rules, given)
        return left, unreached - self._unreached, broken

    def _dangles(self, pc: int, *, lost: bool = False) -> bool:
        """Whether what is left at the return `pc` leads to a freed node (see `dangles`)."""
        value = self._value(pc) if self._points() else None
        if not self._can_free or self._cleared():
            return False
        return dangles(self._machine, value, self._passed, lost=lost, unread=self._unread, anew=self._anew)

    def _cleared(self) -> bool:
        """Whether what frees nodes in a loop has freed all that there are: nobody needs what led to them."""
        return self._clearing and freed(self._machine) == self._machine.memory.node_count > 0

    def _points(self) -> bool:
        return isinstance(self._program.functions[self._name].result, PointerType)

    def _value(self, pc: int) -> Any:
        if pc not in self._result:
            step = self._program.functions[self._name].code[pc]
            assert isinstance(step, Return)
            [self._result[pc]] = (
                self._pool.values(self._name, [step.value]) if step.value is not None else [None]
            )
        closure = self._result[pc]
        value = look(self._machine, closure) if closure is not None else None
        return value if isinstance(value, (int, float)) else None

    def _line(self) -> int:
        at = statement_at(self._machine)
        return at[1] if at is not None else 0

    def _words(self, fault: Fault) -> str:
        return self._where(fault.message)

    def _where(self, reason: str) -> str:
        line = self._line()
        return f"{reason} at line {line}" if line else reason


def _new(left: Left) -> int:
    """How many of the nodes that are left are new."""
    return sum(live and name < 0 for name, live in left[1])


def _parameter_key(machine: Machine, name: str, parameter: Any, base: int) -> int:
    _, offset = machine.layout.address(name, parameter)
    return int(base + offset + (POINTER << KIND_SHIFT))


def _first_read(heap: MemoryGraph, turn: int) -> int:
    """With which number input begins: in turn the middle one, the first, the last and one beyond."""
    held = numbers_in(heap)
    if not held:
        return 0
    return max(0, (held[len(held) // 2], held[0], held[-1], held[-1] + 1)[turn % 4] - 1)


def _keys_read(keys: str, turn: int) -> str:
    """From which key on: in each fourth turn from another one than the first."""
    first = 0 if not keys or turn % _OTHERS else turn // _OTHERS % len(keys)
    return keys[first:] + keys[:first]
