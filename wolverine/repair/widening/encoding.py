"""The program that a solver may choose (Wolverine2 section 4.1): what each location and slot may become.

What a location is stands in variables that all its occurrences share, so that every iteration of a loop
meets the same statement.  `straight` adds what the execution demands.
"""

from __future__ import annotations

from wolverine.core.patch import Deletion
from wolverine.core.trace import Problem
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.guards import Product
from wolverine.repair.menus.menu import Conjoined
from wolverine.repair.menus.vocabulary import occurring_locations
from wolverine.repair.widening.relaxed import (
    CONJOINED,
    GUARD,
    INSERTION,
    STATEMENT,
    Plan,
    Relaxable,
    Selector,
    Way,
)
from wolverine.repair.widening.slots import Slots
from wolverine.solve import terms
from wolverine.solve.terms import Term


class Encoding:
    """`constraints` hold for every repair; `relaxables` are what may change.

    `slots` are the insertion slots, `ways` the `if`s that have to go as they went.
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
        self._locked: set[int] = set()
        self._kept = frozenset(edit.location for edit in plan.kept.edits)
        self.slots = Slots(problem, menus, plan)

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
        found += [Selector(slot.selector, INSERTION, -1, "no insertion") for slot in self.slots.all]
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
        if location < 0 or location in self._kept or (editable is not None and location not in editable):
            return None
        if self.locked(location):
            self._locked.add(location)
            return None
        if self._last[function].get(location) != index:
            return None
        menu = self.menus.menu(location)
        if menu is None:
            return None
        tested = menu.choices if isinstance(menu.choices, Product) else None
        if tested is not None:
            menu = tested.statements.menu
        made = self.relaxables[location] = Relaxable(location, menu, tested=tested)
        deleted = any(isinstance(choice.replacement, Deletion) for choice in menu.choices)
        if deleted or tested is not None:
            made.guard = terms.boolean(f"r{location}")
        if tested is not None:
            made.test = terms.integer(f"g{location}")
            self.constraints += [
                terms.comparison(">=", made.test, -1 if deleted else 0),
                terms.comparison("<", made.test, len(tested.tests)),
            ]
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
            assert isinstance(menu.choices, Conjoined)
            made.condition, made.test = terms.integer(f"c{location}"), terms.integer(f"g{location}")
            changed, tests = len(menu.choices.changed), len(menu.choices.tests)
            zero = terms.equality(made.test, 0)
            self.constraints += [
                terms.comparison(">=", made.condition, 0),
                terms.comparison("<", made.condition, terms.choice(zero, changed, tests)),
                terms.comparison(">=", made.test, 0),
                terms.comparison("<=", made.test, len(CONJOINED)),
            ]
        return made
