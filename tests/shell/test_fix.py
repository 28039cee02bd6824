"""`wolverine fix`: repairs that need no session."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
import started
from started import in_words

LIST = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *head;
static void append(int key)
{
    struct node *made = malloc(sizeof *made), *last = head;
    made->key = key;
    made->next = NULL;
    while (%(test)s)
        last = last->next;
    if (last == NULL)
        head = made;
    else
        last->next = made;
}
static void clear(void)
{
    while (head != NULL) {
        struct node *gone = head;
        head = head->next;
        %(free)s
    }
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        append(atoi(argv[i]));
    for (struct node *p = head; p != NULL; p = p->next)
        printf("%%d ", p->key);
    clear();
    if (argc > 9) {
        struct node *other = malloc(sizeof *other);
        free(other);
    }
    return 0;
}
"""
RIGHT = {"test": "last != NULL && last->next != NULL", "free": "free(gone);"}
FAULTS = {"test": "last->next != NULL", "free": ""}


def fix(
    tmp_path: Path, faults: dict[str, str], *arguments: str, given: tuple[str, ...] = ("4", "2", "7")
) -> subprocess.CompletedProcess[str]:
    file = tmp_path / "list.c"
    file.write_text(LIST % {**RIGHT, **faults})
    return in_words(started.wolverine(["fix", file, *arguments, "--", *given]))


def output(source: Path, *arguments: str) -> tuple[int, str]:
    program = source.with_suffix("")
    subprocess.run(["gcc", "-g", "-fsanitize=address,undefined", "-o", program, source], check=True)
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_one_fault_after_the_other_is_repaired_and_the_source_written(tmp_path: Path) -> None:
    repaired = tmp_path / "with a blank" / "repaired.c"
    repaired.parent.mkdir()
    done = fix(tmp_path, FAULTS, "-o", str(repaired))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("repaired by 1 edit") == 2
    assert output(repaired) == (0, "")
    assert output(repaired, "5", "1") == (0, "5 1 ")


def test_without_a_file_the_difference_is_printed(tmp_path: Path) -> None:
    done = fix(tmp_path, {"test": FAULTS["test"]}, "--json")
    assert done.returncode == 0
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert events[-1]["event"] == "rewritten" and events[-1]["file"] is None
    assert "+    while (last != NULL && last->next != NULL)" in events[-1]["patch"]


def test_the_doubts_about_what_is_in_the_difference_are_said_behind_it(tmp_path: Path) -> None:
    done = fix(tmp_path, {"test": FAULTS["test"]})
    line = 1 + (LIST % {**RIGHT, "test": FAULTS["test"]}).splitlines().index(f"    while ({FAULTS['test']})")
    doubts = [each for each in done.stdout.splitlines() if each.startswith("doubt: ")]
    about = f"doubt about the repair of line {line}: "
    assert doubts
    assert [each for each in done.stderr.splitlines() if each] == [
        each.replace("doubt: ", about) for each in doubts
    ]
    assert done.stdout.splitlines()[-1].startswith(" ")  # of the difference


def test_what_ends_without_a_fault_is_left_alone(tmp_path: Path) -> None:
    done = fix(tmp_path, {})
    assert done.returncode == 0
    assert "ends without a fault" in done.stdout + done.stderr
    assert "---" not in done.stdout


def test_what_was_repaired_is_given_although_a_fault_is_left(tmp_path: Path) -> None:
    done = fix(tmp_path, FAULTS, "--most", "1")
    assert done.returncode == 1
    assert "a fault is left after 1 repair; --most 2 allows one more" in done.stdout + done.stderr
    assert "+    while (last != NULL && last->next != NULL)" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--most", "0", "a.c"], "--most"),
        (["--engine", "x", "a.c"], "usage: wolverine fix"),
        (["missing.c"], "cannot be read"),
        ([], "usage: wolverine fix"),
    ],
)
def test_wrong_usage(arguments: list[str], words: str) -> None:
    done = in_words(started.wolverine(["fix", *arguments]))
    assert done.returncode == 2
    assert words in done.stderr


def test_the_help_tells_of_it() -> None:
    done = in_words(started.wolverine(["--help"]))
    assert "wolverine fix PROGRAM.c" in done.stdout
    assert "--most N" in in_words(started.wolverine(["fix", "--help"])).stdout
