"""Library calls in the model: what `printf` prints and what `atoi` gives, without a process.

A campaign executes whole programs in the model, from `main` on.  The calls that the lowered program
leaves to the process are answered here, for the functions that small programs use.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from wolverine import frontend
from wolverine.core.expressions import VariableReference
from wolverine.core.program import Call, Concrete, Gap, Program
from wolverine.errors import SourceError
from wolverine.frontend.tokens import lex
from wolverine.semantics.address import LITERAL, OBJECT_BITS
from wolverine.semantics.compiled import Evaluate
from wolverine.semantics.faults import Fault, Unmodelled
from wolverine.semantics.machine import Machine
from wolverine.semantics.printing import printed

_CALLED = re.compile(r"\s*([A-Za-z_]\w*)\s*\(")
_ESCAPES = {"n": "\n", "t": "\t", "0": "\0", "\\": "\\", '"': '"', "'": "'", "r": "\r", "a": "\a"}
_NUMBER = re.compile(r"\s*([+-]?\d+)")


class Exited(Exception):  # noqa: N818
    """The program called `exit(status)`."""

    def __init__(self, status: int) -> None:
        super().__init__(f"exit {status}")
        self.status = status


@dataclass(frozen=True, slots=True)
class _Text:
    text: str


@dataclass(frozen=True, slots=True)
class _Returned:
    index: int


_Argument = _Text | _Returned | Evaluate


class Library:
    """The C library of one run: strings by number, and the standard output so far."""

    def __init__(self, program: Program, machine: Machine) -> None:
        self._program = program
        self._machine = machine
        self._strings: dict[int, str] = {}
        self._prepared: dict[int, tuple[str, tuple[_Argument, ...]]] = {}
        self.returned: dict[int, Any] = {}  # by call instruction: results that only a library call takes
        self.output: list[str] = []

    def string(self, text: str) -> int:
        """The pointer value of a string that the program is given."""
        number = self._machine.layout.literal(f"given {text}", None)
        self._strings[number] = text
        return LITERAL + (number << OBJECT_BITS)

    def call(self, function: str, index: int, step: Concrete) -> Any:
        """Execute the call at which the machine stands; returns its value.

        Raises Exited, Fault for a use of what is uninitialised, Unmodelled for what is not known here.
        """
        name, arguments = self._prepare(function, index, step)
        given = [self._given(argument) for argument in arguments]
        if any(value is None for value in given):
            raise Fault("uninitialised", f"{name} is called with an uninitialised value")
        match name:
            case "printf" | "puts":
                self.output.append(printed(name, given, self._text))
                return 0
            case "putchar":
                self.output.append(printed(name, given, self._text))
                return given[0]
            case "atoi" | "atol":
                found = _NUMBER.match(str(self._shown(given[0])))
                return int(found[1]) if found else 0
            case "abs" | "labs":
                return abs(int(given[0]))
            case "exit":
                raise Exited(int(given[0]) & 255)
            case "assert":
                if not given[0]:
                    raise Fault("wild", "an assertion of the program fails")
                return None
            case "fflush" | "srand":
                return 0
            case _:
                raise Unmodelled(f"call of {name}")

    def _given(self, argument: _Argument) -> Any:
        match argument:
            case _Text(text):
                return text
            case _Returned(index):
                return self.returned.get(index)
            case _:
                return self._machine.attempt(argument)

    def _prepare(self, function: str, index: int, step: Concrete) -> tuple[str, tuple[_Argument, ...]]:
        known = self._prepared.get(step.location)
        if known is not None:
            return known
        text = self._program.location(step.location).text
        called = _CALLED.match(text)
        if called is None:
            raise Unmodelled(f"the statement {text}")
        scope, results, dropped = self._results(function, index)
        made: list[_Argument] = []
        for argument in split_arguments(text[called.end() :]):
            literal = _literal(argument)
            if literal is not None:
                made.append(_Text(literal))
            elif argument.strip() in dropped:
                made.append(_Returned(dropped[argument.strip()]))
            else:
                # What ++ and -- did was lowered to statements before the call.
                plain = re.sub(r"\+\+|--", "", argument)
                for called_text, temporary in results:
                    plain = plain.replace(called_text, temporary)
                try:
                    expression = frontend.parse_expression(self._program, function, plain, scope)
                except SourceError as error:
                    raise Unmodelled(str(error)) from None
                made += self._machine.values(function, [(expression, expression.type)])
        self._prepared[step.location] = found = (called[1], tuple(made))
        return found

    def _results(
        self, function: str, index: int
    ) -> tuple[tuple[VariableReference, ...], list[tuple[str, str]], dict[str, int]]:
        """The variables in view at a call, and what the calls inside its arguments were lowered to.

        These are calls with a temporary, and calls whose result nobody else takes, by their instructions.
        """
        code = self._program.functions[function]
        scope = list(scope_at(self._program, function, index))
        found: list[tuple[str, str]] = []
        dropped: dict[str, int] = {}
        at = index - 1
        while at >= 0 and code.unit_of[at] == code.unit_of[index]:
            step = code.code[at]
            if isinstance(step, Call) and step.location >= 0:
                text = self._program.location(step.location).text
                if step.result is not None:
                    found.append((text, step.result.name))
                    scope.append(step.result)
                else:
                    dropped[text] = at
            at -= 1
        found.sort(key=lambda pair: -len(pair[0]))
        return tuple(scope), found, dropped

    def _text(self, value: Any) -> str:
        shown = self._shown(value)
        if not isinstance(shown, str):
            raise Unmodelled("characters in memory")
        return shown

    def _shown(self, value: Any) -> Any:
        if isinstance(value, int) and value >= LITERAL:
            number = value - LITERAL >> OBJECT_BITS
            known = self._strings.get(number)
            data = self._machine.layout.literal_data(number) if known is None else None
            return known if data is None else data.partition(b"\0")[0].decode("latin-1")
        return value


def calls_for_library(program: Program) -> set[tuple[str, int]]:
    """The calls of the program's functions whose results only a library call takes: `printf("%d", f(x))`."""
    found: set[tuple[str, int]] = set()
    for name, function in program.functions.items():
        inside = {function.unit_of[i] for i, step in enumerate(function.code) if isinstance(step, Concrete)}
        for index, step in enumerate(function.code):
            if isinstance(step, Call) and step.result is None and function.unit_of[index] in inside:
                found.add((name, index))
    return found


