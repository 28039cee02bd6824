"""Functions compiled to Python closures, and linked for one machine, patch and set of stops.

Compiling (Python source, `compile`) is done once per program and function, and once per replacement;
linking binds the closures to a memory and lets execution pass over slots and jumps that do nothing.
A closure takes its frame's base and returns the index of the next instruction, or `~index` when the
machine has to act at `index` (call, return, concrete step, stop).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from wolverine.core.expressions import Expression, LValue, VariableReference
from wolverine.core.patch import (
    Deletion,
    Guarded,
    NewAssignment,
    NewCall,
    NewNode,
    NewReturn,
    NewValue,
    Patch,
    Replacement,
    Several,
)
from wolverine.core.program import (
    Allocate,
    Assign,
    Branch,
    Call,
    Concrete,
    Declare,
    Function,
    Gap,
    Guard,
    Inserted,
    Instruction,
    Jump,
    Library,
    Program,
    Return,
)
from wolverine.core.types import SIZE, VOID, VOID_POINTER, ArrayType, CType, PointerType, is_scalar
from wolverine.semantics.address import TOKENS, kind_of, local_offset
from wolverine.semantics.arithmetic import FUNCTIONS
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.generate import Generator, spread
from wolverine.semantics.layout import Layout
from wolverine.semantics.library import MODELLED

Step = Callable[[int], int]
Evaluate = Callable[[int], Any]
LIBRARY: Mapping[str, tuple[CType, ...]] = {
    "malloc": (SIZE,), "calloc": (SIZE, SIZE), "realloc": (VOID_POINTER, SIZE), "free": (VOID_POINTER,),
}  # fmt: skip
_NAMES = (
    "cells", "get", "push", "put", "check", "miss", "copy", "clear", "library", "look", "unmodelled",
    "allocate", *FUNCTIONS,
)  # fmt: skip
_HEADER = f"def make({', '.join(_NAMES)}, n):\n"
_DEEP = (SyntaxError, MemoryError, RecursionError)  # what Python says to source that nests too deeply


class CompiledFunction:
    """The closures' factory of one function, its variables and how a call fills them."""

    def __init__(self, code: Code, name: str) -> None:
        function = code.program.functions[name]
        layout, types = code.layout, code.program.types
        self.name = name
        self.code: tuple[Instruction, ...] = function.code
        self.result = function.result
        self.parameters = tuple((local_offset(i), p.type) for i, p in enumerate(function.parameters))
        self.extents = tuple(types.size(v.type) for v in layout.variables(name))
        self.cells = tuple(
            local_offset(i) + key
            for i, v in enumerate(layout.variables(name))
            for key in spread(types, v.type)
        )
        self.unmeasured = tuple(  # arrays whose length is not known
            local_offset(i)
            for i, v in enumerate(layout.variables(name))
            if isinstance(v.type, ArrayType) and v.type.length == 0
        )
        self.unit_of = function.unit_of
        self.factory = code.factory(name, list(enumerate(self.code)))


