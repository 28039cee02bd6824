"""What candidates do on fresh heaps: all candidates of a space run together and part where they differ.

In each case a function runs on a fresh heap from its entry to its return.  A set of candidates
(a product of masks) is executed as one until a changed location has different effects for some of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from itertools import groupby
from operator import or_

from wolverine.core.expressions import Load
from wolverine.core.graph import MemoryGraph
from wolverine.core.parts import gone_through
from wolverine.core.parts import parts as parts_of
from wolverine.core.patch import NO_EDITS, NewAssignment, NewValue, Patch
from wolverine.core.program import Assign, Call, Program, reachable
from wolverine.core.trace import Trace
from wolverine.core.types import IntType
from wolverine.repair.heaps.backlinks import backlinks, upward
from wolverine.repair.heaps.chosen import chosen
from wolverine.repair.heaps.counted import counted, counting
from wolverine.repair.heaps.ends import ends
from wolverine.repair.heaps.entries import Case
from wolverine.repair.heaps.gathering import gathering
from wolverine.repair.heaps.hanging import hanging
from wolverine.repair.heaps.known import Differing, Known, Standing
from wolverine.repair.heaps.lacking import passed_unset
from wolverine.repair.heaps.next_fault import is_next_fault_of_all
from wolverine.repair.heaps.ordered import ordered
from wolverine.repair.heaps.own_faults import OwnFaults
from wolverine.repair.heaps.remains import Done, Rules
from wolverine.repair.heaps.ringless import ringless
from wolverine.repair.heaps.runs import ENDLESS, UNKNOWN, Ended, Outcome, Runs
from wolverine.repair.heaps.stale import stale
from wolverine.repair.heaps.unrepaired import (
    Crash,
    Null,
    crash_of,
    led_somewhere,
    senseless,
    stale_line,
    touched,
)
from wolverine.repair.heaps.unshared import unshared
from wolverine.repair.heaps.usual import passes_null
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.source.keys import keys
from wolverine.repair.source.together import together
from wolverine.semantics.compiled import compile_program
from wolverine.semantics.scratch import numbers

_PATIENCE = 2  # heaps on which a candidate may fail to come to an end before the others count as well
USUAL = 2  # cases that tell what a function always does
_TELLING = 9  # parts that tell of another fault behind the crash
_FEW = 200  # candidates that are looked at one by one
_MANY = 6  # runs on one heap from which on it pays to see first what the program as it is comes to
_WORSE = 0.4  # a crash that the program as it is does not have, where not all can be tried
_AMISS = 0.15  # and a node that is lost there, or a rule that is broken
_PARTS = 240  # behaviours told apart, of the closest candidates; the rest comes behind them
_PLACES = 60  # and of so many places more the closest one
_SPLIT = 720  # on one heap, before these are chosen


@dataclass(frozen=True)
class Part:
    """Candidates that did the same so far: masks over the menus, what came out on each heap."""

    masks: Mapping[int, int]
    executed: Mapping[int, int] = field(default_factory=dict)
    outcomes: tuple[Outcome, ...] = ()
    crashes: int = 0
    lost: int = 0  # nodes to which nothing leads any more, that the program as it is does not lose
    still: int = 0  # besides, that the program as it is loses as well
    apart: int = 0  # of these, on heaps from which the program as it is does not return
    broken: int = 0  # rules broken afterwards: links that lead back, cells that are null together, ends
    harmed: int = 0  # cases in which they crash and the program as it is does not
    standing: int = 0  # cases in which they crash as the program does, elsewhere than in the trace
    evaded: int = 0  # cases in which that they do not crash says nothing
    changed: int = 0  # cases in which the program as it is comes to something else, without a crash
    strayed: int = 0  # of these, where it uses what was freed, and came to that if it could
    mended: int = 0  # cases in which they leave nothing amiss, and the program as it is does
    upset: int = 0  # cases in which that leaves nothing amiss, and they come to something else
    filling: int = 0  # cases in which new nodes have more set than the program as it is leaves them with
    crash_input: MemoryGraph | None = None
    crash_reason: str = ""
    untried: bool = False  # there were too many to try them all
    seen: int = 0  # the instructions to which they came, where that is kept: see `Covered`
    done: tuple[Done | None, ...] = ()  # in each case what they did, as far as it is told
    leaves: bool = False  # in some case nodes are lost as they are by the program as it is
    works: bool | None = None  # whether something came of the changed function where that was tried
    uneven: int = 0  # cases in which they do not do what the program does in all others: see `Done`
    besides: int = 0  # cases in which they come, or no more come, to what is freed too early: another fault
    undone: int = 0  # cases in which the program crashes as in the trace, amid its work, and they do none

    def unknown(self, seen: int | None = None, *, cases: int = 1, crashes: int = 0) -> Part:
        """With so many cases more of which nothing is told."""
        return replace(
            self,
            outcomes=(*self.outcomes, *(UNKNOWN,) * cases),
            done=(*self.done, *(None,) * cases),
            crashes=self.crashes + crashes,
            seen=self.seen if seen is None else seen,
        )


class Trials:
    """Tries candidates on every one of the cases."""

    def __init__(
        self,
        program: Program,
        trace: Trace,
        cases: Sequence[Case],
        menus: Menus,
        patience: int,
        distance: Callable[[Part], tuple[float, object]],
        *,
        unset: bool = False,
        beyond: bool = True,
        over: Callable[[], bool] = lambda: False,
        known: Known | None = None,
        accepted: Patch = NO_EDITS,
        closest: Sequence[Patch] = (),
        own: OwnFaults | None = None,
    ) -> None:
        """Where there are too many to try them all, those at the least `distance` are tried.

        Under the `closest` repairs it is seen what the functions are given as the execution goes on.

        With `unset`, the execution ends by using what nothing had set; with `beyond`, maybe by going beyond
        an array.  Once `over` answers that all has to
        end, the other cases are left out.  What is `known` of them already is not tried again.
        """
        self._over = over
        self._own = own or OwnFaults(program, trace)
        self._accepted = accepted
        self._closest = closest
        self._known = known or Known()
        self._known.carry(menus)
        self._stale = trace.strict or unset
        self._beyond = beyond or trace.strict
        self._program = program
        self._distance = distance
        self._trace = trace
        self._traced = self._crashed = crash_of(trace, program)
        if trace.crash is not None and passed_unset(program, *trace.crash.position[1:3]):
            self._crashed = None  # null is what the function should not have been given
        self._null = self._own.traced
        self._led = led_somewhere(program, trace)
        self._first = trace.start_stack[0][0]
        self._besides_at: dict[int, int] = {}  # heaps, by number, on which another fault shows, and its line
        self._own_at: dict[int, int] = {}  # and on which one that goes through null does
        self._traced_on: set[int] = set()  # heaps, by number, on which it crashes as in the trace
        self.cases = [case if case.heap is trace.start else self._known.same(case) for case in cases]
        self.passed = 0  # of these, the program as it is comes to its end
        self.spoilt = 0  # of these, nothing speaks for a repair or against it: no inputs, or turned ones
        self.covered = 0  # what it comes to on any of them, where something is asserted (see `Covered`)
        self._menus = menus
        self._patience = patience

    def apart(self, parts: list[Part]) -> list[Part]:
        """The parts, split wherever candidates act differently in some case."""
        if not self.cases or not parts:
            return parts
        editable: dict[str, dict[int, int]] = {}
        for location in sorted({loc for part in parts for loc in part.masks}):
            menu = self._menus.menu(location)
            assert menu is not None
            editable.setdefault(menu.function, {})[menu.index] = location
        gone_by = 0
        for name, cases in groupby(self.cases, key=lambda case: case.function):
            group = list(cases)
            rules = self._known.rules(name, group, partial(self._rules, group))
            runs = Runs(
                self._program,
                self._menus,
                editable,
                name,
                self._patience,
                rules,
                keeping=self._trace.bare,
                tolerating=self._trace.strict,
                keys=keys(self._program, self._trace, name),
                leaking=bool(self._trace.lost),
                accepted=self._accepted,
            )
            splitting = False
            masks = [part.masks for part in parts]
            gathers = bool(self._trace.lost) or gathering(self._program, self._trace, runs, name, masks)
            done: list[Done | None] = []
            rest = [part for part in parts if part.untried]
            parts = [part for part in parts if not part.untried]
            before = runs.seated
            tried = self._known.on((name, self._patience, before), group)
            for turn, (case, known) in enumerate(zip(group, tried, strict=True), before):
                if self._over():
                    done.append(None)
                    parts = [part.unknown() for part in parts]
                    continue
                begun = name == self._trace.start_stack[0][0] and case.heap is self._trace.start
                standing = Standing(runs, case.heap, self._trace if begun else None, turn, known)
                done.append(known.done)
                self.passed += known.passes
                splitting |= known.loses
                if case.doubtful and known.spoilt:
                    parts = [part.unknown() for part in parts]
                    self.spoilt += 1
                    continue
                if known.endless and senseless(self._program, self._trace, name, case.heap):
                    parts = [part.unknown() for part in parts]
                    continue
                parts, left = self._case(standing, case, parts)
                self.spoilt += case.turned
                rest += (replace(part, untried=True) for part in left)
            gone_by += len(group)
            parts += (part.unknown(cases=gone_by - len(part.outcomes)) for part in rest)
            parts = [
                replace(p, lost=p.lost + (p.still if gathers else 0), still=0, leaves=True) if p.still else p
                for p in parts
            ]
            if self._trace.bare:
                counts = map(self._of_others, parts)
                parts = [
                    part if part.besides == count else replace(part, besides=count)
                    for part, count in zip(parts, counts, strict=True)
                ]
                parts = list(_unevenly(parts, done))
                # Where it takes a structure apart, nothing tells what it loses where it crashed before.
                parts = [
                    replace(part, lost=part.lost - part.apart, apart=0) if splitting and part.apart else part
                    for part in parts
                ]
        return parts

    def _rules(self, cases: Sequence[Case]) -> Rules:
        """What the inputs of a function keep, as its cases have them."""
        program, trace = self._program, self._trace
        compiled = compile_program(program)
        layout = compiled.layout
        heaps = [case.heap for case in cases if not case.doubtful] or [case.heap for case in cases]
        # Elsewhere it may be just what is wrong that a variable is read nowhere else.
        passing = numbers(program, layout) if trace.bare else frozenset[int]()
        # Where states are asserted, those before were right: so were their links.
        known = heaps if trace.bare else [*heaps, trace.start]
        links = backlinks(known, trace, compiled.linked_both_ways if trace.bare else ())
        both_ways = {each.tag for each in links} | {tag for tag, _, _ in compiled.linked_both_ways}
        dangling = stale(program, layout, trace)
        return Rules(
            links,
            together(layout, heaps, trace, passing | dangling),
            ends(layout, heaps, trace, passing),
            counted(program, layout, heaps, trace),
            unshared(heaps, trace, links),
            ordered(program, heaps, trace),
            ringless(heaps, trace, both_ways),
            hanging(layout, heaps, trace),
            counting=counting(program, layout, trace.start),
            scratch=passing,
            upward=upward(links),
            stale=dangling,
        )

    @property
    def besides(self) -> frozenset[int]:
        """The lines of other faults than the trace's, that the program as it is comes to on some heaps."""
        return frozenset((*self._besides_at.values(), *self._own_at.values()))

    @property
    def cut_off(self) -> bool:
        """Whether on some heaps another fault ends what repairs do: nothing tells what lies behind that."""
        return bool(self._own_at)

    def _of_others(self, part: Part) -> int:
        """On how many heaps what a part comes to tells of other faults only."""
        lines = frozenset(self._besides_at.values())
        found = _besides(part, self._besides_at, lines) if lines else 0
        for number, line in self._own_at.items():
            match part.outcomes[number]:
                case ("crash", _, at):
                    found += at == line
                case result:
                    found += result not in (ENDLESS, UNKNOWN)
        for number in self._traced_on:
            match part.outcomes[number]:
                case ("crash", "null", int(at)):  # it got past the crash
                    found += self._lacks_a_case(at)
        return found

    def _lacks_a_case(self, line: int) -> bool:
        """Whether the function that crashed also goes through null at a line, not as it did in the trace."""
        if self._null is None:
            return False
        return any(line == null[1] and null != self._null for null in self._lacking(self._null[0]))

    def _excused(self, crash: Crash | None, part: Part) -> bool:
        """Whether it is none of the part's concern that the program as it is crashes like this."""
        if crash is None:
            return False
        if self._foreign(crash) or self._besides(crash):
            return True
        if not (crash.given or crash.empty or (crash.beyond and not self._beyond)):
            return False
        if crash.given and crash.given <= self._led:
            return True  # it was not null where it crashed: maybe it never is
        return crash.at != self._crashed and crash.at not in touched(self._program, part.masks)

    def _foreign(self, crash: Crash | None) -> bool:
        """Whether that is no fault of the trace's sort: of nodes that were freed, or what nothing has set."""
        return crash is not None and self._stale and not crash.stale

    def _besides(self, crash: Crash | None) -> bool:
        """Whether it uses what was freed, where the trace does not: that is a fault of its own.

        So is what goes through null in another function than the one that crashed, if it does so by itself.
        """
        if crash is None or not self._trace.bare or self._stale:
            return False
        return crash.stale or (crash.lacks_a_case and self._own_fault(crash.null))

    def _own_fault(self, null: Null) -> bool:
        """Whether another function than the one that crashed goes through null on heaps that are its own."""
        if self._traced is None or null[0] == self._traced[0]:
            return False
        return null in self._lacking(null[0])

    def _lacking(self, function: str) -> frozenset[Null]:
        """Where a function goes through null on heaps that are its own."""
        found = (self._own.of(function, self._menus, patch) for patch in (self._accepted, *self._closest))
        return frozenset[Null]().union(*found)

    def _as_traced(self, crash: Crash) -> bool:
        """Whether a crash is the trace's: the same statement, and the same pointer where it is null."""
        if crash.at != self._traced:
            return False
        return not (self._null and self._null[-1] and crash.pointer) or crash.null == self._null

    def _elsewhere(self, crash: Crash, masks: Mapping[int, int]) -> bool:
        """Whether a crash is not the trace's, nor, if something is asserted, of what the masks change."""
        if self._as_traced(crash) or self._besides(crash):
            return False
        return self._trace.bare or all(
            crash.at not in touched(self._program, (location,)) or self._stores_there(location, mask)
            for location, mask in masks.items()
        )

    def _apart_from(self, functions: Collection[str], part: Part) -> bool:
        """Whether the part changes none of the functions: it does there what the program as it is does."""
        return all(self._program.location(each).function not in functions for each in part.masks)

    def _stores_there(self, location: int, mask: int) -> bool:
        """Whether a candidate stores something else in the very place that could not be come to."""
        menu = self._menus.menu(location)
        if menu is None or mask.bit_count() > _FEW:
            return False
        step = self._program.functions[menu.function].code[menu.index]
        if not isinstance(step, Assign) or any(
            isinstance(part, Load) and any(gone_through(part.place)) for part in parts_of(step.value)
        ):
            return False  # it may have been the value
        chosen = (menu.choices[n].replacement for n in range(mask.bit_length()) if mask >> n & 1)
        return any(
            isinstance(made, NewValue) or (isinstance(made, NewAssignment) and made.target == step.target)
            for made in chosen
        )

    def _case(self, standing: Standing, case: Case, parts: list[Part]) -> tuple[list[Part], list[Part]]:
        """The parts, split by what they do in the case, and those that are too many to go on with."""
        split: list[Part] = []
        left: list[Part] = []
        stood: list[int] = []  # what stood before this case, of each of them
        alike = _Alike(parts, standing)
        if alike.groups >= _MANY or not self._trace.bare:
            self.covered |= standing.look_ahead()
        before = standing.known.crash
        if before is not None and self._besides(before):
            (self._besides_at if before.stale else self._own_at)[len(parts[0].outcomes)] = before.at[1]
        traced = before is not None and self._as_traced(before)
        if traced:
            self._traced_on.add(len(parts[0].outcomes))
        given = not passes_null(case.heap)  # the crash on such a heap is told rather
        led = standing.known.endless or (traced and self._is_given_by_others(case.function))
        entered = reachable(self._program, {case.function}) if led else frozenset()
        ahead = standing.known.ahead or 0
        unknown = standing.known.unknown  # so it is no harm to crash there
        for index, part in enumerate(parts):
            if len(split) >= _SPLIT:
                left = parts[index:]
                break
            if entered and self._apart_from(entered, part):
                # It was led there by what they may mend, but where it is given numbers only.
                split.append(part.unknown(crashes=self._is_given_numbers(case.function)))
            elif part.outcomes.count(ENDLESS) >= _PATIENCE:
                split.append(part.unknown(crashes=not case.turned))
            else:
                ended = alike.ended(index)
                excused = self._excused(before, part)
                foreign = excused and self._foreign(before)
                made = _parted(
                    part, ended, case.heap, given, before, self._elsewhere, excused, foreign, traced
                )
                if case.turned:
                    made = (_told_apart(part, each) for each in made)
                for each in made:
                    if self._is_next_fault(each):  # what lies behind that may be done, too
                        split.append(replace(part, masks=each.masks).unknown(each.seen | ahead))
                    elif unknown and _fails(each):
                        split.append(replace(part, masks=each.masks).unknown())
                    else:
                        split.append(each)
            stood += [part.standing] * (len(split) - len(stood))
        if traced and self._trace.bare and not self._stale and (line := self._stale_later(split)) is not None:
            # They get past the crash, and then come to another fault: not to come there is no merit.
            self._besides_at[len(split[0].outcomes) - 1] = line
            split = [replace(part, evaded=part.evaded + (not _fails(part))) for part in split]
        if not self._trace.bare and all(_fails(part) for part in split):
            # Nothing gets along with this: it is no excuse.
            split = [replace(part, standing=count) for part, count in zip(split, stood, strict=True)]
        if all(part.outcomes[-1] == ENDLESS for part in split):
            # a long run rather than an endless one: it tells nothing
            seen = reduce(or_, (part.seen for part in split), 0)
            return [part.unknown(seen) for part in parts], []
        if len(split) <= _PARTS:
            return split, left
        split.sort(key=self._by_now)
        gone_on, others = chosen(split, lambda part: frozenset(part.masks), _PARTS, _PLACES)
        return gone_on, [*others, *left]

    def _is_next_fault(self, part: Part) -> bool:
        """Whether nodes are lost, and the part came to the use of a freed one that is no concern of it."""
        match part.outcomes[-1]:
            case ("crash", "freed", int(line)) if self._trace.lost:
                return is_next_fault_of_all(self._program, self._menus, part.masks, line)
        return False

    def _is_given_by_others(self, function: str) -> bool:
        """Whether all that is known is a crash, which a function got from callers where the trace begins."""
        called = {s.function for s in self._program.functions[function].code if isinstance(s, Call)}
        itself = function in reachable(self._program, called)
        return self._trace.bare and function != self._first and not itself

    def _is_given_numbers(self, function: str) -> bool:
        """Whether a function is given integers, and nothing else."""
        given = [each.type for each in self._program.functions[function].parameters]
        return bool(given) and all(isinstance(each, IntType) for each in given)

    def _stale_later(self, parts: Sequence[Part]) -> int | None:
        """The line at which most of the closest use what was freed in the last case, if there is one."""
        closest = sorted(parts, key=self._distance)[:_TELLING]
        lines = ({self._program.location(each).line for each in part.masks} for part in closest)
        return stale_line([(part.outcomes[-1], edited) for part, edited in zip(closest, lines, strict=True)])

    def _by_now(self, part: Part) -> tuple[float, object]:
        distance, best = self._distance(part)
        return so_far(part, distance), best


