"""A grid of characters with styles, on which lines join to the right box-drawing glyphs."""

from __future__ import annotations

from dataclasses import dataclass

from wolverine.draw.columns import character_columns, columns, cut

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
_VERTICAL, _HORIZONTAL = NORTH | SOUTH, EAST | WEST
_GLYPHS = {
    NORTH: "│", SOUTH: "│", _VERTICAL: "│", EAST: "─", WEST: "─", _HORIZONTAL: "─",
    SOUTH | EAST: "┌", SOUTH | WEST: "┐", NORTH | EAST: "└", NORTH | WEST: "┘",
    _VERTICAL | EAST: "├", _VERTICAL | WEST: "┤", _HORIZONTAL | SOUTH: "┬", _HORIZONTAL | NORTH: "┴",
    _VERTICAL | _HORIZONTAL: "┼",
}  # fmt: skip
_ASCII = str.maketrans(
    {
        **dict.fromkeys("│┆┊╎", "|"),
        **dict.fromkeys("─┄┈╌", "-"),
        **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯", "+"),
        "▶": ">",
        "◀": "<",
        "▼": "v",
        "▲": "^",
        "╱": "/",
        "→": "->",
        "…": ":",
        "·": ".",
    }
)
_COLOURS = {
    "changed": "1;33", "new": "32", "freed": "2;31", "lost": "35", "null": "2", "label": "1;36",
    "broken": "1;31", "quiet": "2", "arrow": "", "value": "", "": "",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Segment:
    """Text in one style."""

    text: str
    style: str = ""


def paint(segments: list[Segment], color: bool) -> str:
    """A line of styled text, with ANSI colours or plain."""
    if not color:
        return "".join(segment.text for segment in segments)
    return "".join(
        f"\x1b[{_COLOURS[s.style]}m{s.text}\x1b[0m" if _COLOURS[s.style] else s.text for s in segments
    )


def clip(segments: list[Segment], width: int) -> list[Segment]:
    """A line of at most `width` columns; what is too long ends in `…`."""
    if sum(columns(segment.text) for segment in segments) <= width:
        return segments
    kept: list[Segment] = []
    room = width - 1
    for segment in segments:
        if room > 0:
            kept.append(Segment(cut(segment.text, room), segment.style))
            room -= columns(segment.text)
    return [*kept, Segment("…", "quiet")]


def to_ascii(text: str) -> str:
    """The same in ASCII; only `→`, which no box holds, becomes longer."""
    plain = text.translate(_ASCII)
    if plain.isascii():
        return plain
    return "".join(c if c.isascii() else "?" * character_columns(c) for c in plain)


class Canvas:
    """`width` x `height` cells; `solid` cells belong to boxes and labels, lines run through the others."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.solid = [bytearray(width) for _ in range(height)]
        self.mask = [bytearray(width) for _ in range(height)]
        self._text = [[" "] * width for _ in range(height)]
        self._style = [[""] * width for _ in range(height)]
        self._boxed = bytearray(height)

    def write(self, x: int, y: int, text: str, style: str = "") -> None:
        """Solid text; what lies outside the canvas is dropped."""
        row, styles, solid = self._text[y], self._style[y], self.solid[y]
        column = x
        for character in text:
            room = character_columns(character) if character > "\x7f" else 1
            if column >= 0 and column + room <= self.width:
                row[column] = character
                styles[column] = style
                solid[column] = 1
                if room > 1:
                    # The second half of a wide character holds nothing of its own.
                    row[column + 1], styles[column + 1], solid[column + 1] = "", style, 1
            column += room

    def box_row(self, y: int) -> None:
        """Tell that the row crosses a box, so that it is never taken out."""
        self._boxed[y] = 1

    def line(self, x: int, y: int, mask: int, style: str) -> None:
        """Add the arms of a line to a free cell, or to a border cell."""
        self.mask[y][x] |= mask
        self._text[y][x] = _GLYPHS[self.mask[y][x]]
        self._style[y][x] = style

    def tee(self, x: int, y: int, mask: int, style: str) -> None:
        """A line leaves a box through the vertical border at this cell."""
        self._text[y][x] = "├" if mask == EAST else "┤"
        if style:
            self._style[y][x] = style

    def head(self, x: int, y: int, glyph: str, style: str) -> None:
        """An arrow head; nothing may cross it."""
        self._text[y][x] = glyph
        self._style[y][x] = style
        self.solid[y][x] = 1

    def is_free(self, x: int, y: int, length: int) -> bool:
        """Whether `length` cells from (x, y) are inside and empty."""
        if y < 0 or y >= self.height or x < 0 or x + length > self.width:
            return False
        return not any(self.solid[y][x : x + length]) and not any(self.mask[y][x : x + length])

    def crossings(self) -> int:
        """In how many cells a line crosses another."""
        return sum(row.count(_VERTICAL | _HORIZONTAL) for row in self.mask)

    def rows(self) -> list[list[Segment]]:
        """The drawing, without margins and superfluous blank rows."""
        plain = [self._is_plain(y) for y in range(self.height)]
        full = [y for y in range(self.height) if not plain[y]]
        kept: list[int] = []
        for above, below in zip([-1, *full], full):
            if above >= 0 and below > above + 1:
                tight = any("│" in self._text[y] for y in range(above + 1, below))
                if not tight or (self._boxed[above] and self._boxed[below]):
                    kept.append(above + 1)
            kept.append(below)
        left = min((self._indent(y) for y in full), default=0)
        return [self._segments(y, left) for y in kept]

    def _is_plain(self, y: int) -> bool:
        """Whether the row holds nothing, or only lines that run straight through it."""
        return not self._boxed[y] and all(character in " │" for character in self._text[y])

    def _indent(self, y: int) -> int:
        return next((x for x, character in enumerate(self._text[y]) if character != " "), self.width)

    def _segments(self, y: int, left: int) -> list[Segment]:
        text, styles = self._text[y], self._style[y]
        end = self.width
        while end > left and text[end - 1] == " ":
            end -= 1
        segments: list[Segment] = []
        start = left
        for x in range(left + 1, end + 1):
            if x == end or styles[x] != styles[start]:
                segments.append(Segment("".join(text[start:x]), styles[start]))
                start = x
        return segments
