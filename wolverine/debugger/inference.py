"""What blocks hold, as told by the pointers that lead to them."""

from __future__ import annotations

from wolverine.core.types import ArrayType, CType, FunctionType, IntType, StructReference, VoidType
from wolverine.core.unions import is_union
from wolverine.debugger.layout import Layouts

Rank = tuple[bool, bool, int, bool, int, bool]


class TypeMemory:
    """The best type seen for each block, by number; it outlives the last pointer to the block.

    A better one has room in the block, fits its size without rest, is a struct or a union rather than a
    scalar, a scalar rather than a character, was told by a pointer to the block's start, is larger, and is a
    union rather than a struct that may be a member of it, in this order.  `void *` tells nothing.
    """

    def __init__(self, layouts: Layouts) -> None:
        self._layouts = layouts
        self._types: dict[int, CType] = {}
        self._ranks: dict[int, Rank] = {}
        self._heard: set[tuple[int, CType, bool]] = set()
        self.version = 0
        self.news: set[int] = set()  # blocks whose type changed, until the reader has seen to them
        self._saved: tuple[tuple[int, int], object] | None = None

    def get(self, number: int) -> CType | None:
        """The type of block `number`, None while no pointer has told it."""
        return self._types.get(number)

    def learn(self, number: int, size: int, ctype: CType, offset: int) -> bool:
        """A pointer to `ctype` leads to byte `offset` of the block; true when that changed its type."""
        at_start = offset == 0
        if (number, ctype, at_start) in self._heard:
            return False
        if isinstance(ctype, (VoidType, FunctionType)) or offset % self._layouts.element_size(ctype):
            return False
        self._heard.add((number, ctype, at_start))
        while isinstance(ctype, ArrayType):
            ctype = ctype.element
        rank = self._rank(size, ctype, at_start)
        if rank is None or (number in self._ranks and rank <= self._ranks[number]):
            return False
        self._types[number] = ctype
        self._ranks[number] = rank
        self.news.add(number)
        self.version += 1
        return True

    def save(self) -> object:
        """What is known now, for `load`; the same object while nothing was learned."""
        now = (self.version, len(self._heard))
        if self._saved is None or self._saved[0] != now:
            self._saved = (now, (dict(self._types), dict(self._ranks), set(self._heard)))
        return self._saved[1]

    def load(self, saved: object) -> None:
        """Go back to what was known at `save`: the numbers of later blocks will be given anew."""
        assert isinstance(saved, tuple)
        self._types, self._ranks, self._heard = dict(saved[0]), dict(saved[1]), set(saved[2])
        self.version += 1

    def _rank(self, size: int, ctype: CType, at_start: bool) -> Rank | None:
        known = self._layouts.types.size(ctype)
        if known == 0:
            return None
        open_end = self._layouts.types.open_end(ctype)
        flexible = open_end is not None and open_end.offset <= size
        fits = size % known == 0 or flexible
        union = is_union(self._layouts.types, ctype)
        if isinstance(ctype, StructReference) or union:
            kind = 3
        elif isinstance(ctype, IntType) and ctype.size == 1:
            kind = 1
        else:
            kind = 2
        return (known <= size or flexible, kind > 1 and fits, kind, at_start, known, union)