def so_far(part: Part, distance: float) -> float:
    """The distance of a part, with the crashes and what else is amiss that it has brought about."""
    return distance + _WORSE * part.harmed + _AMISS * (part.lost + part.broken)


def _unevenly(parts: Iterable[Part], before: Sequence[Done | None]) -> Iterator[Part]:
    """The parts, with in how many of the last cases they do other than is usual.

    `before` is what the program as it is does (None: it does not return).  Usual is the number of nodes
    that it makes, if it is always the same, and what it was given that it always links to.
    """
    told = [done for done in before if done is not None]
    counts = {done.nodes for done in told}
    nodes = counts.pop() if len(told) >= USUAL and len(counts) == 1 else 0
    linked = frozenset.intersection(*(done.linked for done in told)) if len(told) >= USUAL else frozenset()
    for part in parts:
        other = 0
        for now, was in zip(part.done[-len(before) :], before, strict=True):
            if was is None and now is not None:
                other += bool(nodes and now.nodes != nodes) or not linked <= now.linked
        yield replace(part, uneven=part.uneven + other) if other else part


class _Alike:
    """Parts that differ at one location run together: most of them do the same on most heaps."""

    def __init__(self, parts: Sequence[Part], standing: Standing) -> None:
        self._standing = standing
        self._known: list[list[Ended] | None] = []
        self._names: list[Differing | None] = []
        self._unions: dict[Differing, dict[int, int]] = {}
        self._ended: dict[Differing, list[Ended]] = {}
        names: set[Differing] = set()
        for part in parts:
            if part.outcomes.count(ENDLESS) >= _PATIENCE:
                self._names.append(None)
                self._known.append(None)
                continue
            *others, (location, mask) = sorted(part.masks.items()) or [(-1, 0)]
            name = Differing(tuple(others), location)
            names.add(name)
            runs = standing.known.runs.get(name, ())
            known = next((ended for whole, ended in runs if not mask & ~whole), None)
            self._names.append(name)
            self._known.append(known)
            if known is None:
                union = self._unions.setdefault(name, {**part.masks})
                if location in union:
                    union[location] |= mask
        self.groups = len(names)  # how many runs there are to make, or were made before

    def ended(self, index: int) -> list[Ended]:
        """What came of the parts of which this is one."""
        known = self._known[index]
        if known is not None:
            return known
        name = self._names[index]
        assert name is not None
        found = self._ended.get(name)
        if found is None:
            union = self._unions[name]
            found = self._ended[name] = self._standing.run(union)
            self._standing.known.add(name, union.get(name.location, 0), found)
        return found


