"""The candidates of a space by their distance from the source, without writing all of them out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from heapq import heappop, heappush

from wolverine.core.patch import Edit, Patch
from wolverine.core.program import Program
from wolverine.repair.heaps.trials import Part
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.guards import Product
from wolverine.repair.menus.menu import Menu
from wolverine.repair.menus.unasked import puts_under_a_test
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.ranking.score import Scores
from wolverine.repair.source.equality import comparisons
from wolverine.repair.source.slips import Together, slips
from wolverine.repair.source.swapped import by_name, exchanges, in_order, stored
from wolverine.repair.source.throughout import everywhere
from wolverine.repair.special.early import early_distance, read_early
from wolverine.repair.special.moves import in_turn, set_elsewhere, shifts

_UNDER_ONE_TEST = 6
_MOVED = 1.04  # the distance of a statement that stands behind its neighbour instead
_COMPARED = 0.1  # `==` in the place of `=`: hardly ever is a condition meant to assign
_EXCHANGED = 1.0  # two arguments in the other order
_NAMED = 0.5  # by which they have the names of the parameters, or a recursion the order of another one
_SEVERAL = 0.1  # one slip in several places, rather than in one
_SLIP = 1.1  # another variable in all arguments of a call, or a step at another argument
_PLACES = 1.2  # two assignments of which each sets what the other did
_UNASKED = 0.9  # a jump that is there is put under a test, rather than a new one in
_SET_ELSEWHERE = 1.9  # a place is set to something else, at another place
_FARTHER = 0.3  # and of every statement more that it is moved across


class Closest:
    """The candidates of parts, closest first."""

    def __init__(self, program: Program, menus: Menus, scores: Scores) -> None:
        self._menus = menus
        self._program = program
        self._scores = scores
        self._distances: dict[int, dict[int, float]] = {}  # of the statements of a location's menu
        self._exchanges = Together(program, exchanges)
        self._slips = Together(program, slips)
        self._throughout = Together(program, partial(everywhere, program))
        self._best: dict[tuple[tuple[int, int], ...], float] = {}
        self._sorted: dict[tuple[int, int], list[tuple[float, str, Edit]]] = {}

    def options(self, location: int, mask: int) -> list[tuple[float, str, Edit]]:
        """The edits of a mask, closest first."""
        found = self._sorted.get((location, mask))
        if found is None:
            menu = self._menus.menu(location)
            assert menu is not None
            found = []
            for number in self._numbers(location, menu, mask):
                edit = Edit(location, menu.choices[number].replacement)
                found.append((self._scores.edit(edit), replacement_text(edit.replacement), edit))
            found.sort(key=lambda option: option[:2])
            self._sorted[location, mask] = found
        return found

    def _numbers(self, location: int, menu: Menu, mask: int) -> Iterator[int]:
        """The choices of a mask; of statements under one test only the closest."""
        if not isinstance(menu.choices, Product):
            while mask:
                bit = mask & -mask
                mask ^= bit
                yield bit.bit_length() - 1
            return
        statements = menu.choices.statements
        used = statements.used | statements.leaving
        known = self._distances.setdefault(location, {})
        for test, inner in menu.choices.blocks(mask):
            numbers = [i for i, bit in enumerate(reversed(f"{inner & used:b}")) if bit == "1"]
            for i in numbers:
                if i not in known:
                    known[i] = self._scores.edit(Edit(location, statements[i]))
            numbers.sort(key=lambda i: (known[i], i))
            for i in numbers if test < 0 else numbers[:_UNDER_ONE_TEST]:
                yield (test + 1) * menu.choices.width + i

    def _saved(self, patch: Patch) -> float:
        """By how much edits that are one change are closer than these."""
        if len(patch.edits) < 2:
            return 0.0
        saved = sum(
            self._scores.edit(gone)
            + self._scores.edit(put)
            + in_turn(self._program, gone, put)
            - _MOVED
            - _FARTHER * max(between - 1, 0)
            for gone, put, between in shifts(self._program, patch)
        )
        saved += sum(
            self._scores.edit(gone) + self._scores.edit(put) - _SET_ELSEWHERE
            for gone, put in set_elsewhere(self._program, patch)
        )
        saved += sum(
            self._scores.edit(one) + self._scores.edit(other) - self._exchanged(one, other)
            for one, other in self._exchanges.made_by(patch)
        )
        slip = next(self._slips.made_by(patch), ())
        saved += sum(map(self._scores.edit, slip)) - _SLIP if slip else 0.0
        most = max(self._throughout.made_by(patch), key=len, default=())
        several = [self._scores.edit(each) for each in most]
        saved += sum(several) - max(several) - _SEVERAL if several else 0.0
        saved += sum(
            self._scores.edit(keeping)
            + self._scores.edit(assigning)
            - early_distance(self._program, keeping, assigning)
            for keeping, assigning in read_early(self._program, patch)
        )
        tested = puts_under_a_test(self._program, patch)
        saved += self._scores.edit(tested) + _UNASKED if tested is not None else 0.0
        return saved + sum(
            self._scores.edit(gone) + self._scores.edit(asked) - _COMPARED
            for gone, asked in comparisons(self._program, patch)
        )

    def _exchanged(self, one: Edit, other: Edit) -> float:
        """The distance of two arguments, or of what two assignments set, the other way round."""
        if stored(one):
            return _PLACES
        named = by_name(self._program, one, other) or in_order(self._program, one, other)
        return _EXCHANGED - _NAMED * named

    def best(self, part: Part) -> tuple[float, tuple[tuple[int, int], ...]]:
        """The distance of a part's closest candidate, and a tie-break."""
        key = tuple(sorted(part.masks.items()))
        if key not in self._best:
            self._best[key], _ = next(self.cheapest(part, 1))
        return self._best[key], key

    def cheapest(self, part: Part, limit: int) -> Iterator[tuple[float, Patch]]:
        """The part's candidates by distance, at most `limit`."""
        columns = [self.options(location, part.masks[location]) for location in sorted(part.masks)]
        start = (0,) * len(columns)
        queue: list[tuple[float, tuple[str, ...], tuple[int, ...]]] = []
        seen = {start}

        def push(chosen: tuple[int, ...]) -> None:
            options = [column[i] for column, i in zip(columns, chosen, strict=True)]
            score = round(sum(option[0] for option in options), 6)
            heappush(queue, (score, tuple(option[1] for option in options), chosen))

        push(start)
        while queue and limit:
            score, _, chosen = heappop(queue)
            limit -= 1
            patch = Patch(tuple(column[i][2] for column, i in zip(columns, chosen, strict=True)))
            yield score - self._saved(patch), patch
            for at, column in enumerate(columns):
                following = (*chosen[:at], chosen[at] + 1, *chosen[at + 1 :])
                if following[at] < len(column) and following not in seen:
                    seen.add(following)
                    push(following)
