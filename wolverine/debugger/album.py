"""All images of a session, and a bound on the memory that they take together."""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Collection, Iterable

from wolverine.debugger.image import Image

DEFAULT_LIMIT = 500 << 20
_ENTRY = 128  # bytes for each page that an image lists, shared or not


class Album:
    """Counts the pages that images share once; `limit` is in bytes.

    An image that nobody refers to any more leaves by itself.  What must be kept may alone exceed the
    limit; then the rest is given up.
    """

    def __init__(self, limit: int = DEFAULT_LIMIT) -> None:
        self.limit = limit
        self._images: list[weakref.ref[Image]] = []
        self._estimate = 0
        self._floor = 0

    def add(self, image: Image) -> None:
        """A new image, the youngest one."""
        self._images.append(weakref.ref(image))
        self._estimate += image.own + len(image.pages) * _ENTRY

    @property
    def full(self) -> bool:
        """Whether it is time to `thin`: a guess that never is too low."""
        return self._estimate > max(self.limit, self._floor + self.limit // 8)

    def size(self) -> int:
        """The bytes that all images take together."""
        return _size(self._live())[0]

    def thin(self, kept: Iterable[Image | None], spare: Iterable[Image | None]) -> int:
        """Give up images until three quarters of the limit are kept; how many were given up.

        First those in `spare`, then every second one from the oldest on, as often as needed; never one
        that is in `kept`.
        """
        live = self._live()
        size, owners = _size(live)
        count = 0
        if size > self.limit:
            firm = {id(each) for each in kept}
            first = {id(each) for each in spare}
            left = [image for image in live if id(image) not in firm]
            for image in _order(left, first):
                if size <= self.limit * 3 // 4:
                    break
                size -= _given_up(image, owners)
                count += 1
            self._floor = size
        self._estimate = size
        return count

    def _live(self) -> list[Image]:
        found = [image for each in self._images if (image := each()) is not None and image.pages]
        self._images = [weakref.ref(image) for image in found]
        return found


def _order(images: Collection[Image], first: Collection[int]) -> Iterable[Image]:
    """The order in which images are given up."""
    yield from (image for image in images if id(image) in first)
    left = [image for image in images if id(image) not in first]
    while left:
        yield from left[::2]
        left = left[1::2]


def _size(images: Iterable[Image]) -> tuple[int, Counter[int]]:
    owners: Counter[int] = Counter()
    size = 0
    for image in images:
        size += len(image.pages) * _ENTRY
        for page in image.pages.values():
            if not owners[id(page)]:
                size += len(page)
            owners[id(page)] += 1
    return size, owners


def _given_up(image: Image, owners: Counter[int]) -> int:
    """Drop the pages of an image; the bytes that this frees."""
    freed = len(image.pages) * _ENTRY
    for page in image.pages.values():
        owners[id(page)] -= 1
        if not owners[id(page)]:
            freed += len(page)
    image.pages.clear()
    return freed
