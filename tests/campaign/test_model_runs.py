"""Whole programs in the model do what the compiled programs do."""

import subprocess
from pathlib import Path

import pytest

from wolverine import frontend
from wolverine.campaign.execution import Execution
from wolverine.campaign.programs import find, holdout, subject

SAMPLES = Path(__file__).parents[2] / "samples" / "table2"


def ran(tmp_path: Path, text: str, *words: str):
    source = tmp_path / "program.c"
    source.write_text(text)
    subprocess.run(["gcc", "-w", "-o", tmp_path / "program", source], check=True)
    real = subprocess.run([tmp_path / "program", *words], capture_output=True, text=True, check=False)
    return Execution(frontend.load([source]).program, words).run(), real


@pytest.mark.parametrize("path", find([str(SAMPLES / "*.c")])[::3], ids=lambda path: path.stem)
def test_the_model_prints_what_the_program_prints(tmp_path, path):
    about = subject(path)
    subprocess.run(["gcc", "-w", "-o", tmp_path / "program", path], check=True)
    for words, known in zip(about.inputs, about.runs, strict=True):
        real = subprocess.run([tmp_path / "program", *words], capture_output=True, text=True, check=False)
        assert (known.output, known.status) == (real.stdout, real.returncode)


def test_globals_begin_with_their_initialisers(tmp_path):
    model, real = ran(
        tmp_path,
        """#include <stdio.h>
        int a, b = 3, *p = &b; static char c = 'x';
        int next(void) { static int n = 5; return ++n; }
        int main(void) { next(); printf("%d %d %d %c", a, b, *p, c); printf(" %d\\n", next()); return b; }""",
    )
    assert (model.output, model.status) == (real.stdout, real.returncode) == ("0 3 3 x 7\n", 3)


def test_exit_ends_the_run_with_its_status(tmp_path):
    model, real = ran(
        tmp_path,
        """#include <stdio.h>
        #include <stdlib.h>
        void out(int n) { if (n > 2) exit(n); }
        int main(int argc, char **argv) { puts(argc > 1 ? argv[1] : "");
            out(atoi(argv[1])); return 1; }""",
        "7",
    )
    assert (model.output, model.status) == (real.stdout, real.returncode) == ("7\n", 7)


def test_a_crash_and_an_endless_loop_are_crashes(tmp_path):
    source = tmp_path / "bad.c"
    source.write_text("int main(int argc, char **argv) { int *p = 0; while (argc > 1); return *p; }")
    program = frontend.load([source]).program
    assert "null" in Execution(program, ()).run().crash
    assert "end" in Execution(program, ("x",), steps=500).run().crash


def test_every_fourth_program_is_the_holdout():
    paths = find([str(SAMPLES / "*.c")])
    kept = holdout(paths)
    assert len(paths) == 40
    assert len(kept) == 10
    assert kept == holdout(paths[:2])  # it does not depend on which programs are run
