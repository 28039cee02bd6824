"""PLACE and VALUE as people type them, resolved against the present picture (CONTRACT "Commands")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from wolverine import draw
from wolverine.core.graph import (
    UNINITIALISED,
    External,
    MemoryGraph,
    NodeId,
    NodeState,
    ObjectId,
    Opaque,
    Place,
    Pointer,
    Uninitialised,
    Value,
    VariableId,
    Wild,
)
from wolverine.core.inside import begun
from wolverine.core.types import (
    ArrayType,
    CType,
    Field,
    FloatType,
    FunctionType,
    IntType,
    OpaqueType,
    PointerType,
    StructReference,
    VoidType,
    is_scalar,
    spell,
)
from wolverine.core.unions import is_union, read
from wolverine.errors import CommandError
from wolverine.session.visible import further_out, instead, namesakes, qualified, visible

_TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-z_]\w*(?:#\d+)?(?:::[A-Za-z_]\w*)?(?:@\d+)?)|(?P<number>0[xX][0-9a-fA-F]+|\d+)"
    r"|(?P<symbol>->|[.\[\]()*&]))"
)


@dataclass(frozen=True, slots=True)
class Resolved:
    """A place with the type of what it holds; `place` names the first byte.

    `union` is the cell that it is a part of, if that is a union; `member` is the path from there.
    """

    place: Place
    type: CType
    union: Place | None = None
    member: str = ""

    def part(self, offset: int, ctype: CType, step: str, union: bool = False) -> Resolved:
        """The part that begins so many bytes further; `union` says that this place is a union."""
        place = Place(self.place.object, self.place.offset + offset)
        within = self.union or (self.place if union else None)
        return Resolved(place, ctype, within, self.member + step if within else "")


def value_at(graph: MemoryGraph, found: Resolved) -> Value:
    """What a place holds."""
    if found.union is None or shown(graph, found):
        return graph.cells.get(found.place)
    if found.union not in graph.unions:
        return UNINITIALISED
    return read(graph, graph.unions[found.union].data, found.place.offset - found.union.offset, found.type)


def shown(graph: MemoryGraph, found: Resolved) -> bool:
    """Whether a place is a cell of the picture: in a union one of the member that is in use."""
    if found.union is None:
        return True
    return found.place in graph.cells and graph.cell_types.get(found.place) == found.type


def node_named(graph: MemoryGraph, text: str) -> NodeId | None:
    """The node called `text`, or None where no allocation has that name."""
    match = re.fullmatch(r"n([1-9]\d*)", text)
    node = NodeId(int(match[1])) if match else None
    return node if node in graph.nodes else None


def resolve_place(graph: MemoryGraph, text: str) -> Resolved:
    """The place that `text` names at this stop.

    Raises CommandError, which says what there is instead, when nothing of that name is in the picture.
    """
    return _Reader(graph, text).whole()


def resolve_node(graph: MemoryGraph, text: str) -> NodeId:
    """The node called `text`; raises CommandError naming the nodes that there are."""
    node = node_named(graph, text)
    if node is None:
        raise CommandError(f"there is no node {text}; {_nodes_here(graph)}")
    return node


def going_on(graph: MemoryGraph, text: str) -> tuple[str, ...]:
    """The fields with which a place that ends in `->` or `.`, and maybe a part of a name, may go on.

    Empty where what stands before that leads to no struct.
    """
    found = re.fullmatch(r"(.+)(->|\.)\w*", text)
    if found is None:
        return ()
    reader = _Reader(graph, found[1])
    try:
        base = reader.whole()
        if isinstance(base.type, PointerType) and found[2] == "->":
            base = reader.follow(base, "->")
    except CommandError:
        return ()
    return tuple(f"{found[1]}{found[2]}{name}" for name in reader.named(reader.fields(base.type) or ()))


def size_of_new(graph: MemoryGraph, text: str, target: Resolved) -> int:
    """The bytes of the node that `new` asks for; 0 where the text means something else.

    Raises CommandError where the place cannot lead to a node.
    """
    if text != "new" or visible(graph, text):
        return 0
    if isinstance(target.type, PointerType) and (size := graph.types.size(target.type.target)):
        return size
    raise CommandError(f"only a pointer can lead to a new node, and this holds {spell(target.type)}")


def resolve_value(graph: MemoryGraph, text: str, target: Resolved) -> Value:
    """The value that `text` means for `target`; raises CommandError where it does not fit the type."""
    value = _read_value(graph, text, target)
    if isinstance(value, Pointer) and node_named(graph, text) == value.object:
        value = _part_pointed_to(graph, text, value, target)
    require_fit(graph, text, value, target)
    return value


def _part_pointed_to(graph: MemoryGraph, text: str, value: Pointer, target: Resolved) -> Pointer:
    """The struct inside of a node that a pointer of the target's type leads to (a list threaded through)."""
    held = graph.nodes[value.object].type if isinstance(value.object, NodeId) else None
    wanted = target.type.target if isinstance(target.type, PointerType) else None
    if held is None or wanted is None or _compatible(wanted, held):
        return value
    parts = [part for part in _parts(graph, held) if part[2] == wanted]
    if len(parts) > 1:
        raise CommandError(f"{text} has several {spell(wanted)}: {', '.join(text + p[0] for p in parts)}")
    return Pointer(value.object, parts[0][1]) if parts else value


