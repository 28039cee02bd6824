"""What makes an edit unlikely where it stands, whatever it is near to (see `score`)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from wolverine.core.expressions import (
    COMPARISONS,
    AddressOf,
    Binary,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
    text,
    variables,
)
from wolverine.core.parts import (
    amount_added,
    conjuncts,
    evaluated,
    gone_through,
    null_test,
    parts,
    place_parts,
    without_casts,
)
from wolverine.core.patch import Edit, NewAssignment, Patch
from wolverine.core.program import (
    RESULT_NAME,
    Assign,
    Branch,
    Call,
    Concrete,
    Declare,
    Function,
    Gap,
    Instruction,
    Jump,
    Library,
    Program,
    successors,
)
from wolverine.core.types import CType, PointerType, is_number
from wolverine.repair.source.flow import arriving, behind, loops_around
from wolverine.repair.source.settled import may_set
from wolverine.repair.source.walk import expressions_of, reads_through
from wolverine.semantics.allocation import FRESH
from wolverine.semantics.concrete import checks_before, gives_up

_Leading = Mapping[int, Sequence[int]]

_STEP = -0.2  # `p = p->next`, `i = i + 1` in a loop
_BEYOND = -0.05  # it goes through what is tested for null
_STRANGER = 0.2  # a node further on takes what has nothing to do with its neighbour
_ASIDE = 0.05  # `x->f->g = x->h`, rather than `x->f->g = x->g`: a node is taken out
TO_ITSELF = 0.7  # `x->f = x`
_IN_A_RING = 0.7  # `x->f->f = x`
_EARLY = 0.25  # such a step stands behind what reads its variable in the same round
BACK_AGAIN = 0.5  # what is there already is stored again right behind
_TRAILING = -0.4  # `before = p` right in front of `p = p->next`
_REPEATED = -0.6  # for each statement more that gives another field of a node the same value
_FAR = 0.005  # for each location between a value that is kept and its use
_UNASKED = 0.8
_CONTRARY = 2.0  # `if (p == NULL) p = p->next`
_OF_ANOTHER = 0.5  # `x->f = y->g`
_SAME_FIELD = 0.2  # `x->f = y->f`
_HANDED_OVER = -0.2  # where that is no link of a list or tree: a queue gets what another one holds


def plain(value: Expression) -> bool:
    """Whether a value is a variable, its address, or a constant."""
    match value:
        case Load(place) | AddressOf(place):
            return isinstance(place, VariableReference)
    return isinstance(value, Constant)


def against(condition: Expression, test: Binary) -> bool:
    """Whether what the test stands before is looked at just where it fails: `p == NULL && p->f`."""
    match condition:
        case Logical(operator, left) if left == test:
            return test.operator == ("==" if operator == "&&" else "!=")
    return False


def leads_to_a_pointer(ctype: CType) -> bool:
    """Whether a pointer of that type is the address of a pointer."""
    return isinstance(ctype, PointerType) and isinstance(ctype.target, PointerType)


def looping(
    code: Sequence[Instruction], index: int, target: LValue, value: Expression, *, otherwise: bool = False
) -> float:
    """What a loop's step costs in the gap `index`; 0 for what is none.

    Who goes through pairs does so in every round, and not `otherwise`, under an `else`.
    """
    if not isinstance(target, VariableReference) or not _is_step(target, value):
        return 0.0
    read = False
    for at in range(index + 1, len(code)):
        step = code[at]
        if isinstance(step, Jump | Branch) and min(successors(step, at)) <= index:
            return _STEP + _EARLY * read + _BEYOND * (not otherwise and _goes_beyond(code, index, value))
        names: frozenset[str] = frozenset().union(*map(variables, expressions_of(step)))
        if isinstance(step, Assign) and not isinstance(step.target, VariableReference):
            names |= variables(step.target)
        read = read or target.name in names
    return 0.0


def begins_again(code: Sequence[Instruction], index: int, target: LValue, value: Expression) -> bool:
    """Whether the gap `index` is in a loop that walks with the target, which began with the same value."""
    loop = next(loops_around(code, index), None)
    if loop is None:
        return False
    inside, before = code[loop.start : loop.stop], code[: loop.start]
    steps = (s for s in inside if isinstance(s, Assign) and s.target == target)
    began = (s for s in before if isinstance(s, Assign) and s.target == target)
    return any(_is_step(target, s.value) for s in steps) and any(s.value == value for s in began)


def never_set(function: Function, target: LValue) -> bool:
    """Whether the target is a parameter that keeps what the caller gave."""
    given = {parameter.name for parameter in function.parameters}
    if not isinstance(target, VariableReference) or target.level == "global" or target.name not in given:
        return False
    return not any(isinstance(step, Assign) and step.target == target for step in function.code)


def is_key(function: Function, target: LValue) -> bool:
    """Whether the target is a number that was given and is only compared with what nodes hold."""
    if not never_set(function, target) or not is_number(target.type):
        return False
    found = False
    for step in function.code:
        if not isinstance(step, Branch):
            continue
        for part in parts(step.condition):
            if isinstance(part, Binary) and Load(target) in (part.left, part.right):
                other = part.right if part.left == Load(target) else part.left
                if not (isinstance(other, Load) and isinstance(other.place, Member)):
                    return False
                found = True
    return found


def renames(function: Function, target: LValue, value: Expression) -> bool:
    """Whether a node gets the key of the function (`is_key`) where none is made."""
    keyed = isinstance(target, Member) and isinstance(value, Load) and is_key(function, value.place)
    return keyed and not any(isinstance(each, Call) and each.function in FRESH for each in function.code)


def reckons_with_key(function: Function, value: Expression) -> bool:
    """Whether a number is added to, or taken from, what is a key of the function (`is_key`)."""
    return any(
        isinstance(part, Binary)
        and part.operator in ("+", "-")
        and isinstance(part.left, Load)
        and isinstance(part.right, Constant)
        and is_key(function, part.left.place)
        for part in parts(value)
    )


def walks_within(code: Sequence[Instruction], index: int, target: LValue) -> bool:
    """Whether a loop inside of the one around the gap `index` goes on by the target: `while (p)`."""
    steps = [
        at
        for at, step in enumerate(code)
        if isinstance(step, Assign) and step.target == target and _is_step(target, step.value)
    ]
    return any(_walks(code, index, at, target) for at in steps)


def _is_step(target: LValue, value: Expression) -> bool:
    """Whether a variable goes on from where it is."""
    return isinstance(target, VariableReference) and target.name in variables(value)


def _walks(code: Sequence[Instruction], index: int, at: int, target: LValue) -> bool:
    """Whether the step `at` is made by a loop that tests the target, inside of one around `index`."""
    loop = next((each for each in loops_around(code, at) if index not in each), None)
    if loop is None:
        return False
    end = loop.stop - 1
    around = index in behind(code, end) and end in behind(code, index)
    tests = (s.condition for s in code[loop.start : end] if isinstance(s, Branch))
    return around and any(_is_step(target, test) for test in tests)


def _goes_beyond(code: Sequence[Instruction], index: int, value: Expression) -> bool:
    """Whether a value is what lies beyond a link without which a loop around ends: `p->next->next`."""
    match value:
        case Load(Member(Dereference(Load(Member() | Element() as link)))):
            loops = (code[loop.start : loop.stop] for loop in loops_around(code, index))
            tests = (step.condition for loop in loops for step in loop if isinstance(step, Branch))
            return any((link, "!=") in map(null_test, conjuncts(test)) for test in tests)
    return False


def back_again(code: Sequence[Instruction], index: int, target: LValue, value: Expression) -> bool:
    """Whether a statement behind the gap `index` stores what is there already: `x = y` and then `y = x`.

    Copies of the value that are made in front or in between count as well.
    """
    copies = (s.value.place for s in code[index + 1 :] if isinstance(s, Assign) and isinstance(s.value, Load))
    if not isinstance(value, Load) or target not in copies:
        return False
    alike = {lvalue_text(value.place)}
    for step in reversed(code[:index]):
        if not isinstance(step, Assign | Declare | Gap):
            break
        if isinstance(step, Assign) and isinstance(step.value, Load):
            pair = {lvalue_text(step.target), lvalue_text(step.value.place)}
            alike |= pair if alike & pair else set()
    for at in range(index + 1, len(code)):
        match code[at]:
            case Assign(_, stored, Load(place)) if place == target:
                return lvalue_text(stored) in alike
            case Assign(_, stored, stands):
                if stored == target:
                    return False
                copied = isinstance(stands, Load) and lvalue_text(stands.place) in alike
                alike = alike | {lvalue_text(stored)} if copied else alike - {lvalue_text(stored)}
            case (Branch() | Jump()) as step if min(successors(step, at)) > at:
                pass
            case Declare() | Gap():
                pass
            case _:
                return False
    return False


def abreast(code: Sequence[Instruction], index: int, target: LValue, value: Expression) -> bool:
    """Whether a field is led where another one of its struct goes on to: `x->f = x->g->n`, `x->g = x->g->n`.

    That is in front of the other one, on the straight way to it.
    """
    match target, value:
        case Member(base), Load(Member(Dereference(Load(Member() as other)))) if (
            other != target and lvalue_text(other.base) == lvalue_text(base)
        ):
            for step in code[index + 1 :]:
                if isinstance(step, Assign) and lvalue_text(step.target) == lvalue_text(other):
                    return text(step.value) == text(value)
                if not isinstance(step, Assign | Gap | Declare):
                    return False
    return False


def began_with(code: Sequence[Instruction], index: int, new: Expression, value: Expression) -> bool:
    """Whether `new` is a variable that was first given the `value`, which is no plain one: `c = 2 * i`.

    That is further up.  What a step reckons of the variable itself (`p = p->next`) is another value at once.
    """
    match new:
        case Load(VariableReference() as place) if not plain(value) and place.name not in variables(value):
            return any(
                isinstance(s, Assign) and s.target == place and text(s.value) == text(value)
                for s in code[:index]
            )
    return False


def trailing(code: Sequence[Instruction], index: int, target: LValue, value: Expression) -> float:
    """What speaks for remembering in the gap `index` what a loop's step is about to leave behind."""
    following = next((s for s in code[index + 1 :] if not isinstance(s, Gap)), None)
    match following, value:
        case Assign(_, stepping, Load(Member(Dereference(Load(left))))), Load(kept) if (
            left == stepping == kept
        ):
            return _TRAILING if isinstance(target, VariableReference) and target != kept else 0.0
    return 0.0


