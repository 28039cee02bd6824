"""Side effects of a text that an edit replaces: they stay, and happen before the new text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import Expression, Load, LValue
from wolverine.core.patch import Deletion, Patch
from wolverine.core.program import Assign, Branch, Call, Concrete, Function, Location
from wolverine.frontend.edited import Edited
from wolverine.frontend.steps import assigned_names, temporaries_in


class Lasting:
    """The side effects in the text of one patch's locations, apart from those that it deletes."""

    def __init__(self, edited: Edited, patch: Patch) -> None:
        self._edited = edited
        self._deleted = {edit.location for edit in patch.edits if isinstance(edit.replacement, Deletion)}

    def kept(
        self,
        location: Location,
        value: Expression,
        written: str,
        old: str | None = None,
        target: LValue | None = None,
    ) -> str:
        """The text preceded by the side effects that the old text had and the new one lost.

        `old` is the text of the old value, by default all of the location's.  What the value is assigned to,
        if that is given, stands beside the text, with its effects: `table[hash(key)] = written`.
        """
        names = [*temporaries_in(value), *(temporaries_in(Load(target)) if target is not None else ())]
        kept = [
            place.span
            for name in names
            if (place := self._edited.defined_at(location.function, name)) is not None
        ]
        lost = [
            place
            for place in self.inside(location)
            if not any(span.start <= place.span.start and place.span.end <= span.end for span in kept)
        ]
        if not lost:
            return written
        if self._branches_inside(location):
            return f"({self._edited.whole(location) if old is None else old}, {written})"
        return f"({', '.join(dict.fromkeys((*self._texts(lost), written)))})"

    def alone(self, location: Location, whole: str) -> str:
        """The side effects of a location's text as an expression, "" for none; `whole` is all of its text."""
        lost = list(self.inside(location))
        if lost and self._branches_inside(location):
            return whole
        return ", ".join(dict.fromkeys(self._texts(lost)))

    def _texts(self, places: Sequence[Location]) -> list[str]:
        """What stands at these places, in order, without what lies in others of them."""
        outermost = [
            place
            for place in places
            if not any(
                other is not place
                and other.span.start <= place.span.start
                and place.span.end <= other.span.end
                and other.span != place.span
                for other in places
            )
        ]
        return [self._edited.whole(place) for place in sorted(outermost, key=lambda place: place.span.start)]

    def inside(self, location: Location) -> Iterator[Location]:
        """Places inside the location's text whose instructions have effects of their own, which stay."""
        function: Function = self._edited.program.functions[location.function]
        for step in function.code:
            if step.location < 0 or step.location == location.id or step.location in self._deleted:
                continue
            effect = isinstance(step, (Call, Concrete)) or (
                isinstance(step, Assign) and not any(name.startswith("$") for name in assigned_names(step))
            )
            place = self._edited.program.location(step.location)
            if (
                effect
                and place.span.file == location.span.file
                and location.span.start <= place.span.start
                and place.span.end <= location.span.end
            ):
                yield place

    def _branches_inside(self, location: Location) -> bool:
        """Whether the location's text decides which of its side effects happen."""
        for step in self._edited.program.functions[location.function].code:
            if isinstance(step, Branch) and step.location not in (-1, location.id):
                span = self._edited.program.location(step.location).span
                if span.file == location.span.file and (
                    location.span.start <= span.start and span.end <= location.span.end
                ):
                    return True
        return False
