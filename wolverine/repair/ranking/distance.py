"""How far an expression is from another one: the edit distance of their trees, weighted (see `score`)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wolverine.core.expressions import (
    BY_TEXT,
    COMPARISONS,
    AddressOf,
    Binary,
    Cast,
    Conditional,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    Unary,
    VariableReference,
    source_name,
    text,
)
from wolverine.core.parts import (
    MIRRORED,
    NEGATED,
    gone_through,
    null_test,
    null_tests,
    parts,
    place_parts,
    without_casts,
)
from wolverine.core.patch import ShortCircuit
from wolverine.core.program import Assign, Before, Instruction
from wolverine.repair.source.flow import behind, loops_around
from wolverine.repair.source.walk import expressions_of

KIND = 1.5
DELETION = 2.5
INSERTION = 1.2
_NEIGHBOURS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_NEIGHBOUR, _OTHER_WAY, _OTHER_ORDER, _OTHER_SENSE = 0.8, 1.02, 1.0, 1.4
_OTHER_SIGN = 0.9
_OTHER_RANK = 1.2  # a product for a sum: that is another quantity
_REMAINDER = 1.03  # or what is left over, rather than how often it fits
OTHER_JOIN = 1.04  # && for ||
_OTHER_ROLE = 3.0  # a comparison that becomes arithmetic, or the other way round
_ITSELF = 0.8  # `x <= x`, `x - x`
_NAMED = 1.3  # a constant becomes a variable
_MIRROR = 0.97  # the field on the other side
_OTHER_CALL = 1.1  # another function is called
_NAMED_OTHERWISE = 0.3  # whose name has nothing in common
_MIRRORS = (
    {"left", "right"}, {"l", "r"}, {"next", "prev"}, {"next", "previous"}, {"head", "tail"},
    {"first", "last"}, {"front", "rear"}, {"front", "back"}, {"lchild", "rchild"}, {"llink", "rlink"},
    {"fwd", "back"}, {"up", "down"}, {"min", "max"}, {"minimum", "maximum"},
)  # fmt: skip
_INDEX = 1.0  # another index, be it a number or not
_LESS_NAMED = 0.1  # an index that was a name, or reckoned, and is none now
_STEP = 0.5  # `i + 2` for `i + 1`
_THIRD = 0.5  # `n / 3` for `n / 2`: who halves means a half, if of something else
_MIXED = 0.3  # fields are compared that differ, where they did not
_AGAIN = 0.15  # the same change on the other side of a comparison
_SIZE = 0.5  # a number becomes a size
_NAMELESS = 0.1  # what had a name (`RED`), or was a character, becomes a number
_OTHER_THAN_ZERO = 0.15  # what was compared with 0 is compared with another number
_SHIFTED = 0.35  # a difference is
_NAMESAKE = 1.0  # a variable and a field of its name
_PART = 1.2  # a part more or less
_PART_LESS = 1.3  # `p` for `p->f`
_COUNTED = 0.7  # `y = x + 1` for `x++`
_COUNTS_NO_MORE = 0.2  # `x = y + 1` for `x++`
_BY_TEXT = 0.5  # who compares pointers to texts hardly means the pointers
_CONJUNCT = 0.8  # a test more than there was: rather what stands there is wrong than something lacking


def place_distance(one: LValue, two: LValue) -> float:
    """The operand-slot distance of two lvalues."""
    if one == two:
        return 0.0
    match one, two:
        case VariableReference(), VariableReference():
            return 1.0
        case Member(), Member() if (deeper := _part_distance(one, two)) is not None:
            return deeper
        case Member(base, name), Member(other, other_name) if type(base) is type(other):
            other_field = _MIRROR if {name, other_name} in _MIRRORS else name != other_name
            return place_distance(base, other) + other_field
        case Dereference(pointer), Dereference(other):
            return distance(pointer, other)
        case Element(base, index), Element(other, other_index):
            return place_distance(base, other) + _index_distance(index, other_index)
    return KIND


def _part_distance(one: Member, two: Member) -> float | None:
    """The distance of two parts of records that lie at different depths (`u.bin.left`, `u.arg`), else None.

    Who means the one for the other has one field in mind, however many names it takes.
    """
    (base, depth), (other, other_depth) = _within(one), _within(two)
    if depth == other_depth or type(base) is not type(other):
        return None
    return place_distance(base, other) + 1.0


def _within(place: LValue) -> tuple[LValue, int]:
    """Of what a place is a part, and within how many fields it lies."""
    depth = 0
    while isinstance(place, Member):
        place, depth = place.base, depth + 1
    return place, depth


def _index_distance(one: Expression, two: Expression) -> float:
    """At most that of another name."""
    less_named = (_names(one) and not _names(two)) or (_fixed(two) and not _fixed(one))
    return min(distance(one, two), _INDEX + _LESS_NAMED * less_named)


def _fixed(index: Expression) -> bool:
    """Whether it is a number, however that is put: `0`, `1 - 1`, `i - i`."""
    match without_casts(index):
        case Binary("-", left, right) if text(left) == text(right):
            return True
    return not any(isinstance(part, Load) for part in parts(index))


def _names(index: Expression) -> bool:
    """Whether it is a variable."""
    variable = without_casts(index)
    return isinstance(variable, Load) and isinstance(variable.place, VariableReference)


def assignment_distance(
    target: LValue, value: Expression, other: LValue, new: Expression
) -> tuple[float, float]:
    """The distances of the places of two assignments and of what they assign; `x += n` names `x` once."""
    places = _target_distance(target, other)
    match value, new:
        case Binary(_, Load(held), amount), Binary(_, Load(now), less) if held == target and now == other:
            operators = operator_distance(value.operator, new.operator) + _itself(new, value)
            return places, operators + distance(amount, less)
        case Binary("+" | "-", Load(held)), Binary("+" | "-", Load(now)) if held == target:
            more = _COUNTED if now == held else _COUNTS_NO_MORE if other == target else 0.0
            return places, distance(value, new) + more
    return places, distance(value, new)


def of_another_kind(target: LValue, value: Expression, new: Expression) -> bool:
    """Whether a field is reckoned with another one of a node, and was with the same: `p->n -= q->n`."""
    if not isinstance(target, Member) or not isinstance(new, Binary):
        return False
    before, after = _fields_of_others(target, value), _fields_of_others(target, new)
    return any(
        name == target.name and not {n for b, n in after if b == base} <= {name} for base, name in before
    )


def _fields_of_others(target: Member, value: Expression) -> set[tuple[LValue, str]]:
    """The fields of other nodes of the target's type in a sum or difference, by node and name."""
    return {
        (part.place.base, part.place.name)
        for part in parts(value)
        if isinstance(part, Load) and isinstance(part.place, Member) and part.type == target.type
        if part.place.base.type == target.base.type and part.place.base != target.base
    }