def returned(program: Program, function: str, place: LValue) -> bool:
    """Whether the function returns what the place holds."""
    kept = (s for s in program.functions[function].code if isinstance(s, Assign))
    return any(
        s.target == VariableReference(RESULT_NAME, s.target.type) and s.value == Load(place) for s in kept
    )


def reason_against(step: Assign, condition: Expression) -> float:
    """What speaks against a test of a statement: it should be of what it goes through, or fills."""
    match condition:
        case Binary("!=", Load(place), Constant(0)) if isinstance(place.type, PointerType):
            wanted = text(Load(place))
            inside = (*parts(step.value), *place_parts(step.target), Load(step.target))
            if reads_through(inside, wanted):
                return 0.0
        case Binary("==", Load(place), Constant(0)) if place == step.target:
            stays = isinstance(step.value, Constant) and not step.value.value  # it is null as it is
            return _CONTRARY if stays or reads_through(parts(step.value), text(Load(place))) else 0.0
        case Binary("==", Load(place), Constant(0)) if isinstance(place.type, PointerType):
            inside = (*parts(step.value), *place_parts(step.target), Load(step.target))
            return _CONTRARY if reads_through(inside, text(Load(place))) else _UNASKED
    return _UNASKED


def of_the_first(condition: Expression, place: LValue) -> bool:
    """Whether a test is for a node that a place does not lead to: `cur != head`, where `head` is set else."""
    match condition:
        case Binary("!=", Load(VariableReference()), Load(other)):
            return other == place
    return False