def _parts(
    graph: MemoryGraph, ctype: CType, path: str = "", offset: int = 0
) -> Iterator[tuple[str, int, CType]]:
    """The structs inside of a struct or a union: how they are named, where they begin, their types."""
    inner: tuple[Field, ...] = ()
    if isinstance(ctype, StructReference) and ctype.tag in graph.types.structs:
        inner = graph.types.structs[ctype.tag].fields
    elif isinstance(ctype, OpaqueType) and ctype.name in graph.types.unions:
        inner = graph.types.unions[ctype.name].fields
    for field in inner:
        if isinstance(field.type, StructReference):
            further = f"{path}.{field.name}" if field.name else path
            if field.name:
                yield further, offset + field.offset, field.type
            yield from _parts(graph, field.type, further, offset + field.offset)


def members_of(graph: MemoryGraph, target: Resolved) -> Iterator[Resolved]:
    """The scalar members of a union, in order; none where the place is no union."""
    if isinstance(target.type, OpaqueType) and target.type.name in graph.types.unions:
        for field in graph.types.unions[target.type.name].fields:
            if is_scalar(field.type):
                yield target.part(field.offset, field.type, f".{field.name}", union=True)


def as_node_state(text: str) -> NodeState | None:
    """`live` or `freed` where the text is one of them."""
    return "live" if text == "live" else "freed" if text == "freed" else None


