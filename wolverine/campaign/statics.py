"""What globals and statics hold when a program starts: zero, or what their initialisers say."""

from __future__ import annotations

import re

from wolverine import frontend
from wolverine.core.expressions import VariableReference
from wolverine.core.program import Program
from wolverine.errors import SourceError
from wolverine.semantics.address import cell_key
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.machine import Machine


def initialise(program: Program, machine: Machine) -> None:
    """Write the cells of every global; raises Unmodelled for initialisers in braces.

    The machine has to stand in `main`.
    """
    for variable in program.globals:
        _, base = machine.layout.address("main", variable)
        for offset, scalar in program.types.scalars(variable.type):
            machine.memory.put(cell_key(scalar, base + offset), 0)
        text = _initialiser(program, variable)
        if not text:
            continue
        try:
            value = frontend.parse_expression(program, "main", text, program.globals)
        except SourceError as error:
            raise Unmodelled(f"the initialiser of {variable.name}: {error}") from None
        [closure] = machine.evaluators.values("main", [(value, variable.type)])
        machine.memory.put(cell_key(variable.type, base), machine.attempt(closure))


def _initialiser(program: Program, variable: VariableReference) -> str:
    """The text behind `name =`, "" where there is none."""
    name = re.escape(variable.name.partition("@")[0])
    pattern = re.compile(rf"\b{name}\s*(?:\[[^\]]*\]\s*)?=(?!=)\s*([^;,]+)[;,]")
    for number, file in enumerate(program.files):
        text = file.content.decode("latin-1")
        bodies = [f.body for f in program.functions.values() if f.file == number]
        for found in pattern.finditer(text):
            inside = [body for body in bodies if body.start <= found.start() < body.end]
            owner = program.functions.get(variable.function)
            static = "static" in text[text.rfind(";", 0, found.start()) + 1 : found.start()]
            if (not variable.function and not inside) or (
                owner is not None and owner.body in inside and static
            ):
                if found[1].startswith("{"):
                    raise Unmodelled(f"the initialiser of {variable.name}")
                return found[1].strip()
    return ""