def shelters_other(condition: Expression, place: LValue) -> bool:
    """Whether a test is for having no node through which the place that is set else is come to."""
    match null_test(condition):
        case pointer, "==":
            return reads_through((Load(place),), text(Load(pointer)))
    return False


def passed_twice(code: Sequence[Instruction], index: int, value: Expression) -> bool:
    """Whether the call for which the assignment `index` passes an argument passes that value already."""
    here = code[index]
    if not isinstance(here, Assign):
        return False
    passed = Load(here.target) if isinstance(here.target, VariableReference) else None
    call = next((s for s in code[index:] if isinstance(s, Call | Library) and passed in s.arguments), None)
    if call is None or isinstance(value, Constant):
        return False
    others = {each.place for each in call.arguments if isinstance(each, Load) and each != passed}
    made = (s.value for s in code if isinstance(s, Assign) and s.target in others)
    return any(text(each) == text(value) for each in made)


def passed_beside(function: Function, index: int, value: Expression) -> int:
    """How often the statement in which an argument is passed passes that value elsewhere."""
    unit, written = function.unit_of[index], text(value)
    if isinstance(value, Constant):
        return 0
    return sum(
        isinstance(step, Assign)
        and at != index
        and function.unit_of[at] == unit
        and text(step.value) == written
        for at, step in enumerate(function.code)
    )


