"""Lowering what has side effects: assignments, steps and calls."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from wolverine.core.expressions import (
    Binary,
    Constant,
    Dereference,
    Expression,
    Load,
    LValue,
    StringLiteral,
    VariableReference,
)
from wolverine.core.parts import against_zero
from wolverine.core.program import POINTED, Assign, Branch, Call, Jump, Library, LocationKind
from wolverine.core.types import (
    CHAR,
    INT,
    SIZE,
    VOID,
    VOID_POINTER,
    ArrayType,
    CType,
    FunctionType,
    IntType,
    PointerType,
    StructReference,
    VoidType,
    is_scalar,
)
from wolverine.frontend.conversions import convert, rvalue, same_representation
from wolverine.frontend.declared import Unmodelled
from wolverine.frontend.places import Places, Signature
from wolverine.semantics.allocation import FRESH, MAKING
from wolverine.semantics.library import MODELLED
from wolverine.semantics.printing import STREAMS as WRITTEN_TO
from wolverine.semantics.scanning import MADE_UP
from wolverine.semantics.scanning import STREAMS as READ_FROM

ALLOCATION: dict[str, tuple[CType, tuple[CType, ...]]] = {
    "malloc": (VOID_POINTER, (SIZE,)),
    "calloc": (VOID_POINTER, (SIZE, SIZE)),
    "realloc": (VOID_POINTER, (VOID_POINTER, SIZE)),
    "free": (VOID, (VOID_POINTER,)),
}

_FREE = Signature(*ALLOCATION["free"])  # pointers to it are handed to who destroys what nodes carry
_STREAMS = {**WRITTEN_TO, **READ_FROM}  # which argument is a stream
_COPYING = frozenset(("memcpy", "memmove"))  # what they are given may well begin elsewhere


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
            return self._pointed_call(node, wanted)
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
        passed = self._arguments(node, types, editable)
        result = None
        if wanted:
            if isinstance(result_type, VoidType):
                raise Unmodelled("value of a void function")
            result = self.temporary(result_type)
        dropped = statement and not wanted and isinstance(result_type, (IntType, PointerType))
        kept = self.temporary(result_type) if dropped else result
        name = self._key(node.name.name)
        location = self.location(self._call_kind(node.name.name, statement), node.coord, semicolon=statement)
        self.emit(Call(location, name, tuple(passed), kept))
        if dropped and self.editable(node.coord):
            self.gap("result", node.coord)
        return result

    def _call_kind(self, name: str, statement: bool) -> LocationKind:
        """What may be edited of a call of that function."""
        if statement:
            return "call"
        if name in FRESH:
            return "allocation"
        called = self.signatures.get(name)
        if called is None or not called.defined:
            return "fixed"
        alike = (
            each
            for other, each in self.signatures.items()
            if other != name and each.defined and each.parameters == called.parameters
        )
        return "callee" if any(each.result == called.result for each in alike) else "fixed"

    def _arguments(self, node: Any, types: tuple[CType, ...], editable: bool) -> list[Expression]:
        """Emit the arguments of a call, each into a temporary of its parameter's type."""
        arguments = list(node.args.exprs) if node.args is not None else []
        passed: list[Expression] = []
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        for argument in reversed(arguments[len(types) :]):
            self.effect(argument)
        for argument, ctype in reversed(list(zip(arguments, types))):
            value = convert(self.value(argument), ctype)
            variable = self.temporary(ctype)
            open_ = editable or (ctype == SIZE and name in MAKING and self._measures(argument))
            location = self.location("argument" if open_ else "fixed", argument.coord)
            self.emit(Assign(location, variable, value))
            passed.insert(0, Load(variable))
        self._arguments_are_there(node)
        return passed

    def _measures(self, argument: Any) -> bool:
        """Whether how much is allocated may be wrong: anything but the size of a struct."""
        if not (isinstance(argument, c_ast.UnaryOp) and argument.op == "sizeof"):
            return True
        known = isinstance(argument.expr, c_ast.Typename)
        measured = self.table.resolve(argument.expr) if known else self.type_of(argument.expr)
        return not isinstance(measured, StructReference)

    def _pointed_call(self, node: Any, wanted: bool) -> VariableReference | None:
        """A call through a pointer: of that function of the program to which it leads."""
        pointer = node.name
        while (
            isinstance(pointer, c_ast.UnaryOp) and pointer.op == "*" and _called(self.type_of(pointer.expr))
        ):
            pointer = pointer.expr
        signature = _called(self.type_of(pointer))
        count = len(node.args.exprs) if node.args is not None else 0
        if signature is None or signature.result is None:
            raise Unmodelled(POINTED)
        further = count - len(signature.parameters or ())
        if further < 0 or (further and not signature.variadic):
            raise Unmodelled(POINTED)
        alike = {
            key: each.parameters or ()
            for key, each in {"free": _FREE, **self.callable}.items()
            if each.variadic == signature.variadic and _compatible(each, signature)
        }
        if not alike or (wanted and isinstance(signature.result, VoidType)):
            raise Unmodelled(POINTED)
        through = self.temporary(PointerType(signature))
        led = self.value(pointer)
        self.emit(Assign(self.location("fixed", pointer.coord), through, led))
        passed = self._arguments(node, signature.parameters or (), True)
        result = None if isinstance(signature.result, VoidType) else self.temporary(signature.result)
        location = self.location("fixed", node.coord)
        end, null, leads = self.label(), self.label(), self.label()
        self.emit(Branch(location, against_zero("==", through), null, leads))
        self.put(null)  # a read of where it leads crashes as the call does
        code = Dereference(convert(led, PointerType(CHAR)), CHAR)
        self.emit(Assign(location, self.temporary(CHAR), Load(code)))
        self.put(leads)
        with self.alternatives():
            for key, types in alike.items():
                here, onward = self.label(), self.label()
                function = StringLiteral(key, through.type)
                self.emit(Branch(location, Binary("==", Load(through), function, INT), here, onward))
                self.put(here)
                given = tuple(convert(value, ctype) for value, ctype in zip(passed, types))
                self.emit(Call(location, key, given, result))
                self.emit(Jump(-1, end), unit=False)
                self.put(onward)
            self.library_call(location, POINTED, () if result is None else (result,), False)
        self.put(end)
        return result if wanted else None

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
        passed = None
        if name not in MODELLED:
            passed = self._looked_at(name, arguments)
        elif signature is not None and signature.takes(len(arguments)):
            passed = self._scalars(arguments, signature.parameters or (), editable=name in _COPYING)
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
        if name.startswith("__") or (not arguments and name not in MADE_UP):
            return None
        given = list(arguments)
        stream = _STREAMS.get(name, len(given))
        if stream < len(given) and isinstance(given[stream], c_ast.ID):
            given[stream] = c_ast.Constant("int", "0")  # type: ignore[no-untyped-call]
        return self._scalars(given, ())

    def _scalars(
        self, arguments: list[Any], types: tuple[CType, ...], *, editable: bool = False
    ) -> tuple[Expression, ...] | None:
        """The values of arguments as `_passed`, None where one is no scalar."""
        mark = self.mark()
        passed = self._passed(arguments, types, editable=editable)
        if passed is not None and not all(is_scalar(value.type) for value in passed):
            self.take_back(mark)
            return None
        return passed

    def _passed(
        self, arguments: list[Any], types: tuple[CType, ...], *, editable: bool = False
    ) -> tuple[Expression, ...] | None:
        """The values of a library call's arguments, None (and nothing emitted) when one is not modelled.

        They are converted to `types`, as far as these go.  With `editable` those that are no constants may
        change.
        """
        mark = self.mark()
        passed: list[Expression] = []
        try:
            for index in range(len(arguments) - 1, -1, -1):
                value = self.value(arguments[index])
                wanted = types[index] if index < len(types) else value.type
                if not (isinstance(value.type, PointerType) and isinstance(wanted, PointerType)):
                    value = convert(value, wanted)
                if editable and is_scalar(value.type) and not isinstance(value, Constant | StringLiteral):
                    value = self.read_now(value, arguments[index])
                elif any(self.syntax.clobbers(earlier) for earlier in arguments[:index]):
                    value = self.hoist(value, arguments[index])
                passed.insert(0, value)
        except Unmodelled:
            self.take_back(mark)
            return None
        return tuple(passed)


def _called(ctype: CType) -> FunctionType | None:
    """The function that a pointer of that type leads to."""
    target = ctype.target if isinstance(ctype, PointerType) else None
    return target if isinstance(target, FunctionType) else None


def _compatible(function: Signature, wanted: FunctionType) -> bool:
    """Whether a function can be called as one of that type; pointers stand for each other."""
    given = (function.result, *(function.parameters or ()))
    asked = (wanted.result or VOID, *(wanted.parameters or ()))
    return len(given) == len(asked) and all(
        same_representation(one, two) or (isinstance(one, PointerType) and isinstance(two, PointerType))
        for one, two in zip(given, asked)
    )


def _is_inline(name: str, arguments: list[Any]) -> bool:
    """Whether gcc puts code in the place of the call."""
    if name.startswith(("__builtin_", "__wolverine")) or name in ("abs", "labs", "llabs"):
        return True
    given = {"strlen": 0, "strcpy": 1}.get(name)
    if given is None or given >= len(arguments):
        return False
    known = arguments[given]
    return isinstance(known, c_ast.Constant) and known.type == "string"
