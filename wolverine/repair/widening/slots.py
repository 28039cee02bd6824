"""Insertion slots: where they stand, and what they may hold (Wolverine2 sections 3.1 and 4).

A slot has a selector and a place among the gaps, in increasing order (the paper's placing function xi).
Places, values and tests go by their text, so that one number means the same in every gap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wolverine.core.expressions import Expression, LValue, VariableReference, lvalue_text, text
from wolverine.core.patch import Guarded, NewAssignment, NewCall, NewNode, NewReturn, Replacement
from wolverine.core.trace import Problem
from wolverine.core.types import CType, PointerType, StructReference
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.guards import Product
from wolverine.repair.menus.menu import Assigned, Menu
from wolverine.repair.widening.relaxed import (
    ALLOCATED,
    ASSIGNED,
    FREED,
    LEFT,
    RETURNED,
    Plan,
    Slot,
)
from wolverine.solve import terms
from wolverine.solve.solver import Sat
from wolverine.solve.terms import Term


@dataclass(frozen=True)
class Offered:
    """What one gap takes: assignments of `menu`, and by their numbers tests and all else.

    `ending` are the numbers of tests under which a function may be left; `leaves`: it may under none.
    `returned` are the values that it may then have (empty for a void function, which may be left after an
    assignment to `outward`).
    """

    menu: Menu
    tests: Mapping[int, Expression] = field(default_factory=dict)
    ending: Sequence[int] = ()
    void: bool = False
    returned: Mapping[int, NewReturn] = field(default_factory=dict)
    outward: frozenset[int] = frozenset()
    freed: Mapping[int, Expression] = field(default_factory=dict)
    allocated: Mapping[int, VariableReference] = field(default_factory=dict)
    leaves: bool = False


class Slots:
    """The slots of an encoding; `constraints` say what they may hold."""

    def __init__(self, problem: Problem, menus: Menus, plan: Plan) -> None:
        self._problem = problem
        self._menus = menus
        self._plan = plan
        self._kept = frozenset(edit.location for edit in plan.kept.edits)
        self._frees = any(
            state != "live"
            for trace in problem.traces
            for event in trace.events
            for state in getattr(event, "states", {}).values()
        )
        self.constraints: list[Term] = []
        self._gaps: dict[int, Offered | None] = {}
        self._targets: dict[str, int] = {}
        self._values: dict[str, int] = {}
        self._tests: dict[str, int] = {}
        more = plan.guarded or plan.hidden or self._frees
        self.all = [
            Slot(
                terms.boolean(f"t{n}"),
                terms.integer(f"xi{n}"),
                terms.integer(f"it{n}"),
                terms.integer(f"iv{n}"),
                terms.integer(f"ik{n}") if more else ASSIGNED,
                terms.integer(f"ig{n}") if plan.guarded else -1,
            )
            for n in range(plan.slots)
        ]
        order = "<=" if plan.spares else "<"
        for one, two in zip(self.all, self.all[1:]):
            behind = terms.comparison(order, one.place, two.place)
            if plan.spares:  # of several in one gap all are plain assignments
                plain = (terms.equality(s.kind, ASSIGNED) for s in (one, two))
                alone = terms.conjunction((*plain, *(terms.equality(s.test, -1) for s in (one, two))))
                behind = terms.conjunction(
                    (behind, terms.implication(terms.equality(one.place, two.place), alone))
                )
            self.constraints.append(
                terms.implication(two.selector, terms.conjunction((one.selector, behind)))
            )

    def offered(self, location: int) -> Offered | None:
        """What a gap takes; it gets a number when it is first met."""
        if location in self._gaps:
            return self._gaps[location]
        editable = self._problem.editable
        menu = None
        if self.all and location not in self._kept and (editable is None or location in editable):
            menu = self._menus.menu(location)
        found = self._gaps[location] = None if menu is None else self._made(location, menu)
        if found is not None:
            for slot in self.all:
                here = terms.conjunction((slot.selector, terms.equality(slot.place, location)))
                self.constraints.append(terms.implication(here, self._fits(slot, found)))
        return found

    def _made(self, location: int, menu: Menu) -> Offered | None:
        product = menu.choices if isinstance(menu.choices, Product) else None
        plain = menu if product is None else product.statements.menu
        if not isinstance(plain.choices, Assigned):
            return None  # a test in front of a condition: no statement
        for place in plain.targets:
            self._targets.setdefault(lvalue_text(place), len(self._targets))
        for value in plain.values:
            self._values.setdefault(text(value), len(self._values))
        freed: dict[int, Expression] = {}
        if self._frees:
            for choice in plain.choices.more:
                if isinstance(choice.replacement, NewCall):
                    [value] = choice.replacement.arguments
                    freed[self._values.setdefault(text(value), len(self._values))] = value
        allocated = dict(self._allocations(location)) if self._plan.hidden else {}
        if product is None:
            return Offered(plain, freed=freed, allocated=allocated)
        tests = {self._tests.setdefault(text(t), len(self._tests)): t for t in product.tests}
        statements = product.statements
        ending = [
            self._tests[text(test)]
            for block, test in enumerate(product.tests, 1)
            if menu.all >> (block * product.width) & statements.leaving
        ]
        returned = {}
        for each in statements.returns:
            if each.value is not None:
                returned[self._values.setdefault(text(each.value), len(self._values))] = each
        rows, _ = plain.choices.masks()
        outward = frozenset(
            self._targets[lvalue_text(place)]
            for place, mask in zip(plain.targets, rows, strict=True)
            if statements.both and mask & statements.outward
        )
        leaves = bool(menu.all & statements.returning)
        return Offered(plain, tests, ending, statements.both, returned, outward, freed, allocated, leaves)

    def _allocations(self, location: int) -> list[tuple[int, VariableReference]]:
        """The variables that may be given a new node."""
        program = self._problem.program
        where = program.location(location)
        if where.gap in ("result", "test"):
            return []
        return [
            (self._targets.setdefault(v.name, len(self._targets)), v)
            for v in where.scope
            if isinstance(v.type, PointerType)
            and isinstance(v.type.target, StructReference)
            and v.type.target.tag in program.types.structs
            and not v.name.startswith("$")
        ]

    def _fits(self, slot: Slot, offered: Offered) -> Term:
        """What the slot may hold where it stands."""
        types: dict[CType, tuple[list[int], list[int]]] = {}
        for place in offered.menu.targets:
            types.setdefault(place.type, ([], []))[0].append(self.target_number(place))
        for value in offered.menu.values:
            types.setdefault(value.type, ([], []))[1].append(self.value_number(value))
        assigns = terms.disjunction(
            [
                terms.conjunction((_among(slot.target, targets), _among(slot.value, values)))
                for targets, values in types.values()
                if targets and values
            ]
        )
        plain = terms.equality(slot.test, -1)
        tested = terms.disjunction((plain, _among(slot.test, offered.tests)))
        ways = [terms.conjunction((terms.equality(slot.kind, ASSIGNED), assigns, tested))]
        if offered.freed:
            ways.append(
                terms.conjunction(
                    (terms.equality(slot.kind, FREED), _among(slot.value, offered.freed), plain)
                )
            )
        if offered.allocated:
            ways.append(
                terms.conjunction(
                    (terms.equality(slot.kind, ALLOCATED), _among(slot.target, offered.allocated), plain)
                )
            )
        if offered.ending and (offered.void or offered.returned):
            ending = _among(slot.test, offered.ending)
            returned = True if offered.void else _among(slot.value, offered.returned)
            leaving = terms.disjunction((plain, ending)) if offered.leaves else ending
            ways.append(terms.conjunction((terms.equality(slot.kind, RETURNED), returned, leaving)))
            if offered.outward:
                outward = _among(slot.target, offered.outward)
                ways.append(terms.conjunction((terms.equality(slot.kind, LEFT), assigns, outward, ending)))
        return terms.disjunction(ways)

    def target_number(self, place: LValue) -> int:
        """The number of a place's text."""
        return self._targets[lvalue_text(place)]

    def value_number(self, value: Expression) -> int:
        """The number of a value's text."""
        return self._values[text(value)]

    @property
    def gaps(self) -> list[int]:
        """The gaps that were met and take something."""
        return [location for location, offered in self._gaps.items() if offered is not None]

    def placed(self) -> list[Term]:
        """An active slot stands at some gap that was met."""
        return [terms.implication(slot.selector, _among(slot.place, self.gaps)) for slot in self.all]

    def held(self, slot: Slot, solution: Sat) -> tuple[int, Replacement | None]:
        """Where a slot of a solution stands, and what it holds (None: what no menu offers)."""
        location = solution.value(slot.place)
        offered = self._gaps.get(location)
        if offered is None:
            return location, None
        kind, test = solution.value(slot.kind), solution.value(slot.test)
        target, value = solution.value(slot.target), solution.value(slot.value)
        if kind == FREED:
            freed = offered.freed.get(value)
            return location, None if freed is None else NewCall("free", (freed,))
        if kind == ALLOCATED:
            variable = offered.allocated.get(target)
            return location, None if variable is None else self.allocation(variable)
        made: NewAssignment | NewReturn | None
        if kind == RETURNED:
            made = NewReturn() if offered.void else offered.returned.get(value)
        else:
            made = assigned = self._assignment(offered.menu, target, value)
            if kind == LEFT and assigned is not None:
                made = NewReturn(None, assigned)
        condition = offered.tests.get(test)
        if made is not None and condition is not None:
            return location, Guarded(condition, made)
        return location, made

    def allocation(self, variable: VariableReference) -> NewNode:
        """A new node for the variable."""
        assert isinstance(variable.type, PointerType)
        return NewNode(variable, self._problem.program.types.size(variable.type.target))

    def _assignment(self, menu: Menu, target: int, value: int) -> NewAssignment | None:
        assert isinstance(menu.choices, Assigned)
        rows, columns = menu.choices.masks()
        mask = 0
        for place, row in zip(menu.targets, rows, strict=True):
            if self._targets[lvalue_text(place)] == target:
                for each, column in zip(menu.values, columns, strict=True):
                    if self._values[text(each)] == value:
                        mask |= row & column
        if not mask:
            return None
        made = menu.choices[(mask & -mask).bit_length() - 1].replacement
        return made if isinstance(made, NewAssignment) else None


def _among(term: Term, numbers: object) -> Term:
    return terms.disjunction(terms.equality(term, number) for number in numbers)  # type: ignore[attr-defined]
