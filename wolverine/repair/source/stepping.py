"""Links over which loops lead a variable on from one node to the next: `p = p->left`.

Where a program appends over a link (`l->rear->next = n; l->rear = n;`) nothing is behind the node to which
`l->rear` leads: who begins there to walk over `next` up to null looks at one node, or at none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from wolverine.core.expressions import (
    AddressOf,
    Constant,
    Dereference,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
    variables,
)
from wolverine.core.parts import null_tests, parts, without_casts
from wolverine.core.program import Assign, Branch, Call, Function, Gap, Instruction, Library, Program
from wolverine.core.types import CType, PointerType
from wolverine.repair.source.flow import behind, loops_around
from wolverine.repair.source.walk import expressions_of, reads_through

Pointer = tuple[str, CType | None, int]  # a global variable, or a field of a struct


def stepped_over(function: Function) -> frozenset[tuple[CType, int]]:
    """These links, by the struct and where in it they lie."""
    code, found = function.code, set[tuple[CType, int]]()
    for index, step in enumerate(code):
        link = _step(step)
        if link is not None and index in behind(code, index):
            assert isinstance(link.base, Dereference)
            found.add((link.base.type, link.offset))
    return frozenset(found)


def steps_unappended(function: Function) -> Mapping[int, Member]:
    """The locations of steps to what was just appended, in loops that append in some rounds only.

    `if (v > 0) last->next = make(v);  last = last->next;` leads to null in the other rounds: the step is
    meant where something was appended, `if (last->next != NULL)`.  Where the loop asks for the variable it
    goes through a list, and what it sets in between is another matter.
    """
    code, found = function.code, dict[int, Member]()
    for index, step in enumerate(code):
        link = _step(step)
        loop = next(loops_around(code, index), None)
        if link is None or loop is None or step.location < 0:
            continue
        assert isinstance(step, Assign) and isinstance(step.target, VariableReference)
        name = step.target.name
        if any(
            name in variables(each.condition)
            for each in code[loop.start : loop.stop]
            if isinstance(each, Branch)
        ):
            continue
        appends = {
            at
            for at in loop
            if isinstance(each := code[at], Assign)
            and each.target == link
            and not isinstance(without_casts(each.value), Constant)
            and name not in variables(each.value)
        }
        if appends and index in behind(code, index, barred=appends):
            found[step.location] = link
    return found


def steps_once(code: Sequence[Instruction], index: int) -> bool:
    """Whether a loop that is left at a gap has just made the only step with which it walks.

    What goes round to walk does so no more than once then: it is left where something has been found.
    """
    at = index - 1
    while at > 0 and isinstance(code[at], Gap):
        at -= 1
    step, loop = code[at], next(loops_around(code, index), None)
    if _step(step) is None or loop is None or at not in loop:
        return False
    assert isinstance(step, Assign)
    return _alone(code, loop, step)


def left_behind(function: Function, index: int, target: LValue, value: Expression) -> bool:
    """Whether an assignment in a loop leads on what goes along with another variable and is forgotten.

    `while (b) { if (a->ch != b->ch) ...; b = b->next; }` looks at the same node of `a` in every round.  So do
    loops that compare with what was given or made, or with what they have found: `a` is a variable of the
    function that begins at what another pointer leads to.
    """
    link = _step(Assign(-1, target, value))
    if link is None or not isinstance(target, VariableReference) or target.level != "local":
        return False
    code, name = function.code, target.name
    loop = next(loops_around(code, index), None)
    if loop is None or any(each.name == name for each in function.parameters):
        return False
    setting = {at: step for at, step in enumerate(code) if _sets(step, target)}
    if not setting or any(at in loop for at in setting):
        return False
    inside = [code[at] for at in loop]
    begun = all(isinstance(step, Assign) and _is_held(step.value) for step in setting.values())
    others = any(
        other is not None and other.offset == link.offset and other.base.type == link.base.type
        for other in map(_step, inside)
    )
    return (
        begun
        and others
        and any(reads_through(parts(each), name) for step in inside for each in expressions_of(step))
    )


def is_copied_step(function: Function, index: int, target: LValue, value: Expression) -> bool:
    """Whether an assignment makes a step of what was copied from the one beside it, and renamed in one place.

    So `q = q->next` in the place of `q = p->next`, or of `p = q->next`, next to `p = p->next` (Li et al.,
    "CP-Miner", OSDI 2004): two variables go through two lists there.  That the other one is led on by itself
    as well, the function says elsewhere, or the loop asks for both whether there is anything left.
    """
    code = function.code
    link, was = _step(Assign(-1, target, value)), code[index]
    if link is None or not isinstance(was, Assign) or not isinstance(target, VariableReference):
        return False
    beside = [_step_like(code, index, towards, link) for towards in (-1, 1)]
    walks = [each for each in beside if each is not None and each != target and each.type == target.type]
    return any(
        _is_half_renamed(was, walk, target, link) and _go_alike(code, index, walk, target, link)
        for walk in walks
    )


def _step_like(code: Sequence[Instruction], index: int, towards: int, link: Member) -> LValue | None:
    """What the next statement in a direction leads on over such a link, if it does."""
    at = index + towards
    while 0 <= at < len(code) and isinstance(code[at], Gap):
        at += towards
    other = _step(code[at]) if 0 <= at < len(code) else None
    step = code[at] if other is not None and _same_link(other, link) else None
    return step.target if isinstance(step, Assign) else None


def _is_half_renamed(was: Assign, walk: LValue, target: LValue, link: Member) -> bool:
    """Whether of a step of one variable one mention has become the other one."""
    match was:
        case Assign(_, place, Load(Member(Dereference(Load(through))) as over)) if _same_link(over, link):
            return (place, through) in ((target, walk), (walk, target))
    return False


def _go_alike(
    code: Sequence[Instruction], index: int, walk: LValue, target: VariableReference, link: Member
) -> bool:
    """Whether the code leads the target on over that link elsewhere, or a loop around asks for both."""
    for at, step in enumerate(code):
        over = _step_of(step, target) if at != index else None
        if over is not None and _same_link(over, link):
            return True
    return any(
        {walk, target} <= {each for at in loop for each in _tested_in(code[at], loop)}
        for loop in loops_around(code, index)
    )


def _tested_in(step: Instruction, loop: range) -> Iterator[LValue]:
    """The pointers that the loop tests for null where it may end."""
    if isinstance(step, Branch) and step.if_false not in loop:
        yield from null_tests(step.condition)


def _same_link(one: Member, other: Member) -> bool:
    return one.offset == other.offset and one.base.type == other.base.type


def is_the_only_step(code: Sequence[Instruction], index: int) -> bool:
    """Whether a loop asks for the variable that an instruction leads on, and nothing else in it sets that."""
    step, loop = code[index], next(loops_around(code, index), None)
    if _step(step) is None or loop is None:
        return False
    assert isinstance(step, Assign)
    name = lvalue_text(step.target)
    return _alone(code, loop, step) and any(
        isinstance(each, Branch) and each.if_false not in loop and name in variables(each.condition)
        for each in code[loop.start : loop.stop]
    )


def appended_behind(program: Program) -> frozenset[tuple[Pointer, int]]:
    """The pointers to which nodes are appended over a link (its offset), and which lead to these then."""
    found = set[tuple[Pointer, int]]()
    for function in program.functions.values():
        code = function.code
        for index, step in enumerate(code):
            match step:
                case Assign(_, Member(Dereference(Load(end))) as link, value):
                    made, pointer = without_casts(value), _outside(end)
                    if pointer is None or not isinstance(made, Load):
                        continue
                    if any(
                        isinstance(each := code[at], Assign)
                        and each.target == end
                        and without_casts(each.value) == made
                        for at in behind(code, index)
                    ):
                        found.add((pointer, link.offset))
    return frozenset(found)


def begins_at_an_end(
    function: Function,
    index: int,
    target: LValue,
    value: Expression,
    appended: Collection[tuple[Pointer, int]],
) -> bool:
    """Whether a loop behind an instruction that sets the target walks with it from where nothing is behind.

    It walks up to null; to what nodes are `appended`, and over which links, tells `appended_behind`.
    """
    code, first = function.code, without_casts(value)
    pointer = _outside(first.place) if isinstance(first, Load) else None
    if pointer is None or not any(end == pointer for end, _ in appended):
        return False
    steps = {at: link for at, step in enumerate(code) if (link := _step_of(step, target)) is not None}
    others = {at for at, step in enumerate(code) if isinstance(step, Assign) and step.target == target}
    reached = behind(code, index, barred=others - steps.keys())
    return any(
        at in reached
        and (pointer, link.offset) in appended
        and link.base.type == _led_to(target)
        and any(
            index not in loop
            and any(
                isinstance(each := code[inside], Branch) and target in null_tests(each.condition)
                for inside in loop
            )
            for loop in loops_around(code, at)
        )
        for at, link in steps.items()
    )


def _alone(code: Sequence[Instruction], loop: range, step: Assign) -> bool:
    """Whether no other assignment in a loop sets what one sets."""
    return all(
        each is step or not isinstance(each, Assign) or each.target != step.target
        for each in code[loop.start : loop.stop]
    )


def _sets(step: Instruction, target: VariableReference) -> bool:
    """Whether an instruction sets a variable, or hands out its address."""
    match step:
        case Assign(_, place) | Call(result=place) | Library(result=place) if place == target:
            return True
    return any(
        isinstance(each, AddressOf) and each.place == target
        for expression in expressions_of(step)
        for each in parts(expression)
    )


def _is_held(value: Expression) -> bool:
    """Whether that is what a place of the program holds, rather than a constant or what a call gives."""
    plain = without_casts(value)
    return isinstance(plain, Load) and not any(name.startswith("$") for name in variables(plain))


def _outside(place: LValue) -> Pointer | None:
    """A pointer that lies in no node of the kind to which it leads."""
    match place:
        case VariableReference(name, level="global"):
            return name, None, 0
        case Member(base, _, offset) if base.type != _led_to(place):
            return "", base.type, offset
    return None


def _led_to(place: LValue) -> CType | None:
    return place.type.target if isinstance(place.type, PointerType) else None


def _step_of(step: object, target: LValue) -> Member | None:
    return _step(step) if isinstance(step, Assign) and step.target == target else None


def _step(step: object) -> Member | None:
    """The link over which an assignment leads a variable on."""
    match step:
        case Assign(
            _, VariableReference(name), Load(Member(Dereference(Load(VariableReference(of)))) as link)
        ) if name == of:
            return link
    return None