def _parted(
    part: Part,
    endings: Iterable[Ended],
    heap: MemoryGraph,
    given: bool,
    before: Crash | None,
    elsewhere: Callable[[Crash, Mapping[int, int]], bool],
    excused: bool,
    foreign: bool,
    traced: bool,
) -> Iterator[Part]:
    """The part, split by what its candidates did, where the program as it is crashes like `before`.

    That crash is not their concern if it is `elsewhere`.  Where it is `excused`, those that get round it are
    not better for that, and what they come to there is of no use; where it is `foreign`, neither are those
    worse that do not, however they crash.  Where it is `traced`, it is the crash that is to be repaired.
    """
    for ended in endings:
        masks = {location: mask & ended.masks[location] for location, mask in part.masks.items()}
        if not all(masks.values()):
            continue
        crashed = bool(ended.fault)
        harmed = crashed and before is None
        stays, evaded = before is not None and _stands(ended, before), excused and not crashed
        first = crashed and (
            part.crash_input is None or (harmed, given) > (part.harmed > 0, not passes_null(part.crash_input))
        )
        yield Part(
            masks,
            part.executed,
            (*part.outcomes, ended.outcome),
            part.crashes + crashed,
            part.lost + ended.lost,
            part.still + ended.still,
            part.apart + ended.apart,
            part.broken + ended.broken,
            part.harmed + harmed,
            part.standing
            + (foreign or (before is not None and (stays or evaded) and elsewhere(before, masks))),
            part.evaded + evaded,
            part.changed + ended.changed,
            part.strayed + (ended.changed and before is not None),
            part.mended + ended.mended,
            part.upset + ended.upset,
            part.filling + ended.filling,
            heap if first else part.crash_input,
            ended.fault if first else part.crash_reason,
            part.untried,
            part.seen if excused else part.seen | ended.seen,
            (*part.done, None if excused else ended.done),
            part.leaves,
            part.works if ended.works is None else part.works or ended.works,
            undone=part.undone + (traced and ended.undone),
        )


def _told_apart(part: Part, found: Part) -> Part:
    """The part with what came out for some of its candidates, and no more."""
    return replace(part, masks=found.masks, outcomes=found.outcomes, done=found.done, seen=found.seen)


def _besides(part: Part, heaps: Collection[int], lines: Collection[int]) -> int:
    """On how many heaps a part ends in a fault at these lines, or does not where the program does."""
    found = 0
    for number, outcome in enumerate(part.outcomes):
        match outcome:
            case ("crash", _, line):
                found += line in lines
            case _:
                found += number in heaps and outcome not in (ENDLESS, UNKNOWN)
    return found


def _fails(part: Part) -> bool:
    """Whether it crashed in the last case."""
    match part.outcomes[-1]:
        case ("crash", _, _):
            return True
    return False


def _stands(ended: Ended, before: Crash) -> bool:
    """Whether it ends in the crash of the program as it is."""
    match ended.outcome:
        case ("crash", _, line):
            return bool(line == before.at[1])
    return False
