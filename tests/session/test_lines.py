"""Source lines as they are quoted in sentences."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import cast

import pytest

from wolverine.core.program import Program
from wolverine.session.lines import Lines


@dataclass
class _Source:
    path: str
    content: bytes


@pytest.mark.parametrize(
    ("line", "quoted"),
    [
        ("  x = 1;   /* set */", "x = 1;"),
        ("x = 2; // read", "x = 2;"),
        ("x = 3; /* and so", "x = 3;"),
        ('printf("// %d", \'"\', x); /* here */', 'printf("// %d", \'"\', x);'),
        ("f(/* one */ 2);", "f(/* one */ 2);"),
        ("/* nothing else */", "/* nothing else */"),
    ],
)
def test_a_statement_is_quoted_without_the_comment_behind_it(line: str, quoted: str) -> None:
    program = SimpleNamespace(files=(_Source("a.c", line.encode()),))
    assert Lines(cast(Program, program)).code("a.c", 1) == quoted
