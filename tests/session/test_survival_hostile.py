"""A hostile program: nothing that it holds, writes or is called steers the terminal or is evaluated."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from faults import holds, lost
from played_session import Played
from started import wolverine

from wolverine.session import results

ESCAPES = "\x1b]0;owned\x07\x1b[2J\r\x9b31m\x7f\u202e"
# What gdb, Python, a shell, printf or the machine interface would do something with.
ORDERS = (
    "$(touch owned)",
    "`touch owned`",
    '"; shell touch owned; "',
    "'; import os; os.system('touch owned') #",
    "{open('owned', 'w')}",
    "{0.__class__}",
    "%n%n%s%s",
    '\\";shell touch owned\\n',
    '1^done,value="owned"\\n',
    "python open('owned', 'w')",
    '@system("touch owned")',
)
PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct line { char text[64]; char *more; struct line *next; };
struct line *first;
static void keep(const char *text)
{
    struct line *fresh = malloc(sizeof *fresh);
    memset(fresh, 0, sizeof *fresh);
    strncpy(fresh->text, text, 63);
    fresh->more = malloc(strlen(text) + 1);
    strcpy(fresh->more, text);
    fresh->next = first;
    first = fresh;
}
int main(int argc, char **argv)
{
    int i;
    for (i = 1; i < argc; i++) {
        keep(argv[i]);
        printf("%s\n", argv[i]);
        fprintf(stderr, "%s\n", argv[i]);
    }
    first->next = first;
    strcpy(first->text, argv[argc - 1]);
    return 0;
}
"""
EVIL_SCRIPT = """\
.pushsection ".debug_gdb_scripts", "MS",@progbits,1
.byte 4
.ascii "gdb.inlined-script\\n"
.ascii "open('{owned}', 'w')\\n"
.byte 0
.popsection
.section .note.GNU-stack,"",@progbits
"""


def steering(data: bytes) -> str:
    """The characters in it that a terminal would act on."""
    text = data.decode("utf-8", "replace")
    return "".join(
        sorted({c for c in text if (c < " " and c not in "\n\t") or "\x7f" <= c < "\xa0" or c == "\u202e"})
    )


def test_nothing_that_the_program_says_steers_the_terminal(tmp_path: Path) -> None:
    name = 'evil\x1b[2J\x07"; shell touch owned; ".c'
    (tmp_path / name).write_text(PROGRAM)
    line = PROGRAM[: PROGRAM.index("first->next = first")].count("\n") + 1
    commands = [
        "start", "print argv[1]", "step", f"break {line}", "continue", "graph", "info locals", "print *first",
        "bt", "info source", "change first->next null", "spec first->next", "why n1", "checkpoints", "next",
        "localize", "repair --no-question --budget 1", "rewrite", "save heap.txt", "back",
        "frobnicate \x1b[2J", "!cat heap.txt", "list", "continue",
    ]  # fmt: skip
    given = [word for command in commands for word in ("-ex", command)]
    done = wolverine(
        [name, "--no-color", *given, "--", ESCAPES, *ORDERS, ESCAPES],
        given="quit\n",
        cwd=tmp_path,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path / "state"), "TERM": "xterm"},
    )
    assert b"has a bug" not in done.stdout + done.stderr
    assert not steering(done.stdout), done.stdout
    assert not steering(done.stderr), done.stderr
    assert b"^[]0;owned^G^[[2J" in done.stdout
    assert ORDERS[0].encode() in done.stdout
    assert not (tmp_path / "owned").exists()


@pytest.fixture
def armed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A binary with a script inside, and start files of gdb in every place where it looks."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    owned = tmp_path / "owned"
    (tmp_path / "evil.s").write_text(EVIL_SCRIPT.format(owned=owned))
    (tmp_path / "prog.c").write_text(PROGRAM)
    binary = tmp_path / "prog"
    subprocess.run(["gcc", "-g", "-O0", "prog.c", "evil.s", "-o", binary], check=True)
    (tmp_path / "config" / "gdb").mkdir(parents=True)
    for place in (
        ".gdbinit",
        ".gdbearlyinit",
        "config/gdb/gdbinit",
        "config/gdb/gdbearlyinit",
        "prog-gdb.gdb",
    ):
        (tmp_path / place).write_text(f"shell touch {owned}\n")
    (tmp_path / "prog-gdb.py").write_text(f"open({str(owned)!r}, 'w')\n")
    return binary


def test_no_script_that_lies_about_or_in_the_binary_is_run(armed: Path, tmp_path: Path) -> None:
    owned = tmp_path / "owned"
    # So it would be: gdb by itself, told to trust everything, runs what lies in the binary.
    trusting = ["gdb", "-nx", "-batch", "-iex", "set auto-load safe-path /", str(armed)]
    subprocess.run(trusting, capture_output=True, check=True)
    assert owned.exists()
    owned.unlink()
    session = Played(armed.with_suffix(".c"), executable=armed, arguments=("one", *ORDERS))
    try:
        session("start\nnext 4\nprint *first\ninfo auto-load\nrun")
    finally:
        session.session.close()
    assert not owned.exists()


def test_what_the_heap_holds_reaches_gdb_as_numbers_only(
    play: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    marks = [f"mark{number}{order}" for number, order in enumerate(ORDERS)]
    session = play(PROGRAM, arguments=tuple(marks), json=False)
    told: list[str] = []
    gdb = session.session.debugger._execution.gdb
    session("start")
    gdb._log = told.append
    session(f"break {PROGRAM[: PROGRAM.index('first->next = first')].count(chr(10)) + 1}\ncontinue")
    session(
        "change first->next null\nspec first->next\nsave heap.svg\nwhy n1\nback\n"
        "continue\nnext\nback\nresume 0"
    )
    before = holds(session)
    session("call keep(argv[1])\nundo\nresume 0")
    assert not lost(before, holds(session))
    assert any("mark3" in each.picture for each in session.heard if isinstance(each, results.Graph))
    assert not [line for line in told if line.startswith(">") and "mark" in line]
    assert not (tmp_path / "owned").exists()


def test_the_program_has_no_descriptor_of_gdbs(play: Callable[..., Any]) -> None:
    session = play(PROGRAM, arguments=("one",))
    session("start")
    pid = session.session.debugger.pid
    assert {path.name for path in Path(f"/proc/{pid}/fd").iterdir()} == {"0", "1", "2"}
    terminal = session.session.debugger._terminal.path
    targets = {str(Path(f"/proc/{pid}/fd/{number}").readlink()) for number in (1, 2)}
    assert targets == {terminal}
