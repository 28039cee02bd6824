"""Input that is made up does what the C library does with the same input."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from wolverine.core.graph import MemoryGraph
from wolverine.core.program import Program
from wolverine.semantics.machine import Machine
from wolverine.semantics.scanning import ITEMS
from wolverine.semantics.state import seat

HEAD = "#include <stdio.h>\n#include <stdlib.h>\nint main(void)\n{\n"
NUMBERS = "".join(f"{n + 1}\n" for n in range(ITEMS))
WORDS = "".join(f"{chr(ord('a') + n)}\n" for n in range(ITEMS))
ANSWERS = "y\nn\n" * (ITEMS // 4)
BOTH = "".join(f"{n + 1} {chr(ord('b') + n)}\n" for n in range(0, ITEMS, 2))

PROGRAMS = {
    'int n, s = 0; while (scanf("%d", &n) == 1) s += n; printf("%d", s);': NUMBERS,
    'long n; short m; while (scanf("%ld%hd", &n, &m) != EOF) printf("%ld %d,", n, m);': NUMBERS,
    'double d; float f; while (scanf("%lf %f", &d, &f) > 0) printf("%.1f %.1f,", d, f);': NUMBERS,
    'int *p = malloc(8); while (scanf("%*d %d", p + 1) == 1) printf("%d ", p[1]);': NUMBERS,
    'char w[8]; while (scanf("%7s", w) == 1) printf("%s|", w);': WORDS,
    'char w[8]; while (fscanf(stdin, "%[a-z]%*c", w) == 1) printf("%s|", w);': WORDS.replace("\n", "."),
    'char w[8]; while (fgets(w, 8, stdin)) printf("%s|", w);': WORDS,
    'int n; char w[8]; while (scanf("%d %s", &n, w) == 2) printf("%d%s ", n, w);': BOTH,
    'int c; while ((c = getchar()) != EOF) printf("%d ", c);': ANSWERS,
    'char c; while (scanf("%c", &c) == 1) printf("%d ", c);': ANSWERS,
    "int c; while ((c = getc(stdin)) != EOF) putchar(c);": ANSWERS,
}  # with what is typed where a process reads

KEYS = "dq"
TOLD = {
    'char c; int n; while (scanf(" %c%d", &c, &n) == 2) printf("%c%d ", c, n);': "d1 q2 d3 q4 d5 q6",
    'char c, w[8]; while (scanf(" %c %7s", &c, w) == 2) printf("%c%s ", c, w);': "d a q b d c q d d e q f",
    "int c; while ((c = getchar()) != EOF) putchar(c);": "d\nq\n" * (ITEMS // 4),
}  # the same where the program is told what to do by characters


@pytest.mark.parametrize(
    ("body", "typed", "keys"),
    [(*each, "") for each in PROGRAMS.items()] + [(*each, KEYS) for each in TOLD.items()],
)
def test_made_up_input_is_read_as_the_process_reads_it(
    tmp_path: Path,
    lower: Callable[[str], Program],
    entry: Callable[[Program], MemoryGraph],
    body: str,
    typed: str,
    keys: str,
) -> None:
    text = f"{HEAD}{body}\nreturn 0;\n}}\n"
    source, binary = tmp_path / "read.c", tmp_path / "read"
    source.write_text(text)
    subprocess.run(["gcc", "-w", "-o", binary, source], check=True)
    told = subprocess.run([binary], input=typed, check=True, capture_output=True, text=True).stdout
    program = lower(text)
    machine = Machine(program, stops={"main": {program.functions["main"].end}})
    machine.keep_output()
    machine.make_up_input(keys=keys)
    seat(machine, entry(program), (("main", 0),))
    while machine.run(10_000) == "concrete":
        machine.pc += 1
    assert told
    assert machine.output == told


DRAWN = """\
int main(void)
{
    int heads = 0, tails = 0, six = 0;
    for (int i = 0; i < 100; i++)
        if (rand() % 2) heads++; else tails++;
    while (rand() % 6 != 5) six++;
    printf("%d %d %d %d", heads + tails, heads > 30, tails > 30, random() >= 0);
    return 0;
}
"""


def test_random_numbers_are_scattered_and_have_no_end(
    lower: Callable[[str], Program], entry: Callable[[Program], MemoryGraph]
) -> None:
    program = lower("#include <stdio.h>\n#include <stdlib.h>\n" + DRAWN)
    machine = Machine(program, stops={"main": {program.functions["main"].end}})
    machine.keep_output()
    seat(machine, entry(program), (("main", 0),))
    begun = machine.mark()
    told = []
    for _ in range(2):
        machine.make_up_input()
        while machine.run(10_000) == "concrete":
            assert "printf" in machine.program.functions["main"].code[machine.pc].reason  # type: ignore
            machine.pc += 1
        told.append(machine.output)
        machine.undo(begun)
    assert told == ["100 1 1 1"] * 2
    machine.make_up_input(None)
    assert machine.run(10_000) == "concrete"  # the process draws them
