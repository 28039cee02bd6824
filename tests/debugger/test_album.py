"""A bound on the memory of all images: the oldest are thinned, what has to stay stays."""

from __future__ import annotations

import gc

from wolverine.debugger.album import Album
from wolverine.debugger.image import Image
from wolverine.debugger.memory import PAGE

MB = 1 << 20


def image(*pages: bytes, own: int | None = None) -> Image:
    held = {index * PAGE: page for index, page in enumerate(pages)}
    own = sum(map(len, pages)) if own is None else own
    return Image({}, (), held, (), {}, frozenset(), 0, 0, own=own)


def page(number: int) -> bytes:
    return number.to_bytes(8, "little") * (PAGE // 8)


def filled(count: int, limit: int) -> tuple[Album, list[Image]]:
    album = Album(limit)
    images = [image(*(page(n * 1000 + i) for i in range(64))) for n in range(count)]
    for each in images:
        album.add(each)
    return album, images


def test_below_the_limit_nothing_is_given_up() -> None:
    album, images = filled(3, MB)
    assert not album.full
    assert album.thin([], []) == 0
    assert all(each.kept for each in images)


def test_the_oldest_are_thinned_until_there_is_room() -> None:
    album, images = filled(40, MB)
    assert album.full
    given_up = album.thin([images[0], images[-1]], [])
    assert given_up == sum(not each.kept for each in images) > 0
    assert album.size() <= MB * 3 // 4
    assert images[0].kept and images[-1].kept
    assert not album.full


def test_every_second_goes_before_neighbours_do() -> None:
    album, images = filled(5, MB)
    album.thin([], [])
    assert [each.kept for each in images] == [False, True, False, True, True] or not images[0].kept
    assert images[1].kept


def test_what_is_spare_goes_first() -> None:
    album, images = filled(5, MB)
    album.thin([], images[2:])
    assert [each.kept for each in images] == [True, True, False, False, False]


def test_shared_pages_count_once() -> None:
    album = Album(MB)
    pages = [page(n) for n in range(64)]
    images = [image(*pages, own=0) for _ in range(50)]
    for each in images:
        album.add(each)
    assert album.size() < MB
    assert album.thin([], []) == 0


def test_what_has_to_stay_does_so_beyond_the_limit_and_is_not_counted_at_every_stop() -> None:
    album, images = filled(10, MB)
    assert album.thin(images, []) == 0
    assert all(each.kept for each in images)
    assert not album.full


def test_images_that_nobody_holds_leave() -> None:
    album, images = filled(10, MB)
    del images[2:]
    gc.collect()
    assert album.size() < MB
    assert album.thin([], []) == 0