def _target_distance(one: LValue, two: LValue) -> float:
    """That of two lvalues; at most that of a part more, or less, where one is reached through the other."""
    most = KIND + KIND
    if Load(one) in (*place_parts(two),):
        most = _PART
    elif Load(two) in (*place_parts(one),):
        most = _PART_LESS
    return min(place_distance(one, two), most)


def distance(one: Expression, two: Expression) -> float:
    """The operand-slot distance of two expressions."""
    if one == two or text(one) == text(two):
        return 0.0
    if _by_text(one, two):
        return _BY_TEXT
    match one, two:
        case Cast(operand), _ if not one.written:
            return distance(operand, two)
        case _, Cast(operand) if not two.written:
            return distance(one, operand)
        case Load(place), Load(other) if _namesakes(place, other):
            return _NAMESAKE
        case Load(place), Load(other):
            most = _PART if one in parts(two) else _PART_LESS if two in parts(one) else 2.5
            return min(place_distance(place, other), most)
        case Constant(value), Constant(other):
            size = text(two).startswith("sizeof") and not text(one).startswith("sizeof")
            nameless = _is_named(one) and not _is_named(two)
            return (0.9 if abs(value - other) == 1 else 1.0) + _SIZE * size + _NAMELESS * nameless
        case AddressOf(place), AddressOf(other):
            return place_distance(place, other)
        case AddressOf(place), Load(Member(whole)) if whole == place:
            return _PART
        case Load(Member(whole)), AddressOf(place) if whole == place:
            return _PART_LESS
        case Constant(), Load(VariableReference()):
            return _NAMED
        case Binary("+" | "-"), Binary("+" | "-", same, Constant(1)) if same == one:
            return _PART
        case Binary(operator, left, right), Binary(other, other_left, other_right):
            score = operator_distance(operator, other) + _itself(two, one)
            step = right != other_right and all(isinstance(each, Constant) for each in (right, other_right))
            step = step and other_right != Constant(1, other_right.type)  # by one most things go on
            score += _STEP * (step and left == other_left and isinstance(left, Load) and operator in "+-")
            score += _THIRD * (step and operator == other == "/" and right == Constant(2, right.type))
            return score + distance(left, other_left) + distance(right, other_right)
        case Unary(operator, operand), Unary(other, other_operand) if operator == other:
            return distance(operand, other_operand)
        case Cast(operand), Cast(other):
            return distance(operand, other)
        case Logical(), Logical():
            return condition_distance(one, two)
        case Conditional(a, b, c), Conditional(d, e, f):
            alike = text(e) == text(f) and text(b) != text(c)
            return distance(a, d) + distance(b, e) + distance(c, f) + _ITSELF * alike
    if any(part == one for part in parts(two)) or any(part == two for part in parts(one)):
        return _PART
    return KIND


