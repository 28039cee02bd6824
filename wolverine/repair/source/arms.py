"""The two arms of an `if`: what they set tells what its condition asks for.

Where each arm sets another link of one node to the same (`p->left = x;` else `p->right = x;`), what is asked
for is which link leads to what is replaced: `p->left == old`.  And arms that are the same statement need no
condition, so that no edit makes them so.  An arm with nothing in it lacks something.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import (
    Binary,
    Dereference,
    Expression,
    Load,
    Member,
    VariableReference,
    lvalue_text,
    text,
    variables,
)
from wolverine.core.parts import null_test, parts
from wolverine.core.patch import Edit, Guarded, NewAssignment, NewValue
from wolverine.core.program import (
    RESULT_NAME,
    Assign,
    Branch,
    Call,
    Concrete,
    Function,
    Gap,
    Instruction,
    Jump,
    Library,
    Program,
    successors,
)
from wolverine.core.types import INT, PointerType
from wolverine.repair.source.blocks import arms_around
from wolverine.repair.source.flow import forward, loops_around

Arms = tuple[Sequence[Instruction], Sequence[Instruction]]


def arms(code: Sequence[Instruction], branch: int) -> Arms | None:
    """What both arms of the `if` at an instruction do, gaps left out; None where there is no `else`."""
    step = code[branch]
    if not isinstance(step, Branch) or not branch < step.if_true < step.if_false:
        return None
    last = step.if_false - 1
    while isinstance(code[last], Gap):
        last -= 1
    leap = code[last]
    if not isinstance(leap, Jump) or leap.target <= step.if_false or last < step.if_true:
        return None
    first, second = code[step.if_true : last], code[step.if_false : leap.target]
    return [s for s in first if not isinstance(s, Gap)], [s for s in second if not isinstance(s, Gap)]


def begun_already(code: Sequence[Instruction], index: int, made: Guarded) -> bool:
    """Whether an `if` without `else` beside a gap does already what the one that is put there begins with.

    So does `if (p) p->up = q;` where `if (p) p->up = q; else last = q;` is inserted: it lacks an `else`.
    """
    around = [*arms_around(code, index)]
    for at, step in enumerate(code):
        if not isinstance(step, Branch) or text(step.condition) != text(made.condition):
            continue
        match arms(code, at), made.statement:
            case ([Assign(_, target, value)], []), NewAssignment(place, other):
                alike = lvalue_text(target) == lvalue_text(place) and text(value) == text(other)
                if alike and [*arms_around(code, at)] == around:
                    return True
    return False


def is_empty(program: Program, function: Function, index: int) -> bool:
    """Whether the gap at an instruction is all there is in an arm of an `if`, which is written all the same.

    `if (before == NULL) ; else before->next = n;` lacks a statement there.
    """
    code = function.code
    if program.location(code[index].location).gap == "else":
        return False
    for at, step in enumerate(code[:index]):
        if not isinstance(step, Branch) or step.location < 0 or program.location(step.location).loop:
            continue
        if at < step.if_true < step.if_false:
            last = code[step.if_false - 1]
            behind = last.target if isinstance(last, Jump) and last.location < 0 else step.if_false
            for arm in (range(step.if_true, step.if_false), range(step.if_false, behind)):
                if index in arm and not any(_does_something(code[each]) for each in arm):
                    return True
    return False


def leaves_the_rest_to_the_other(program: Program, function: Function, index: int) -> bool:
    """Whether a `return` at an instruction lets what stands behind an `if` and its `else` go on in one only.

    That is more than what the function returns, and stands in no loop, where each round has its own way.
    What is meant for one of the two is rather written there.
    """
    code = function.code
    inner = [at for at, _ in arms_around(code, index) if not _of_a_loop(program, code[at])]
    if not inner or any(loops_around(code, index)):
        return False
    branch = code[inner[-1]]
    assert isinstance(branch, Branch)
    last = next(at for at in range(branch.if_false - 1, -1, -1) if not isinstance(code[at], Gap))
    match code[last]:
        case Jump(-1, join) if join > branch.if_false and last >= branch.if_true:
            other = range(branch.if_false, join) if index < last else range(branch.if_true, last)
            way = forward(code, other.start, join)
            goes_on = any(join in successors(code[at], at) for at in way)
            behind = (code[at] for at in forward(code, join))
            return (
                goes_on and any(map(_does_something, (code[at] for at in other))) and any(map(_works, behind))
            )
    return False


def _of_a_loop(program: Program, step: Instruction) -> bool:
    return step.location >= 0 and program.location(step.location).loop


def _works(step: Instruction) -> bool:
    """Whether an instruction does more than lead on, or than is done for what is returned."""
    match step:
        case Assign(_, VariableReference(name=name)):
            return not name.startswith("$")
        case Call() | Library():
            return step.result is None
    return isinstance(step, Assign | Branch | Concrete)


def _does_something(step: Instruction) -> bool:
    return not isinstance(step, Gap) and not (isinstance(step, Jump) and step.location < 0)


def links_asked(
    code: Sequence[Instruction], branch: int, scope: Sequence[VariableReference]
) -> Iterator[Binary]:
    """The questions which of the links that the arms of an `if` set leads to which variable's node."""
    both = arms(code, branch)
    match both:
        case ([Assign(_, Member() as one, value)], [Assign(_, Member() as other, same)]) if (
            one.base == other.base
            and one.offset != other.offset
            and text(value) == text(same)
            and isinstance(one.base, Dereference)
            and isinstance(one.type, PointerType)
            and one.type == other.type
        ):
            step = code[branch]
            assert isinstance(step, Branch)
            mentioned = variables(value) | variables(one)
            for variable in scope:
                if variable.type == one.type and variable.name not in mentioned:
                    yield _worded(step.condition, Load(one), Load(variable))


