"""Edits of a program and what a repair engine answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from wolverine.core.expressions import (
    Expression,
    LValue,
    Member,
    VariableReference,
    variables,
)
from wolverine.core.graph import MemoryGraph, Place
from wolverine.core.hashing import Hashed, hashed_once
from wolverine.core.parts import against_zero
from wolverine.core.program import Join, Keyword, Program, is_result


@hashed_once
@dataclass(frozen=True, slots=True)
class NewAssignment(Hashed):
    """`target = value;`: for locations of kind assignment and gap."""

    target: LValue
    value: Expression


@hashed_once
@dataclass(frozen=True, slots=True)
class NewValue(Hashed):
    """Another value for an initialiser, a return, an argument, or another condition."""

    value: Expression


@hashed_once
@dataclass(frozen=True, slots=True)
class NewCall(Hashed):
    """`function(arguments);` in a gap: `free`, or a function of the program.

    Its value is stored in `target`, if there is one; `return function(arguments);` stores it in the result
    of the function around it.
    """

    function: str
    arguments: tuple[Expression, ...]
    target: LValue | None = None

    @property
    def leaves(self) -> bool:
        """Whether it ends the function around it."""
        return is_result(self.target)


@hashed_once
@dataclass(frozen=True, slots=True)
class NewReturn(Hashed):
    """`before; return value;` in a gap; both parts may be None (the value in a void function)."""

    value: Expression | None = None
    before: NewAssignment | None = None


@dataclass(frozen=True, slots=True)
class NewJump:
    """`break;` or `continue;` in a gap inside of a loop (`break;` also inside of a `switch`).

    With `while`, in the gap at the end of what an `if` leads to, that `if` becomes a `while`.
    """

    keyword: Keyword


@hashed_once
@dataclass(frozen=True, slots=True)
class NewSkip(Hashed):
    """In a gap and under a test: the statements of its block up to the gap `until` are passed over.

    In front of the last of them is the gap `last`.  What is done `instead`, if anything, is a special case:
    the text is `if (condition) instead; else { ... }`, and without that `if (!condition) { ... }`.
    """

    until: int
    last: int
    instead: NewAssignment | None = None


@hashed_once
@dataclass(frozen=True, slots=True)
class NewBlock(Hashed):
    """In a gap and under a test: several statements, which assign, free or call, one after the other.

    With `leaving` the function ends behind them; else execution may go `onward` elsewhere.  With a `NewSkip`,
    which does nothing `instead`, the text is `if (condition) { statements } else { ... }`.
    """

    statements: tuple[NewAssignment | NewCall, ...]
    leaving: NewReturn | None = None
    onward: NewSkip | NewJump | None = None


@hashed_once
@dataclass(frozen=True, slots=True)
class Guarded(Hashed):
    """`if (condition) statement` in a gap (the guarded statements of Wolverine2 section 3.1).

    At an assignment it is the statement that is there under a test, perhaps with another one `otherwise`.
    """

    condition: Expression
    statement: NewAssignment | NewReturn | NewJump | NewCall | NewSkip | NewBlock
    otherwise: NewAssignment | None = None


@hashed_once
@dataclass(frozen=True, slots=True)
class NewNode(Hashed):
    """`target = malloc(sizeof(*target));` in a gap, `size` bytes: a hidden node (Wolverine2 section 4).

    It is `calloc` if the node is `zeroed`.  With a `string` it is `target = malloc(strlen(string) + 1);`,
    and `size` is what comes on top of the string's length; where that is `copied` there,
    `target = strdup(string);`.
    """

    target: LValue
    size: int
    zeroed: bool = False
    string: Expression | None = None
    copied: bool = False


@hashed_once
@dataclass(frozen=True, slots=True)
class ShortCircuit(Hashed):
    """`test && condition`, or `test || condition`, in front of a condition that calls."""

    operator: Join
    test: Expression


@dataclass(frozen=True, slots=True)
class OtherJoin:
    """`operator` in the place of the other one between a condition and the next, which calls (`Before`)."""

    operator: Join


@dataclass(frozen=True, slots=True)
class Cleared:
    """`calloc(1, size)` in the place of `malloc(size)`: all that the node holds is zero."""


@dataclass(frozen=True, slots=True)
class OtherFunction:
    """`function` is called with the arguments as they are, in the place of another one of the same type."""

    function: str


@hashed_once
@dataclass(frozen=True, slots=True)
class Several(Hashed):
    """At least two assignments or calls, one after the other, in one gap; each counts as an edit."""

    statements: tuple[NewAssignment | NewCall, ...]


@hashed_once
@dataclass(frozen=True, slots=True)
class FreedList(Hashed):
    """In a gap the whole list is freed to which place `first` leads, and what its nodes' `owned` fields hold.

    `while (first != NULL) { T *rest = first->link; free(first->owned); free(first); first = rest; }`, where
    `link` is the place `first->link`, and `rest` a variable that it declares itself.
    """

    first: LValue
    link: Member
    rest: VariableReference
    owned: tuple[Member, ...] = ()

    @property
    def more(self) -> Expression:
        """Whether there is a node yet: the condition of the loop."""
        return against_zero("!=", self.first)


@dataclass(frozen=True, slots=True)
class Deletion:
    """Nothing stands here any more."""


Replacement = (
    NewAssignment
    | NewValue
    | NewCall
    | NewReturn
    | NewJump
    | NewSkip
    | NewBlock
    | Guarded
    | ShortCircuit
    | OtherJoin
    | NewNode
    | Cleared
    | OtherFunction
    | Several
    | FreedList
    | Deletion
)


def unguarded(replacement: Replacement) -> Replacement:
    """What stands under a test, where it is under one."""
    return replacement.statement if isinstance(replacement, Guarded) else replacement


def skipping(made: Guarded) -> NewSkip | None:
    """How statements are passed over under the test, if some are."""
    done = made.statement.onward if isinstance(made.statement, NewBlock) else made.statement
    return done if isinstance(done, NewSkip) else None


def mentioned(replacement: Replacement) -> frozenset[str]:
    """The names of variables in what an edit puts in place."""
    parts: tuple[Expression | LValue, ...]
    match replacement:
        case NewAssignment(target, value):
            parts = (target, value)
        case NewValue(value) | ShortCircuit(_, value):
            parts = (value,)
        case NewCall(_, arguments, result):
            parts = arguments if result is None else (*arguments, result)
        case NewReturn(value, before):
            inner = frozenset[str]() if before is None else mentioned(before)
            return inner if value is None else inner | variables(value)
        case NewSkip(_, _, instead):
            return frozenset() if instead is None else mentioned(instead)
        case NewBlock(statements, leaving):
            last = () if leaving is None else (leaving,)
            return frozenset[str]().union(*map(mentioned, (*statements, *last)))
        case Guarded(condition, statement, otherwise):
            rest = frozenset[str]() if otherwise is None else mentioned(otherwise)
            return variables(condition) | mentioned(statement) | rest
        case NewNode(target, string=string):
            parts = (target,) if string is None else (target, string)
        case Several(assigned):
            return frozenset[str]().union(*map(mentioned, assigned))
        case FreedList(first):
            parts = (first,)
        case Deletion() | Cleared() | OtherFunction() | OtherJoin() | NewJump():
            parts = ()
    return frozenset(name for part in parts for name in variables(part))


@hashed_once
@dataclass(frozen=True, slots=True)
class Edit(Hashed):
    """`replacement` takes the place of what stands at the location (a gap: is inserted there)."""

    location: int
    replacement: Replacement


@hashed_once
@dataclass(frozen=True, slots=True)
class Patch(Hashed):
    """A set of edits, at most one a location, ordered by location."""

    edits: tuple[Edit, ...] = ()

    def at(self, location: int) -> Replacement | None:
        """The replacement at that location, if any."""
        return next((edit.replacement for edit in self.edits if edit.location == location), None)

    def beside(self, accepted: Patch) -> tuple[Edit, ...]:
        """The edits that are not among the accepted ones."""
        return tuple(edit for edit in self.edits if edit not in accepted.edits)

    def declares(self, program: Program) -> bool:
        """Whether some function's spare variable is set and used, so that it is declared to a purpose."""
        if len(self.edits) < 2 and not any(isinstance(edit.replacement, Several) for edit in self.edits):
            return False
        for name in {program.location(edit.location).function for edit in self.edits}:
            made = (e.replacement for e in self.edits if program.location(e.location).function == name)
            parts = [
                part for each in made for part in (each.statements if isinstance(each, Several) else (each,))
            ]
            for spare in program.functions[name].declarable:
                if sum(spare.name in mentioned(part) for part in parts) > 1:
                    return True
        return False

    @property
    def size(self) -> int:
        """How many statements and conditions are changed, inserted or deleted."""
        made = (unguarded(edit.replacement) for edit in self.edits)
        return sum(len(each.statements) if isinstance(each, Several | NewBlock) else 1 for each in made)


