"""What the heap holds, kept from stop to stop: only blocks whose bytes changed are decoded again.

A heap of more than `MOST_BLOCKS` blocks is looked at in part: what variables lead to, nearest first.
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from wolverine.core.graph import Node, NodeId, Place, Value
from wolverine.core.types import CType
from wolverine.debugger.code_index import CodeIndex
from wolverine.debugger.contents import Contents, Sparse
from wolverine.debugger.decode import Decoder, Lead, Seen
from wolverine.debugger.inference import TypeMemory
from wolverine.debugger.layout import Layout, Layouts
from wolverine.debugger.memory import Memory
from wolverine.debugger.tracker import Block

MOST_BLOCKS = 150_000
_LOOKED_AT = 20_000  # blocks of a heap that is larger than that
_MANY_AT_ONCE = 2_000  # new blocks: sorting all is quicker than inserting these
_LARGE = 5_000  # blocks: with so many, Python's collector is kept off them


class Heap:
    """The nodes and cells of one process' heap.

    After `update`: `nodes`, `cells` and `cell_types` (by number, then offset), `unread` blocks that were
    not looked at, and `changed`, the places that are not as at the update before (None: not known).
    `nodes` and `cell_types` are new objects when they changed; `cells` stays one object.
    """

    def __init__(
        self,
        memory: Memory,
        code: CodeIndex,
        layouts: Layouts,
        allocates: Mapping[tuple[str, int], CType],
    ) -> None:
        self._memory = memory
        self._code = code
        self._layouts = layouts
        self._allocates = allocates
        self.decoder = Decoder(memory, code.entry, self._bytes, layouts.types.size)
        self.types = TypeMemory(layouts)
        self.forget()

    def forget(self) -> None:
        """Nothing of what was known holds any more."""
        self.nodes: dict[NodeId, Node] = {}
        self.cells: dict[Place, Value] = {}
        self.cell_types: dict[Place, CType] = {}
        self.changed: set[Place] | None = None
        self.unread = 0
        self._contents = Contents(self._memory)
        self._listed: Sequence[Block] | None = None
        self._blocks: dict[int, Block] = {}
        self._seen: dict[int, Seen] = {}
        self._unsettled: set[int] = set()  # blocks whose pointers may mean something else at the next stop
        self._leading_out: set[int] = set()
        self.decoder.forget()

    def update(self, blocks: Sequence[Block], leads: Callable[[], Iterable[Lead]]) -> None:
        """Take the state of the stopped process; `leads` tells where its variables point."""
        try:
            if len(blocks) > MOST_BLOCKS:
                self._partly(blocks, leads)
            elif self._listed is None or self.unread or not self._further(blocks, leads):
                with _without_collector(len(blocks)):
                    self._anew(blocks, leads)
        except BaseException:
            self.forget()
            raise

    # -- all, a part, or what is new -----------------------------------------------------------------

    def _anew(self, blocks: Sequence[Block], leads: Callable[[], Iterable[Lead]]) -> None:
        self.forget()
        self._listed, self._blocks = blocks, {block.number: block for block in blocks}
        self.decoder.place(blocks)
        self._contents.place(blocks)
        self._contents.refresh()
        self._recall_sites(blocks)
        self._learn(leads())
        self._decode(deque(n for n in self._blocks if self.types.get(n) is not None))
        self.types.news.clear()
        self.nodes = {NodeId(block.number): self._node(block) for block in blocks}
        self._gather()

    def _partly(self, blocks: Sequence[Block], leads: Callable[[], Iterable[Lead]]) -> None:
        if blocks is not self._listed or not self.unread:
            self.forget()
            with _without_collector(len(blocks)):
                self._listed, self._blocks = blocks, {block.number: block for block in blocks}
                self.decoder.place(blocks)
        self._seen, self._unsettled, self._leading_out = {}, set(), set()
        self._contents.data = Sparse(self._memory, self._blocks)  # type: ignore[assignment]
        starts = [lead[0] for lead in self._learn(leads())]
        self._decode(deque(dict.fromkeys(starts)), _LOOKED_AT)
        self.types.news.clear()
        self._seen = {number: self._seen[number] for number in sorted(self._seen)}
        self.nodes = {NodeId(number): self._node(self._blocks[number]) for number in self._seen}
        self.unread = len(blocks) - len(self._seen)
        self._gather()

    def _further(self, blocks: Sequence[Block], leads: Callable[[], Iterable[Lead]]) -> bool:
        """From the last update to this one; False where that is no less work than all anew."""
        new: list[Block] = []
        restated: list[Block] = []
        if blocks is not self._listed:
            known = self._blocks
            for block in blocks:
                old = known.get(block.number)
                if old is None:
                    new.append(block)
                elif old is not block and old != block:
                    if (old.address, old.size) != (block.address, block.size):
                        return False
                    restated.append(block)
            if len(known) + len(new) != len(blocks) or len(new) > _MANY_AT_ONCE:
                return False
            if any(self.decoder.is_block(block.address) for block in new):
                return False
            known.update((block.number, block) for block in (*new, *restated))
            for block in new:
                self.decoder.add(block)
            if new:
                self._contents.place(blocks)
            self._listed = blocks
        work = self._contents.refresh()
        self._recall_sites(new)
        self._learn(leads())
        work |= self._unsettled | self.types.news | {block.number for block in new}
        work = {number for number in work if number in self._blocks and self.types.get(number) is not None}
        before = {number: self._seen.pop(number, None) for number in work}
        decoded = self._decode(deque(sorted(work)), before=before)
        self._node_changes(new, restated)
        self._cell_changes(decoded, before)
        return True

    def _bytes(self, number: int) -> bytes:
        return self._contents.data.get(number, b"")

    # -- decoding ------------------------------------------------------------------------------------

    def _learn(self, leads: Iterable[Lead]) -> list[Lead]:
        found = list(leads)
        for number, ctype, offset in found:
            self.types.learn(number, self._blocks[number].size, ctype, offset)
        return found

    def _decode(
        self,
        work: deque[int],
        most: int = 1 << 62,
        before: dict[int, Seen | None] | None = None,
    ) -> list[int]:
        """Decode these blocks and what their pointers tell the type of; returns the numbers decoded.

        With a bound also what they lead to, until so many are seen.  `before` takes up what was known
        of blocks that are decoded again.
        """
        decoded: dict[int, None] = {}
        types, seen, contents = self.types, self._seen, self._contents.data
        while work and len(seen) < most:
            number = work.popleft()
            ctype, size = types.get(number), self._blocks[number].size
            layout = self._layouts.node(ctype, size)
            entry = seen.get(number)
            if entry is not None and entry.layout is layout:
                continue
            data = contents.get(number, b"")
            if len(data) < layout.size or (ctype is None and most > len(self._blocks)):
                continue
            if before is not None:
                before.setdefault(number, entry)
            entry = seen[number] = self.decoder.node(layout, data)
            (self._unsettled.discard if entry.settled else self._unsettled.add)(number)
            (self._leading_out.add if entry.external else self._leading_out.discard)(number)
            decoded[number] = None
            for pointed, target, offset in entry.leads:
                learned = types.learn(pointed, self._blocks[pointed].size, target, offset)
                if learned or (most < len(self._blocks) and pointed not in seen):
                    work.append(pointed)
        return list(decoded)

    def _recall_sites(self, blocks: Iterable[Block]) -> None:
        """A block that no pointer has told holds what the statement that allocated it is for."""
        for block in blocks:
            if self._allocates and self.types.get(block.number) is None:
                site = self._code.site(block.allocated_by)
                ctype = self._allocates.get((site.function, site.line)) if site is not None else None
                if ctype is not None and self._layouts.types.size(ctype) <= block.size:
                    self.types.learn(block.number, block.size, ctype, 0)

    @property
    def external(self) -> tuple[tuple[int, CType], ...]:
        """The pointers that lead out of the picture, with the types they point to."""
        found = dict.fromkeys(self.decoder.external)
        for number in sorted(self._leading_out):
            found.update(dict.fromkeys(self._seen[number].external))
        return tuple(found)

    # -- nodes and cells -----------------------------------------------------------------------------

    def _node(self, block: Block) -> Node:
        ctype = self.types.get(block.number)
        count = 1 if ctype is None else max(1, self._layouts.types.count(ctype, block.size))
        return Node(
            NodeId(block.number),
            block.size,
            ctype,
            count,
            block.state,
            self._code.site(block.allocated_by),
            self._code.site(block.freed_by) if block.freed_by else None,
            array=count != 1,
            address=block.address,
            callers=self._code.sites(block.callers),
        )

    def _node_changes(self, new: Iterable[Block], restated: Iterable[Block]) -> None:
        news = [self._blocks[number] for number in self.types.news if number in self._blocks]
        self.types.news.clear()
        found = {NodeId(each.number): self._node(each) for each in (*new, *restated, *news)}
        if found:
            self.nodes = {**self.nodes, **found}

    def _gather(self) -> None:
        """All cells from what was decoded."""
        cells: dict[Place, Value] = {}
        types: dict[Place, CType] = {}
        for number in self._blocks if not self.unread else self._seen:
            entry = self._seen.get(number)
            if entry is not None:
                places = _places(number, entry.layout)
                cells.update(zip(places, entry.values))
                types.update(zip(places, entry.layout.types))
        self.cells, self.cell_types, self.changed = cells, types, None

    def _cell_changes(self, decoded: Iterable[int], before: Mapping[int, Seen | None]) -> None:
        changed: set[Place] = set()
        reshaped = False
        last = next(reversed(self.cells)).object[0] if self.cells else 0
        fresh: dict[Place, CType] = {}
        for number in sorted(set(decoded) | before.keys()):
            old, entry = before.get(number), self._seen.get(number)
            if old is not None and entry is not None and old.layout is entry.layout:
                for place, was, value in zip(_places(number, entry.layout), old.values, entry.values):
                    if was is not value and (was != value or type(was) is not type(value)):
                        self.cells[place] = value
                        changed.add(place)
                continue
            if old is None and entry is None:
                continue
            reshaped = reshaped or old is not None or entry is None or number < last
            changed.update(_places(number, old.layout) if old is not None else ())
            if entry is not None:
                places = _places(number, entry.layout)
                changed.update(places)
                self.cells.update(zip(places, entry.values))
                fresh.update(zip(places, entry.layout.types))
        if reshaped:
            self._gather()
        elif fresh:
            self.cell_types = {**self.cell_types, **fresh}
        self.changed = changed


def _places(number: int, layout: Layout) -> list[Place]:
    identity = NodeId(number)
    return [Place(identity, offset) for offset in layout.offsets]


@contextmanager
def _without_collector(blocks: int) -> Iterator[None]:
    """Millions of small objects are made and none is garbage: do not look for cycles among them."""
    if blocks < _LARGE or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
