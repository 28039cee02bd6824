"""Where a program's variables lie in the model's address space, and which object an address names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from wolverine.core.expressions import VariableReference, source_name
from wolverine.core.graph import NodeId, ObjectId, VariableId
from wolverine.core.program import Function, Program
from wolverine.core.types import ArrayType, CType, OpaqueType
from wolverine.semantics.address import (
    FRAME,
    GLOBALS,
    HALF,
    LITERAL,
    LITERALS,
    LOCALS,
    OBJECT_BITS,
    OBJECT_LIMIT,
    frame_base,
    global_address,
    kind_of,
    local_offset,
    node_address,
    number_of,
)
from wolverine.semantics.faults import Unmodelled


class Extent(NamedTuple):
    """Where an object lies, and the types of its scalars by offset: from `start` on they come again."""

    address: int
    start: int
    size: int  # of what comes again
    scalars: Mapping[int, CType]


class Layout:
    """Numbers for the globals, and for the variables of each function, of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.types = program.types
        self.globals = program.globals
        self._global_index = {(g.function, g.name): i for i, g in enumerate(program.globals)}
        # Functions are objects too, behind the globals; nothing is in them.
        self._functions = tuple(program.functions)
        self._function_index = {name: len(self.globals) + i for i, name in enumerate(self._functions)}
        self._locals: dict[str, tuple[VariableReference, ...]] = {}
        self._local_index: dict[str, dict[str, int]] = {}
        self._scalars: dict[CType, dict[int, CType]] = {}
        self._shapes: dict[CType, tuple[int, int, Mapping[int, CType]]] = {}
        self._extents: dict[VariableId, Extent | None] = {}
        self._kinds: dict[CType, Sequence[tuple[int, int]]] = {}
        self._literals: dict[str | bytes, int] = {}
        self._literal_data: list[bytes | None] = []
        self._symbols: dict[int, str] = {}  # functions of libraries, by their address in the process

    def variables(self, function: str) -> tuple[VariableReference, ...]:
        """A function's variables by index: parameters, locals, temporaries."""
        found = self._locals.get(function)
        if found is None:
            code = self.program.functions.get(function)
            found = () if code is None else _distinct(code)
            self._locals[function] = found
            self._local_index[function] = {v.name: i for i, v in enumerate(found)}
        return found

    def scalar(self, ctype: CType, offset: int) -> CType | None:
        """The scalar at a byte offset in a value of that type, the first one where several begin."""
        known = self._scalars.get(ctype)
        if known is None:
            known = self._scalars[ctype] = {}
            for at, scalar in self.types.scalars(ctype):
                known.setdefault(at, scalar)
        return known.get(offset)

    def index(self, function: str, name: str) -> int | None:
        """The index of a local, or None."""
        self.variables(function)
        return self._local_index[function].get(name)

    def address(self, function: str, variable: VariableReference) -> tuple[bool, int]:
        """(True, offset from the frame's base) of a local, (False, address) of a global."""
        if variable.level == "global":
            number = self._global_index.get((variable.function, variable.name))
            if number is None:
                raise Unmodelled(f"the variable {variable.name} is not known")
            return False, global_address(number)
        index = self.index(function, variable.name)
        if index is None or index >= FRAME:
            raise Unmodelled(f"the variable {variable.name} is not known in {function}")
        return True, local_offset(index)

    def literal(self, text: str, data: bytes | None) -> int:
        """A number for a string literal: the same for the same bytes."""
        number = self._literals.setdefault(text if data is None else data, len(self._literals))
        if number == len(self._literal_data):
            self._literal_data.append(data)
        return number

    def literal_address(self, text: str, data: bytes | None) -> int:
        """The value of a string literal, or of the name of a function."""
        function = self._function_index.get(text) if data is None else None
        if function is not None:
            return global_address(function)
        return LITERAL + (self.literal(text, data) << OBJECT_BITS)

    def named(self, symbols: Mapping[int, str]) -> None:
        """Take in what a graph names of the functions of libraries (see `Outside`)."""
        self._symbols.update(symbols)

    def library_function(self, address: int) -> int | None:
        """The value of a library function whose address that is in graphs; None for other addresses."""
        if address in self._symbols:
            return self.literal_address(self._symbols[address], None)
        number = (address - LITERALS) >> OBJECT_BITS
        named = 0 <= number < len(self._literal_data) and self._literal_data[number] is None
        return LITERAL + address - LITERALS if named else None

    def literal_data(self, number: int) -> bytes | None:
        """The bytes of a literal by its number."""
        return self._literal_data[number] if number < len(self._literal_data) else None

    def literal_name(self, number: int) -> str | None:
        """Of which function, that the program does not have, a number is the name."""
        if self.literal_data(number) is not None:
            return None
        return next((str(text) for text, at in self._literals.items() if at == number), None)

    def object_address(self, identity: ObjectId) -> int | None:
        """The address of byte 0 of an object; None for a variable that the program does not have."""
        if isinstance(identity, NodeId):
            return node_address(identity.number)
        if identity.depth < 0:
            number = self._global_index.get((identity.function, identity.name))
            if number is None and not identity.function:
                number = self._function_index.get(identity.name)
            return None if number is None else global_address(number)
        index = self.index(identity.function, identity.name)
        if index is None or index >= FRAME:
            return None
        return frame_base(identity.depth) + local_offset(index)

    def variable_type(self, identity: VariableId) -> CType | None:
        """The declared type of a variable."""
        if identity.depth < 0:
            number = self._global_index.get((identity.function, identity.name))
            return None if number is None else self.globals[number].type
        index = self.index(identity.function, identity.name)
        return None if index is None else self._locals[identity.function][index].type

    def variable_extent(self, identity: VariableId) -> Extent | None:
        """Where a variable lies, and its scalars; None where the program does not have it."""
        if identity not in self._extents:
            base = self.object_address(identity)
            known = None if base is None else self.extent_of(base, self.variable_type(identity))
            self._extents[identity] = known
        return self._extents[identity]

    def extent_of(self, base: int, ctype: CType | None) -> Extent:
        """That of an object of the type, at an address; nothing is known of its scalars without a type."""
        if ctype is None:
            return Extent(base, 0, OBJECT_LIMIT, {})
        shape = self._shapes.get(ctype)
        if shape is None:
            shape = self._shapes[ctype] = self._shape(ctype)
        return Extent(base, *shape)

    def _shape(self, ctype: CType) -> tuple[int, int, Mapping[int, CType]]:
        types, scalars = self.types, dict(self.types.scalars(ctype))
        tail = types.flexible(ctype)
        if tail is not None and (size := types.size(tail[1])):
            scalars.update(types.scalars(tail[1], tail[0]))
            return tail[0], size, scalars
        return 0, types.size(ctype) or OBJECT_LIMIT, scalars

    def object_at(self, address: int, function_at: Callable[[int], str | None]) -> ObjectId | None:
        """The object that an address belongs to; `function_at` names the activation at a depth."""
        number = number_of(address)
        if 0 < number < GLOBALS:
            return NodeId(number)
        if GLOBALS <= number < GLOBALS + len(self.globals):
            found = self.globals[number - GLOBALS]
            return VariableId(-1, found.function, found.name)
        if GLOBALS <= number < GLOBALS + len(self.globals) + len(self._functions):
            return VariableId(-1, "", self._functions[number - GLOBALS - len(self.globals)])
        if number >= LOCALS:
            depth, index = divmod(number - LOCALS, FRAME)
            function = function_at(depth)
            if function is not None and index < len(self.variables(function)):
                return VariableId(depth, function, self.variables(function)[index].name)
        return None

    def name(self, number: int, function_at: Callable[[int], str | None]) -> str:
        """How a variable with that object number is called: `main::text`, a global by its name alone."""
        found = self.object_at(number << OBJECT_BITS, function_at)
        if not isinstance(found, VariableId):
            return "an object"
        name = source_name(found.name)
        return f"{found.function}::{name}" if found.function else name

    def extent(self, number: int, function_at: Callable[[int], str | None]) -> int | None:
        """The size in bytes of the variable with that object number, None if it is not there now."""
        if GLOBALS <= number < LOCALS:
            index = number - GLOBALS
            return self._size(self.globals[index].type) if index < len(self.globals) else None
        depth, index = divmod(number - LOCALS, FRAME)
        function = function_at(depth) if number >= LOCALS else None
        if function is None:
            return None
        variables = self.variables(function)
        return self._size(variables[index].type) if index < len(variables) else None

    def declared(self, number: int, function_at: Callable[[int], str | None]) -> bool:
        """Whether no part of the variable with that object number is a union."""
        found = self.object_at((number << OBJECT_BITS) + HALF, function_at)
        ctype = self.variable_type(found) if isinstance(found, VariableId) else None
        if ctype is None or not self.types.unions:
            return True
        return not any(isinstance(each, OpaqueType) and each.union for _, each in self.types.scalars(ctype))

    def _size(self, ctype: CType) -> int:
        """Bytes of a variable; an array whose length is not known has as many as an object may have."""
        unknown = isinstance(ctype, ArrayType) and ctype.length == 0
        return OBJECT_LIMIT if unknown else self.types.size(ctype)

    def kinds(
        self, number: int, function_at: Callable[[int], str | None]
    ) -> Sequence[tuple[int, int]] | None:
        """The cells (offset, kind) of the variable with that object number, None where no type tells."""
        found = self.object_at((number << OBJECT_BITS) + HALF, function_at)
        if not isinstance(found, VariableId):
            return None
        ctype = self.variable_type(found)
        if ctype is None:
            return None
        shape = self._kinds.get(ctype)
        if shape is None:
            shape = [(at, kind_of(scalar)) for at, scalar in self.types.scalars(ctype)]
            self._kinds[ctype] = shape
        return shape or None


def _distinct(code: Function) -> tuple[VariableReference, ...]:
    found: dict[str, VariableReference] = {}
    for variable in (*code.parameters, *code.locals, *code.temporaries):
        found.setdefault(variable.name, variable)
    return tuple(found.values())
