"""Lowering what has side effects: assignments, steps and calls."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from wolverine.core.expressions import (
    Constant,
    Expression,
    Load,
    LValue,
    VariableReference,
)
from wolverine.core.program import Assign, Call, Library
from wolverine.core.types import (
    INT,
    SIZE,
    VOID,
    VOID_POINTER,
    ArrayType,
    CType,
    IntType,
    PointerType,
    VoidType,
    is_scalar,
)
from wolverine.frontend.conversions import convert, rvalue
from wolverine.frontend.declared import Unmodelled
from wolverine.frontend.places import Places, Signature
from wolverine.semantics.library import MODELLED
from wolverine.semantics.printing import STREAMS

ALLOCATION: dict[str, tuple[CType, tuple[CType, ...]]] = {
    "malloc": (VOID_POINTER, (SIZE,)),
    "calloc": (VOID_POINTER, (SIZE, SIZE)),
    "realloc": (VOID_POINTER, (VOID_POINTER, SIZE)),
    "free": (VOID, (VOID_POINTER,)),
}


class Calls(Places):
    """Lowers side effects; evaluation of other expressions is its heir's."""

    def effect(self, node: Any) -> None:
        """Evaluate for the side effects alone."""
        raise NotImplementedError

    def type_of(self, node: Any) -> CType:
        """The type of an expression that is not evaluated."""
        raise NotImplementedError

    def assignment(self, node: Any, nested: bool, semicolon: bool = False) -> LValue:
        """Emit an assignment; the target is returned."""
        if node.op == "=" and self.syntax.effects(node.rvalue) and self._late_call(node) is None:
            value = self.value(node.rvalue)
            if self.syntax.effects(node.lvalue):
                value = self.hoist(value, node.rvalue)
            target = self.place(node.lvalue)
        elif node.op == "=" and (late := self._late_call(node)) is not None:
            places: list[LValue] = []
            self._between[id(late)] = lambda: places.append(self._settled(node))
            value = self.value(node.rvalue)
            target = places[0]
        elif node.op == "=":
            target = self._settled(node)
            value = self.value(node.rvalue)
        else:
            operand = self.value(node.rvalue)
            if self.syntax.effects(node.rvalue):
                operand = self.hoist(operand, node.rvalue)
            target = self.place(node.lvalue)
            value = self.arithmetic(node.op[:-1], rvalue(target), operand)
        if isinstance(target.type, ArrayType):
            raise Unmodelled("assignment to an array")
        location = self.location("assignment", node.coord, semicolon=semicolon)
        self.emit(Assign(location, target, convert(value, target.type)))
        return target

    def _settled(self, node: Any) -> LValue:
        """The target of an assignment, as it is before the right side changes memory."""
        target = self.place(node.lvalue)
        return self.settle(target, node.lvalue) if self.syntax.clobbers(node.rvalue) else target

    def _late_call(self, node: Any) -> Any:
        """The call that the right side is when its value is stored as it is, else None.

        The target is worked out between the arguments and the call itself then.
        """
        called = node.rvalue
        while isinstance(called, c_ast.Cast):
            called = called.expr
        if not isinstance(called, c_ast.FuncCall):
            return None
        wanted = self.type_of(node.lvalue)
        right = node.rvalue
        while True:
            given = self.type_of(right)
            pointers = isinstance(given, PointerType) and isinstance(wanted, PointerType)
            if given != wanted and not pointers:
                return None
            if right is called:
                return called
            right = right.expr

    def step(self, node: Any, nested: bool, semicolon: bool = False) -> Expression:
        """Emit `++` or `--`; the expression's value is returned."""
        target = self.place(node.expr)
        before: Expression = rvalue(target)
        changed = convert(self.arithmetic(node.op[-1], before, Constant(1, INT)), target.type)
        if nested and node.op.startswith("p"):
            kept = self.temporary(target.type)
            self.emit(Assign(self.location("fixed", node.coord), kept, before))
            self.emit(Assign(self.location("fixed", node.coord), target, changed))
            return Load(kept)
        location = self.location("fixed" if nested else "assignment", node.coord, semicolon=semicolon)
        self.emit(Assign(location, target, changed))
        return rvalue(target)

    def call(self, node: Any, wanted: bool, statement: bool = False) -> VariableReference | None:
        """Emit a call; the temporary with its result, None when it is not wanted."""
        if not isinstance(node.name, c_ast.ID) or self.lookup(node.name.name) is not None:
            raise Unmodelled("call through a pointer")
        name = node.name.name
        arguments = list(node.args.exprs) if node.args is not None else []
        signature = self.signatures.get(name)
        if signature is not None and signature.defined:
            types = signature.parameters or ()
            if len(arguments) < len(types):
                raise Unmodelled(f"call of {name} with fewer arguments than it takes")
            return self._own_call(node, signature.result, types, wanted, statement, True)
        if name in ALLOCATION and len(ALLOCATION[name][1]) == len(arguments):
            result, types = ALLOCATION[name]
            return self._own_call(node, result, types, wanted, statement, name == "free")
        return self._library_call(node, name, arguments, signature, wanted)

    def _own_call(
        self,
        node: Any,
        result_type: CType,
        types: tuple[CType, ...],
        wanted: bool,
        statement: bool,
        editable: bool,
    ) -> VariableReference | None:
        arguments = list(node.args.exprs) if node.args is not None else []
        passed: list[Expression] = []
        for argument in reversed(arguments[len(types) :]):
            self.effect(argument)
        for argument, ctype in reversed(list(zip(arguments, types))):
            value = convert(self.value(argument), ctype)
            variable = self.temporary(ctype)
            location = self.location("argument" if editable else "fixed", argument.coord)
            self.emit(Assign(location, variable, value))
            passed.insert(0, Load(variable))
        self._arguments_are_there(node)
        result = None
        if wanted:
            if isinstance(result_type, VoidType):
                raise Unmodelled("value of a void function")
            result = self.temporary(result_type)
        dropped = statement and not wanted and isinstance(result_type, (IntType, PointerType))
        kept = self.temporary(result_type) if dropped else result
        location = self.location("call" if statement else "fixed", node.coord, semicolon=statement)
        self.emit(Call(location, self._key(node.name.name), tuple(passed), kept))
        if dropped and self.editable(node.coord):
            self.gap("result", node.coord)
        return result

    def _key(self, name: str) -> str:
        """The program's name of a function that is called."""
        signature = self.signatures.get(name)
        return signature.key or name if signature is not None else name

    def _library_call(
        self, node: Any, name: str, arguments: list[Any], signature: Signature | None, wanted: bool
    ) -> VariableReference | None:
        result_type = signature.result if signature is not None else INT
        if wanted and isinstance(result_type, VoidType):
            raise Unmodelled("value of a void function")
        types = signature.parameters if signature is not None else None
        passed = None
        if name not in MODELLED:
            passed = self._looked_at(name, arguments)
        elif types is not None and len(types) == len(arguments):
            passed = self._passed(arguments, types)
        if passed is None:
            for argument in reversed(arguments):
                if self.syntax.effects(argument):
                    self.effect(argument)
        self._arguments_are_there(node)
        result = self.temporary(result_type) if wanted else None
        location = self.location("fixed", node.coord)
        if passed is not None:
            self.emit(Library(location, name, passed, result))
        reason = "inline assembly" if name.startswith("__wolverine") else f"call of {name}"
        self.library_call(location, reason, () if result is None else (result,), _is_inline(name, arguments))
        return result

    def _arguments_are_there(self, call: Any) -> None:
        """Lower what comes between the arguments of a call and the call."""
        between = self._between.pop(id(call), None)
        if between is not None:
            between()

    def _looked_at(self, name: str, arguments: list[Any]) -> tuple[Expression, ...] | None:
        """What a call that the process carries out reads before: a null pointer crashes there.

        None where the arguments say nothing, or are not modelled.
        """
        if name.startswith("__") or not arguments:
            return None
        given = list(arguments)
        stream = STREAMS.get(name, len(given))
        if stream < len(given) and isinstance(given[stream], c_ast.ID):
            given[stream] = c_ast.Constant("int", "0", given[stream].coord)  # type: ignore[no-untyped-call]
        mark = self.mark()
        passed = self._passed(given, ())
        if passed is not None and not all(is_scalar(value.type) for value in passed):
            self.take_back(mark)
            return None
        return passed

    def _passed(self, arguments: list[Any], types: tuple[CType, ...]) -> tuple[Expression, ...] | None:
        """The values of a library call's arguments, None (and nothing emitted) when one is not modelled.

        They are converted to `types`, as far as these go.
        """
        mark = self.mark()
        passed: list[Expression] = []
        try:
            for index in range(len(arguments) - 1, -1, -1):
                value = self.value(arguments[index])
                wanted = types[index] if index < len(types) else value.type
                if not (isinstance(value.type, PointerType) and isinstance(wanted, PointerType)):
                    value = convert(value, wanted)
                if any(self.syntax.clobbers(earlier) for earlier in arguments[:index]):
                    value = self.hoist(value, arguments[index])
                passed.insert(0, value)
        except Unmodelled:
            self.take_back(mark)
            return None
        return tuple(passed)


def _is_inline(name: str, arguments: list[Any]) -> bool:
    """Whether gcc puts code in the place of the call."""
    if name.startswith(("__builtin_", "__wolverine")) or name in ("abs", "labs", "llabs"):
        return True
    given = {"strlen": 0, "strcpy": 1}.get(name)
    if given is None or given >= len(arguments):
        return False
    known = arguments[given]
    return isinstance(known, c_ast.Constant) and known.type == "string"
