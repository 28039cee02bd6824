"""The program that a solver may choose (Wolverine2 section 4.1): what each location and slot may become.

What a location is stands in variables that all its occurrences share, so that every iteration of a loop
meets the same statement.  Insertion slots have a selector and a place among the gaps, in increasing
order (the paper's placing function xi).  `straight` adds what the execution demands.
"""

from __future__ import annotations

from wolverine.core.expressions import Expression, LValue, lvalue_text, text
from wolverine.core.patch import Deletion
from wolverine.core.trace import Problem
from wolverine.core.types import CType
from wolverine.repair.candidates import Menus
from wolverine.repair.menu import Menu
from wolverine.repair.relaxed import GUARD, INSERTION, STATEMENT, Plan, Relaxable, Selector, Slot, Way
from wolverine.repair.vocabulary import occurring_locations
from wolverine.solve import terms
from wolverine.solve.terms import Term


class Encoding:
    """`constraints` hold for every repair; `relaxables` and `slots` are what may change.

    `ways` are the `if`s that have to go as they went.
    """

    def __init__(self, problem: Problem, menus: Menus, plan: Plan) -> None:
        self.problem = problem
        self.program = problem.program
        self.menus = menus
        self.plan = plan
        self.constraints: list[Term] = []
        self.relaxables: dict[int, Relaxable] = {}
        self.ways: list[Way] = []
        self._last = {name: occurring_locations(problem.program, name) for name in problem.program.functions}
        self._gaps: dict[int, None] = {}
        self._locked: set[int] = set()
        self._targets: dict[str, int] = {}
        self._values: dict[str, int] = {}
        self.slots = [
            Slot(
                terms.boolean(f"t{n}"),
                terms.integer(f"xi{n}"),
                terms.integer(f"it{n}"),
                terms.integer(f"iv{n}"),
            )
            for n in range(plan.slots)
        ]
        for one, two in zip(self.slots, self.slots[1:]):
            self.constraints.append(
                terms.implication(
                    two.selector,
                    terms.conjunction((one.selector, terms.comparison("<", one.place, two.place))),
                )
            )

    def selectors(self) -> list[Selector]:
        """Every relaxable constraint, with its source."""
        found: list[Selector] = []
        for each in self.relaxables.values():
            location = self.program.location(each.location)
            words = f"line {location.line}: {location.text}"
            if each.guard is not None:
                found.append(Selector(each.guard, GUARD, each.location, words))
            if each.statement is not None:
                found.append(Selector(each.statement, STATEMENT, each.location, words))
        found += [Selector(slot.selector, INSERTION, -1, "no insertion") for slot in self.slots]
        return found

    def locked(self, location: int) -> bool:
        """Whether the localizer's answer locks the location (section 5.1)."""
        return self.plan.suspicious is not None and location not in self.plan.suspicious

    @property
    def locked_count(self) -> int:
        """How many of the locations that were executed are locked."""
        return len(self._locked)

    def relaxable(self, function: str, index: int, location: int) -> Relaxable | None:
        """The selectors of a location, None where it stays as it is (Wolverine2's locked locations)."""
        if location in self.relaxables:
            return self.relaxables[location]
        editable = self.problem.editable
        if location < 0 or (editable is not None and location not in editable):
            return None
        if self.locked(location):
            self._locked.add(location)
            return None
        if self._last[function].get(location) != index:
            return None
        menu = self.menus.menu(location)
        if menu is None:
            return None
        made = self.relaxables[location] = Relaxable(location, menu)
        if any(isinstance(choice.replacement, Deletion) for choice in menu.choices):
            made.guard = terms.boolean(f"r{location}")
        if menu.targets:
            made.statement = terms.boolean(f"s{location}")
            made.target, made.value = terms.integer(f"l{location}"), terms.integer(f"e{location}")
            by_target: dict[int, list[int]] = {}
            for choice in menu.choices:
                if choice.target >= 0:
                    by_target.setdefault(choice.target, []).append(choice.value)
            pairs = [
                terms.conjunction(
                    (
                        terms.equality(made.target, t),
                        terms.disjunction(terms.equality(made.value, v) for v in values),
                    )
                )
                for t, values in by_target.items()
            ]
            self.constraints.append(terms.implication(made.statement, terms.disjunction(pairs)))
        elif made.guard is None:
            made.guard = terms.boolean(f"r{location}")
            made.condition = terms.integer(f"c{location}")
            self.constraints += [
                terms.comparison(">=", made.condition, 0),
                terms.comparison("<", made.condition, len(menu.choices)),
            ]
        return made

    def gap(self, location: int) -> Menu | None:
        """The menu of a gap, which gets a number when it is first met."""
        editable = self.problem.editable
        if not self.slots or (editable is not None and location not in editable):
            return None
        menu = self.menus.menu(location)
        if menu is not None and location not in self._gaps:
            self._gaps[location] = None
            types: dict[CType, tuple[list[int], list[int]]] = {}
            for place in menu.targets:
                number = self._targets.setdefault(lvalue_text(place), len(self._targets))
                types.setdefault(place.type, ([], []))[0].append(number)
            for value in menu.values:
                number = self._values.setdefault(text(value), len(self._values))
                types.setdefault(value.type, ([], []))[1].append(number)
            for slot in self.slots:
                fits = [
                    terms.conjunction(
                        (
                            terms.disjunction(terms.equality(slot.target, t) for t in targets),
                            terms.disjunction(terms.equality(slot.value, v) for v in values),
                        )
                    )
                    for targets, values in types.values()
                    if targets and values
                ]
                here = terms.conjunction((slot.selector, terms.equality(slot.place, location)))
                self.constraints.append(terms.implication(here, terms.disjunction(fits)))
        return menu

    def target_number(self, place: LValue) -> int:
        """The number of a place's text in slots."""
        return self._targets[lvalue_text(place)]

    def value_number(self, value: Expression) -> int:
        """The number of a value's text in slots."""
        return self._values[text(value)]

    def placed(self) -> list[Term]:
        """An active slot stands at some gap that was met."""
        return [
            terms.implication(
                slot.selector, terms.disjunction(terms.equality(slot.place, g) for g in self._gaps)
            )
            for slot in self.slots
        ]