NO_EDITS = Patch()

StopReason = Literal["complete", "budget", "interrupted"]
EditKind = Literal["change", "insert", "delete"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A patch that meets every assertion, with its place in the ranking.

    `cost` is the number of edits; `score` the edit distance (smaller is closer), `against` all that speaks
    against it, the distance included; `crashes` and
    `lost_nodes` what it does on fresh heaps; `behaviour` numbers the classes that act alike there,
    from 1 in order of rank.  `crash_input` is a fresh heap on which it crashes; `harmed` counts those on
    which the program as it is does not, `changed` those on which it comes to something else, and `broken`
    the rules that it no more keeps there; one that it hardly ever keeps is none.  Where it mends some of
    them, `upset` counts those of the changed ones on which nothing was amiss.  `undone` counts those on which
    the program crashes amid its work, and does nothing at all under the patch.  Where a crash is all that is
    known, the execution may crash again as it goes on (`crashes_on`).
    """

    patch: Patch
    cost: int
    score: float
    crashes: int = 0
    lost_nodes: int = 0
    behaviour: int = 0
    crash_input: MemoryGraph | None = None
    crash_reason: str = ""
    executed: Mapping[int, int] = field(default_factory=dict)
    harmed: int = 0
    changed: int = 0
    broken: int = 0
    against: float = 0.0
    upset: int = 0
    undone: int = 0
    crashes_on: bool = False


@dataclass(frozen=True, slots=True)
class Repairs:
    """Candidates in rank order.

    `given_up` are the weak places that had to be disregarded, as (label, place).  `complete` is
    "complete" when these are all minimal repairs (of those that keep the accepted edits, if these do).
    `own_control` when the observed loop decisions had to be dropped.  `total` counts the minimal repairs
    also where not all are listed.  `doubted` is the assertion, in source terms, without which the fewest
    edits suffice, and how many; only where many were needed.  `ranking` is what the ranking took, in
    seconds of processor time.  Not `compared` are those of a search that was ended before they were told
    apart: their behaviours, and what speaks against them, are not known.
    """

    candidates: tuple[Candidate, ...]
    complete: StopReason
    behaviours: int
    total: int
    given_up: tuple[tuple[str, Place], ...] = ()
    own_control: bool = False
    steps: int = 0
    doubted: tuple[str, int] | None = None
    ranking: float = field(default=0.0, compare=False)
    compared: bool = True

    def only(self, kept: Sequence[Candidate]) -> Repairs:
        """These of the candidates; behaviours are numbered anew, in order of rank."""
        if tuple(kept) == self.candidates:
            return self
        numbers: dict[int, int] = {}
        candidates = tuple(
            replace(each, behaviour=numbers.setdefault(each.behaviour, len(numbers) + 1)) for each in kept
        )
        total = self.total - len(self.candidates) + len(candidates)
        return replace(self, candidates=candidates, behaviours=len(numbers), total=total)

    def then(self, others: Repairs) -> Repairs:
        """These, and the others behind them, as behaviours of their own."""
        rest = (replace(each, behaviour=each.behaviour + self.behaviours) for each in others.candidates)
        behaviours = self.behaviours + others.behaviours
        total = self.total + others.total
        return replace(self, candidates=(*self.candidates, *rest), behaviours=behaviours, total=total)

    def closest(self) -> list[Candidate]:
        """The first repair of each behaviour."""
        first: dict[int, Candidate] = {}
        for candidate in self.candidates:
            first.setdefault(candidate.behaviour, candidate)
        return list(first.values())


@dataclass(frozen=True, slots=True)
class NoRepair:
    """No repair: `reason` as in the event, `core` in source terms."""

    reason: Literal["unsatisfiable", "budget", "unsupported", "interrupted"]
    core: tuple[str, ...]
    steps: int = 0
