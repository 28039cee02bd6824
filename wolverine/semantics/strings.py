"""Library functions on strings."""

from __future__ import annotations

from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.text import LONGEST, Functions, Kinds, Writes, lower


class Strings(Functions):
    """`str...` of string.h and strings.h."""

    def _c_strlen(self, text: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return len(self._text.string(text)), []

    def _c_strnlen(self, text: int, most: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return len(self._text.string(text, min(most, LONGEST - 1))), []

    def _c_strcmp(self, one: int, two: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return self._order(one, two, LONGEST, False), []

    def _c_strcoll(self, one: int, two: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return self._order(one, two, LONGEST, False), []

    def _c_strncmp(self, one: int, two: int, most: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return self._order(one, two, most, False), []

    def _c_strcasecmp(self, one: int, two: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return self._order(one, two, LONGEST, True), []

    def _c_strncasecmp(self, one: int, two: int, most: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return self._order(one, two, most, True), []

    def _order(self, one: int, two: int, most: int, fold: bool) -> int:
        """The difference of the first characters that differ, as glibc tells it."""
        for at in range(min(most, LONGEST)):
            left, right = self._text.byte(one + at), self._text.byte(two + at)
            if fold:
                left, right = lower(left), lower(right)
            if left != right or not left:
                return left - right
        return 0

    def _c_strcpy(self, target: int, source: int, *, kinds: Kinds) -> tuple[int, Writes]:
        data = self._text.string(source)
        if abs(target - source) <= len(data):
            raise Unmodelled("a string is copied to where it is itself")
        return target, self._text.store(target, data + b"\0")

    def _c_stpcpy(self, target: int, source: int, *, kinds: Kinds) -> tuple[int, Writes]:
        data = self._text.string(source)
        return target + len(data), self._text.store(target, data + b"\0")

    def _c_strncpy(self, target: int, source: int, most: int, *, kinds: Kinds) -> tuple[int, Writes]:
        if most > LONGEST:
            raise Unmodelled("a long string")
        return target, self._text.store(target, self._text.string(source, most).ljust(most, b"\0"))

    def _c_strcat(self, target: int, source: int, *, kinds: Kinds) -> tuple[int, Writes]:
        end = target + len(self._text.string(target))
        return target, self._text.store(end, self._text.string(source) + b"\0")

    def _c_strncat(self, target: int, source: int, most: int, *, kinds: Kinds) -> tuple[int, Writes]:
        end = target + len(self._text.string(target))
        return target, self._text.store(end, self._text.string(source, min(most, LONGEST - 1)) + b"\0")

    def _c_strchr(self, text: int, wanted: int, *, kinds: Kinds) -> tuple[int, Writes]:
        found = (self._text.string(text) + b"\0").find(wanted & 255)
        return (text + found if found >= 0 else 0), []

    def _c_strrchr(self, text: int, wanted: int, *, kinds: Kinds) -> tuple[int, Writes]:
        found = (self._text.string(text) + b"\0").rfind(wanted & 255)
        return (text + found if found >= 0 else 0), []

    def _c_strstr(self, text: int, wanted: int, *, kinds: Kinds) -> tuple[int, Writes]:
        found = self._text.string(text).find(self._text.string(wanted))
        return (text + found if found >= 0 else 0), []

    def _c_strspn(self, text: int, accepted: int, *, kinds: Kinds) -> tuple[int, Writes]:
        data = self._text.string(text)
        return len(data) - len(data.lstrip(self._text.string(accepted))), []

    def _c_strcspn(self, text: int, refused: int, *, kinds: Kinds) -> tuple[int, Writes]:
        data, stop = self._text.string(text), frozenset(self._text.string(refused))
        return next((at for at, code in enumerate(data) if code in stop), len(data)), []

    def _c_strdup(self, text: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return self._new_string(self._text.string(text))

    def _c_strndup(self, text: int, most: int, *, kinds: Kinds) -> tuple[int, Writes]:
        return self._new_string(self._text.string(text, min(most, LONGEST - 1)))

    def _new_string(self, data: bytes) -> tuple[int, Writes]:
        address = self._memory.allocate(len(data) + 1)
        return address, self._text.store(address, data + b"\0")