def _read_value(graph: MemoryGraph, text: str, target: Resolved) -> Value:
    pointer = isinstance(target.type, PointerType)
    if text.lower() == "null":
        if isinstance(target.type, IntType | FloatType):
            held = a_kind(target.type)
            raise CommandError(f"null is for pointers, and the place holds {held}; 0 is a number")
        return None if pointer else 0
    if text.startswith('"'):
        raise CommandError(_no_string(text, target.type))
    if (character := _character(text)) is not None:
        return character
    try:
        number = int(text, 0)
    except ValueError:
        number = None
    if number is not None:
        return None if pointer and number == 0 else number
    if isinstance(target.type, FloatType):
        try:
            return float(text)
        except ValueError:
            pass
    if re.fullmatch(r"[+-]?\d*(\d\.|\.\d|\d[eE][+-]?\d)\d*([eE][+-]?\d+)?", text):
        raise CommandError(f"{text} is no whole number, and the place holds {a_kind(target.type)}")
    if (constant := _constant(graph, text, target.type)) is not None:
        return constant
    if pointer and (function := _function_named(graph, text.removeprefix("&"), target)) is not None:
        return function
    node = node_named(graph, text)
    if text.startswith("&"):
        place = resolve_place(graph, text[1:])
        return Pointer(*place.place)
    if node is None and re.fullmatch(r"n[1-9]\d*", text) and not visible(graph, text):
        raise CommandError(f"there is no node {text}; {_nodes_here(graph)}")
    if node is not None and not visible(graph, text):
        return Pointer(node)
    try:
        source = resolve_place(graph, text)
    except CommandError as error:
        if text.isidentifier() and (words := _no_constant(graph, text, target.type)):
            raise CommandError(words) from None
        if quoted := _quoted(graph, text, target):
            raise CommandError(f"{error}; {quoted}") from None
        raise
    whole = isinstance(source.type, StructReference) or is_union(graph.types, source.type)
    if isinstance(source.type, ArrayType) or (pointer and whole):
        return Pointer(*source.place)
    _require_depth(text, source, target)
    value = value_at(graph, source)
    if isinstance(value, Uninitialised):
        if node is not None:
            return Pointer(node)
        raise CommandError(f"{text} has no value yet{namesakes(graph, text, source.place.object)}")
    return value


def _require_depth(text: str, source: Resolved, target: Resolved) -> None:
    """Raise CommandError where not a pointer fits a place, but its address, or what it leads to."""
    for fits, hint in (
        (PointerType(source.type), f"`&{text}` is its address"),
        (getattr(source.type, "target", None), f"`*{text}` is what stands there"),
    ):
        if isinstance(source.type, PointerType) and target.type == fits:
            raise CommandError(
                f"{text} is {a_kind(source.type)}, and the place holds {a_kind(target.type)}; {hint}"
            )


def _function_named(graph: MemoryGraph, text: str, target: Resolved) -> Pointer | None:
    """The function of that name, for a pointer to one."""
    known = text in graph.outside.functions and visible(graph, text) is None
    calls = isinstance(target.type, PointerType) and isinstance(target.type.target, FunctionType)
    return Pointer(VariableId(-1, "", text)) if known and calls else None


def _constant(graph: MemoryGraph, text: str, ctype: CType) -> int | None:
    """The number that a constant of an enumeration, `true` or `false` is, the type's own first."""
    if not isinstance(ctype, IntType) or visible(graph, text) is not None:
        return None
    own = graph.types.enumerations.get(ctype.name, {})
    for values in (own, *graph.types.enumerations.values(), {0: "false", 1: "true"}):
        for number, name in values.items():
            if name == text:
                return number
    return None


def _no_constant(graph: MemoryGraph, text: str, ctype: CType) -> str:
    """Which constants there are where the place holds an enumeration and a word is none of them."""
    values = graph.types.enumerations.get(ctype.name, {}) if isinstance(ctype, IntType) else {}
    return f"{spell(ctype)} has no constant {text}; it has: {', '.join(values.values())}" if values else ""


def _quoted(graph: MemoryGraph, text: str, target: Resolved) -> str:
    """How characters are written, where the place takes such; "" where it takes none."""
    plain = text.strip("'")
    match target.type, value_at(graph, target):
        case ArrayType(IntType(size=1)), _:
            return f'a string is written in quotes: "{plain}"'
        case PointerType(IntType(size=1)), Pointer(NodeId(number), 0):
            return f'`change n{number} "{plain}"` stores a string where the pointer leads'
        case IntType(size=1), _ if len(plain) == 1:
            return f"a character is written in quotes: '{plain}'"
    return ""


