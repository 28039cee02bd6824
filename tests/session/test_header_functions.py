"""Functions whose bodies stand in headers are repaired like others, in the process and in the source."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from wolverine.session import results
from wolverine.session.options import SessionOptions
from wolverine.session.parse import parse
from wolverine.session.session import Session

# It needs what the files have read before it, as such headers often do.
HEADER = """\
struct coin { cents value; struct coin *under; };
static int stacked;
static struct coin *stack(struct coin *top, cents value)
{
    struct coin *c = malloc(sizeof *c);
    c->value = value;
    c->under = c;
    stacked++;
    return c;
}
static cents worth(const struct coin *top)
{
    return top == NULL ? 0 : top->value + worth(top->under);
}
"""

BANK = """\
#include <stdio.h>
#include <stdlib.h>
typedef long cents;
#include INCLUDED
cents saved(void);
int main(void)
{
    struct coin *till = stack(NULL, 5);
    till = stack(till, 10);
    till = stack(till, 50);
    printf("%ld %d %ld\\n", worth(till), stacked, saved());
    return 0;
}
"""

SAVINGS = """\
#include <stdlib.h>
typedef long cents;
#include INCLUDED
cents saved(void)
{
    return worth(stack(stack(NULL, 1), 2));
}
"""

COMMANDS = """\
break stack
run
finish
change n1->under NULL
spec
continue
finish
change n2->under n1
spec
repair
rewrite repaired.h
delete
continue"""


@pytest.mark.parametrize(
    ("included", "header", "cflags"),
    [
        ('"coins.h"', "coins.h", ()),
        pytest.param('"parts/coins.h"', "parts/coins.h", (), marks=pytest.mark.thorough),
        ("<coins.h>", "include/coins.h", ("-I", "include")),
        pytest.param('"parts/coins.h"', "include/parts/coins.h", ("-Iinclude",), marks=pytest.mark.thorough),
    ],
)
def test_a_function_of_a_header_is_repaired(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, included: str, header: str, cflags: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(header).parent.mkdir(parents=True, exist_ok=True)
    Path(header).write_text(HEADER)
    sources = Path("bank.c"), Path("savings.c")
    for path, text in zip(sources, (BANK, SAVINGS), strict=True):
        path.write_text(text.replace("INCLUDED", included))
    heard: list[results.Result] = []
    session = Session(SessionOptions(sources, batch=True, json=True, cflags=cflags), heard.append)
    try:
        for line in COMMANDS.splitlines():
            for command in parse(line):
                session.execute(command)  # type: ignore[arg-type]
    finally:
        session.close()
    [repaired] = [each for each in heard if isinstance(each, results.Repaired)]
    assert repaired.applied == "native" and "+    c->under = top;" in repaired.patch
    # the copies of both files have given way
    assert any(isinstance(each, results.Output) and each.text == "65 3 3\n" for each in heard)
    Path(header).write_text(Path("repaired.h").read_text())
    subprocess.run(["gcc", *cflags, *sources, "-o", "bank"], check=True)
    assert subprocess.run(["./bank"], check=True, capture_output=True).stdout == b"65 3 3\n"