def _is_named(constant: Constant) -> bool:
    """Whether it is written as a name, or as a character."""
    return bool(constant.text) and not constant.text[0].isdigit()


def _by_text(one: Expression, two: Expression) -> bool:
    """Whether the texts are compared now that two pointers lead to, in the place of the pointers."""
    match one, two:
        case Binary(operator, left, right), Binary(other, Binary(kind, first, second), Constant(0)):
            return kind == BY_TEXT and (operator, left, right) == (other, first, second)
    return False


def _namesakes(one: LValue, two: LValue) -> bool:
    """Whether one is a variable and the other one a field of its name: `size` and `r->size`."""
    match one, two:
        case (VariableReference(name), Member(_, field)) | (Member(_, field), VariableReference(name)):
            return source_name(name).casefold() == field.casefold()
    return False


def called_distance(one: str, two: str) -> float:
    """The distance of two functions of one type, by their names: `rotate_left` and `rotateRight` are near."""
    words, others = set(_words(one)), set(_words(two))
    if words - others and {*(words - others), *(others - words)} in _MIRRORS:
        return _MIRROR
    return _OTHER_CALL + (0.0 if words & others else _NAMED_OTHERWISE)


def _words(name: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)]


def operator_distance(one: str, two: str) -> float:
    """The distance of two binary operators: the same question asked the other way round is near."""
    if one == two:
        return 0.0
    if (one in COMPARISONS) != (two in COMPARISONS):
        return _OTHER_ROLE
    if _NEIGHBOURS.get(one) == two:
        return _NEIGHBOUR
    if NEGATED.get(one) == two or MIRRORED.get(one) == two:
        return _OTHER_WAY
    if {one, two} == {"+", "-"}:
        return _OTHER_SIGN
    if one in COMPARISONS and (one in ("==", "!=")) != (two in ("==", "!=")):
        return _OTHER_SENSE
    if one not in COMPARISONS and (one in ("+", "-")) != (two in ("+", "-")):
        return _OTHER_RANK
    if "%" in (one, two):
        return _REMAINDER
    return _OTHER_ORDER


def _itself(two: Binary, one: Binary) -> float:
    """What speaks against an operation that is not needed: on something and itself, on constants, `1 * x`.

    Who has reckoned with constants in that place (`SIZE + 1`) does so.
    """
    alike = text(two.left) == text(two.right) or (_of_constants(two) and not _of_constants(one))
    match two.operator, two.left, two.right:
        case ("+" | "-", _, Constant(0)) | ("*" | "/", _, Constant(1)):
            alike = True
        case ("+", Constant(0), _) | ("*", Constant(0 | 1), _):
            alike = True
    return _ITSELF if alike else 0.0


def _of_constants(operation: Binary) -> bool:
    return isinstance(operation.left, Constant) and isinstance(operation.right, Constant)


def joined(operator: str, *, exchanged: bool = False) -> float:
    """What one more test beside the condition costs, or one that is asked first instead of last."""
    if exchanged:
        return _OTHER_ORDER
    return INSERTION + _CONJUNCT + (0.4 if operator == "||" else 0.0)


def looks_first(condition: Expression, new: Expression) -> bool:
    """Whether a condition looks now whether a pointer is null through which it goes."""
    match new:
        case Logical(operator, Binary(kind, Load(pointer), Constant(0)), rest) if rest == condition:
            if (operator, kind) not in (("&&", "!="), ("||", "==")) or pointer in null_tests(rest):
                return False
            loads = (each for each in parts(rest) if isinstance(each, Load))
            return any(pointer in gone_through(each.place) for each in loads)
    return False