def _no_string(text: str, ctype: CType) -> str:
    """Why a string literal is no value for a place of this type, and what is possible."""
    match ctype:
        case ArrayType(IntType(size=1)):
            return f"{text} cannot be stored here; change the characters one by one, as in name[0] 'a'"
        case PointerType(IntType(size=1)):
            return (
                f"the program has no {text} in its memory that a pointer could lead to; change the "
                "characters where it leads one by one, as in name[0] 'a', or let it lead to another place"
            )
        case _:
            return f"{text} is a string, and the place holds {a_kind(ctype)}"


def a_kind(kind: CType | str) -> str:
    """A type, or what gdb calls it, with its article."""
    spelled = kind if isinstance(kind, str) else spell(kind)
    an = spelled[0] in "aeiou" and not spelled.startswith("union")
    return f"an {spelled}" if an else f"a {spelled}"


ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "\\": 92, "'": 39, '"': 34, "a": 7, "b": 8, "f": 12, "v": 11}


def _character(text: str) -> int | None:
    match = re.fullmatch(r"'(\\?)(.)'", text, re.DOTALL)
    if not match:
        return None
    if match[1]:
        return ESCAPES.get(match[2], ord(match[2]))
    return ord(match[2])


def require_fit(graph: MemoryGraph, text: str, value: Value, target: Resolved) -> None:
    """Raise CommandError where a value, written as `text`, does not fit the type of a place."""
    match target.type, value:
        case PointerType(wanted), Pointer(object=NodeId() as node, offset=0):
            held = graph.nodes[node].type
            inside = [] if held is None else begun(graph.types, held, 0)
            if held is not None and not _compatible(wanted, held) and wanted not in inside:
                hints = [*_field_of(graph, held, wanted, node), *_led_to(graph, text, held, target)]
                raise CommandError(
                    f"{text.removeprefix('&')} is a {spell(held)}, but the place holds a pointer to "
                    f"{spell(wanted)}{'; ' * bool(hints)}{', and '.join(hints)}"
                )
        case PointerType(wanted), Pointer(object=held_in, offset=offset) if text.startswith("&"):
            _require_kind(graph, text, wanted, held_in, offset)
        case PointerType(), None | Pointer() | Wild() | External():
            return
        case PointerType(wanted), _:
            raise CommandError(
                f"the place holds a pointer to {spell(wanted)}; {text} is no node and not null"
            )
        case IntType("_Bool"), int(number) if number not in (0, 1):
            raise CommandError(f"{number} does not fit _Bool (0 or 1, false or true)")
        case IntType() as integer, int(number):
            low = -(1 << integer.width - 1) if integer.signed else 0
            high = (1 << integer.width - integer.signed) - 1
            if not low <= number <= high:
                bits = f" of {integer.bits} bit{'s' if integer.bits > 1 else ''}" if integer.bits else ""
                raise CommandError(f"{number} does not fit {integer.name}{bits} ({low} to {high})")
        case FloatType(), float() | int():
            return
        case OpaqueType(), Opaque():
            return
        case ((StructReference() | ArrayType()), _):
            raise CommandError(
                f"the place is a whole {spell(target.type)}; name one of its fields or elements"
            )
        case IntType() as integer, Pointer():
            raise CommandError(
                f"the place holds {a_kind(integer)}, and {text} leads somewhere: gdb's `set variable` takes "
                f"it as a number, written ({spell(integer)})"
            )
        case _:
            raise CommandError(f"the place holds {a_kind(target.type)}; {text} is none")


def _require_kind(graph: MemoryGraph, text: str, wanted: CType, held_in: ObjectId, offset: int) -> None:
    """Raise CommandError where structs or pointers are wanted, and others begin at an address."""
    held = graph.type_of(held_in)
    if held is None or not isinstance(wanted, StructReference | PointerType):
        return
    size = graph.types.size(held)
    begins = [*begun(graph.types, held, offset % size if size else offset)]
    kinds = [each for each in begins if isinstance(each, StructReference | PointerType)]
    if kinds and wanted not in begins:
        raise CommandError(
            f"{text} leads to a {spell(kinds[0])}, but the place holds a pointer to {spell(wanted)}"
        )


