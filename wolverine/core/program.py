"""Lowered programs: per function a flat list of instructions over locations.

Wolverine2 (section 3) keeps a program as guarded statements; here a statement's guard is the branch
that leads to it, so that loops, calls and the candidate's own control flow need no second form.
A *location* is what an edit can touch: one statement, one condition, or one gap between statements.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from wolverine.core.expressions import Constant, Expression, LValue, Member, VariableReference
from wolverine.core.types import CType, PointerType, StructReference, Types


@dataclass(frozen=True, slots=True)
class Span:
    """Bytes `start` to `end` of file number `file` of the program, and the line (from 1) of `start`."""

    file: int
    start: int
    end: int
    line: int


LocationKind = Literal[
    "assignment",  # an expression statement `lhs = rhs`, a for-header assignment: all of it may change
    "initialiser",  # `T x = rhs` in a declaration: rhs may change, deletion leaves `T x`
    "step",  # the step of a loop whose head is a macro's: its rhs may change, the head is written out then
    "return",  # `return rhs`: rhs may change
    "argument",  # an argument of a call: it may change
    "call",  # a call used as a statement: it may be deleted, or another function be called
    "allocation",  # malloc or calloc inside a statement: what it gives may be cleared, it may go with that
    "callee",  # a call of the program's functions inside a statement: another one may be called
    "condition",  # of if, while, do, for, or a part of one with side effects
    "jump",  # `break`, `continue`, `goto`, `return` with what it returns: it may be deleted
    "gap",  # between two statements, before the first or after the last of a block
    "fixed",  # executed, never edited
]

NO_STATEMENT: frozenset[LocationKind] = frozenset(
    ("gap", "fixed", "step", "allocation", "callee")
)  # none by itself

ConditionRole = Literal["while", "for", "do", "if", "other"]

# Where the text of a gap goes: before the statement at `span`, or after it (`span` is then the last
# statement of the block), or inside an empty block (`span` is `{}` with its braces), or as a new else
# branch of the if at `span`, or as the braced body around a single statement (`span`).
# "test" stands in front of a condition that calls: a test there may keep it from being evaluated
# (`f(x)` becomes `x && f(x)`; `span` is the condition).
# "result" stands behind a call whose value is dropped: an assignment there stores that value
# (`f(x)` becomes `y = f(x)`; `span` is the call).
GapKind = Literal["before", "after", "block", "else", "wrap-before", "wrap-after", "test", "result"]


@dataclass(frozen=True, slots=True)
class Location:
    """One place that an edit can touch; `id` is unique in the program and ordered as the source is.

    `span` is what an edit replaces (a whole statement without its semicolon, a condition's expression,
    an argument); for gaps see `GapKind`.  `text` is the source text, for people; `line` the line that a
    stop before it shows.  `scope` are the variables that may be named here.  `role` for conditions;
    `loop` is true for those whose decisions a straight line follows.  `repeated` are the arguments of
    macros that stand more than once in what these stand for, as text without spaces, and how often.
    """

    id: int
    function: str
    kind: LocationKind
    span: Span
    line: int
    text: str
    scope: tuple[VariableReference, ...] = ()
    role: ConditionRole = "other"
    loop: bool = False
    gap: GapKind = "before"
    semicolon: bool = True
    repeated: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Assign:
    """`target = value`; a struct target copies bytes."""

    location: int
    target: LValue
    value: Expression


@dataclass(frozen=True, slots=True)
class Declare:
    """A local comes into being without a value; `location` is -1, it cannot be edited."""

    location: int
    variable: VariableReference


@dataclass(frozen=True, slots=True)
class Branch:
    """Go to `if_true` or `if_false` (instruction indices).  Evaluating has no side effects."""

    location: int
    condition: Expression
    if_true: int
    if_false: int


@dataclass(frozen=True, slots=True)
class Jump:
    """Go to instruction `target`."""

    location: int
    target: int


@dataclass(frozen=True, slots=True)
class Call:
    """Call `function` of the program, or one of malloc, calloc, realloc, free (`modelled` libraries).

    Arguments were assigned to temporaries before (each a location of kind "argument"), so `arguments`
    are plain loads.  `result` takes the value, None when it is dropped.  `location` has kind "call"
    for a call statement, "allocation" for malloc and calloc inside of one, "callee" for a function of the
    program, else "fixed".
    """

    location: int
    function: str
    arguments: tuple[Expression, ...]
    result: VariableReference | None


MAIN = "main"  # where a program begins
POINTED = "call through a pointer"  # the reason of a `Concrete`
RESULT_NAME = "$return"  # the temporary that takes what a function returns


@dataclass(frozen=True, slots=True)
class Inserted(Call):
    """A call that an edit puts into a gap: `into` takes the value (None: it is dropped).

    It happens only where `condition` holds (None: always).  Where the value is the function's result, the
    function is left behind it.
    """

    into: LValue | None = None
    condition: Expression | None = None

    @property
    def leaves(self) -> bool:
        """Whether the function ends with it."""
        return is_result(self.into)


@dataclass(frozen=True, slots=True)
class Return:
    """Leave the function; the value was assigned to the temporary `value` by a "return" location."""

    location: int
    value: Expression | None


@dataclass(frozen=True, slots=True)
class Concrete:
    """A statement that is not modelled: its effect is taken from the process.

    Execution goes on at the next instruction.  `results` are the temporaries that it fills (the value
    of a library call used in an expression).
    """

    location: int
    reason: str
    results: tuple[VariableReference, ...] = ()


Keyword = Literal["break", "continue", "while"]
Join = Literal["&&", "||"]


@dataclass(frozen=True, slots=True)
class Gap:
    """An insertion slot: does nothing until an edit fills it.

    A `break;` in it goes on at instruction `leaves`, a `continue;` at `again`.  At the end of what an `if`
    leads to, `repeats` is where its condition is evaluated: there it goes on if the `if` becomes a `while`.
    Each is -1 where there can be none.
    """

    location: int
    leaves: int = field(default=-1, kw_only=True)
    again: int = field(default=-1, kw_only=True)
    repeats: int = field(default=-1, kw_only=True)

    def onward(self, keyword: Keyword) -> int:
        """The instruction at which execution goes on behind a jump in it, -1 where that cannot stand here."""
        return {"break": self.leaves, "continue": self.again, "while": self.repeats}[keyword]


@dataclass(frozen=True, slots=True)
class Before(Gap):
    """A slot in front of a condition that calls and then goes to `if_true` or `if_false`.

    As it is, execution goes `on` to what evaluates the condition.
    """

    if_true: int
    if_false: int
    on: int


@dataclass(frozen=True, slots=True)
class Compared(Gap):
    """`target == value;`, a statement that does nothing; it may have been meant to assign."""

    target: LValue
    value: Expression


@dataclass(frozen=True, slots=True)
class Guard:
    """What an edit may put into a gap: where `condition` holds (None: always), `assignment`, then `end`.

    `end` is where execution goes on behind a statement that leaves the function or a loop, else None.
    `before` are assignments and calls that come first; behind one of a function of the program the guard goes
    on with the rest.  Where the condition does not hold, `otherwise`.
    """

    location: int
    condition: Expression | None
    assignment: Assign | None
    end: int | None = None
    before: tuple[Assign | Call, ...] = ()
    otherwise: Assign | None = None

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls of functions of the program among what comes first."""
        return tuple(each for each in self.before if isinstance(each, Call) and each.function != "free")


