"""What speaks against an edit whatever it is put in the place of: what it makes odd around it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from wolverine.core.arguments import exchanged, repeated
from wolverine.core.expressions import (
    Constant,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    text,
    variables,
)
from wolverine.core.parts import parts
from wolverine.core.patch import (
    Edit,
    Guarded,
    NewAssignment,
    NewReturn,
    NewValue,
    unguarded,
)
from wolverine.core.program import (
    MAIN,
    Assign,
    Branch,
    Call,
    Instruction,
    Library,
    Program,
)
from wolverine.core.types import ArrayType, is_scalar
from wolverine.repair.ranking.aliased import Pair, leaves_out
from wolverine.repair.ranking.distance import (
    condition_distance,
    distance,
)
from wolverine.repair.ranking.oddity import (
    checking,
    decides,
    is_freed_next,
    leaves_its_links,
    settles,
)
from wolverine.repair.source.arms import is_empty, makes_alike
from wolverine.repair.source.downward import goes_down_twice
from wolverine.repair.source.ending import kept_in_vain
from wolverine.repair.source.familiar import Familiar
from wolverine.repair.source.mistyped import mixes_truths
from wolverine.repair.source.stepping import Pointer, appended_behind, begins_at_an_end, is_the_only_step
from wolverine.repair.source.surroundings import Surroundings, values
from wolverine.repair.source.unread import unread_parameters
from wolverine.repair.source.walk import expressions_of
from wolverine.semantics.dataflow import surely_assigned

_FEIGNED = 1.5  # a `switch`, or a test for null, gets one and the same answer
_FORGOTTEN = 0.5  # what has not been used at all is used now
_KEPT = 1.5  # what several statements set is read now, and nothing reads it as it is
_INDEXED = 1.0  # a field is an index that is none elsewhere, or a number where it always is a variable
_ODD_INDEX = 0.1  # a variable is an index that the function has for nothing else, as it has others
_FURTHER = 0.5  # for each link further than the program goes in a row
_UNUSED = 0.4  # a local variable is read nowhere any more
_UNSET = 0.4  # a variable is read that nothing has set on some way there
_CHECKING = 0.6  # what only assertions call says what is right, and does nothing
_DATA = 0.4  # a number that main passes on is hardly the fault
_OTHER_LINK = 0.15  # `*pp = q->prev` behind `pp = &(*pp)->next`
_IN_VAIN = 0.4  # it is stored in a node that is freed next
_DEFINED = 0.6  # a constant with a name is another one, or what it stands for
_DROPPED = 0.3  # a call is made for what it gives, and that is read no more
_ESTRANGED = 0.1  # an element that other statements name as well is named otherwise in one place
_SAME_ARMS = 0.8  # both arms of an `if` are the same then
_DOWN = 0.4  # a recursion goes on over the link into which it goes down
_EMPTY = 0.8  # an arm of an `if` has held nothing
_ALIASED = 2.5  # something is left out where two arguments are one, as they are where it fails
_NO_TRUTH = 1.0  # a number is stored as a truth value, or a truth value as a number
_WRITTEN_OUT = 1.0  # of what a macro stands for a part is changed
_STANDING = 0.8  # a loop walks no more with what it asks for
_AT_AN_END = 0.8  # a walk that begins there looks at no more than one node

At = Callable[[int], tuple[str, int, Instruction]]  # function, index and instruction of a location


class Reservations:
    """What speaks against edits of one program beside their distance.

    In calls where it crashed the arguments `same` are one node.
    """

    def __init__(
        self,
        program: Program,
        around: Surroundings,
        familiar: Familiar,
        instruction: At,
        same: frozenset[Pair],
    ) -> None:
        self._program = program
        self._around = around
        self._familiar = familiar
        self._instruction = instruction
        self._same = same
        self._checking = checking(program)
        self._idle: dict[str, frozenset[str]] = {}
        self._kept: dict[str, frozenset[str]] = {}  # by function: what is set in vain
        self._read: dict[str, Counter[str]] = {}  # by function: how many steps read a variable
        self._set: dict[str, dict[int, frozenset[str]]] = {}  # by function and instruction: surely set locals
        self._scalars: dict[str, frozenset[str]] = {}  # by function: its locals that are no structs
        self._appended: frozenset[tuple[Pointer, int]] | None = None

    def against(self, edit: Edit) -> float:
        """What speaks against an edit, less what speaks for it."""
        function = self._program.location(edit.location).function
        found = _DEFINED * self._redefines(edit) - _FORGOTTEN * self._recalls(edit)
        found -= _KEPT * self._reads_kept(edit)
        found += self._changes_arguments(edit)
        found += self._indexes(edit) + _DATA * self._is_data(edit)
        found += _FURTHER * self._around.steps_further(_named_by(edit))
        found += _CHECKING * (function in self._checking)
        found -= _ALIASED * leaves_out(self._same, function, edit.replacement)
        found += _SAME_ARMS * makes_alike(self._program, edit) - _EMPTY * self._fills_an_arm(edit)
        found += _DOWN * self._goes_down_twice(edit) + _FEIGNED * self._settles(edit)
        found += _OTHER_LINK * self._leaves_its_links(edit) + _IN_VAIN * self._is_freed_next(edit)
        found += _UNSET * self._reads_unset(edit) + _UNUSED * self._leaves_unused(edit)
        found += _DROPPED * self._drops_result(edit) + _ESTRANGED * self._estranges(edit)
        found += _STANDING * self._stays(edit)
        return found + _NO_TRUTH * self._mixes_truths(edit) + _AT_AN_END * self._begins_at_an_end(edit)

    def _changes_arguments(self, edit: Edit) -> float:
        """What is to be taken off where an argument of a macro is another one wherever it stands.

        That is one change; where it is another one in some places only, the macro is written out.
        """
        arguments = self._program.location(edit.location).repeated
        if not arguments or not isinstance(edit.replacement, NewValue | NewAssignment):
            return 0.0
        _, _, step = self._instruction(edit.location)
        old = step.condition if isinstance(step, Branch) else step.value if isinstance(step, Assign) else None
        if old is None:
            return 0.0
        for argument in repeated(old, arguments):
            match exchanged(old, edit.replacement.value, argument):
                case [other] if other != argument:
                    apart = condition_distance if isinstance(step, Branch) else distance
                    return distance(argument, other) - apart(old, edit.replacement.value)
                case [_, _, *_]:
                    return _WRITTEN_OUT
        return 0.0

    def _redefines(self, edit: Edit) -> bool:
        """Whether the edit puts something else in the place of a constant that has a name in the source."""
        _, _, step = self._instruction(edit.location)
        old = step.condition if isinstance(step, Branch) else step.value if isinstance(step, Assign) else None
        if old is None or not isinstance(edit.replacement, NewValue | NewAssignment):
            return False
        kept = {text(part) for part in parts(edit.replacement.value)}
        gone = (p for p in parts(old) if isinstance(p, Constant) and text(p) not in kept and p.value)
        return any(text(each).isidentifier() for each in gone)

    def _is_data(self, edit: Edit) -> bool:
        """Whether `main` no longer does with a number what it does: that is what the program is tried with.

        It passes it on as it is, or has it in an array that nothing reads any more.
        """
        function, _, step = self._instruction(edit.location)
        if function == MAIN and self._leaves_unused(edit, arrays=True):
            return True
        if self._program.location(edit.location).kind != "argument":
            return False
        given = step.value if isinstance(step, Assign) else None
        return function == MAIN and isinstance(given, Constant) and text(given).lstrip("-").isdigit()

    def _indexes(self, edit: Edit) -> float:
        """What speaks against indices: fields that are none in the program, numbers, other variables."""
        after = _named_by(edit)
        if not after:
            return 0.0
        function, _, step = self._instruction(edit.location)
        before, around = values(step), self._around
        strange = around.strange_indices(before, after) + around.fixed_indices(after)
        return _INDEXED * strange + _ODD_INDEX * around.odd_indices(function, before, after)

    def _leaves_its_links(self, edit: Edit) -> int:
        """Whether another link is stored by an address than those that it walks over, or (-1) is no more."""
        made, (name, _, step) = unguarded(edit.replacement), self._instruction(edit.location)
        code = self._program.functions[name].code
        if not isinstance(made, NewAssignment):
            return 0
        before = isinstance(step, Assign) and leaves_its_links(code, step.target, step.value)
        return leaves_its_links(code, made.target, made.value) - before

    def _is_freed_next(self, edit: Edit) -> bool:
        """Whether something is stored now in a node that is freed next, where nothing is as it is."""
        made, (name, index, step) = unguarded(edit.replacement), self._instruction(edit.location)
        code = self._program.functions[name].code
        if not isinstance(made, NewAssignment):
            return False
        before = isinstance(step, Assign) and is_freed_next(code, index, step.target)
        return is_freed_next(code, index, made.target) and not before

    def _settles(self, edit: Edit) -> bool:
        """Whether a `switch`, or a test for null, gets one and the same answer."""
        made, (name, index, step) = unguarded(edit.replacement), self._instruction(edit.location)
        code = self._program.functions[name].code
        match made, step:
            case NewAssignment(target, value), _:
                condition = edit.replacement.condition if isinstance(edit.replacement, Guarded) else None
                decided = decides(code, index, target, value, condition)
                return decided or settles(code, index, target, value)
            case NewValue(value), Assign(_, target):
                return settles(code, index, target, value)
        return False

    def _goes_down_twice(self, edit: Edit) -> bool:
        """Whether a recursion goes on from child to child over the link into which it goes down."""
        made = unguarded(edit.replacement)
        if not isinstance(made, NewAssignment):
            return False
        function = self._program.functions[self._program.location(edit.location).function]
        return goes_down_twice(function, made.target, made.value)

    def _stays(self, edit: Edit) -> bool:
        """Whether something else is set in the place of the only step of what a loop asks for."""
        name, index, step = self._instruction(edit.location)
        match step, edit.replacement:
            case Assign(_, target), NewAssignment(other) if other != target:
                return is_the_only_step(self._program.functions[name].code, index)
        return False

    def _begins_at_an_end(self, edit: Edit) -> bool:
        """Whether the edit lets a walk begin where nothing is behind, that begins elsewhere as it is."""
        name, index, step = self._instruction(edit.location)
        function = self._program.functions[name]
        if self._appended is None:
            self._appended = appended_behind(self._program)

        def begins(target: LValue, value: Expression) -> bool:
            return begins_at_an_end(function, index, target, value, self._appended or ())

        match step, unguarded(edit.replacement):
            case Assign(_, target, value), NewValue(new):
                return begins(target, new) and not begins(target, value)
            case Assign(_, target, value), NewAssignment(other, new):
                return begins(other, new) and not begins(target, value)
            case _, NewAssignment(other, new):
                return begins(other, new)
        return False

    def _fills_an_arm(self, edit: Edit) -> bool:
        """Whether a plain statement stands now in an arm of an `if` that has nothing in it."""
        if self._program.location(edit.location).kind != "gap" or isinstance(edit.replacement, Guarded):
            return False
        name, index, _ = self._instruction(edit.location)
        return is_empty(self._program, self._program.functions[name], index)

    def _reads_unset(self, edit: Edit) -> bool:
        """Whether a local is read from now on that is not set on every way there."""
        made = unguarded(edit.replacement)
        value = made.value if isinstance(made, NewAssignment | NewValue | NewReturn) else None
        if value is None:
            return False
        name, index, step = self._instruction(edit.location)
        function = self._program.functions[name]
        if name not in self._scalars:
            self._scalars[name] = frozenset(each.name for each in function.locals if is_scalar(each.type))
        fresh = (variables(value) & self._scalars[name]).difference(*map(variables, values(step)))
        if not fresh:
            return False
        if index not in (known := self._set.setdefault(name, {})):
            known[index] = surely_assigned(function, index)
        return not fresh <= known[index]

    def _drops_result(self, edit: Edit) -> bool:
        """Whether something else is read than what a call gives, which is still made: `(f(x), y)`."""
        if not isinstance(made := edit.replacement, NewAssignment | NewValue):
            return False
        name, index, step = self._instruction(edit.location)
        gone = _read(step) - variables(made.value)
        if isinstance(made, NewAssignment):
            gone -= _inside(made.target)
        elif isinstance(step, Assign):
            gone -= _inside(step.target)
        before = self._program.functions[name].code[:index]
        called = (each.result for each in before if isinstance(each, Call | Library))
        return any(each is not None and each.name in gone for each in called)

    def _estranges(self, edit: Edit) -> bool:
        """Whether an element that others name as well becomes one that none names."""
        if not (made := _named_by(edit)):
            return False
        _, _, step = self._instruction(edit.location)
        target = (
            [Load(step.target)] if isinstance(edit.replacement, NewValue) and isinstance(step, Assign) else []
        )
        return self._familiar.estranges(values(step), [*made, *target])

    def _mixes_truths(self, edit: Edit) -> bool:
        """Whether a number is stored as a truth value from now on, or the other way round."""
        _, _, step = self._instruction(edit.location)
        match unguarded(edit.replacement), step:
            case NewAssignment(target, value), _:
                pass
            case NewValue(value), Assign(_, target):
                pass
            case _:
                return False
        before = isinstance(step, Assign) and mixes_truths(step.target.type, step.value)
        return not before and mixes_truths(target.type, value)

    def _leaves_unused(self, edit: Edit, *, arrays: bool = False) -> bool:
        """Whether a local variable, or array, is read nowhere any more: what was it set for?"""
        made = unguarded(edit.replacement)
        name, _, step = self._instruction(edit.location)
        if made is not edit.replacement or not isinstance(made, NewAssignment | NewValue):
            return False
        function = self._program.functions[name]
        if name not in self._read:
            self._read[name] = Counter(n for each in function.code for n in _read(each))
        locals_ = {each.name for each in function.locals}
        still = variables(made.value)
        if isinstance(made, NewAssignment):
            still |= _inside(made.target)
        gone = _read(step) & locals_ - still
        if arrays:
            gone &= {each.name for each in function.locals if isinstance(each.type, ArrayType)}
        return any(self._read[name][each] == 1 for each in gone)

    def _reads_kept(self, edit: Edit) -> bool:
        """Whether the edit reads a local, for something else, that other statements set in vain as it is."""
        name, _, step = self._instruction(edit.location)
        if name not in self._kept:
            self._kept[name] = kept_in_vain(self._program.functions[name], self._program)
        match edit.replacement, step:
            case NewAssignment(target, value), _:
                pass
            case NewValue(value), Assign(_, target):
                pass
            case NewReturn(value, None), _ if value is not None:
                return bool(self._kept[name] & variables(value))
            case _:
                return False
        read = variables(value) | _inside(target)
        before = [step.target] if isinstance(step, Assign) else []
        set_ = {each.name for each in (target, *before) if isinstance(each, VariableReference)}
        return bool(self._kept[name] & read - set_)

    def _recalls(self, edit: Edit) -> bool:
        """Whether the edit uses a parameter of the function that is nowhere used as it is."""
        function = self._program.location(edit.location).function
        if function not in self._idle:
            self._idle[function] = unread_parameters(self._program.functions[function])
        match edit.replacement:
            case NewAssignment(target, value):
                return bool(self._idle[function] & (variables(target) | variables(value)))
            case NewValue(value):
                return bool(self._idle[function] & variables(value))
            case NewReturn(value, None) | Guarded(_, NewReturn(value, None)) if value is not None:
                return bool(self._idle[function] & variables(value))
        return False


def _named_by(edit: Edit) -> Sequence[Expression]:
    """The expressions that an edit puts in, that of its target included."""
    made = unguarded(edit.replacement)
    return [
        *([Load(made.target)] if isinstance(made, NewAssignment) else []),
        *([made.value] if isinstance(made, NewAssignment | NewValue) else []),
    ]


def _read(step: Instruction) -> frozenset[str]:
    """The variables that a step reads."""
    inside = _inside(step.target) if isinstance(step, Assign) else frozenset[str]()
    return inside.union(*map(variables, expressions_of(step)))


def _inside(target: LValue) -> frozenset[str]:
    """The variables by which a place is found: not the one of which it is a part."""
    match target:
        case VariableReference():
            return frozenset()
        case Element(base, index):
            return _inside(base) | variables(index)
        case Member(base):
            return _inside(base)
    return variables(target)