def _field_of(graph: MemoryGraph, held: CType, wanted: CType, node: NodeId) -> list[str]:
    """How the address of a node's field is written where a pointer to such a one is wanted."""
    struct = graph.types.structs.get(held.tag) if isinstance(held, StructReference) else None
    fields = [field.name for field in struct.fields if field.type == wanted and field.name] if struct else []
    return [f"`&n{node.number}.{fields[0]}` is one" for _ in fields[:1]]


def _led_to(graph: MemoryGraph, text: str, held: CType, target: Resolved) -> list[str]:
    """How the link is changed to which the place leads, where a node fits that."""
    link = isinstance(target.type, PointerType) and target.type.target == PointerType(held)
    there = value_at(graph, target)
    if text.startswith("&") or not link or not isinstance(there, Pointer) or Place(*there) not in graph.cells:
        return []
    return [
        f"`change *{draw.place_text(graph, target.place, short=True)} {text}` sets the one that it leads to"
    ]


def _compatible(wanted: CType, held: CType) -> bool:
    if isinstance(wanted, VoidType) or wanted == held:
        return True
    if isinstance(held, StructReference) and wanted == PointerType(held):
        return False
    return not (isinstance(wanted, StructReference) and isinstance(held, StructReference))


def _nodes_here(graph: MemoryGraph) -> str:
    numbers = sorted(node.number for node in graph.nodes)
    if not numbers:
        return "there are no nodes yet"
    if len(numbers) == 1:
        return f"the only node here is n{numbers[0]}"
    return f"the nodes here are n{numbers[0]} to n{numbers[-1]}"


