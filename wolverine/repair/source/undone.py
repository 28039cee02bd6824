"""What a function does right before its last `return`, and an earlier one leaves out.

Who turns a list round and back again, or marks it as busy while he looks at it, forgets that when he leaves a
loop early: `return 0;` without the `mid->next = reverse(half);` that stands in front of `return 1;`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.patch import NewAssignment, NewCall
from wolverine.core.program import Assign, Branch, Function, Gap, Instruction, Jump, Program, is_result
from wolverine.repair.source.blocks import plain_call, statement, stored_call

Undone = NewAssignment | NewCall


class LeftUndone:
    """Such statements of a program's functions."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[str, Undone | None] = {}
        self._early: dict[str, frozenset[int]] = {}

    def at(self, function: str, index: int) -> Undone | None:
        """What the `return` behind the gap at an instruction leaves out; None where it does not."""
        last = self._last(function)
        return last if last is not None and index in self._gaps(function) else None

    def calls(self, function: str) -> bool:
        """Whether it is a call that is left out in the function."""
        return isinstance(self._last(function), NewCall) and bool(self._gaps(function))

    def _last(self, name: str) -> Undone | None:
        if name not in self._known:
            function = self._program.functions[name]
            made = _done(function, function.end)
            library = isinstance(made, NewCall) and made.function not in self._program.functions
            self._known[name] = None if library else made
        return self._known[name]

    def _gaps(self, name: str) -> frozenset[int]:
        """The gaps in front of the earlier returns."""
        if name not in self._early:
            self._early[name] = frozenset(_early(self._program.functions[name], self._last(name)))
        return self._early[name]


def _early(function: Function, last: Undone | None) -> Iterator[int]:
    end = _last_begin(function)
    for index, step in enumerate(function.code[:end]):
        if isinstance(step, Gap) and step.location >= 0:
            behind = _leaving(function, index)
            if behind is not None and behind < end and last != _done(function, index):
                yield index


def _leaving(function: Function, index: int) -> int | None:
    """The jump to the function's end that comes behind a gap, if nothing else does."""
    code, at = function.code, index + 1
    while isinstance(code[at], Gap) or (isinstance(step := code[at], Assign) and is_result(step.target)):
        at += 1
    step = code[at]
    return at if isinstance(step, Jump) and step.location >= 0 and step.target == function.end else None


def _last_begin(function: Function) -> int:
    """Where the last `return`, or what stands in its place, begins: behind all that is done."""
    code, at = function.code, function.end - 1
    while at >= 0 and (
        isinstance(step := code[at], Jump | Gap) or (isinstance(step, Assign) and is_result(step.target))
    ):
        if isinstance(step, Jump) and step.target != function.end:
            break
        at -= 1
    return at + 1


def _done(function: Function, index: int) -> Undone | None:
    """The statement that is done last in front of an instruction, on the only way there."""
    code = function.code
    at = (_last_begin(function) if index == function.end else index) - 1
    while at >= 0 and isinstance(code[at], Gap):
        at -= 1
    if at < 0 or _passed_by(code, at, index):
        return None
    return statement(function, at) or plain_call(function, at) or stored_call(function, at)


def _passed_by(code: Sequence[Instruction], at: int, index: int) -> bool:
    """Whether another way leads past an instruction to where it comes to, and is no `return`."""
    for step in code[:at]:
        match step:
            case Branch(_, _, if_true, if_false):
                targets = (if_true, if_false)
            case Jump(location, target) if location < 0:
                targets = (target, target)
            case _:
                continue
        if any(at < target <= index for target in targets):
            return True
    return False
