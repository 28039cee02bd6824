"""Expressions as C text again: parsed in the scope of a place, compared with what was meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Cast,
    Conditional,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    Unary,
    VariableReference,
    source_name,
)
from wolverine.core.program import Program
from wolverine.core.types import INT, VOID_POINTER, PointerType
from wolverine.errors import SourceError
from wolverine.frontend.arguments import used
from wolverine.frontend.builder import Scope
from wolverine.frontend.context import Context, LoadedProgram
from wolverine.frontend.declared import Unmodelled
from wolverine.frontend.effects import Effects
from wolverine.frontend.parse import Extent, parse_expression_words
from wolverine.frontend.places import classifying
from wolverine.frontend.preprocess import SourceMap
from wolverine.frontend.tokens import Token, lex
from wolverine.frontend.values import Values


def parse_expression(
    program: Program, function: str, text: str, scope: Sequence[VariableReference] | None = None
) -> Expression:
    """A C expression without side effects, in the scope of a function.

    `scope` are the variables in view, innermost first (default: all of the function and the globals).
    Macros are understood as far as the program uses them.  Raises SourceError.
    """
    if not isinstance(program, LoadedProgram) or function not in program.contexts:
        raise SourceError(f"there is no function {function} that was read from source")
    context = program.contexts[function]
    if scope is None:
        known = program.functions[function]
        scope = (*known.locals, *known.parameters, *context.globals.values())
    words = _expanded(_words(text), context)
    if not words:
        raise SourceError("an expression is missing")
    node = parse_expression_words(words, context.table.typedefs)
    lowering = _Plain(function, words, context, Effects(node, classifying(context.signatures)))
    lowering.scopes.append(Scope(_by_source_name(scope)))
    if lowering.syntax.effects(node):
        raise SourceError(f"{text} has side effects")
    try:
        return lowering.value(node)
    except Unmodelled as unmodelled:
        raise SourceError(f"{text}: {unmodelled}") from None


class _Plain(Values):
    """Lowering of words that stand in no file: their text is themselves."""

    def __init__(self, function: str, words: Sequence[str], context: Context, effects: Effects) -> None:
        tokens = [Token(word) for word in words]
        super().__init__(function, tokens, SourceMap(), context.table, context.signatures, effects)
        self.words = words

    def editable(self, extent: Extent) -> bool:
        """All words are whole."""
        return extent.start < extent.end

    def source_text(self, extent: Extent) -> str:
        """The words joined."""
        return " ".join(self.words[extent.start : extent.end])


def _words(text: str) -> list[str]:
    latin = text.encode("utf-8", "surrogateescape").decode("latin-1")
    return [latin[lexeme.start : lexeme.end] for lexeme in lex(latin).lexemes]


def _expanded(words: Sequence[str], context: Context) -> list[str]:
    """Macro uses that occur in the program replaced by what they stand for there."""
    longest = max((len(use) for use in context.macros), default=0)
    result: list[str] = []
    index = 0
    while index < len(words):
        for length in range(min(longest, len(words) - index), 0, -1):
            expansion = context.macros.get(tuple(words[index : index + length]))
            if expansion is not None:
                result.extend(expansion)
                index += length
                break
        else:
            made = used(words[index:], context.templates)
            if made is not None:
                body, given, length = made
                arguments = [_expanded(each, context) for each in given]
                for each in body:
                    result.extend([each] if isinstance(each, str) else arguments[each])
                index += length
                continue
            result.append(words[index])
            index += 1
    return result


def _by_source_name(scope: Sequence[VariableReference]) -> dict[str, VariableReference]:
    result: dict[str, VariableReference] = {}
    for variable in scope:
        result.setdefault(source_name(variable.name), variable)
    return result


def normal(expression: Expression) -> Expression:
    """The expression without spelling: constants without text, no implicit conversions."""
    match expression:
        case Constant(value, ctype):
            return Constant(value, VOID_POINTER if isinstance(ctype, PointerType) else INT)
        case Load(place):
            return Load(_normal_place(place))
        case AddressOf(place, ctype):
            return AddressOf(_normal_place(place), ctype)
        case Cast(operand, _, ""):
            return normal(operand)
        case Unary() | Cast():
            return replace(expression, operand=normal(expression.operand))
        case Binary() | Logical():
            return replace(expression, left=normal(expression.left), right=normal(expression.right))
        case Conditional(condition, then, otherwise):
            return replace(
                expression, condition=normal(condition), then=normal(then), otherwise=normal(otherwise)
            )
        case _:
            return expression


def _normal_place(place: LValue) -> LValue:
    match place:
        case Dereference(pointer, ctype):
            return Dereference(normal(pointer), ctype)
        case Member(base, name, offset, ctype):
            return Member(_normal_place(base), name, offset, ctype)
        case Element(base, index, ctype):
            return Element(_normal_place(base), normal(index), ctype)
        case _:
            return place
