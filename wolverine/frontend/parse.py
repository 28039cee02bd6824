"""Parsing with pycparser, item by item, with the exact tokens of every expression and statement.

The parser is given one token per line, so that a coordinate's line is a token's number; expressions,
statements and declarators get an `Extent` in place of the coordinate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from sys import getrecursionlimit, setrecursionlimit
from typing import Any, ClassVar, NamedTuple

from pycparser import c_ast
from pycparser.c_lexer import CLexer, Token
from pycparser.c_parser import CParser, ParseError

from wolverine.errors import SourceError
from wolverine.frontend.items import Items

_FAILURES = (ParseError, ValueError, AssertionError, RecursionError, KeyError, AttributeError, TypeError)


class Extent(NamedTuple):
    """Tokens `start` to `end` (exclusive) of an item list."""

    start: int
    end: int


@dataclass(frozen=True)
class Parsed:
    """What one item gave: nodes, or the reason why a function (`head` alone) could not be read."""

    nodes: tuple[Any, ...]
    extent: Extent
    own: bool
    failure: str = ""


@dataclass
class TranslationUnit:
    """A parsed translation unit."""

    items: Items
    parsed: list[Parsed] = field(default_factory=list)
    failures: list[tuple[int, str]] = field(default_factory=list)


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Room for deeply nested sources while they are parsed and lowered."""
    limit = getrecursionlimit()
    setrecursionlimit(max(limit, 40_000))
    try:
        yield
    finally:
        setrecursionlimit(limit)


class _Lexer:
    """Hands pycparser ready-made tokens, numbered from line 1, one for each word."""

    _known: ClassVar[dict[str, Any]] = {}

    def __init__(self, error_func: Any, **options: Any) -> None:
        self._words: Sequence[str] = ()
        self._index = 0
        self.filename = ""

    def take(self, words: Sequence[str]) -> None:
        """Begin with these words."""
        self._words = words
        self._index = 0

    def token(self) -> Any:
        """The next token, None at the end."""
        if self._index >= len(self._words):
            return None
        word = self._words[self._index]
        self._index += 1
        model = self._known.get(word)
        if model is None:
            model = self._known[word] = _classified(word)
        return Token(model.type, model.value, self._index, 1, "")


class _IllegalWord(Exception):  # noqa: N818 - a signal from pycparser's lexer
    """The word is no token of C."""


def _refuse(message: str, line: int, column: int) -> None:
    raise _IllegalWord(message)


def _classified(word: str) -> Any:
    """pycparser's token for a word; of a kind that fits nowhere when it is none."""
    lexer = CLexer(_refuse)
    lexer.input(word.replace("\\\n", ""))
    try:
        token = lexer.token()
        if token is not None and lexer.token() is None:
            return token
    except _IllegalWord:
        pass
    return Token("ILLEGAL", word, 1, 1, "")


