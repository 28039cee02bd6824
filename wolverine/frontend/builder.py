"""Collecting the instructions, units and locations of one function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from wolverine.core.expressions import Expression, Load, VariableReference
from wolverine.core.program import (
    RESULT_NAME,
    Assign,
    Before,
    Branch,
    Call,
    Concrete,
    ConditionRole,
    Function,
    Gap,
    GapKind,
    Instruction,
    Jump,
    Location,
    LocationKind,
    Return,
    Span,
    Unit,
)
from wolverine.core.types import CType, VoidType
from wolverine.frontend.arguments import repeated
from wolverine.frontend.parse import Extent
from wolverine.frontend.preprocess import SourceMap
from wolverine.frontend.tokens import Token


class Mark(NamedTuple):
    """Where a statement's lowering began, for taking it back."""

    code: int
    locations: int
    temporaries: int
    calls: int


@dataclass
class Scope:
    """Variables visible in a block, by source name."""

    names: dict[str, VariableReference] = field(default_factory=dict)


class Builder:
    """The instructions of a function, in order; jump targets are labels until `finish`."""

    def __init__(self, name: str, tokens: Sequence[Token], source: SourceMap) -> None:
        self.name = name
        self.tokens = tokens
        self.source = source
        self.code: list[Instruction] = []
        self.unit_of: list[int] = []
        self.units: list[Unit] = []
        self.calls: list[tuple[int, list[int]]] = []
        self._group: list[int] | None = None
        self.locations: list[Location] = []
        self.temporaries: list[VariableReference] = []
        self.locals: list[VariableReference] = []
        self.statics: list[VariableReference] = []
        self.scopes: list[Scope] = []
        self.unit = -1
        self.reachable = True
        self.breaks: list[int] = []  # labels of what is behind the loops and switches around
        self.continues: list[int] = []  # of where the loops around begin another round
        self._labels: list[int] = []
        self._visible: tuple[VariableReference, ...] | None = None

    # Source places

    def span(self, extent: Extent) -> Span:
        """The original bytes of some tokens."""
        known = [token for token in self.tokens[extent.start : extent.end] if token.file >= 0]
        if not known:
            before = extent.start
            while before > 0 and self.tokens[before].file < 0:
                before -= 1
            known = [self.tokens[before]]
        file = known[0].file
        start = known[0].start
        end = max(token.end for token in known if token.file == file)
        return Span(file, start, end, self.source.lines[file].line(start))

    def source_text(self, extent: Extent) -> str:
        """The original text of some tokens."""
        span = self.span(extent)
        return self.source.texts[span.file][span.start : span.end]

    def editable(self, extent: Extent) -> bool:
        """Whether the tokens are whole source tokens or macro invocations, all in one file."""
        if extent.start >= extent.end:
            return False
        files = {token.file for token in self.tokens[extent.start : extent.end]}
        if len(files) != 1 or -1 in files:
            return False
        return not self._joined(extent.start) and not self._joined(extent.end)

    def _joined(self, index: int) -> bool:
        """Whether a token and the one before it come out of one macro invocation: nothing goes in between."""
        if not 0 < index < len(self.tokens):
            return False
        one, other = self.tokens[index - 1], self.tokens[index]
        within = not one.direct and not other.direct
        return within and (one.file, one.start, one.end) == (other.file, other.start, other.end)

    def _holds(self, kind: GapKind, extent: Extent) -> bool:
        """Whether what is inserted there has a place in the source text, which a macro's body has not."""
        starts, ends = not self._joined(extent.start), not self._joined(extent.end)
        match kind:
            case "before":
                return starts
            case "after":
                return ends
            case "block":
                return not self._joined(extent.start + 1)
        return starts and ends

    def from_macro(self, extent: Extent) -> bool:
        """Whether all tokens come out of one macro invocation."""
        first = self.tokens[extent.start]
        return not first.direct and all(
            not token.direct and (token.start, token.end) == (first.start, first.end)
            for token in self.tokens[extent.start : extent.end]
        )

    # Scopes

    def declare(self, source_name: str, variable: VariableReference) -> None:
        """Make a variable visible in the innermost block."""
        self.scopes[-1].names[source_name] = variable
        self._visible = None

    def lookup(self, name: str) -> VariableReference | None:
        """The variable that a name means here."""
        for scope in reversed(self.scopes):
            if name in scope.names:
                return scope.names[name]
        return None

    @contextmanager
    def block_scope(self) -> Iterator[None]:
        """A nested block."""
        self.scopes.append(Scope())
        try:
            yield
        finally:
            self.scopes.pop()
            self._visible = None

    def visible(self) -> tuple[VariableReference, ...]:
        """All variables that may be named here, innermost first."""
        if self._visible is None:
            seen: dict[str, VariableReference] = {}
            for scope in reversed(self.scopes):
                for name, variable in scope.names.items():
                    seen.setdefault(name, variable)
            self._visible = tuple(seen.values())
        return self._visible

    # Locations, units, instructions

    def location(
        self,
        kind: LocationKind,
        extent: Extent,
        *,
        text: str | None = None,
        role: ConditionRole = "other",
        loop: bool = False,
        gap: GapKind = "before",
        semicolon: bool = False,
        line: int | None = None,
    ) -> int:
        """A new location; one that cannot be edited where it stands becomes "fixed"."""
        span = self.span(extent)
        if kind not in ("gap", "fixed") and not self.editable(extent):
            kind = "fixed"
        number = len(self.locations)
        self.locations.append(
            Location(
                number, self.name, kind, span, span.line if line is None else line,
                _readable(self.source_text(extent) if text is None else text),
                self.visible(), role, loop, gap, semicolon,
                repeated(self.tokens[extent.start : extent.end], self.source),
            )
        )  # fmt: skip
        return number

    @contextmanager
    def in_unit(self, extent: Extent) -> Iterator[None]:
        """A unit for the instructions that follow."""
        outer = self.unit
        self.unit = len(self.units)
        self.units.append(Unit(self.span(extent), len(self.code)))
        try:
            yield
        finally:
            self.unit = outer

    def header(self, extent: Extent, first: int) -> None:
        """A unit without code of its own: what stands there leads to instruction `first`."""
        self.units.append(Unit(self.span(extent), first, (), True))

    def emit(self, instruction: Instruction, unit: bool = True) -> int:
        """Append an instruction; `unit` tells whether it has machine code of its own."""
        index = len(self.code)
        self.code.append(instruction)
        self.unit_of.append(self.unit if unit else -1)
        if isinstance(instruction, Call) and self.unit >= 0:
            self._called(index)
        return index

    def _called(self, index: int) -> None:
        if self._group is None:
            self.calls.append((self.unit, [index]))
            return
        if not self._group:
            self.calls.append((self.unit, self._group))
        self._group.append(index)

    @contextmanager
    def alternatives(self) -> Iterator[None]:
        """The calls emitted inside are one call of the process."""
        outer, self._group = self._group, []
        try:
            yield
        finally:
            self._group = outer

    def library_call(
        self, location: int, reason: str, results: tuple[VariableReference, ...], inline: bool
    ) -> None:
        """A call that the process carries out; `inline` when the compiler puts code in its place.

        The model may have carried it out just before (`Library`).
        """
        index = self.emit(Concrete(location, reason, results))
        if not inline:
            self._called(index)

    def known_call(self, result: Expression) -> None:
        """A call by which the process gets what is known without it; the model has nothing to do."""
        if self.unit >= 0:
            self._called(self.emit(Assign(-1, self.temporary(result.type), result)))

    def gap(self, kind: GapKind, extent: Extent) -> None:
        """An insertion slot, where there is a place for it."""
        if not self._holds(kind, extent):
            return
        span = self.span(extent)
        line = span.line
        if kind in ("after", "wrap-after", "block"):
            line = self.source.lines[span.file].line(max(span.start, span.end - 1))
        location = self.location("gap", extent, text="", gap=kind, line=line)
        around = [labels[-1] if labels else -1 for labels in (self.breaks, self.continues)]
        self.emit(Gap(location, leaves=around[0], again=around[1]), unit=False)

    def before(self, extent: Extent, if_true: int, if_false: int) -> None:
        """A slot for a test in front of a condition that goes to these labels."""
        if self.editable(extent):
            location = self.location("gap", extent, gap="test")
            self.emit(Before(location, if_true, if_false, len(self.code) + 1))

    def temporary(self, ctype: CType) -> VariableReference:
        """A fresh variable that the process does not have."""
        variable = VariableReference(f"${len(self.temporaries) + 1}", ctype)
        self.temporaries.append(variable)
        return variable

    # Labels

    def label(self) -> int:
        """A jump target to be placed."""
        self._labels.append(-1)
        return len(self._labels) - 1

    def put(self, label: int) -> None:
        """The label stands before the next instruction."""
        self._labels[label] = len(self.code)
        self.reachable = True

    def _put(self, label: int) -> int:
        """The instruction before which the label stands; -1 for none."""
        return self._labels[label] if label >= 0 else -1

    # Taking back

    def mark(self) -> Mark:
        """The present state."""
        return Mark(len(self.code), len(self.locations), len(self.temporaries), len(self.calls))

    def take_back(self, mark: Mark) -> None:
        """Forget what was added since; labels in it stand where it began."""
        del self.code[mark.code :]
        del self.unit_of[mark.code :]
        del self.locations[mark.locations :]
        del self.temporaries[mark.temporaries :]
        del self.calls[mark.calls :]
        self._labels = [min(at, mark.code) for at in self._labels]

    # The result

    def finish(
        self, file: int, line: int, parameters: tuple[VariableReference, ...], result: CType, body: Span
    ) -> Function:
        """The function, with labels resolved."""
        code: list[Instruction] = []
        for instruction in self.code:
            if isinstance(instruction, Branch):
                code.append(
                    replace(
                        instruction,
                        if_true=self._labels[instruction.if_true],
                        if_false=self._labels[instruction.if_false],
                    )
                )
            elif isinstance(instruction, Before):
                to = self._labels[instruction.if_true], self._labels[instruction.if_false]
                code.append(replace(instruction, if_true=to[0], if_false=to[1]))
            elif isinstance(instruction, Gap):
                ways = instruction.leaves, instruction.again, instruction.repeats
                leaves, again, repeats = map(self._put, ways)
                code.append(replace(instruction, leaves=leaves, again=again, repeats=repeats))
            elif isinstance(instruction, Jump):
                code.append(replace(instruction, target=self._labels[instruction.target]))
            else:
                code.append(instruction)
        units = tuple(
            replace(unit, calls=tuple(tuple(group) for owner, group in self.calls if owner == number))
            for number, unit in enumerate(self.units)
        )
        temporaries = tuple(self.temporaries)
        if not isinstance(result, VoidType):
            temporaries = (VariableReference(RESULT_NAME, result), *temporaries)
        return Function(
            self.name, file, line, parameters, tuple(self.locals), temporaries, result,
            tuple(code), units, tuple(self.unit_of), body,
        )  # fmt: skip

    def return_instruction(self, result: CType, extent: Extent) -> None:
        """The end of the function, at its closing brace."""
        with self.in_unit(extent):
            value = None if isinstance(result, VoidType) else Load(VariableReference(RESULT_NAME, result))
            self.emit(Return(self.location("fixed", extent), value))

    def assign(self, location: int, variable: VariableReference, value: object) -> None:
        """Give a temporary its value."""
        self.emit(Assign(location, variable, value))  # type: ignore[arg-type]


def _readable(text: str) -> str:
    """Source bytes (as latin-1) as people read them."""
    return text if text.isascii() else text.encode("latin-1").decode("utf-8", "replace")