class Code:
    """A program's compiled functions; use `compile_program`, which remembers them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.layout = Layout(program)
        self._functions: dict[str, CompiledFunction] = {}
        self._replacements: dict[tuple[str, int, Replacement], tuple[Instruction, Any]] = {}

    def function(self, name: str) -> CompiledFunction:
        """The compiled function; raises `Unmodelled` if it could not be lowered or is not there."""
        found = self._functions.get(name)
        if found is None:
            function = self.program.functions.get(name)
            if function is None or function.unsupported or not function.code:
                why = function.unsupported if function is not None else "its source is not known"
                raise Unmodelled(f"{name} is not modelled: {why}")
            found = self._functions[name] = CompiledFunction(self, name)
        return found

    def replaced(self, name: str, index: int, replacement: Replacement) -> tuple[Instruction, Any]:
        """The instruction that stands at `index` under the replacement, and its factory."""
        wanted = (name, index, replacement)
        found = self._replacements.get(wanted)
        if found is None:
            function = self.program.functions[name]
            instruction = replace_instruction(function, function.code[index], replacement)
            found = (instruction, self.factory(name, [(index, instruction)]))
            self._replacements[wanted] = found
        return found

    def generator(self, function: str) -> Generator:
        """A generator of source for expressions in a function."""
        return Generator(
            self.program.types,
            lambda variable: self.layout.address(function, variable),
            self.layout.literal_address,
        )

    def factory(self, function: str, code: Sequence[tuple[int, Instruction]]) -> Any:
        """A Python function that makes the closures of these instructions."""
        generator = self.generator(function)
        parts = [(index, self._instruction(generator, function, index, step)) for index, step in code]
        try:
            return _execute(_assemble(parts))
        except _DEEP:
            return _execute(_assemble([(index, _compilable(index, part)) for index, part in parts]))

    def _instruction(self, generator: Generator, function: str, index: int, step: Instruction) -> list[str]:
        try:
            return _source(self.program, generator, function, index, step)
        except Unmodelled as problem:
            return _failing(index, problem.reason)
        except RecursionError:
            return _failing(index, "an expression is nested too deeply")

    def evaluators(self, function: str, sources: Sequence[str]) -> Callable[..., list[Evaluate]]:
        """A factory of closures for expressions given as source."""
        lines = [f"    def e{i}(base): return {source}" for i, source in enumerate(sources)]
        lines.append(f"    return [{', '.join(f'e{i}' for i in range(len(sources)))}]")
        made: Callable[..., list[Evaluate]] = _execute(_HEADER + "\n".join(lines) + "\n")
        return made


class Linked:
    """A function ready to run: `table` with stops, `real` without, `arguments` of calls and returns."""

    def __init__(
        self,
        code: Code,
        name: str,
        bindings: Sequence[Any],
        replacements: Mapping[int, Replacement],
        stops: frozenset[int],
    ) -> None:
        self.compiled = compiled = code.function(name)
        self.name = name
        self.stops = stops
        steps = list(compiled.code)
        changed = {i: code.replaced(name, i, replacement) for i, replacement in replacements.items()}
        for index, (step, _) in changed.items():
            steps[index] = step
        self.steps: tuple[Instruction, ...] = tuple(steps)
        following = _following(steps, compiled.unit_of, stops)
        functions, self.arguments = compiled.factory(*bindings, following)
        for index, (_, factory) in changed.items():
            made, arguments = factory(*bindings, following)
            functions[index] = made[index]
            self.arguments.pop(index, None)
            self.arguments.update(arguments)
        self.following = following
        self.conditions: dict[int, Evaluate] = {}  # the machine's, by branch
        self.real: list[Step] = [functions[i] for i in range(len(steps))]
        self.real.append(_fall_off)
        self.table: list[Step] = list(self.real)
        for index in stops:
            self.table[index] = _stopper(~index)


def replace_instruction(function: Function, step: Instruction, replacement: Replacement) -> Instruction:
    """What stands in the place of `step` under an edit; raises ValueError if the edit does not fit."""
    match step, replacement:
        case ((Assign(location) | Gap(location)), NewAssignment(target, value)):
            return Assign(location, target, value)
        case ((Assign(location) | Call(location) | Gap(location)), Deletion()):
            return Gap(location)
        case Assign(location, target), NewValue(value):
            return Assign(location, target, value)
        case Branch(location, _, if_true, if_false), NewValue(value):
            return Branch(location, value, if_true, if_false)
        case ((Gap(location) | Call(location)), NewCall(called, arguments, into)):
            return Inserted(location, called, arguments, None, into)
        case Gap(location), Guarded(condition, NewCall(called, arguments, into)):
            return Inserted(location, called, arguments, None, into, condition)
        case Gap(location), NewReturn():
            return _guard(function, location, None, replacement)
        case Gap(location), Guarded(condition, (NewAssignment() | NewReturn()) as statement):
            return _guard(function, location, condition, statement)
        case Assign(location), Guarded(condition, NewAssignment() as statement, otherwise):
            made = _guard(function, location, condition, statement)
            if otherwise is None:
                return made
            return replace(made, otherwise=Assign(location, otherwise.target, otherwise.value))
        case ((Gap(location) | Assign(location)), NewNode(target, size, zeroed)):
            return Allocate(location, target, size, zeroed)
        case Gap(location), Several(statements):
            *before, last = (Assign(location, each.target, each.value) for each in statements)
            return Guard(location, None, last, None, tuple(before))
    raise ValueError(f"{replacement} cannot stand in the place of {step}")


def _guard(
    function: Function, location: int, condition: Expression | None, statement: NewAssignment | NewReturn
) -> Guard:
    if isinstance(statement, NewAssignment):
        return Guard(location, condition, Assign(location, statement.target, statement.value))
    before, value = statement.before, statement.value
    if value is None:
        assignment = None if before is None else Assign(location, before.target, before.value)
    elif before is None:
        assignment = Assign(location, VariableReference("$return", function.result), value)
    else:
        raise ValueError("an assignment is inserted before a return without a value only")
    return Guard(location, condition, assignment, function.end)


def patched(program: Program, patch: Patch) -> dict[str, dict[int, Replacement]]:
    """The replacements of a patch by function and instruction index.

    Of several instructions at one location the last that the replacement fits is replaced.
    """
    result: dict[str, dict[int, Replacement]] = {}
    for edit in patch.edits:
        function = program.location(edit.location).function
        for index in range(len(program.functions[function].code) - 1, -1, -1):
            step = program.functions[function].code[index]
            if step.location == edit.location and _fits(program.functions[function], step, edit.replacement):
                result.setdefault(function, {})[index] = edit.replacement
                break
        else:
            raise ValueError(f"no instruction at location {edit.location} takes {edit.replacement}")
    return result


_CACHE: OrderedDict[int, Code] = OrderedDict()
_CACHED = 8


def compile_program(program: Program) -> Code:
    """The compiled form of a program, remembered for the latest few programs."""
    found = _CACHE.get(id(program))
    if found is None or found.program is not program:
        found = _CACHE[id(program)] = Code(program)
        while len(_CACHE) > _CACHED:
            _CACHE.popitem(last=False)
    _CACHE.move_to_end(id(program))
    return found


def _fits(function: Function, step: Instruction, replacement: Replacement) -> bool:
    try:
        replace_instruction(function, step, replacement)
    except ValueError:
        return False
    return True


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
                made = _assignment(program, generator, each.target, each.value)
                lines += [
                    "        for _ in (0,):",
                    *(f"    {line}".replace("return s", "break") for line in made),
                ]
            if assignment is not None:
                made = _assignment(program, generator, assignment.target, assignment.value)
                lines += [line.replace("return s", f"return {onward}") for line in made]
            return [*lines, f"        return {onward}"]
        case Allocate(_, target, size, zeroed):
            lines = [head, f"        k = {generator.key(target)}"]
            if not isinstance(target, VariableReference):
                lines.append(f"        if get(k) is None or k >= {TOKENS}: check(k)")
            return [*lines, f"        put(k, allocate({size}, zeroed={zeroed}))", "        return s"]
        case Library(_, called, arguments, kept):
            values = "".join(f"{generator.value(a)}, " for a in arguments)
            if called not in MODELLED:
                return [head, f"        look({called!r}, lambda: ({values}))", "        return s"]
            kinds = tuple(_pointed_kind(program, a) for a in arguments)
            key = "None" if kept is None else generator.key(kept)
            return [
                f"    def i{index}(base, s=n[{index + 2}], t=n[{index + 1}]):",
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


def _pointed_kind(program: Program, argument: Expression) -> int:
    """The kind of the cells that a pointer leads to, 0 where its type does not tell."""
    ctype = argument.type
    if not isinstance(ctype, PointerType):
        return 0
    kinds = {kind_of(scalar) for _, scalar in program.types.scalars(ctype.target)}
    return kinds.pop() if len(kinds) == 1 else 0


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
    if called in LIBRARY:
        return LIBRARY[called]
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


def _execute(source: str) -> Any:
    space: dict[str, Any] = {}
    exec(compile(source, "<model>", "exec"), space)
    return space["make"]


def _following(steps: Sequence[Instruction], unit_of: Sequence[int], stops: frozenset[int]) -> list[int]:
    """For each index the first instruction at or behind it that does something or has to be seen."""

    def passed(index: int) -> bool:
        if index in stops or index >= len(steps):
            return False
        step = steps[index]
        return isinstance(step, Gap) or (isinstance(step, Jump) and unit_of[index] < 0)

    result = []
    for start in range(len(steps) + 1):
        index, seen = start, set[int]()
        while passed(index) and index not in seen:
            seen.add(index)
            step = steps[index]
            index = step.target if isinstance(step, Jump) else index + 1
        result.append(index)
    return result


def _stopper(code: int) -> Step:
    return lambda _base: code


def _fall_off(_base: int) -> NoReturn:
    raise Unmodelled("execution runs past the end of a function")