def pairs_as_beside(function: Function, index: int, value: Expression) -> bool:
    """Whether a value is reckoned of one field of two nodes, as another value that the statement passes.

    So it is where `p->x * q->x` and `p->y + q->y` are passed, be it in another order.
    """
    nodes, unit = _paired(value), function.unit_of[index]
    return nodes is not None and any(
        isinstance(step, Assign)
        and at != index
        and function.unit_of[at] == unit
        and text(step.value) != text(value)
        and _paired(step.value) == nodes
        for at, step in enumerate(function.code)
    )


def _paired(value: Expression) -> frozenset[LValue] | None:
    """The two nodes of which one field each is reckoned with: of `p->x * q->x` these."""
    match without_casts(value):
        case Binary(_, left, right):
            match without_casts(left), without_casts(right):
                case Load(Member(one, field)), Load(Member(two, other)) if field == other and one != two:
                    return frozenset((one, two)) if one.type == two.type else None
    return None


def writes_back(code: Sequence[Instruction], index: int) -> bool:
    """Whether an assignment sets a place to what it holds: to itself, or to what was just read out of it."""
    step = code[index]
    if not isinstance(step, Assign):
        return False
    if step.value == Load(step.target):
        return True
    for before in reversed(code[:index]):
        match before:
            case Gap():
                continue
            case Assign(_, target, value) if Load(target) == step.value:
                return value == Load(step.target) and not variables(target) & variables(step.target)
        return False
    return False


def other_answer(function: Function, condition: Expression, new: Expression) -> bool:
    """Whether a condition compares what a library function answers, and `new` with something else, or not.

    What `strcmp` and `scanf` may answer is fixed: to look for 0 may be wrong, to look for -1 hardly right.
    """
    asked = answers(function, condition)
    return bool(asked) and asked != answers(function, new)


def asks_what_is_set(
    code: Sequence[Instruction], leading: _Leading, index: int, condition: Expression, new: Expression
) -> bool:
    """Whether a new test is one on which the straight way there decides: `p = NULL; if (p == NULL)`.

    So it does where two places are compared of which one was just copied from the other, and where a pointer
    is tested for null through which the way has gone.
    `leading` are the instructions that lead to each (`flow.predecessors`).
    """
    known = set(_asked(condition))
    asked, at = [pair for pair in _asked(new) if pair not in known], index
    while asked and len(before := arriving(leading, at)) == 1:
        following, [at] = at, before
        step = code[at]
        if isinstance(step, Assign):
            if any(_settled_by(step, *pair) for pair in asked):
                return True
            asked = [pair for pair in asked if not any(may_set(step.target, each) for each in pair)]
        if any(other is None and _led_through(step, following, place) for place, other in asked):
            return True
        if isinstance(step, Call | Library | Concrete | Branch):
            return False
    return False


