"""Line coverage by gcov, predicates and tests on real programs, also on runs that crash or do not end."""

import os
import signal
from pathlib import Path

import pytest
from thorough import every_other

from wolverine import frontend
from wolverine.campaign import localizers
from wolverine.campaign.engines import Engine
from wolverine.campaign.instances import make
from wolverine.campaign.programs import subject
from wolverine.campaign.statistical import spectra
from wolverine.campaign.statistical.builds import Build, executable
from wolverine.campaign.statistical.predicates import Instrumented, Predicate, instrument
from wolverine.campaign.statistical.spectra import NAMES, collect
from wolverine.core.trace import Budget, Problem
from wolverine.errors import CommandError

SAMPLES = Path(__file__).parents[2] / "samples" / "table2"

TINY = """#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0, *p = 0;
    if (n == 1)
        puts("one");
    if (n == 2)
        *p = 1;
    while (n == 3)
        p = &n;
    n = 4;
    return n;
}
"""
TESTS = [[], ["1"], ["2"], ["3"]]


@pytest.fixture
def tiny(tmp_path):
    path = tmp_path / "tiny.c"
    path.write_text(TINY)
    return instrument(frontend.load([path]).program)


def test_each_run_has_its_own_lines(tiny):
    with Build(tiny.text, len(tiny.predicates)) as build:
        answers = build.run(TESTS)
        covered = build.coverage(len(TESTS))
    ends = [os.WEXITSTATUS(a.status) if os.WIFEXITED(a.status) else -os.WTERMSIG(a.status) for a in answers]
    assert ends == [4, 4, -signal.SIGSEGV, -signal.SIGVTALRM]
    assert answers[1].output == b"one\n"
    assert [sorted(each.executed & set(range(6, 14))) for each in covered] == [
        [6, 8, 10, 12, 13],
        [6, 7, 8, 10, 12, 13],
        [6, 8, 9],
        [6, 8, 10, 11],
    ]
    assert covered[0].executable >= {*range(5, 14)}
    assert executable(TINY.encode()) == {3, *range(5, 14)}
    taken = [{at for line, at in each.taken if line == 6} for each in covered]
    assert len(taken[0]) == len(taken[1]) == 1 and taken[0] != taken[1]


def test_a_second_run_does_not_add_to_the_first(tiny):
    with Build(tiny.text, len(tiny.predicates)) as build:
        build.run(TESTS)
        build.coverage(len(TESTS))
        build.run([[]])
        [covered] = build.coverage(1)
    assert not covered.executed & {7, 9, 11}


def test_text_that_gcc_refuses():
    with pytest.raises(CommandError, match="gcc refuses"), Build(b"int main(void) { return x; }"):
        pass


PREDICATES = """int twice(int a)
{
    int b = a, c = 3;
    while (b < c)
        b++;
    if ((b = b - 1) > 1) return b;
    return -1;
}
int main(int argc, char **argv)
{
    return twice(argc);
}
"""


def test_predicates_count_what_happens_and_change_nothing(tmp_path):
    path = tmp_path / "twice.c"
    path.write_text(PREDICATES)
    instrumented = instrument(frontend.load([path]).program)
    known = instrumented.predicates
    with Build(instrumented.text, len(known), coverage=False) as build:
        [first, second] = build.run([[], ["x"] * 5])
        counts, others = build.predicates(2)
    with Build(path.read_bytes()) as build:
        assert build.run([[], ["x"] * 5]) == [first, second]
    told = {f"{each.line}: {each.text}": count for each, count in zip(known, counts, strict=True)}
    assert told["4: b < c"] == (2, 3)
    assert told["5: b++ == c"] == (0, 2)  # b++ computes what b was
    assert told["6: (b = b - 1) > a" if "6: (b = b - 1) > a" in told else "6: b = b - 1 > a"] == (1, 1)
    assert told["6: b == 0"] == (0, 1)  # the value that is returned
    assert others[known.index(next(each for each in known if each.text == "b < c"))] == (0, 1)


@pytest.mark.parametrize("path", every_other(sorted(SAMPLES.glob("*.c"))[::5]), ids=lambda path: path.stem)
def test_instrumented_programs_compile_and_do_the_same(path):
    about = subject(path)
    instrumented = instrument(about.program)
    with Build(instrumented.text, len(instrumented.predicates), coverage=False) as build:
        watched = build.run(about.inputs)
        evaluated = [sum(seen for _, seen in counts) for counts in build.predicates(len(about.inputs))]
    with Build(about.content) as build:
        assert build.run(about.inputs) == watched
    assert all(evaluated)


def test_statistics_of_a_faulty_program():
    about = subject(SAMPLES / "b05_sorted_insert_sll.c")
    instance = make(about, 1, 0, 0, 1, "dense", 1)
    tests = collect(instance)
    assert len(about.inputs) <= len(tests.tests) <= 128
    assert 0 < tests.failing < len(tests.tests)
    assert tests.line_coverage > 0.9 and tests.branch_coverage > 0.8
    assert all(test.counts for test in tests.tests)
    problem = Problem(instance.program, instance.traces, Budget(seconds=30.0))
    lines = executable(about.content)
    for name in NAMES:
        told = localizers.suspects(name, instance, problem, None, tests)
        assert told is not None and set(told.lines) <= lines
        assert 1 / len(lines) <= told.effort <= 1
        assert localizers.suspects(name, instance, problem, None) is None
    engine = Engine("search")
    answer = engine.solve(problem, instance.function, (), engine.prepare())
    exact = localizers.suspects("exact", instance, problem, answer)
    assert exact.contain and exact.effort <= 0.1
    again = collect(instance)  # how often an endless run comes by is a matter of time
    assert [(t.failed, t.lines) for t in again.tests] == [(t.failed, t.lines) for t in tests.tests]


def test_a_missing_statement_is_found_beside_the_gap():
    about = subject(SAMPLES / "b05_sorted_insert_sll.c")
    instance = make(about, 0, 1, 0, 1, "dense", 1)
    [fault] = instance.faults
    faulty = localizers.faulty_lines(instance)
    assert fault.line in faulty and all(abs(line - fault.line) <= 2 for line in faulty)
    problem = Problem(instance.program, instance.traces, Budget(seconds=30.0))
    engine = Engine("search")
    answer = engine.solve(problem, instance.function, (), engine.prepare())
    assert localizers.suspects("exact", instance, problem, answer).effort <= 0.2


def test_what_cannot_be_instrumented_is_tested_as_it_is(monkeypatch):
    instance = make(subject(SAMPLES / "b05_sorted_insert_sll.c"), 1, 0, 0, 1, "dense", 1)
    broken = Instrumented(b"no C at all", (Predicate(1, "p"),))
    monkeypatch.setattr(spectra, "instrument", lambda *_: broken)
    tests = collect(instance)
    assert tests.predicates == () and tests.scores("sober") == tests.scores("liblit") == {}
    assert tests.failing and tests.scores("ochiai")[instance.faults[0].line] > 0
