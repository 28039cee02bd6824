"""Recorded sessions taken up again, through the command line and a real terminal."""

from __future__ import annotations

import fcntl
import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest
from started import in_words, wolverine

PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
struct n { int v; struct n *next; };
struct n *head;
int main(void)
{
    for (int i = 1; i < 4; i++) {
        struct n *p = malloc(sizeof *p);
        p->v = i;
        p->next = head;
    }
    printf("built\\n");
    return 0;
}
"""
ASKING = """\
#include <stdio.h>
int main(void)
{
    int a = 0, b = 0;
    printf("first? ");
    scanf("%d", &a);
    printf("second? ");
    scanf("%d", &b);
    a = a + b;
    return 0;
}
"""


class Home:
    """A folder with a program, and a state directory of its own."""

    def __init__(self, folder: Path, text: str) -> None:
        self.folder = folder
        (folder / "program.c").write_text(text)
        self.environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state"), "TERM": "dumb"}

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return in_words(wolverine(arguments, cwd=self.folder, env=self.environment))

    def record(self, *commands: str) -> list[dict[str, Any]]:
        """The events of a recorded batch session."""
        return self.events("program.c", "--journal", commands=commands)

    def resume(self, *options: str, commands: tuple[str, ...] = ()) -> list[dict[str, Any]]:
        return self.events("--resume", *options, commands=commands)

    def events(self, *options: str, commands: tuple[str, ...]) -> list[dict[str, Any]]:
        given = [word for command in commands for word in ("-ex", command)]
        done = self(*options, "--batch", "--json", *given)
        self.status = done.returncode
        self.words = done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    def journals(self) -> list[Path]:
        return sorted((self.folder / "state/wolverine/sessions").glob("*"))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path, PROGRAM)


def pictures(events: list[dict[str, Any]]) -> list[tuple[Any, Any]]:
    return [(each["nodes"], each["places"]) for each in events if each["event"] == "graph"]


STORY = ("start; next 4", "change head n1", "spec", "next 5", "change head n2", "spec")


def test_a_session_is_taken_up_at_the_same_point(home: Home) -> None:
    before = home.record(*STORY, "repair", "rewrite")
    after = home.resume(commands=("rewrite", "checkpoints", "back"))
    assert home.status == 0, home.words
    patch = [each["patch"] for each in before if each["event"] == "rewritten"]
    assert [each["patch"] for each in after if each["event"] == "rewritten"] == patch
    assert "head = p" in patch[0]
    assert pictures(after)[0] == pictures(before)[-1]
    listed = next(each for each in after if each["event"] == "checkpoints")
    assert [each["checkpoint"] for each in listed["list"]] == [0, 1]


def test_the_history_knows_what_was_repeated(home: Home) -> None:
    home.record("start; next", "change head n1")
    for journal in ("--no-journal", "--journal"):
        told = [
            each["text"] for each in home.resume(journal, commands=("history",)) if each["event"] == "text"
        ]
        assert told[-1].split() == ["1", "start", "2", "next", "3", "change", "head", "n1", "4", "history"]


def test_a_torn_last_line_costs_nothing_but_itself(home: Home) -> None:
    before = home.record(*STORY)
    (journal,) = home.journals()
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-7])
    after = home.resume()
    assert pictures(after)[-1] == pictures(before)[-1]
    # Torn in the middle of the last command's answers: the commands before it are there.
    last = whole.rindex(b'{"type": "command"')
    journal.write_bytes(whole[: last + 15])
    home.resume("--journal", commands=("spec head",))
    assert home.status == 0, home.words
    text = journal.read_text().splitlines()
    assert [json.loads(line).get("text") for line in text if '"command"' in line][-1] == "spec head"
    assert all(json.loads(line) for line in text)


def test_a_changed_source_is_refused_with_the_reason(home: Home) -> None:
    home.record("start")
    (home.folder / "program.c").write_text(PROGRAM.replace("i < 4", "i < 5"))
    home.resume()
    assert home.status == 2
    assert "program.c has changed since" in home.words
    assert "program.c has changed since" in home("sessions").stdout


def test_the_newest_session_is_the_newest_that_does_not_go_on_elsewhere(home: Home) -> None:
    home.record("start", "next")
    home.record("start", "next 3")
    first, second = home.journals()
    with second.open() as running:
        fcntl.flock(running, fcntl.LOCK_EX)
        for named in ((), ("program.c",)):
            told = [each.get("text", "") for each in home.resume(*named)]
            assert any(text.startswith(f"session {first.stem} is taken up again") for text in told)
        home.resume(second.stem, "--journal")
        assert f"session {second.stem} is in use by another process" in home.words
    told = [each.get("text", "") for each in home.resume()]
    assert any(text.startswith(f"session {second.stem} is taken up again") for text in told)


def test_only_the_user_can_read_it_and_what_others_can_write_is_refused(home: Home) -> None:
    home.record("start")
    (journal,) = home.journals()
    assert stat.S_IMODE(journal.stat().st_mode) == 0o600
    assert stat.S_IMODE(journal.parent.stat().st_mode) == 0o700
    journal.chmod(0o622)
    home.resume()
    assert home.status == 2
    assert "others can write" in home.words


def test_batches_record_nothing_unless_asked(home: Home) -> None:
    home.events("program.c", commands=("start",))
    assert home.journals() == []
    assert home("sessions").stdout == "no sessions are recorded\n"


def test_names_and_sources_select_a_session(home: Home) -> None:
    home.record("start")
    home.record("start; next")
    first, second = home.journals()
    assert [line.split()[0] for line in home("sessions").stdout.splitlines()] == [second.stem, first.stem]
    home.resume(first.stem)
    assert home.status == 0, home.words
    home.resume("program.c")
    assert home.status == 0, home.words
    home.resume("program")  # what the newest is called behind its time
    assert home.status == 0, home.words
    home.resume("progra")
    assert home.status == 2
    assert f"progra could be {second.stem} or {first.stem}" in home.words
    home.resume("nothing")
    assert home.status == 2
    assert "there is no session nothing" in home.words


def test_files_are_not_written_again_and_failures_are_repeated(home: Home) -> None:
    home.record("start; next 4", "save heap.txt", "!touch made", "frobnicate")
    for name in ("heap.txt", "made"):
        (home.folder / name).unlink()
    events = home.resume()
    assert home.status == 0, home.words
    assert not (home.folder / "heap.txt").exists()
    assert not (home.folder / "made").exists()
    assert pictures(events)


def test_a_replay_that_comes_out_differently_says_where(home: Home) -> None:
    home.record(*STORY)
    (journal,) = home.journals()
    journal.write_text(journal.read_text().replace('"checkpoint": 0', '"checkpoint": 7'))
    home.resume()
    assert home.status == 1
    assert "(`spec`) comes out differently" in home.words


def test_what_was_typed_is_typed_again_and_a_full_session_is_recorded_at_a_terminal(tmp_path: Path) -> None:
    home = Home(tmp_path, ASKING)

    def shell(*arguments: str) -> Any:
        spawned = pexpect.spawn(
            sys.executable,
            ["-m", "wolverine", *arguments, "--no-color"],
            cwd=str(tmp_path),
            env=home.environment,
            encoding="utf-8",
            timeout=60,
        )
        spawned.setecho(False)
        return spawned

    first = shell("program.c")
    first.expect_exact("(wolverine)")
    first.sendline("start")
    first.expect_exact("a = 0")
    first.expect_exact("(wolverine)")
    first.sendline("next 3")
    first.expect_exact("first? ")
    first.sendline("20")
    first.expect_exact("(wolverine)")
    first.sendline("next 2")
    first.expect_exact("second? ")
    first.sendline("22")
    first.expect_exact("a = a + b")
    first.expect_exact("(wolverine)")
    first.kill(9)
    first.wait()
    second = shell("--resume")
    second.expect_exact("3 commands repeated")
    second.expect_exact("(wolverine)")
    second.sendline("next")
    second.expect_exact("a: 20 → 42")
    second.sendline("quit")
    second.expect(pexpect.EOF)
    (journal,) = home.journals()
    assert '"data": "20\\n"' in journal.read_text()


def test_what_was_undone_because_gdb_died_is_not_repeated(home: Home) -> None:
    before = home.record(*STORY[:3], "next 2", "python import os; os.kill(os.getpid(), 9)")
    assert "started anew" in home.words
    after = home.resume("--journal", commands=("checkpoints", "back", "next", "spec"))
    assert home.status == 0, home.words
    assert pictures(after)[0] == pictures(before)[-1]
    again = home.resume(commands=("checkpoints",))
    assert home.status == 0, home.words
    listed = [each["list"] for each in (*after, *again) if each["event"] == "checkpoints"]
    assert [[each["checkpoint"] for each in every] for every in listed] == [[0], [0, 1]]


def test_a_session_killed_in_the_middle_of_a_command_is_taken_up_before_it(home: Home) -> None:
    text = PROGRAM.replace('printf("built\\n")', 'printf("built\\n"); fflush(stdout); for (;;) ;')
    (home.folder / "program.c").write_text(text)
    given = [word for command in (*STORY[:3], "set step-budget 600", "continue") for word in ("-ex", command)]
    running = subprocess.Popen(
        [sys.executable, "-m", "wolverine", "program.c", "--journal", "--batch", "--json", *given],
        cwd=home.folder,
        env=home.environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    events = []
    for line in running.stdout:
        events.append(json.loads(line))
        if events[-1]["event"] == "output":
            break
    running.kill()
    running.communicate()
    after = home.resume(commands=("checkpoints", "next"))
    assert home.status == 0, home.words
    assert pictures(after)[0] == pictures(events)[-1], after
    assert len(pictures(after)) == 2
    assert [each["checkpoint"] for each in after if each["event"] == "spec"] == []


def test_a_header_that_has_changed_and_a_source_that_is_gone_are_named(home: Home) -> None:
    (home.folder / "n.h").write_text("struct n { int v; struct n *next; };\n")
    source = home.folder / "program.c"
    source.write_text(PROGRAM.replace("struct n { int v; struct n *next; };", '#include "n.h"'))
    home.record("start; next 3")
    (home.folder / "n.h").write_text("struct n { long v; struct n *next; };\n")
    home.resume()
    assert (home.status, "n.h has changed since" in home.words) == (2, True), home.words
    source.unlink()
    home.resume()
    assert home.status == 2
    assert "program.c cannot be read" in home.words
