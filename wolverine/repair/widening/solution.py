"""From a solver's solution to a patch, and to the demand for another one."""

from __future__ import annotations

from wolverine.core.patch import Deletion, Edit, NewAssignment, Patch, Replacement, Several
from wolverine.repair.menus.guards import Product
from wolverine.repair.menus.menu import Conjoined
from wolverine.repair.widening.encoding import Encoding
from wolverine.repair.widening.relaxed import AND_BEFORE, OR_BEFORE, OR_BEHIND, Relaxable
from wolverine.solve import terms
from wolverine.solve.solver import Sat
from wolverine.solve.terms import Term


def patch_of(encoding: Encoding, solution: Sat) -> Patch | None:
    """The edits of a solution, None where a slot holds what no menu offers."""
    edits = {edit.location: edit for edit in encoding.plan.kept.edits}
    for each in encoding.relaxables.values():
        replacement = _replacement(each, solution)
        if replacement is not None:
            edits[each.location] = Edit(each.location, replacement)
    inserted: dict[int, list[NewAssignment]] = {}
    for slot in encoding.slots.all:
        if solution.value(slot.selector):
            location, made = encoding.slots.held(slot, solution)
            if made is None:
                return None
            edits[location] = Edit(location, made)
            if isinstance(made, NewAssignment):
                inserted.setdefault(location, []).append(made)
    for location, several in inserted.items():
        if len(several) > 1:
            if encoding.program.location(location).gap == "result":
                return None
            edits[location] = Edit(location, Several(tuple(several)))
    return Patch(tuple(edits[location] for location in sorted(edits)))


def _replacement(each: Relaxable, solution: Sat) -> Replacement | None:
    if each.guard is not None and solution.value(each.guard):
        if each.condition is not None:
            return _condition(each, solution)
        return Deletion() if each.tested is None else _tested(each.tested, solution.value(each.test))
    if each.statement is not None and solution.value(each.statement):
        wanted = (solution.value(each.target), solution.value(each.value))
        for choice in each.menu.choices:
            if (choice.target, choice.value) == wanted:
                return choice.replacement
    return None


def _tested(product: Product, test: int) -> Replacement:
    """The statement as it is under a test, or (-1) deleted."""
    if test < 0:
        return Deletion()
    original = product.statements.assigning.bit_length() - 1
    return product[(test + 1) * product.width + original].replacement


def _condition(each: Relaxable, solution: Sat) -> Replacement:
    choices = each.menu.choices
    assert isinstance(choices, Conjoined)
    return choices[_number(choices, solution.value(each.condition), solution.value(each.test))].replacement


def _number(choices: Conjoined, number: int, test: int) -> int:
    """The number of a choice: of those that differ (`test` 0), or of those with a test more."""
    if not test:
        return number
    at, width = len(choices.changed), len(choices.tests)
    others = width - (choices.own is not None)
    if test in (OR_BEHIND, OR_BEFORE):
        at += width + others
    if test in (AND_BEFORE, OR_BEHIND) or number == choices.own:
        return at + number
    return at + width + number - (choices.own is not None and choices.own < number)


def differs(encoding: Encoding, solution: Sat) -> Term:
    """That a solution is another one than this."""
    parts: list[Term] = []
    for each in encoding.relaxables.values():
        guard, statement = (each.condition, each.test), (each.target, each.value)
        for term, chosen in ((each.guard, guard), (each.statement, statement)):
            if term is not None and solution.value(term):
                parts += [term, *(terms.equality(v, solution.value(v)) for v in chosen if v is not None)]
                break
    for slot in encoding.slots.all:
        if solution.value(slot.selector):
            held = (slot.place, slot.kind, slot.test, slot.target, slot.value)
            parts += [slot.selector, *(terms.equality(v, solution.value(v)) for v in held)]
    return terms.negation(terms.conjunction(parts))


def elsewhere(encoding: Encoding, patch: Patch) -> Term:
    """That not all the locations of a patch are changed again, those of edits that are kept aside."""
    parts: list[Term] = []
    for edit in encoding.plan.own(patch):
        each = encoding.relaxables.get(edit.location)
        if each is not None:
            parts.append(terms.disjunction(t for t in (each.guard, each.statement) if t is not None))
        else:
            parts.append(
                terms.disjunction(
                    terms.conjunction((slot.selector, terms.equality(slot.place, edit.location)))
                    for slot in encoding.slots.all
                )
            )
    return terms.negation(terms.conjunction(parts))