class _Reader:
    """Recursive descent over `*`, `->`, `.`, `[]` and parentheses."""

    def __init__(self, graph: MemoryGraph, text: str) -> None:
        self.graph = graph
        self.text = text
        self.tokens: list[str] = []
        position = 0
        stripped = text.rstrip()
        while position < len(stripped):
            match = _TOKEN.match(stripped, position)
            if match is None:
                raise CommandError(
                    f"{text!r} is no place; a place is like head, n4->prev, p->next->data, *p, a[3]"
                )
            self.tokens.append(match[0].strip())
            position = match.end()
        self.at = 0

    def whole(self) -> Resolved:
        found = self.prefix()
        if self.at < len(self.tokens):
            raise CommandError(f"{self.text!r} is no place: {self.tokens[self.at]!r} was not expected")
        return found

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def prefix(self) -> Resolved:
        if self.peek() == "*":
            self.take()
            return self.follow(self.prefix(), "*")
        return self.postfix()

    def postfix(self) -> Resolved:
        if self.peek() == "(":
            self.take()
            found = self.prefix()
            if self.take() != ")":
                raise CommandError(f"{self.text!r}: a ) is missing")
        else:
            found = self.base(self.take())
        while self.peek() in ("->", ".", "["):
            symbol = self.take()
            if symbol == "[":
                found = self.element(found, self.take())
                if self.take() != "]":
                    raise CommandError(f"{self.text!r}: a ] is missing")
            else:
                if isinstance(found.type, PointerType):  # also by a dot, as in gdb
                    found = self.follow(found, "->")
                found = self.field(found, self.take())
        return found

    def base(self, token: str) -> Resolved:
        variable = qualified(self.graph, token) if "::" in token else visible(self.graph, token)
        if variable is None and node_named(self.graph, token) is None:
            variable = further_out(self.graph, token)
        if variable is not None:
            return Resolved(Place(variable.id, 0), variable.type)
        if re.fullmatch(r"n[1-9]\d*", token):
            node = self.graph.nodes[resolve_node(self.graph, token)]
            if node.type is None:
                raise CommandError(f"the type of {token} is not known: no typed pointer has led to it")
            ctype = ArrayType(node.type, node.count) if node.array else node.type
            return Resolved(Place(node.id, 0), ctype)
        raise CommandError(f"there is no variable {token or self.text}; {instead(self.graph, token)}")

    def follow(self, found: Resolved, how: str) -> Resolved:
        if isinstance(found.type, ArrayType):
            return found.part(0, found.type.element, "[0]")
        if not isinstance(found.type, PointerType):
            raise CommandError(f"{self.text}: {how} needs a pointer, but this is a {spell(found.type)}")
        match value_at(self.graph, found):
            case Pointer(target, offset):
                return Resolved(Place(target, offset), found.type.target)
            case None:
                raise CommandError(f"{self.text}: the pointer is null")
            case Uninitialised():
                raise CommandError(f"{self.text}: the pointer is uninitialised")
            case _:
                raise CommandError(f"{self.text}: the pointer leads to no node or variable")

    def field(self, found: Resolved, name: str) -> Resolved:
        ctype = found.type.element if isinstance(found.type, ArrayType) else found.type
        fields = self.fields(ctype)
        if fields is None:
            raise CommandError(
                f"{self.text}: a {spell(found.type)} has no fields{self.pictured(found, name)}"
            )
        inner = self.inner(replace(found, type=ctype), name)
        if inner is None:
            there = ", ".join(self.named(fields))
            raise CommandError(f"{spell(ctype)} has no field {name!r}; its fields are {there}")
        return inner

    def pictured(self, found: Resolved, name: str) -> str:
        """How the picture names a field of the node to which a `void *` leads; "" where there is none."""
        target, offset = found.place
        node = self.graph.nodes.get(target) if isinstance(target, NodeId) else None
        if node is None or node.type is None or not isinstance(found.type, VoidType):
            return ""
        size = self.graph.types.size(node.type)
        if size <= 0 or offset % size or self.inner(Resolved(Place(node.id, 0), node.type), name) is None:
            return ""
        whole = f"n{node.id.number}[{offset // size}]." if node.array else f"n{node.id.number}->"
        return f"; in the picture it is {whole}{name}"

    def fields(self, ctype: CType) -> tuple[Field, ...] | None:
        types = self.graph.types
        match ctype:
            case StructReference(tag) if tag in types.structs:
                return types.structs[tag].fields
            case OpaqueType(name) if name in types.unions:
                return types.unions[name].fields
        return None

    def named(self, fields: tuple[Field, ...]) -> Iterator[str]:
        for field in fields:
            if field.name:
                yield field.name
            else:
                yield from self.named(self.fields(field.type) or ())

    def inner(self, found: Resolved, name: str) -> Resolved | None:
        """The field of that name, also in unions and structs that have no names."""
        union = isinstance(found.type, OpaqueType)
        for field in self.fields(found.type) or ():
            step = f".{field.name}" if field.name else ""
            place = Place(found.place.object, found.place.offset + field.offset)
            part = found.part(field.offset, self.graph.filled(place, field.type), step, union)
            if field.name == name:
                return part
            if not field.name and (deeper := self.inner(part, name)) is not None:
                return deeper
        return None

    def element(self, found: Resolved, index: str) -> Resolved:
        if not re.fullmatch(r"\d+|0[xX][0-9a-fA-F]+", index):
            raise CommandError(f"{self.text}: the index must be a number")
        number = int(index, 0)
        if isinstance(found.type, PointerType):
            found = self.follow(found, "[]")
            size = self.graph.types.size(found.type)
            return Resolved(Place(found.place.object, found.place.offset + number * size), found.type)
        if not isinstance(found.type, ArrayType):
            raise CommandError(f"{self.text}: a {spell(found.type)} has no elements")
        if number >= found.type.length:
            raise CommandError(f"{self.text}: the last element is {found.type.length - 1}")
        size = self.graph.types.size(found.type.element)
        return found.part(number * size, found.type.element, f"[{number}]")
