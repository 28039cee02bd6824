"""Library functions that write what they format into memory."""

from __future__ import annotations

from typing import Any

from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.printing import printed, texts
from wolverine.semantics.text import LONGEST, Functions, Kinds, Writes


class Formatting(Functions):
    """`sprintf` and `snprintf` of stdio.h (C11 7.21.6.5 and 7.21.6.6)."""

    def _c_sprintf(self, target: int, form: int, *values: Any, kinds: Kinds) -> tuple[int, Writes]:
        data = self._formatted(target, form, *values)
        return len(data), self._text.store(target, data + b"\0")

    def _c_snprintf(
        self, target: int, size: int, form: int, *values: Any, kinds: Kinds
    ) -> tuple[int, Writes]:
        data = self._formatted(target, form, *values)
        return len(data), self._text.store(target, data[: size - 1] + b"\0") if size else []

    def _formatted(self, target: int, *given: Any) -> bytes:
        text = printed("printf", given, self._text.text)
        for pointer in texts("printf", given, self._text.text):
            if abs(target - pointer) <= len(text):
                raise Unmodelled("a string is formatted to where it is itself")
        if len(text) > LONGEST:
            raise Unmodelled("a long string")
        return text.encode("latin-1")
