"""Library functions that the model carries out itself, wherever it knows every byte that they read.

What a function writes is worked out first and written then, so that a call which the model cannot carry
out leaves nothing behind.  Addresses and values are the model's (see `address`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wolverine.core.expressions import BY_TEXT
from wolverine.semantics.address import INT1, KIND_SHIFT, OUTPUT_KEY
from wolverine.semantics.blocks import Blocks, Scalars
from wolverine.semantics.faults import Fault, Undetermined, Unmodelled
from wolverine.semantics.formatting import Formatting
from wolverine.semantics.memory import Memory
from wolverine.semantics.numbers import Numbers
from wolverine.semantics.printing import PRINTING, printed, texts
from wolverine.semantics.scanning import Scanning
from wolverine.semantics.strings import Strings
from wolverine.semantics.text import Functions, Kinds, Text, Writes
from wolverine.semantics.unknown import Unknown

_FAMILIES: tuple[type[Functions], ...] = (Strings, Blocks, Numbers, Formatting)
_HOME = {name: at for at, each in enumerate(_FAMILIES) for name in each.names()}
MODELLED = frozenset(_HOME)
# These write to nothing.
LOOKING = frozenset("strlen strcmp strncmp strcasecmp strchr strrchr strstr memcmp abs labs atoi".split())  # noqa: SIM905
# These write characters and numbers at most.
WITHOUT_POINTERS = (MODELLED - frozenset(Blocks.names())) | LOOKING | frozenset(PRINTING)
_WHOLE = ("puts", "fputs")
_AS_PUTS = "%s\n"  # this gcc makes a call of puts


class Library:
    """Carries out calls on one memory; `scalars` gives the cells of a variable by its object number.

    They are (offset, kind), None where no type tells.  A `lenient` one lets pass what depends on memory
    that nobody has written; while it is `tolerant`, what goes beyond a node, too.  Where it `prints`, the
    text is kept in a cell of its own (OUTPUT_KEY).  Where it `reads`, it makes up what comes in.
    """

    def __init__(
        self,
        memory: Memory,
        scalars: Scalars,
        lenient: bool = False,
    ) -> None:
        self._memory = memory
        self._text = text = Text(memory)
        self._functions = (
            Strings(memory, text),
            Blocks(memory, text, scalars),
            Numbers(memory, text),
            Formatting(memory, text),
        )
        self._lenient = lenient
        self.tolerant = lenient
        self.oversteps = 0  # calls that went beyond a node
        self.overstepped: Fault | None = None  # what the last of these did, until the machine has noted where
        self.prints = self.reads = False
        self.scanning = Scanning(memory, text)

    def call(self, name: str, values: Sequence[Any], kinds: Kinds, result: int | None) -> bool:
        """Carry out a call; `result` is the key of the cell that takes its value.

        `kinds` tell the kind of cells that a pointer argument leads to by its type (0: unknown).  False
        when the model cannot do it; nothing has changed then.  Raises `Fault` for what crashes.
        """
        if any(isinstance(value, Unknown) for value in values):
            return False
        try:
            value, writes = self._functions[_HOME[name]].call(name, values, kinds)
        except (Unmodelled, Undetermined):
            return False
        except Fault as fault:
            if fault.kind == "bounds" and fault.node and self._memory.strict:
                if not self.tolerant:
                    raise
                self.oversteps += 1
                self.overstepped = fault
            if fault.kind in ("bounds", "uninitialised"):
                return False  # the process may get away with it
            raise
        self._write(value, writes, result)
        return True

    def _write(self, value: Any, writes: Writes, result: int | None) -> None:
        put = self._memory.put
        for key, written in writes:
            put(key, written)
        if result is not None:
            put(result, value)

    def scan(self, name: str, values: Callable[[], Sequence[Any]], result: int | None) -> bool:
        """Carry out a call that reads input, where it `reads`; else `look`, and False.

        `result` is the key of the cell that takes its value.  Raises `Fault` for what crashes.
        """
        if not self.reads:
            self.look(name, values)
            return False
        try:
            value, writes = self.scanning.read(name, values())
        except (Unmodelled, Undetermined):
            return False
        self._write(value, writes, result)
        return True

    def order(self, one: Any, two: Any) -> int:
        """What `strcmp` tells of two strings.

        Raises a `Halt` where there is none, or where a character is unknown.
        """
        for each in (one, two):
            if isinstance(each, Unknown):
                raise Undetermined(each)
        return int(self._functions[_HOME[BY_TEXT]].call(BY_TEXT, (one, two), ())[0])

    def room(self, string: Any, more: int) -> Any:
        """How many bytes a string without its zero and so many more need, unknown where a character is.

        Raises a `Halt` where there is no string.
        """
        try:
            if isinstance(string, Unknown):
                return Unknown()
            return len(self._text.string(string)) + more
        except Undetermined:
            return Unknown()

    def look(self, name: str, values: Callable[[], Sequence[Any]]) -> None:
        """Evaluate the arguments of a call that the process carries out, and note what it prints if asked to.

        Raises `Fault` where they read through a null pointer or a freed node, or an uninitialised pointer,
        where they leave an array that is part of an object, and where a text that is printed lies there.
        With others the process may get away: library functions hand out memory that the model has not seen.
        """
        prints = self.prints and name in PRINTING
        try:
            given = values()
            if name in PRINTING:
                self._readable(name, given)
            if prints:
                self._print(printed(name, given, self._text.text))
        except (Unmodelled, Undetermined):
            if prints:
                self._print("?")
        except Fault as fault:
            if fault.kind in ("null", "freed", "division") or fault.left:
                raise
            if fault.kind == "uninitialised" and not self._lenient:
                raise

    def _readable(self, name: str, given: Sequence[Any]) -> None:
        """Raise `Fault` where a text that is printed was freed, or is null and not `printf`'s to print."""
        memory = self._memory
        gone = [each for each in given if isinstance(each, int) and memory.gone(each)]
        null = [each for each in given if each == 0 and isinstance(each, int)]
        if not gone and not null:
            return
        found = list(texts(name, given, self._text.text))
        if name in _WHOLE or (name == "printf" and self._text.text(given[0]) == _AS_PUTS):
            gone += null
        for pointer in found:
            if pointer in gone:
                memory.access(pointer + (INT1 << KIND_SHIFT))

    def _print(self, text: str) -> None:
        memory = self._memory
        memory.put(OUTPUT_KEY, memory.cells.get(OUTPUT_KEY, "") + text)