def _settled_by(step: Assign, place: LValue, other: LValue | None) -> bool:
    """Whether an assignment decides how two places compare, or one with constants (None)."""
    value = without_casts(step.value)
    if other is None:
        return step.target == place and isinstance(value, Constant)
    for one, two in ((place, other), (other, place)):
        if step.target == one and value == Load(two):
            return not may_set(one, two)
    return False


def _led_through(step: Instruction, following: int, place: LValue) -> bool:
    """Whether an instruction surely goes through the pointer, where execution goes on at `following`."""
    if isinstance(step, Branch):
        holds = None if step.if_true == step.if_false else following == step.if_true
        inside = [*evaluated(step.condition, holds)]
    else:
        inside = [part for each in expressions_of(step) for part in parts(each)]
    if isinstance(step, Assign):
        inside.append(Load(step.target))
    return isinstance(place.type, PointerType) and reads_through(inside, text(Load(place)))


def asks_again(code: Sequence[Instruction], leading: _Leading, index: int, new: Expression) -> bool:
    """Whether two values are compared as they were on the straight way there, or on the way into the loop.

    `leading` as for `asks_what_is_set`.
    """
    if not (isinstance(new, Binary) and new.operator in ("==", "!=")):
        return False
    sides, names = {text(new.left), text(new.right)}, variables(new)
    at, seen = index, {index}
    while before := [each for each in arriving(leading, at) if each not in seen]:
        entering = before if len(before) == 1 else [each for each in before if each < min(seen)]
        if len(entering) != 1:
            return False
        [at] = entering
        seen.add(at)
        match code[at]:
            case Branch(_, Binary("==" | "!=", left, right)) if {text(left), text(right)} == sides:
                return True
            case Assign(_, VariableReference(name)) if name not in names:
                continue
            case Assign() | Call() | Library() | Concrete():
                return False
    return False


def _asked(condition: Expression) -> Iterator[tuple[LValue, LValue | None]]:
    """The places that a condition compares with constants (None), or with each other."""
    for part in parts(condition):
        match part:
            case Binary(operator, Load(place), Constant()) if operator in COMPARISONS:
                yield place, None
            case Binary(operator, Load(place), Load(other)) if operator in COMPARISONS:
                yield place, other


def answers(function: Function, condition: Expression) -> list[str]:
    """With which constants, as text, a condition compares what library functions answer."""
    given = {
        each.name
        for step in function.code
        if isinstance(step, Library | Concrete)
        for each in ((step.result,) if isinstance(step, Library) else step.results)
        if each is not None
    }
    return [text(part) for part in _wanted(condition, given)] if given else []


def _wanted(condition: Expression, given: Collection[str]) -> Iterator[Expression]:
    """The constants with which what is given is compared, or it itself where it stands alone."""
    for part in parts(condition):
        match part:
            case Binary(_, Load(VariableReference(name)), Constant() as wanted) if name in given:
                yield wanted
            case Load(VariableReference(name)) if name in given:
                yield part


def spread(program: Program, patch: Patch) -> float:
    """What speaks against a patch that keeps a value far from its use, and for one that repeats itself.

    It does that where it gives fields of one node the same value: they were forgotten together.
    """
    numbers = [edit.location for edit in patch.edits]
    if patch.declares(program):
        return _FAR * (max(numbers) - min(numbers))
    given = [each for edit in patch.edits if (each := _given(program, edit)) is not None]
    return _REPEATED * (len(given) - len(set(given)))


def _given(program: Program, edit: Edit) -> tuple[str, str, str] | None:
    """Function, node and value, as text, of a new statement that sets a field."""
    location = program.location(edit.location)
    match edit.replacement:
        case NewAssignment(Member(base), value) if location.kind == "gap":
            return location.function, lvalue_text(base), text(value)
    return None


def goes_on(target: LValue, value: Expression) -> bool:
    """Whether a variable goes on to a neighbour of the node to which it leads: `p = p->next`."""
    match value:
        case Load(Member(Dereference(Load(place)))):
            return isinstance(target, VariableReference) and place == target
    return False


