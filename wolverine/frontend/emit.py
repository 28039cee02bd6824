"""The source with a patch in it, for people (`emit`) and for the compiler of patches (`emit_hot`)."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import NamedTuple

from wolverine.core.patch import Deletion, EditKind, Patch
from wolverine.core.program import Program
from wolverine.errors import SourceError
from wolverine.frontend.context import LoadedProgram
from wolverine.frontend.edits import Described, Editor
from wolverine.frontend.placing import Piece
from wolverine.frontend.tokens import Lines


@dataclass(frozen=True, slots=True)
class EditText:
    """An edit as people see it; `line` counts from 1 in the original.

    An insertion stands `behind` the statement of that line, or in front of it.
    """

    kind: EditKind
    line: int
    before: str
    after: str
    behind: bool = False


class _Segment(NamedTuple):
    """Bytes from `hot` on: a copy of the original from `original` on, or text of our own."""

    hot: int
    original: int
    copied: bool
    inserted: bool


class HotText:
    """A patched file with as many lines as the original, and the way back to original bytes."""

    def __init__(self, content: bytes, segments: tuple[_Segment, ...]) -> None:
        self.content = content
        self._segments = segments
        self._starts = [segment.hot for segment in segments]
        self._lines = Lines(content)

    def _segment(self, line: int, column: int) -> tuple[_Segment, int] | None:
        offset = self._lines.offset(line, column)
        if offset is None or not self._segments:
            return None
        return self._segments[bisect_right(self._starts, offset) - 1], offset

    def original_offset(self, line: int, column: int) -> int | None:
        """The original byte for a place (from 1) of this text, None outside of it.

        For changed text it is where the changed span begins, for inserted text where it was put in.
        """
        found = self._segment(line, column)
        if found is None:
            return None
        segment, offset = found
        return segment.original + (offset - segment.hot if segment.copied else 0)

    def inserted(self, line: int, column: int) -> bool:
        """Whether the place lies in an inserted statement."""
        found = self._segment(line, column)
        return found is not None and found[0].inserted


def emit(program: Program, patch: Patch) -> tuple[bytes, ...]:
    """The new content of every file; bytes that no edit touches stay.  Raises SourceError."""
    editor = _editor(program, patch, hot=False)
    return tuple(
        _applied(scan.text, pieces).encode("latin-1") for scan, pieces in zip(editor.scans, editor.pieces)
    )


def emit_hot(program: Program, patch: Patch) -> tuple[HotText, ...]:
    """The new content of every file with the original's line numbers.  Raises SourceError."""
    editor = _editor(program, patch, hot=True)
    result = []
    for scan, pieces in zip(editor.scans, editor.pieces):
        text, segments = _with_segments(scan.text, pieces)
        result.append(HotText(text.encode("latin-1"), segments))
    return tuple(result)


def describe(program: Program, patch: Patch) -> tuple[EditText, ...]:
    """The edits in source order, without deletions inside of others' texts.  Raises SourceError."""
    found = _editor(program, patch, hot=False).described
    return tuple(_described(each) for each in found if not _within(each, found))


def _within(deletion: Described, others: list[Described]) -> bool:
    """Whether the text that goes is a part of one that is written anew."""
    gone = deletion.location.span
    return isinstance(deletion.edit.replacement, Deletion) and any(
        other.location.kind != "gap"
        and not isinstance(other.edit.replacement, Deletion)
        and other.location.span.file == gone.file
        and other.location.span.start <= gone.start
        and gone.end <= other.location.span.end
        for other in others
    )


def _editor(program: Program, patch: Patch, hot: bool) -> Editor:
    if not isinstance(program, LoadedProgram):
        raise SourceError("only a program that was read from source can be written back")
    return Editor(program, patch, hot)


def _described(described: Described) -> EditText:
    location, replacement = described.location, described.edit.replacement
    text = described.text.encode("latin-1").decode("utf-8", "replace")
    if location.kind == "gap" and location.gap == "test":
        return EditText("change", location.line, location.text, text)
    if location.kind == "gap" and location.gap == "result":
        return EditText("change", location.line, text.partition(" = ")[2], text)
    if location.kind == "gap":
        return EditText("insert", location.line, "", text, location.gap in ("after", "wrap-after"))
    if isinstance(replacement, Deletion) and not text:
        if location.kind == "initialiser":
            return EditText("delete", location.line, location.text, location.text.partition("=")[0].rstrip())
        return EditText("delete", location.line, location.text, "")
    if location.kind == "initialiser":
        head, _, _ = location.text.partition("=")
        return EditText("change", location.line, location.text, f"{head}= {text}")
    return EditText("change", location.line, location.text, text)


def _ordered(pieces: list[Piece]) -> list[Piece]:
    """By place; insertions before replacements that begin at the same place."""
    return sorted(pieces, key=lambda piece: (piece.start, piece.end > piece.start, piece.order))


def _applied(text: str, pieces: list[Piece]) -> str:
    result = []
    position = 0
    for piece in _ordered(pieces):
        if piece.start < position:
            raise SourceError(f"two edits overlap at byte {piece.start}")
        result.append(text[position : piece.start] + piece.text)
        position = piece.end
    result.append(text[position:])
    return "".join(result)


def _with_segments(text: str, pieces: list[Piece]) -> tuple[str, tuple[_Segment, ...]]:
    result: list[str] = []
    segments: list[_Segment] = []
    length = position = 0
    for piece in _ordered(pieces):
        if piece.start < position:
            raise SourceError(f"two edits overlap at byte {piece.start}")
        if piece.start > position or not segments:
            segments.append(_Segment(length, position, True, False))
            result.append(text[position : piece.start])
            length += piece.start - position
        fresh = " ".join(piece.text.replace("\\\n", " ").splitlines())
        fresh += "\n" * text.count("\n", piece.start, piece.end)
        if fresh:
            segments.append(_Segment(length, piece.start, False, piece.inserted))
            result.append(fresh)
            length += len(fresh)
        position = piece.end
    segments.append(_Segment(length, position, True, False))
    result.append(text[position:])
    return "".join(result), tuple(segments)