def scope_at(program: Program, function: str, index: int) -> tuple[VariableReference, ...]:
    """The variables in view at an instruction, and the globals.

    What cannot be edited does not tell; there it is those of the nearest gap before it.
    """
    code = program.functions[function].code
    for at in range(index, -1, -1):
        location = code[at].location
        if location >= 0 and (isinstance(code[at], Gap) or (at == index and _tells(program, location))):
            return (*program.location(location).scope, *program.globals)
    return (*program.functions[function].parameters, *program.globals)


def _tells(program: Program, location: int) -> bool:
    return program.location(location).kind in ("assignment", "initialiser", "condition", "argument", "return")


def split_arguments(text: str) -> list[str]:
    """The arguments in `a, f(b, c))`: the text behind a call's opening parenthesis."""
    depth, begin = 0, 0
    found: list[str] = []
    for start, end, _ in lex(text).lexemes:
        word = text[start:end]
        if word in "([{":
            depth += 1
        elif word in ")]}":
            depth -= 1
            if depth < 0:
                last = text[begin:start]
                return [*found, last] if found or last.strip() else []
        elif word == "," and depth == 0:
            found.append(text[begin:start])
            begin = end
    return [*found, text[begin:]]


def _literal(argument: str) -> str | None:
    """The string that an argument of adjacent literals stands for, None for another argument."""
    words = [argument[start:end] for start, end, _ in lex(argument).lexemes]
    if not words or any(not word.startswith('"') for word in words):
        return None
    return "".join(
        re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), word[1:-1], flags=re.DOTALL) for word in words
    )