def checked(code: Sequence[Instruction]) -> frozenset[frozenset[str]]:
    """What a function compares, two by two and by text, where it checks and gives up: `assert(n == 15)`."""
    ends = [index for index, step in enumerate(code) if gives_up(step)]
    return frozenset(
        frozenset((text(part.left), text(part.right)))
        for index in ends
        for check in checks_before(code, index)
        for part in parts(check.condition)
        if isinstance(part, Binary)
    )


def checking(program: Program) -> frozenset[str]:
    """The functions that only assertions call: `assert(is_sorted(list));`."""
    asking: set[str] = set()
    others: set[str] = set()
    for function in program.functions.values():
        code = function.code
        ends = [index for index, step in enumerate(code) if gives_up(step)]
        checks = (check for index in ends for check in checks_before(code, index))
        asked = frozenset[str]().union(*(variables(check.condition) for check in checks))
        for step in code:
            if isinstance(step, Call):
                checked = step.result is not None and step.result.name in asked
                (asking if checked else others).add(step.function)
    return frozenset(asking - others) & program.functions.keys()


def feigns(compared: Collection[frozenset[str]], target: LValue, value: Expression) -> bool:
    """Whether an assignment makes true what the program checks, given what is `checked`."""
    return bool(compared) and frozenset((text(Load(target)), text(value))) in compared


def counts_to(
    code: Sequence[Instruction], compared: Collection[frozenset[str]], target: LValue, value: Expression
) -> bool:
    """Whether what is counted, and then `checked`, is set to a number with which nobody begins to count.

    The check holds then whatever the loop in between has found.
    """
    named, number = text(Load(target)), without_casts(value)
    if not any(named in each for each in compared) or any(isinstance(part, Load) for part in parts(value)):
        return False
    begins = isinstance(number, Constant) and number.value in (0, 1)
    return not begins and any(
        isinstance(step, Assign) and step.target == target and amount_added(target, step.value) is not None
        for step in code
    )


def settles(code: Sequence[Instruction], index: int, target: LValue, value: Expression) -> bool:
    """Whether a `switch` right there, or behind the gap `index`, asks for the target and gets one answer."""
    if not isinstance(value, Constant):
        return False
    at = _next_step(code, index)
    match code[at : at + 2]:
        case Assign(_, VariableReference(name) as asked, subject), Branch(_, Binary("==", Load(compared))):
            return name.startswith("$") and compared == asked and (target == asked or subject == Load(target))
    return False


def decides(
    code: Sequence[Instruction],
    index: int,
    target: LValue,
    value: Expression,
    condition: Expression | None = None,
) -> bool:
    """Whether the `if` right behind the gap `index` asks whether the target is null, which is known.

    It gets null, or a pointer that leads there: `p->next = p; if (p->next == NULL)`.  Where that is done
    under a `condition` the same one stands around the `if`.
    """
    at = _next_step(code, index)
    if condition is not None:
        around = code[at] if at < len(code) else None
        if not isinstance(around, Branch) or around.condition != condition:
            return False
        if Load(target) in parts(condition):
            return False
        at = _next_step(code, around.if_true)
    step = code[at] if at < len(code) else None
    if at == index or not isinstance(step, Branch) or (test := null_test(step.condition)) is None:
        return False
    match without_casts(value):
        case Load(held):
            return test[0] == target and held in gone_through(target)
        case Constant(0):
            return test[0] == target
    return False


def _next_step(code: Sequence[Instruction], index: int) -> int:
    """The first instruction from `index` on that is no gap."""
    return next((at for at in range(index, len(code)) if not isinstance(code[at], Gap)), len(code))


def leaves_its_links(code: Sequence[Instruction], target: LValue, value: Expression) -> bool:
    """Whether another link is stored where an address has walked over links: `*pp = q->prev;`."""
    match target, without_casts(value):
        case Dereference(Load(VariableReference() as address)), Load(Member(_, field)):
            links = {
                step.value.place.name
                for step in code
                if isinstance(step, Assign)
                and step.target == address
                and isinstance(step.value, AddressOf)
                and isinstance(step.value.place, Member)
                and text(Load(target)) in map(text, place_parts(step.value.place))
            }
            return bool(links) and field not in links
    return False