@dataclass(frozen=True, slots=True)
class Allocate:
    """What an edit may put into a gap: `target` leads to a new node of `size` bytes, all zero if `zeroed`.

    With a `string` it has as many bytes more as that is long, and holds it where it is `copied`.
    """

    location: int
    target: LValue
    size: int
    zeroed: bool = False
    string: Expression | None = None
    copied: bool = False


@dataclass(frozen=True, slots=True)
class FreeList:
    """What an edit may put into a gap: each node of a list is freed, from the one that `first` leads to.

    What its `owned` fields lead to goes before it; `first` is set to where `link` (the place `first->link`)
    led, until it is null.
    """

    location: int
    first: LValue
    link: Member
    owned: tuple[Member, ...] = ()


@dataclass(frozen=True, slots=True)
class Library:
    """A call of a library function that the model can carry out where it knows all that is read.

    Then the next instruction, the same call as a `Concrete`, is passed over; otherwise this one does
    nothing.  `result` takes the value, None when it is dropped.
    """

    location: int
    function: str
    arguments: tuple[Expression, ...]
    result: VariableReference | None


Instruction = (
    Assign | Declare | Branch | Jump | Call | Return | Library | Concrete | Gap | Guard | Allocate | FreeList
)


def is_result(place: LValue | None) -> bool:
    """Whether a place is what a function returns."""
    return isinstance(place, VariableReference) and place.name == RESULT_NAME


