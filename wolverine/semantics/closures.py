"""The Python source of closures: of instructions, and of expressions that are looked at.

Each source is one function `make`, which is given what the lines name (`BINDINGS`) and `n`, which tells for
each index the instruction that comes next, and which returns the closures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from wolverine.core.expressions import Expression, Load, LValue, VariableReference
from wolverine.core.program import (
    Allocate,
    Assign,
    Branch,
    Call,
    Concrete,
    Declare,
    FreeList,
    Gap,
    Guard,
    Inserted,
    Instruction,
    Jump,
    Library,
    Program,
    Return,
)
from wolverine.core.types import VOID, CType, PointerType, is_scalar
from wolverine.semantics.address import BITS, TOKENS, UNDER_WAY_KEY, kind_of
from wolverine.semantics.allocation import ALLOCATION
from wolverine.semantics.arithmetic import FUNCTIONS
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.generate import Generator, spread
from wolverine.semantics.library import MODELLED
from wolverine.semantics.scanning import MADE_UP

Step = Callable[[int], int]
Evaluate = Callable[[int], Any]

BINDINGS = (
    "cells", "get", "push", "put", "check", "miss", "copy", "clear", "library", "look", "scan", "room",
    "order", "unmodelled", "allocate", "release", "within", *FUNCTIONS,
)  # fmt: skip
_HEADER = f"def make({', '.join(BINDINGS)}, n):\n"
_KEPT = 1000  # sources
_DEEP = (SyntaxError, MemoryError, RecursionError)  # what Python says to source that nests too deeply


def instructions(
    program: Program, generator: Generator, function: str, code: Sequence[tuple[int, Instruction]]
) -> Any:
    """A Python function that makes the closures of these instructions, given by their indices.

    They come as two dictionaries by index: the instructions, and the arguments of calls and returns.  An
    instruction that cannot be compiled raises `Unmodelled` when it is executed.
    """
    parts = [(index, _lines(program, generator, function, index, step)) for index, step in code]
    try:
        return _execute(_assemble(parts))
    except _DEEP:
        return _execute(_assemble([(index, _compilable(index, part)) for index, part in parts]))


def expressions(sources: Sequence[str]) -> Callable[..., list[Evaluate]]:
    """A Python function that makes the closures of expressions given as source."""
    lines = [f"    def e{i}(base): return {source}" for i, source in enumerate(sources)]
    lines.append(f"    return [{', '.join(f'e{i}' for i in range(len(sources)))}]")
    made: Callable[..., list[Evaluate]] = _execute(_HEADER + "\n".join(lines) + "\n")
    return made


def _lines(program: Program, generator: Generator, function: str, index: int, step: Instruction) -> list[str]:
    try:
        return _source(program, generator, function, index, step)
    except Unmodelled as problem:
        return _failing(index, problem.reason)
    except RecursionError:
        return _failing(index, "an expression is nested too deeply")


def _source(
    program: Program, generator: Generator, function: str, index: int, step: Instruction
) -> list[str]:
    """The lines of an instruction's closure, and of the closure of its arguments."""
    head = f"    def i{index}(base, s=n[{index + 1}]):"
    match step:
        case Gap():
            return [head + " return s"]
        case Jump(_, target):
            return [f"    def i{index}(base, s=n[{target}]): return s"]
        case Branch(_, condition, if_true, if_false):
            return [
                f"    def i{index}(base, s=n[{if_true}], t=n[{if_false}]):",
                f"        return s if {generator.truth(condition)} else t",
            ]
        case Declare(_, variable):
            keys = spread(program.types, variable.type)
            return [head, f"        clear({generator.address(variable)}, {keys})", "        return s"]
        case Assign(_, target, value):
            return [head, *_assignment(program, generator, target, value), "        return s"]
        case Guard() if step.calls:
            return _calling_in_turn(program, generator, index, step)
        case Guard(_, condition, assignment, end, before, otherwise):
            onward = "s" if end is None else "e"
            lines = [f"    def i{index}(base, s=n[{index + 1}], e=n[{index if end is None else end}]):"]
            if condition is not None:
                lines.append(f"        if not ({generator.truth(condition)}):")
                if otherwise is not None:
                    made = _assignment(program, generator, otherwise.target, otherwise.value)
                    lines += [f"    {line}" for line in made]
                lines.append("            return s")
            for each in before:
                lines += _in_turn(program, generator, each)
            if assignment is not None:
                made = _assignment(program, generator, assignment.target, assignment.value)
                lines += [line.replace("return s", f"return {onward}") for line in made]
            return [*lines, f"        return {onward}"]
        case Allocate(_, target, size, zeroed, string, copied):
            lines = [head, f"        k = {generator.key(target)}"]
            if not isinstance(target, VariableReference):
                lines.append(f"        if get(k) is None or k >= {TOKENS}: check(k)")
            if string is not None and copied:
                call = f"library('strdup', ({generator.value(string)},), (0,), k)"
                return [*lines, f"        if not {call}: unmodelled('an unknown string')", "        return s"]
            room = size if string is None else f"room({generator.value(string)}, {size})"
            return [*lines, f"        put(k, allocate({room}, zeroed={zeroed}))", "        return s"]
        case FreeList(_, first, link, owned):
            # What may be missing is read before a node goes, so that a round that was left begins anew.
            fields = "".join(f"{generator.value(Load(place))}, " for place in owned)
            return [
                head,
                "        while True:",
                f"            p = {generator.value(Load(first))}",
                "            if p == 0: return s",
                f"            r, f, k = {generator.value(Load(link))}, ({fields}), {generator.key(first)}",
                "            for o in (*f, p): release(o)",
                "            put(k, r)",
            ]
        case Library(_, called, arguments, kept):
            values = "".join(f"{generator.value(a)}, " for a in arguments)
            key = "None" if kept is None else generator.key(kept)
            carried = f"    def i{index}(base, s=n[{index + 2}], t=n[{index + 1}]):"
            if called in MADE_UP:
                return [carried, f"        return s if scan({called!r}, lambda: ({values}), {key}) else t"]
            if called not in MODELLED:
                return [head, f"        look({called!r}, lambda: ({values}))", "        return s"]
            kinds = tuple(_pointed_kind(program, a) for a in arguments)
            return [
                carried,
                f"        return s if library({called!r}, ({values}), {kinds}, {key}) else t",
            ]
        case Concrete():
            return [head + f" return ~{index}"]
        case Call(_, called, arguments):
            types = _argument_types(program, called, arguments)
            parts = [_argument(generator, a, t) for a, t in zip(arguments, types, strict=False)]
            condition = step.condition if isinstance(step, Inserted) else None
            test = "" if condition is None else f"s if not ({generator.truth(condition)}) else "
            return [
                head + f" return {test}~{index}",
                f"    def a{index}(base): return ({''.join(p + ', ' for p in parts)})",
            ]
        case Return(_, value):
            result = program.functions[function].result
            source = "None" if value is None or result == VOID else _argument(generator, value, result)
            return [head + f" return ~{index}", f"    def a{index}(base): return {source}"]