def done_next(code: Sequence[Instruction], index: int, made: NewAssignment) -> bool:
    """Whether the statement behind the one at an instruction assigns the same."""
    step = next((step for step in code[index + 1 :] if not isinstance(step, Gap)), None)
    return isinstance(step, Assign) and (step.target, step.value) == (made.target, made.value)


def is_freed_next(code: Sequence[Instruction], index: int, target: LValue) -> bool:
    """Whether the node in which a place lies is freed behind an instruction, before anything is decided.

    It may have another name by then: `n = p->next; p->next->v = 0; free(n);`.
    """
    match target:
        case Member(Dereference(Load() as node)):
            names = _names_of(code, index, node)
            for step in code[index + 1 :]:
                match step:
                    case Assign(_, VariableReference() as variable, value):
                        if text(without_casts(value)) in names:
                            names.add(text(Load(variable)))
                        else:
                            names.discard(text(Load(variable)))
                    case Call(_, "free", (freed,)) if text(without_casts(freed)) in names:
                        return True
                    case Gap() | Assign() | Call():
                        continue
                    case _:
                        return False
    return False


def _names_of(code: Sequence[Instruction], index: int, node: Load) -> set[str]:
    """A pointer and the variables that were just set to it, as text."""
    names = {text(node)}
    for step in reversed(code[:index]):
        match step:
            case Assign(_, VariableReference() as variable, value) if text(without_casts(value)) == text(
                node
            ):
                return {*names, text(Load(variable))}
            case Gap() | Declare():
                continue
            case _:
                break
    return names


def appends(code: Sequence[Instruction], index: int, target: LValue, value: Expression) -> bool:
    """Whether a variable goes on to what was just linked behind it: `last->next = n; last = last->next;`."""
    before = next((step for step in reversed(code[:index]) if not isinstance(step, Gap)), None)
    linked = isinstance(before, Assign) and isinstance(value, Load) and before.target == value.place
    return linked and goes_on(target, value)


def follows_twice(function: Function, index: int, target: LValue, value: Expression) -> bool:
    """Whether a loop around goes on by a link for which the function calls itself there.

    Who goes through a tree does one of both for each link: `walk(p->child); p = p->sibling`.
    """
    if not goes_on(target, value):
        return False
    for loop in loops_around(function.code, index):
        steps = function.code[loop.start : loop.stop]
        held = [Load(s.target) for s in steps if isinstance(s, Assign) and s.value == value]
        calls = (s for s in steps if isinstance(s, Call) and s.function == function.name)
        if any(each in held for call in calls for each in call.arguments):
            return True
    return False


def shape(target: LValue, value: Expression) -> float:
    """What makes an assignment unlikely: `x->f = x`, and `x->f = y->g`.

    A node further on is given what its own neighbour is or leads to: `x->f->g = x`, `x->f->g = x->h`.
    """
    score = 0.0
    match target, value:
        case Member(Dereference(Load() as node)), Load() if node == value:
            pass  # the neighbour to itself
        case Member(Dereference(Load(Member(Dereference(Load(neighbour)), step))), back), Load(place):
            if place == neighbour:
                return _IN_A_RING if step == back else 0.0
            match place:
                case Member(Dereference(Load(other)), name) if other == neighbour:
                    return 0.0 if name == back else _ASIDE
            score += _STRANGER
    if isinstance(target, Member) and isinstance(value, Load):
        if leads_to_itself(target, value):
            score += TO_ITSELF
        if isinstance(value.place, Member) and value.place.base.type == target.base.type:
            owns = isinstance(target.type, PointerType) and target.type != PointerType(target.base.type)
            same = _HANDED_OVER if owns else _SAME_FIELD
            score += same if value.place.name == target.name else _OF_ANOTHER
    return score


def leads_to_itself(target: LValue, value: Expression) -> bool:
    """Whether a node's field is set to the node: `x->f = x`."""
    match target:
        case Member(Dereference(pointer)):
            return pointer == value
    return False