def successors(step: Instruction, index: int) -> tuple[int, ...]:
    """The instructions that may come next in the function; none behind its `Return`."""
    match step:
        case Branch(_, _, if_true, if_false):
            return if_true, if_false
        case Jump(_, target):
            return (target,)
        case Return():
            return ()
    return (index + 1,)


def surely_taken(step: Branch) -> int | None:
    """Where a condition leads that is a constant (`while (1)`), for which gcc makes no code; else None."""
    match step.condition:
        case Constant(value):
            return step.if_true if value else step.if_false
    return None


@dataclass(frozen=True, slots=True)
class Unit:
    """What gdb can stop before: a simple statement, a condition, a part of a for header, the closing brace.

    The process is at the unit when its line-table row's column falls into `span` (the innermost unit
    counts).  Execution of the unit begins at instruction `first` (behind the gap that stands before
    it).  `calls` are its calls in the order in which gcc emits them, each the index of its instruction
    (`Call`, and `Concrete` for a library call), behind which the unit goes on.  A call through a pointer
    has one `Call` for each function to which it may lead, each with a jump behind it to where the unit
    goes on, and last a `Concrete` for all others.
    `header` marks a span that holds no code of its own but the jump to unit `first` (the keyword and
    parenthesis of a loop).
    """

    span: Span
    first: int
    calls: tuple[tuple[int, ...], ...] = ()
    header: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the program; execution begins at `code[0]`.

    `unit_of[i]` is the unit to which `code[i]` belongs, -1 for what has no machine code of its own
    (`Declare`, `Gap`, `Jump`s of loops).  `temporaries` (names begin with `$`) are not C
    variables.  `unsupported` tells why a function could not be lowered ("" if it could); its code is
    then empty.
    """

    name: str
    file: int
    line: int
    parameters: tuple[VariableReference, ...]
    locals: tuple[VariableReference, ...]
    temporaries: tuple[VariableReference, ...]
    result: CType
    code: tuple[Instruction, ...]
    units: tuple[Unit, ...]
    unit_of: tuple[int, ...]
    body: Span
    unsupported: str = ""

    @property
    def end(self) -> int:
        """The index of its `Return`, at the closing brace."""
        return next(i for i in range(len(self.code) - 1, -1, -1) if isinstance(self.code[i], Return))

    @property
    def declarable(self) -> tuple[VariableReference, ...]:
        """The variables that a patch may declare."""
        return tuple(v for v in self.temporaries if not v.name.startswith("$"))

    @property
    def spares(self) -> tuple[VariableReference, ...]:
        """Those for pointers to structs, which searches try; the other one is for what it returns."""
        return tuple(v for v in self.declarable if _leads_to_a_struct(v.type))

    @property
    def kept_result(self) -> VariableReference | None:
        """The variable that a patch may declare for what the function returns, read before a node goes."""
        return next((v for v in self.declarable if not _leads_to_a_struct(v.type)), None)


def _leads_to_a_struct(ctype: CType) -> bool:
    return isinstance(ctype, PointerType) and isinstance(ctype.target, StructReference)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A source file as given: `path` as the user wrote it, exact bytes."""

    path: str
    content: bytes


@dataclass(frozen=True)
class Program:
    """All functions of all source files with one numbering of locations (index = id)."""

    files: tuple[SourceFile, ...]
    types: Types
    globals: tuple[VariableReference, ...]
    functions: Mapping[str, Function]
    locations: tuple[Location, ...]

    def location(self, identifier: int) -> Location:
        """The location with that id."""
        return self.locations[identifier]

    def last_line(self, span: Span) -> int:
        """The line on which a span ends."""
        return span.line + self.files[span.file].content.count(b"\n", span.start, span.end)


def reachable(program: Program, functions: Iterable[str]) -> frozenset[str]:
    """The functions of the program that these may call, themselves included.

    A call through a pointer counts as a call of each function to which it may lead.
    """
    seen: set[str] = set()
    work = list(functions)
    while work:
        name = work.pop()
        if name in seen or name not in program.functions:
            continue
        seen.add(name)
        work += [step.function for step in program.functions[name].code if isinstance(step, Call)]
    return frozenset(seen)