def _worded(condition: Expression, link: Load, variable: Load) -> Binary:
    """With the variable on the side on which the condition has one."""
    match condition:
        case Binary(_, Load(VariableReference()), Load(Member())):
            return Binary("==", variable, link, INT)
    return Binary("==", link, variable, INT)


def asks_for_link(code: Sequence[Instruction], branch: int, condition: Expression) -> bool:
    """Whether a condition asks which of the links that the arms set leads to some variable's node.

    Behind a loop that goes on until the variable is null it has none.
    """
    match condition:
        case Binary("==", Load(VariableReference() as variable), Load(Member())) | Binary(
            "==", Load(Member()), Load(VariableReference() as variable)
        ):
            wanted = text(condition)
            turned = text(Binary("==", condition.right, condition.left, INT))
            asked = links_asked(code, branch, (variable,))
            alike = any(text(each) in (wanted, turned) for each in asked)
            return alike and not _run_out(code, branch, variable)
    return False


def _run_out(code: Sequence[Instruction], index: int, variable: VariableReference) -> bool:
    """Whether a loop before an instruction has ended because the variable was null, and that still is."""
    for at, step in enumerate(code[:index]):
        if not isinstance(step, Branch) or not at < step.if_true < step.if_false <= index:
            continue
        inside = range(at + 1, step.if_false)
        goes_round = any(min(successors(code[each], each), default=index) <= at for each in inside)
        leaves = any(max(successors(code[each], each), default=0) > inside.stop - 1 for each in inside[:-1])
        if not goes_round or leaves or null_test(step.condition) != (variable, "!="):
            continue
        if not any(
            isinstance(each, Assign) and each.target == variable for each in code[inside.stop : index]
        ):
            return True
    return False


def makes_alike(program: Program, edit: Edit) -> bool:
    """Whether an edit makes the arms of an `if` the same statement, so that its condition is for nothing.

    So it is of `if (is_leaf(t)) return t;` in front of `return t;`, and of an `if` behind what it does alone:
    `least = a; if (b->key < least->key) least = a;`.
    """
    match edit.replacement:
        case NewAssignment() | NewValue() as made:
            pass
        case _:
            return False
    code = program.functions[program.location(edit.location).function].code
    for at, step in enumerate(code):
        if not isinstance(step, Branch):
            continue
        match arms(code, at):
            case ([Assign() as one], [Assign() as other]) if edit.location in (one.location, other.location):
                changed, stays = (one, other) if one.location == edit.location else (other, one)
                target = made.target if isinstance(made, NewAssignment) else changed.target
                before = lvalue_text(changed.target), text(changed.value)
                alike = lvalue_text(stays.target), text(stays.value)
                return before != alike == (lvalue_text(target), text(made.value))
        if _repeats(code, at, edit.location, made):
            return True
        ways = _returned(code, step.if_true), _returned(code, step.if_false)
        given = [way for way in ways if way is not None and way.location == edit.location]
        others = [way for way in ways if way is not None and way.location != edit.location]
        if given and others and text(given[0].value) != text(others[0].value) == text(made.value):
            return True
    return False


def _repeats(code: Sequence[Instruction], branch: int, location: int, made: NewAssignment | NewValue) -> bool:
    """Whether what an `if` without `else` does alone becomes what stands right before it, or the reverse.

    The condition only asks, so that both set one place to one value then.
    """
    before = next((step for step in reversed(code[:branch]) if not isinstance(step, Gap)), None)
    match arms(code, branch), before:
        case ([Assign() as inner], []), Assign() if location in (inner.location, before.location):
            changed, stays = (inner, before) if inner.location == location else (before, inner)
            target = made.target if isinstance(made, NewAssignment) else changed.target
            as_it_is = lvalue_text(changed.target), text(changed.value)
            alike = lvalue_text(stays.target), text(stays.value)
            if as_it_is == alike or alike != (lvalue_text(target), text(made.value)):
                return False
            return text(Load(stays.target)) not in map(text, parts(stays.value))
    return False


def _returned(code: Sequence[Instruction], at: int) -> Assign | None:
    """What a function gives back at once from an instruction on; None where it does anything else first."""
    while isinstance(step := code[at], Gap | Jump) and not (isinstance(step, Jump) and step.location >= 0):
        at = step.target if isinstance(step, Jump) else at + 1
    given = isinstance(step, Assign) and step.target == VariableReference(RESULT_NAME, step.target.type)
    return step if given and isinstance(step, Assign) else None
