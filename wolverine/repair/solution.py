"""From a solver's solution to a patch, and to the demand for another one."""

from __future__ import annotations

from wolverine.core.patch import Deletion, Edit, NewAssignment, Patch, Replacement
from wolverine.repair.encoding import Encoding
from wolverine.repair.relaxed import Relaxable, Slot
from wolverine.solve import terms
from wolverine.solve.solver import Sat
from wolverine.solve.terms import Term


def patch_of(encoding: Encoding, solution: Sat) -> Patch | None:
    """The edits of a solution, None where a slot holds what no menu offers."""
    edits: dict[int, Edit] = {}
    for each in encoding.relaxables.values():
        replacement = _replacement(each, solution)
        if replacement is not None:
            edits[each.location] = Edit(each.location, replacement)
    for slot in encoding.slots:
        if solution.value(slot.selector):
            inserted = _inserted(encoding, slot, solution)
            if inserted is None:
                return None
            edits[inserted.location] = inserted
    return Patch(tuple(edits[location] for location in sorted(edits)))


def _replacement(each: Relaxable, solution: Sat) -> Replacement | None:
    if each.guard is not None and solution.value(each.guard):
        if each.condition is not None:
            return each.menu.choices[solution.value(each.condition)].replacement
        return Deletion()
    if each.statement is not None and solution.value(each.statement):
        wanted = (solution.value(each.target), solution.value(each.value))
        for choice in each.menu.choices:
            if (choice.target, choice.value) == wanted:
                return choice.replacement
    return None


def _inserted(encoding: Encoding, slot: Slot, solution: Sat) -> Edit | None:
    location = solution.value(slot.place)
    menu = encoding.menus.menu(location)
    wanted = (solution.value(slot.target), solution.value(slot.value))
    for choice in menu.choices if menu is not None else ():
        made = choice.replacement
        if isinstance(made, NewAssignment):
            pair = (encoding.target_number(made.target), encoding.value_number(made.value))
            if pair == wanted:
                return Edit(location, made)
    return None


def differs(encoding: Encoding, solution: Sat) -> Term:
    """That a solution is another one than this."""
    parts: list[Term] = []
    for each in encoding.relaxables.values():
        for term in (each.guard, each.statement):
            if term is not None and solution.value(term):
                chosen = (each.condition, each.target, each.value)
                parts += [term, *(terms.equality(v, solution.value(v)) for v in chosen if v is not None)]
    for slot in encoding.slots:
        if solution.value(slot.selector):
            chosen = (slot.place, slot.target, slot.value)
            parts += [slot.selector, *(terms.equality(v, solution.value(v)) for v in chosen)]
    return terms.negation(terms.conjunction(parts))


def elsewhere(encoding: Encoding, patch: Patch) -> Term:
    """That not all the locations of a patch are changed again."""
    parts: list[Term] = []
    for edit in patch.edits:
        each = encoding.relaxables.get(edit.location)
        if each is not None:
            parts.append(terms.disjunction(t for t in (each.guard, each.statement) if t is not None))
        else:
            parts.append(
                terms.disjunction(
                    terms.conjunction((slot.selector, terms.equality(slot.place, edit.location)))
                    for slot in encoding.slots
                )
            )
    return terms.negation(terms.conjunction(parts))
