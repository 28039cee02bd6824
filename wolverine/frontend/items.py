"""Preprocessed tokens made digestible: GNU extensions taken out, headers pruned, items split.

An *item* is a declaration or function definition at file scope.  Header items that the program does
not name are dropped, since parsing them would cost many times more than the program itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from wolverine.frontend.tokens import Token

_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*\Z", re.ASCII)
_DROPPED = frozenset(
    (
        "__extension__", "__restrict", "__restrict__", "__inline", "__inline__", "__thread",
        "_Thread_local", "__noreturn__",
    )
)  # fmt: skip
_RENAMED = {
    "__const": "const", "__const__": "const", "__volatile": "volatile", "__volatile__": "volatile",
    "__signed": "signed", "__signed__": "signed", "__alignof__": "_Alignof", "__alignof": "_Alignof",
    "__float128": "long double", "_Float128": "long double", "_Float64x": "long double",
    "_Float64": "double", "_Float32x": "double", "_Float32": "float", "__int128": "long long",
    "__builtin_offsetof": "offsetof", "__typeof__": "typeof", "__typeof": "typeof",
}  # fmt: skip
_WITH_PARENTHESES = ("__attribute__", "__attribute", "__declspec")
_ASSEMBLY = ("asm", "__asm__", "__asm")
_TYPE_WORDS = frozenset(
    (
        "void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool",
        "struct", "union", "enum", "const", "volatile", "static", "extern", "inline", "register",
        "typedef", "auto", "_Noreturn", "_Complex", "_Atomic", "typeof", "_Alignas",
    )
)  # fmt: skip
_PRELUDE = (
    "typedef struct __va_list_tag { unsigned int gp_offset ; unsigned int fp_offset ; "
    "void * overflow_arg_area ; void * reg_save_area ; } __builtin_va_list [ 1 ] ;"
)
TYPEOF = "__typeof_"  # and a number: what stands for a `typeof (X)`
ASSEMBLY_CALL = "__wolverine_assembly"


@dataclass(frozen=True)
class Item:
    """Tokens `start` to `end` of the cleaned list; `own` when a source file holds them."""

    start: int
    end: int
    own: bool


@dataclass(frozen=True)
class Items:
    """The cleaned tokens and the items that they form, in order.

    Each `typeof (X)` is one token, a type name of its own; `operands` are the words of X by that name.
    """

    tokens: tuple[Token, ...]
    items: tuple[Item, ...]
    operands: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Heading:
    """What comes before the tokens of a program: those of system headers, cleaned and split.

    `declared` are the items, by number, that declare a name.
    """

    tokens: tuple[Token, ...]
    items: tuple[Item, ...]
    operands: Mapping[str, tuple[str, ...]]
    declared: Mapping[str, Sequence[int]]


def is_identifier(text: str) -> bool:
    """Whether the token is a name or keyword."""
    return _IDENTIFIER.match(text) is not None


def begin(tokens: Sequence[Token]) -> Heading | None:
    """The heading of these tokens; None where what follows may belong to their last item."""
    heading = _heading(tokens)
    last = heading.items[-1]
    closed = not tokens or tokens[-1].text in (";", "}")
    return heading if closed and _item_end([*heading.tokens, Token(";")], last.start) == last.end else None


def _heading(tokens: Sequence[Token]) -> Heading:
    operands: dict[str, tuple[str, ...]] = {}
    prelude = [Token(word) for word in _PRELUDE.split(" ")]
    cleaned = list(_folded([*prelude, *_clean(tokens)], operands))
    items = list(_split(cleaned, 0))
    return Heading(tuple(cleaned), tuple(items), operands, _declarations(cleaned, items, 0))


def prepare(tokens: Sequence[Token], heading: Heading) -> Items:
    """Clean, split, prune and complete the tokens of a translation unit, of which the heading is known."""
    operands = dict(heading.operands)
    cleaned = [*heading.tokens, *_folded(list(_clean(tokens)), operands)]
    items = [*heading.items, *_split(cleaned, len(heading.tokens))]
    kept = _prune(cleaned, items, heading)
    result: list[Token] = []
    final: list[Item] = []
    for item in kept:
        start = len(result)
        if _lacks_type(cleaned, item):
            result.append(Token("int"))
        result.extend(cleaned[item.start : item.end])
        final.append(Item(start, len(result), item.own))
    return Items(tuple(result), tuple(final), operands)


def _clean(tokens: Sequence[Token]) -> Iterator[Token]:
    index = 0
    depth = 0
    while index < len(tokens):
        token = tokens[index]
        text = token.text
        if text in _WITH_PARENTHESES:
            index = _skip_parentheses(tokens, index + 1)
            continue
        if text in _ASSEMBLY:
            after = index + 1
            while after < len(tokens) and tokens[after].text in (
                "volatile", "__volatile__", "__volatile", "goto", "inline"
            ):  # fmt: skip
                after += 1
            closing = _skip_parentheses(tokens, after)
            if depth > 0 and index and tokens[index - 1].text in ("{", "}", ";", ":", ")"):
                yield from (token._replace(text=word) for word in (ASSEMBLY_CALL, "(", ")"))
            index = closing
            continue
        index += 1
        if text in _DROPPED:
            continue
        depth += (text == "{") - (text == "}")
        renamed = _RENAMED.get(text)
        if renamed is not None:
            yield from (token._replace(text=word) for word in renamed.split(" "))
        else:
            yield token


def _folded(tokens: Sequence[Token], operands: dict[str, tuple[str, ...]]) -> Iterator[Token]:
    """The tokens with each `typeof (X)` as one; the operands are added."""
    index = 0
    while index < len(tokens):
        token = tokens[index]
        index += 1
        behind = _skip_parentheses(tokens, index) if token.text == "typeof" else index
        if behind > index:
            words = tuple(inner.text for inner in _folded(tokens[index + 1 : behind - 1], operands))
            last = tokens[behind - 1]
            name = f"{TYPEOF}{len(operands) + 1}"
            operands[name] = words
            token = token._replace(text=name, end=last.end if last.file == token.file else token.end)
            index = behind
        yield token


def _skip_parentheses(tokens: Sequence[Token], index: int) -> int:
    if index >= len(tokens) or tokens[index].text != "(":
        return index
    depth = 0
    while index < len(tokens):
        text = tokens[index].text
        depth += (text == "(") - (text == ")")
        index += 1
        if depth == 0:
            break
    return index


def _split(tokens: Sequence[Token], start: int) -> Iterator[Item]:
    while start < len(tokens):
        end = _item_end(tokens, start)
        own = any(token.file >= 0 for token in tokens[start:end])
        yield Item(start, end, own)
        start = end


def _item_end(tokens: Sequence[Token], start: int) -> int:
    """Just behind the item that begins at `start`."""
    depth = 0
    index = start
    assigned = body = old_style = False
    while index < len(tokens):
        text = tokens[index].text
        if text in "([{" and len(text) == 1:
            if text == "{" and depth == 0 and not assigned:
                body = tokens[index - 1].text == ")" or old_style
            depth += 1
        elif text in ")]}" and len(text) == 1:
            depth -= 1
            if depth <= 0 and text == "}" and body:
                return index + 1
            if depth == 0 and text == ")" and not assigned and not old_style and index + 1 < len(tokens):
                old_style = _old_style_follows(tokens, start, index)
        elif depth == 0 and text == "=":
            assigned = True
        elif depth == 0 and text == ";" and not old_style:
            return index + 1
        index += 1
    return index


def _old_style_follows(tokens: Sequence[Token], start: int, closing: int) -> bool:
    """Whether a `name(a, b)` that closes here is followed by parameter declarations (K&R)."""
    follower = tokens[closing + 1].text
    if not is_identifier(follower) or follower in _ASSEMBLY:
        return False
    index = closing - 1
    while index > start and tokens[index].text != "(":
        if tokens[index].text != "," and not is_identifier(tokens[index].text):
            return False
        index -= 1
    return index > start and index < closing - 1 and is_identifier(tokens[index - 1].text)


def _lacks_type(tokens: Sequence[Token], item: Item) -> bool:
    """Whether the item is `name(...)` without a type before it: int is meant."""
    return (
        item.own
        and item.end - item.start > 3
        and is_identifier(tokens[item.start].text)
        and tokens[item.start].text not in _TYPE_WORDS
        and tokens[item.start].text not in ("_Static_assert", "typeof")
        and tokens[item.start + 1].text == "("
    )


def _declarations(tokens: Sequence[Token], items: Sequence[Item], first: int) -> dict[str, list[int]]:
    """The items of headers that declare a name, from number `first` on."""
    declared: dict[str, list[int]] = {}
    for number in range(first, len(items)):
        if not items[number].own:
            for name in _declared(tokens, items[number]):
                declared.setdefault(name, []).append(number)
    return declared


def _prune(tokens: Sequence[Token], items: Sequence[Item], heading: Heading) -> list[Item]:
    """The items of the program and those of headers that they lead to."""
    begun = len(heading.items)
    later = _declarations(tokens, items, begun)
    keep = {number for number in range(begun, len(items)) if items[number].own}
    work = [*keep, *heading.declared["__builtin_va_list"]]
    seen: set[str] = set()
    while work:
        number = work.pop()
        keep.add(number)
        item = items[number]
        for index in range(item.start, item.end):
            text = tokens[index].text
            if text not in seen:
                seen.add(text)
                for other in (*heading.declared.get(text, ()), *later.get(text, ())):
                    if other not in keep:
                        keep.add(other)
                        work.append(other)
    return [items[number] for number in sorted(keep)]


def _declared(tokens: Sequence[Token], item: Item) -> Iterator[str]:
    """The names that a header item declares: types, tags, constants, functions, variables."""
    depth = 0
    braces: list[bool] = []
    for index in range(item.start, item.end):
        text = tokens[index].text
        following = tokens[index + 1].text if index + 1 < item.end else ""
        if text == "{":
            before = index - 1
            if is_identifier(tokens[before].text) and tokens[before].text not in ("enum", "struct", "union"):
                yield tokens[before].text
                before -= 1
            braces.append(tokens[before].text == "enum")
        elif text == "}":
            if braces:
                braces.pop()
        elif text in ("(", "["):
            depth += 1
        elif text in (")", "]"):
            depth -= 1
        elif is_identifier(text):
            if braces:
                if braces[-1] and tokens[index - 1].text in ("{", ","):
                    yield text
            elif (depth == 0 and following in (";", ",", "(", "[", "=")) or (
                depth == 1 and following == ")" and tokens[index - 1].text == "*"
            ):
                yield text


NO_HEADERS = _heading(())