def _in_turn(program: Program, generator: Generator, step: Assign | Call) -> list[str]:
    """One of several statements in a gap: an assignment, or a call of `free`."""
    if isinstance(step, Call):
        [freed] = step.arguments
        return [f"        release({generator.value(freed)})"]
    made = _assignment(program, generator, step.target, step.value)
    return ["        for _ in (0,):", *(f"    {line}".replace("return s", "break") for line in made)]


def _calling_in_turn(program: Program, generator: Generator, index: int, step: Guard) -> list[str]:
    """The lines of several statements of which some call: behind each of these the guard begins again.

    A cell of the activation says which of the calls was made last, so that it goes on behind it.
    """
    onward = "s" if step.end is None else "e"
    lines = [
        f"    def i{index}(base, s=n[{index + 1}], e=n[{index if step.end is None else step.end}]):",
        f"        u, w = base + {UNDER_WAY_KEY}, get(base + {UNDER_WAY_KEY}) or 0",
        "        if w == 0:",
    ]
    if step.condition is not None:
        lines.append(f"            if not ({generator.truth(step.condition)}): return s")
    else:
        lines.append("            pass")
    calls, passed = 0, list[str]()
    last = () if step.assignment is None else (step.assignment,)
    for each in (*step.before, *last):
        if isinstance(each, Call) and each.function != "free":
            types = _argument_types(program, each.function, each.arguments)
            values = [_argument(generator, a, t) for a, t in zip(each.arguments, types, strict=False)]
            passed.append(f"({''.join(part + ', ' for part in values)})")
            calls += 1
            lines += [f"            put(u, {calls}); return ~{index}", f"        if w == {calls}:"]
        else:
            lines += [f"    {line}" for line in _in_turn(program, generator, each)]
    lines += ["            pass", f"        put(u, 0); return {onward}", f"    def a{index}(base):"]
    lines.append(f"        w = get(base + {UNDER_WAY_KEY})")
    lines += [f"        if w == {number}: return {each}" for number, each in enumerate(passed, 1)]
    return lines


