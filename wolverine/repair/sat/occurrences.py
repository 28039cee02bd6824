"""What one execution of a statement or a condition does, as clauses, whatever its location becomes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from wolverine.core.expressions import Expression
from wolverine.core.program import Assign, Branch, Gap
from wolverine.core.types import CType, IntType
from wolverine.repair.execution.pool import FAILED
from wolverine.repair.sat.onehot import Assigning, Choosing, Deciding
from wolverine.repair.sat.uncertain import Beyond, Held, Leaf, Uncertain
from wolverine.semantics.faults import Fault
from wolverine.solve.clauses import TRUE, Clauses

_Contents = dict[CType | None, dict[object, list[tuple[int, ...]]]]  # by type and value: cases
_Places = dict[int, tuple[list[int], dict[CType | None, None]]]  # by cell: when, and with which types


class Occurrences:
    """Adds to the clauses of one walk; a guard is the literal under which execution comes here at all."""

    def __init__(self, state: Uncertain, clauses: Clauses, choosing: Choosing, numbers: range) -> None:
        """`numbers` are the integers that an edit may bring about."""
        self._numbers = numbers
        self._state = state
        self._clauses = clauses
        self._choosing = choosing

    def forbid(self, guard: int, literals: Iterable[int] = ()) -> None:
        """Not all of these hold."""
        self._clauses.add((-guard, *(-literal for literal in literals)))

    def assign(self, guard: int, made: Assigning | None, step: Assign | Gap) -> None:
        """A statement is executed, whatever stands there."""
        if made is None and isinstance(step, Gap):
            return
        state = self._state
        where: _Places = {}
        what: _Contents = {}
        same = TRUE if made is None else made.same
        if isinstance(step, Assign):
            self._places(guard, same, state.keys(step.target), (None,), where)
            own = state.values(step.value, step.target.type)
            self._contents(guard, same, own, None, what)
        for literal, place, types in made.targets if made is not None else ():
            keys = self._tried(lambda p=place: state.keys(p))  # type: ignore[misc]
            self._places(guard, literal, keys, types, where)
        for literal, offered in made.values if made is not None else ():
            leaves = self._tried(lambda v=offered: state.values(v, v.type))  # type: ignore[misc]
            self._contents(guard, literal, leaves, offered.type, what)
        contents = {ctype: self._joined(found) for ctype, found in what.items()}
        for key, (literals, fitting) in where.items():
            written = self._clauses.some(literals)
            self._write(key, written, [pair for ctype in fitting for pair in contents.get(ctype, ())])

    def _joined(self, found: dict[object, list[tuple[int, ...]]]) -> list[tuple[object, int]]:
        """Values with the literals under which they are what is written."""
        joined = []
        for value, cases in found.items():
            if len(cases) == 1 and all(literal == TRUE for literal in cases[0]):
                joined.append((value, TRUE))
                continue
            literal = self._clauses.new()
            joined.append((value, literal))
            for case in cases:
                self._clauses.add((literal, *(-x for x in case)))
        return joined

    def _tried(self, look: Callable[[], list[Leaf]]) -> list[Leaf]:
        """What a choice comes to; one that cannot be followed counts as a crash."""
        try:
            return look()
        except Beyond:
            self._choosing.exact = False
            return [((), FAILED)]

    def _places(
        self, guard: int, chosen: int, leaves: list[Leaf], types: Iterable[CType | None], where: _Places
    ) -> None:
        for literals, key in leaves:
            if key is FAILED:
                self.forbid(guard, (chosen, *literals))
            else:
                written, fitting = where.setdefault(key, ([], {}))
                written.append(self._clauses.both((chosen, *literals)))
                fitting.update(dict.fromkeys(types))

    def _contents(
        self, guard: int, chosen: int, leaves: list[Leaf], ctype: CType | None, what: _Contents
    ) -> None:
        """The statement as it is (type None) may copy what holds nothing, a choice must not."""
        for literals, value in leaves:
            if value is FAILED or (value is None and ctype is not None):
                self.forbid(guard, (chosen, *literals))
            elif isinstance(ctype, IntType) and type(value) is int and value not in self._numbers:
                self._choosing.exact = False
                self.forbid(guard, (chosen, *literals))
            else:
                what.setdefault(ctype, {}).setdefault(value, []).append((chosen, *literals))

    def _write(self, key: int, written: int, contents: list[tuple[object, int]]) -> None:
        state = self._state
        if written == -TRUE or not contents:
            return
        values = dict.fromkeys(value for value, _ in contents)
        if written == TRUE and len(values) == 1:
            state.put(key, dict.fromkeys(values, TRUE))
            return
        old: Held = {} if written == TRUE else state.held(key)
        new = state.fresh(list(dict.fromkeys((*old, *values))))
        if len(new) > 1:
            for value, literal in contents:
                self._clauses.add((-written, -literal, new[value]))
            for value, literal in old.items():
                self._clauses.add((written, -literal, new[value]))
        state.put(key, new)

    def truth(self, guard: int, made: Deciding | None, step: Branch) -> int:
        """A literal for what a condition says; raises `Fault` where it certainly fails."""
        state = self._state
        own = state.truths(step.condition)
        if made is None and len(own) == 1 and not own[0][0]:
            if own[0][1] is FAILED:
                raise Fault("null", "the condition fails")
            return TRUE if own[0][1] else -TRUE
        truth = self._clauses.new()

        def say(literals: Sequence[int], value: object) -> None:
            if value is FAILED:
                self.forbid(guard, literals)
            else:
                self._clauses.add((*(-x for x in literals), truth if value else -truth))

        same = TRUE if made is None else made.same
        for literals, value in own:
            say((same, *literals), value)
        if made is None:
            return truth
        for literal, condition in made.changed:
            for literals, value in self._tested(condition):
                say((literal, *literals), value)
        for four, test in made.joined:
            tested = self._tested(test)
            for chosen, word, first in zip(four, ("and", "and", "or", "or"), (True, False, False, True)):
                left, right = (tested, own) if first else (own, tested)
                for literals, value in left:
                    if value is FAILED or bool(value) is (word == "or"):
                        say((chosen, *literals), value)
                        continue
                    for more, other in right:
                        say((chosen, *literals, *more), other)
        return truth

    def _tested(self, condition: Expression) -> list[Leaf]:
        return self._tried(lambda: self._state.truths(condition))
