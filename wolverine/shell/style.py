"""Text for terminals: what comes from the program cannot steer the terminal, colours where wanted."""

from __future__ import annotations

import re
from enum import Enum

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """`text` with control characters made visible (`^[`, `\\x9b`), except line ends and tabs."""
    return _CONTROL.sub(_name, text)


def _name(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return f"^{chr(code + 0x40)}"
    if code == 0x7F:
        return "^?"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


class Ink(Enum):
    """The few colours of the shell, as SGR parameters."""

    PLACE = "36"
    GOOD = "32"
    BAD = "31"
    STRONG = "1"
    FAINT = "2"
    WARNING = "33"


class Pen:
    """Colours text, or leaves it as it is (`color` false)."""

    def __init__(self, color: bool) -> None:
        self._color = color

    def __call__(self, text: str, ink: Ink) -> str:
        """`text` in that colour, each line on its own."""
        if not (self._color and text):
            return text
        return "\n".join(f"\x1b[{ink.value}m{line}\x1b[0m" if line else "" for line in text.split("\n"))

    def diff(self, patch: str) -> str:
        """A unified diff with its lines coloured."""
        return "".join(self._diff_line(line) for line in re.findall(r"[^\n]*\n|[^\n]+", patch))

    def _diff_line(self, line: str) -> str:
        ink = {"+": Ink.GOOD, "-": Ink.BAD, "@": Ink.PLACE}.get(line[:1])
        if line.startswith(("+++ ", "--- ")):
            ink = Ink.STRONG
        shown = visible(line)
        return self(shown, ink) if ink else shown