def _pointed_kind(program: Program, argument: Expression) -> int:
    """The kind of the cells that a pointer leads to, 0 where its type does not tell."""
    ctype = argument.type
    if not isinstance(ctype, PointerType):
        return 0
    kinds = {kind_of(scalar) for _, scalar in program.types.scalars(ctype.target)}
    return kinds.pop() if len(kinds) == 1 and BITS not in kinds else 0


def _assignment(program: Program, generator: Generator, target: LValue, value: Expression) -> list[str]:
    if not is_scalar(target.type):
        cells = spread(program.types, target.type)
        return [f"        copy({generator.address(target)}, {generator.value(value)}, {cells})"]
    raw = generator.raw(value, target.type)
    lines = [f"        v = {raw}", f"        k = {generator.key(target)}"]
    if "get(" in raw:
        lines += ["        if v is None:", "            put(k, None)", "            return s"]
        if not isinstance(target, VariableReference):
            lines.insert(3, f"            if get(k) is None or k >= {TOKENS}: check(k)")
    if isinstance(target, VariableReference):
        lines.append("        push(k); push(get(k))")
    else:
        outside = f"        if o is None or k >= {TOKENS}: check(k)"
        lines += ["        o = get(k)", outside, "        push(k); push(o)"]
    lines.append("        cells[k] = v")
    return lines


def _argument(generator: Generator, value: Expression, ctype: CType) -> str:
    return generator.raw(value, ctype) if is_scalar(ctype) else generator.value(value)


def _argument_types(program: Program, called: str, arguments: Sequence[Expression]) -> Sequence[CType]:
    if called in program.functions:
        known = tuple(p.type for p in program.functions[called].parameters)
        return known + tuple(a.type for a in arguments[len(known) :])
    if called in ALLOCATION:
        return ALLOCATION[called]
    raise Unmodelled(f"call of {called}")


def _failing(index: int, reason: str) -> list[str]:
    return [f"    def i{index}(base): unmodelled({reason!r})"]


def _compilable(index: int, lines: list[str]) -> list[str]:
    try:
        compile(_assemble([(index, lines)]), "<model>", "exec")
    except _DEEP:
        return _failing(index, "an expression is nested too deeply")
    return lines


def _assemble(parts: Sequence[tuple[int, list[str]]]) -> str:
    lines = [line for _, part in parts for line in part]
    functions = ", ".join(f"{index}: i{index}" for index, _ in parts)
    arguments = ", ".join(f"{i}: a{i}" for i, part in parts if any(f"def a{i}(" in line for line in part))
    lines.append(f"    return {{{functions}}}, {{{arguments}}}")
    return _HEADER + "\n".join(lines) + "\n"


@lru_cache(maxsize=_KEPT)
def _execute(source: str) -> Any:
    """The `make` of a source; a program that was edited has most of its functions as they were."""
    space: dict[str, Any] = {}
    exec(compile(source, "<model>", "exec"), space)
    return space["make"]