class _Parser(CParser):
    """pycparser with extents; tokens are numbered from 0 by their line."""

    clex: Any

    def __init__(self) -> None:
        super().__init__(lexer=_Lexer)  # type: ignore[arg-type]

    def _begin(self, words: Sequence[str], type_names: Iterable[str]) -> None:
        self._scope_stack = [dict.fromkeys(type_names, True)]
        self._typedef_checked_token = None
        self.clex.take(words)
        self._tokens = type(self._tokens)(self.clex.token)

    def _covered(self, node: Any, start: int) -> Any:
        if node is None:
            return None
        node.coord = Extent(start, self._mark())
        # The inner nodes of `a + b + c` are made in a loop and carry the extent of their left side.
        inner: Any = node.left if isinstance(node, c_ast.BinaryOp) else None
        while isinstance(inner, c_ast.BinaryOp):
            left, right = _extent(inner), _extent(inner.right)
            if left.end >= right.end:
                break
            inner.coord = Extent(left.start, right.end)
            inner = inner.left
        return node

    def _parse_binary_expression(self, min_prec: int = 0, lhs: Any = None) -> Any:
        start = self._mark() if lhs is None else lhs.coord.start
        return self._covered(super()._parse_binary_expression(min_prec, lhs), start)

    def _parse_initializer(self) -> Any:
        start = self._mark()
        return self._covered(super()._parse_initializer(), start)

    def _parse_assignment_expression(self) -> Any:
        start = self._mark()
        return self._covered(super()._parse_assignment_expression(), start)

    def _parse_conditional_expression(self) -> Any:
        start = self._mark()
        return self._covered(super()._parse_conditional_expression(), start)

    def _parse_expression(self) -> Any:
        start = self._mark()
        return self._covered(super()._parse_expression(), start)

    def _parse_cast_expression(self) -> Any:
        start = self._mark()
        return self._covered(super()._parse_cast_expression(), start)

    def _parse_postfix_expression(self) -> Any:
        start = self._mark()
        node = self._covered(super()._parse_postfix_expression(), start)
        # The inner nodes of `f(a)->b[c]` are made in a loop, too.
        inner = _before_last(node)
        while inner is not None and isinstance(inner[0].coord, Extent) and inner[0].coord.end < inner[1]:
            inner[0].coord = Extent(start, inner[1])
            inner = _before_last(inner[0])
        return node

    def _parse_primary_expression(self) -> Any:
        start = self._mark()
        node = super()._parse_primary_expression()
        # `offsetof` is a constant, no call; any other call is primary in parentheses only.
        if isinstance(node, c_ast.FuncCall) and getattr(node.name, "name", "") == "offsetof":
            node = c_ast.UnaryOp("offsetof", node.args)  # type: ignore[no-untyped-call]
        return self._covered(node, start)

    def _parse_statement(self) -> Any:
        start = self._mark()
        return self._covered(super()._parse_statement(), start)

    def _parse_compound_statement(self, **options: Any) -> Any:
        start = self._mark()
        return self._covered(super()._parse_compound_statement(**options), start)

    def _parse_declaration(self) -> Any:
        start = self._mark()
        declarations: list[Any] = super()._parse_declaration()
        end = self._mark()
        for declaration in declarations:
            if not isinstance(declaration.coord, Extent):
                declaration.coord = Extent(start, end)
        return declarations

    def _parse_type_name(self) -> Any:
        start = self._mark()
        return self._covered(super()._parse_type_name(), start)

    def run(self, items: Items) -> TranslationUnit:
        """Parse all items; a failing one is skipped and noted."""
        unit = TranslationUnit(items)
        self._begin([token.text for token in items.tokens], items.operands)
        for item in items.items:
            if self._mark() > item.start:
                continue
            self._skip_to(item.start)
            try:
                nodes: list[Any] = []
                while self._mark() < item.end:
                    nodes.extend(self._parse_external_declaration())
                unit.parsed.append(Parsed(tuple(nodes), Extent(item.start, item.end), item.own))
            except (
                ParseError,
                ValueError,
                AssertionError,
                RecursionError,
                KeyError,
                AttributeError,
            ) as error:
                self._recover()
                reason = _reason(error, items)
                head = self._head_only(item.start, item.end)
                unit.parsed.append(Parsed(head, Extent(item.start, item.end), item.own, reason))
                unit.failures.append((item.start, reason))
                self._recover()
                self._skip_to(item.end)
        return unit

    def expression(self, words: Sequence[str], type_names: Iterable[str]) -> Any:
        """Parse one expression.  Raises ParseError."""
        self._begin(words, type_names)
        node = self._parse_expression()
        if self._mark() != len(words):
            raise ParseError(f"before: {words[self._mark()]}")
        return node

    def _recover(self) -> None:
        del self._scope_stack[1:]
        self._typedef_checked_token = None

    def _skip_to(self, index: int) -> None:
        if self._mark() > index:
            self._reset(index)
        while self._mark() < index and self._tokens.next() is not None:
            pass

    def _head_only(self, start: int, end: int) -> tuple[Any, ...]:
        """A function definition without its body, when the item is one."""
        if self._tokens.mark() < end:
            self._skip_to(end)
        self._reset(start)
        try:
            spec, _, _ = self._parse_declaration_specifiers(allow_no_type=True)
            declarator = self._parse_id_declarator()
            if not isinstance(declarator, c_ast.FuncDecl):
                return ()
            if not spec["type"]:
                spec["type"] = [c_ast.IdentifierType(["int"])]  # type: ignore[no-untyped-call]
            parameters = self._parse_declaration_list() if self._starts_declaration() else None
            if self._peek_type() != "LBRACE":
                return ()
            body = c_ast.Compound([], Extent(self._mark(), end))  # type: ignore[no-untyped-call]
            return (self._build_function_definition(spec, declarator, parameters, body),)
        except _FAILURES:
            return ()


def _before_last(node: Any) -> tuple[Any, int] | None:
    """What stands before the last operator of a postfix expression, and where that ends."""
    match node:
        case c_ast.FuncCall():
            end = _extent(node.args.exprs[0]).start - 1 if node.args is not None else _extent(node).end - 2
            return node.name, end
        case c_ast.ArrayRef():
            return node.name, _extent(node.subscript).start - 1
        case c_ast.StructRef():
            return node.name, _extent(node).end - 2
        case c_ast.UnaryOp() if node.op in ("p++", "p--"):
            return node.expr, _extent(node).end - 1
    return None


def _extent(node: Any) -> Extent:
    extent = node.coord
    assert isinstance(extent, Extent)
    return extent


def _reason(error: Exception, items: Items) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return f"not understood: {str(error).rpartition(': ')[2].strip() or type(error).__name__}"


def parse(items: Items) -> TranslationUnit:
    """Parse the items of a translation unit; never raises for what the program says."""
    with deep_recursion():
        return _Parser().run(items)


def parse_expression_words(words: Sequence[str], type_names: Iterable[str]) -> Any:
    """The syntax of an expression given as tokens; its extents count in them.  Raises SourceError."""
    try:
        with deep_recursion():
            return _Parser().expression(words, type_names)
    except _FAILURES as error:
        raise SourceError(f"not an expression: {' '.join(words)}") from error