def looks_again(code: Sequence[Instruction], index: int, new: Expression) -> bool:
    """Whether a loop's condition looks first, each time, whether a variable is null that no round sets.

    That is asked once, before the loop.
    """
    match new:
        case Logical(_, Binary(_, Load(VariableReference(level="local") as pointer), Constant(0))):
            inside = (part for step in code for each in expressions_of(step) for part in parts(each))
            if any(isinstance(part, AddressOf) and part.place == pointer for part in inside):
                return False
            around = next(loops_around(code, index), range(0))
            setting = (step for at in around if isinstance(step := code[at], Assign))
            return bool(around) and all(step.target != pointer for step in setting)
    return False


def looks_before(code: Sequence[Instruction], index: int, slot: Before, made: ShortCircuit) -> bool:
    """Whether a test in front of a condition that calls looks at a pointer through which that goes."""
    match made.test:
        case Binary(kind, Load(pointer), Constant(0)):
            if (made.operator, kind) not in (("&&", "!="), ("||", "==")):
                return False
            condition = behind(code, index, barred=(slot.if_true, slot.if_false))
            evaluated = (each for at in condition for each in expressions_of(code[at]))
            loads = (part for each in evaluated for part in parts(each) if isinstance(part, Load))
            return any(pointer in gone_through(each.place) for each in loads)
    return False


def parts_tests(condition: Expression, new: Expression) -> bool:
    """Whether of two pointers that were tested for null alike one is no more: `a == NULL && b != NULL`."""
    match condition, new:
        case Logical(operator, left, right), Logical(other, one, two) if operator == other:
            before, after = _tested(left, right), _tested(one, two)
            alike = len({way for _, way in before}) == 1 and len({way for _, way in after}) == 2
            return alike and [place for place, _ in before] == [place for place, _ in after]
    return False


def _tested(left: Expression, right: Expression) -> list[tuple[LValue, str]]:
    """The null tests among two conditions."""
    return [found for each in (left, right) if (found := null_test(each)) is not None]


def condition_distance(one: Expression, two: Expression) -> float:
    """The distance of two conditions; a conjunct more costs as much as an insertion."""
    if one == two:
        return 0.0
    if _by_text(one, two):
        return _BY_TEXT
    match one, two:
        case Logical(operator, left, right), Logical(other, other_left, other_right):
            straight = (
                OTHER_JOIN * (operator != other)
                + condition_distance(left, other_left)
                + condition_distance(right, other_right)
            )
            if (left, right) == (other_right, other_left):
                return 1.0
            if two in (left, right):
                return DELETION - 0.5
            if one in (other_left, other_right):
                return min(straight, joined(other))
            return straight
        case _, Logical(operator, left, right) if one in (left, right):
            return joined(operator)
        case Logical(_, left, right), _ if two in (left, right):
            return DELETION - 0.5
        case Binary(operator, left, right), Binary(other, other_left, other_right) if (
            operator in COMPARISONS and other in COMPARISONS
        ):
            score = operator_distance(operator, other) + _itself(two, one)
            score += _no_more_zero(one, right, other_right) if operator == other else 0.0
            if _same_field(left, right):
                others = _other_field(left, other_left), _other_field(right, other_right)
                if all(others) and _same_field(other_left, other_right):
                    return score + distance(left, other_left) + _AGAIN
                score += _MIXED * any(others)
            return score + distance(left, other_left) + distance(right, other_right)
        case Unary("!", operand), Unary("!", other):
            return condition_distance(operand, other)
        case Unary("!", operand), other if operand == other:
            return 1.2
        case other, Unary("!", operand) if operand == other:
            return 1.2
    return distance(one, two)


def _no_more_zero(condition: Binary, right: Expression, other: Expression) -> float:
    """What it costs that an equality with 0, or a difference compared with 0, has another number there.

    Rather the contrary was meant, or another difference.
    """
    if not (isinstance(right, Constant) and isinstance(other, Constant) and not right.value and other.value):
        return 0.0
    if condition.operator in ("==", "!="):
        return _OTHER_THAN_ZERO
    return _SHIFTED * (isinstance(condition.left, Binary) and condition.left.operator == "-")


def _same_field(left: Expression, right: Expression) -> bool:
    """Whether two operands read the same field of two nodes of one type."""
    match without_casts(left), without_casts(right):
        case Load(Member(base, name)), Load(Member(other, field)):
            return base.type == other.type and name == field
    return False


def _other_field(one: Expression, two: Expression) -> bool:
    """Whether two operands read fields of the same node, and not the same one."""
    match without_casts(one), without_casts(two):
        case Load(Member(base, name)), Load(Member(other, field)):
            return base == other and name != field
    return False
