"""Going back: within a bound on memory, with what was written marked, and what does not go back said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wolverine.errors import CommandError
from wolverine.session import results

BIG = """\
#include <string.h>
#include <sys/mman.h>
static unsigned long block; /* no pointer: the picture stays small */
int main(void)
{
    int i = 0;
    block = (unsigned long)mmap(0, 4 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    while (i < 40) {
        memset((void *)block, i, 4 << 20);
        i++;
    }
    return 0;
}
"""
WRITING = """\
#include <stdio.h>
int main(void)
{
    int a = 1;
    puts("one");
    a = 2;
    puts("three");
    a = 3;
    return a;
}
"""


def test_a_cap_thins_old_stops_and_keeps_checkpoints(play: Callable[..., Any]) -> None:
    session = play(BIG)
    session("set image-memory 24M\nstart\nnext 8\nspec")
    here = session.places()
    for _ in range(30):
        session("next")
    album = session.session.execution.album
    assert album.size() <= 25 << 20
    assert "old ones are given up" in session.texts()
    session("back 1\nback 2")
    path = session.session.execution.path
    behind = [moment for moment in path if not moment.transit][-2::-1]
    gone = next(n for n, each in enumerate(behind, 1) if not each.image.kept)
    with pytest.raises(CommandError, match=r"given up .* 24 MB .* `back \d+`"):
        session(f"back {gone}")
    session("resume 0")
    assert session.places() == here
    assert len(session.session.execution.path) > 5
    session("back")
    assert session.line() == 6
    session("next 3")
    assert session.line() == 9


def test_the_cap_is_shown_and_its_words_are_checked(play: Callable[..., Any]) -> None:
    session = play(BIG)
    session("show image-memory")
    assert "of at most 500 MB" in session.texts()
    session("start\nset image-memory 1G\nshow image-memory")
    assert "of at most 1024 MB" in session.texts()


def test_a_stop_that_nothing_touched_is_imaged_once(
    play: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = play(WRITING)
    session("start")
    debugger = session.session.debugger
    taken: list[object] = []
    take = debugger.take_image
    monkeypatch.setattr(debugger, "take_image", lambda: taken.append(1) or take())
    session("next\nnext\nnext")
    assert len(taken) == 3
    session("change a 9\nnext")
    assert len(taken) == 5
    session("back\nprint a")
    assert "9" in session.texts()


def test_memory_that_gdb_wrote_unseen_comes_back(play: Callable[..., Any]) -> None:
    text = WRITING.replace("int main", "static char buffer[64];\nint main").replace(
        'puts("three")', "puts(buffer)"
    )
    session = play(text)
    session('start\nnext\nset var buffer = "written by gdb"\nnext 3\nback\nnext 3')
    assert session.output().count("written by gdb") == 2


def test_output_that_stays_is_marked_once(play: Callable[..., Any]) -> None:
    session = play(WRITING)
    session("start\nnext 2\nnext 2\nback")
    assert session.last(results.OutputStays).size == len("three\n")
    session("back")
    assert session.last(results.OutputStays).size == len("one\n")
    marks = [each for each in session.heard if isinstance(each, results.OutputStays)]
    assert len(marks) == 2
    assert marks[0].as_event() == {"event": "output", "text": "", "undone": 6}
    session("next 4")
    assert session.output() == "one\nthree\none\nthree\n"


OUTSIDE = """\
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
static void *wait_here(void *p) { pause(); return p; }
int main(void)
{
    int a = 1, pair[2];
    pthread_t thread;
    SETUP;
    a = 2;
    a = 3;
    return a;
}
"""


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        ("pthread_create(&thread, 0, wait_here, 0)", "several threads; only the current one goes back"),
        ("socketpair(AF_UNIX, SOCK_STREAM, 0, pair)", "sockets or pipes"),
        ("pipe(pair)", "sockets or pipes"),
        ("if (fork() == 0) { pause(); _exit(0); }", "child processes; they do not go back"),
        ("mmap(0, 4096, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0)", "memory that other processes can share"),
    ],
)
def test_what_does_not_go_back_is_said(play: Callable[..., Any], setup: str, words: str) -> None:
    session = play(OUTSIDE.replace("SETUP", setup), cflags=("-pthread",))
    session("start\nnext 2\nnext")
    assert session.places()["main::a"] == 2
    before = len(session.texts())
    session("back")
    assert words in session.texts()[before:]
    assert session.places()["main::a"] == 1
    session("next; next")
    assert session.places()["main::a"] == 3
    session("back 2\nnext")
    assert session.places()["main::a"] == 2
    assert session.texts().count(words) == 1
