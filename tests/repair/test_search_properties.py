"""The search against its own unpruned self, and against trying every single edit."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from random_problems import Leaping, random_problem
from thorough import examples

from wolverine.core.patch import Edit, NewJump, NewNode, Patch, unguarded
from wolverine.core.trace import Assertion, Budget, Problem
from wolverine.repair.execution.runner import Runner
from wolverine.repair.execution.schedule import prepare
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Limits, Stopped, Work
from wolverine.repair.explicit.bench import bench_of, editable_locations
from wolverine.repair.explicit.explorer import Explorer
from wolverine.repair.explicit.outlook import Outlook
from wolverine.repair.explicit.segments import failing_segments
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.vocabulary import occurring_locations
from wolverine.semantics.machine import Machine
from wolverine.semantics.replay import Replayer
from wolverine.semantics.state import seat

CAP = examples(40_000, 150_000)  # beyond it the search that is not pruned is not waited for
EXAMPLES = examples(30, 3000)


def patches(menus: Menus, spaces: list[Space]) -> set[Patch]:
    """The product of every space, as patches; no two spaces share one."""
    found: list[Patch] = []
    for space in spaces:
        made: list[tuple[Edit, ...]] = [()]
        for location in sorted(space.masks):
            menu = menus.menu(location)
            assert menu is not None
            mask = space.masks[location]
            of_mask = [i for i in range(len(menu.choices)) if mask >> i & 1]
            options = [Edit(location, menu.choices[i].replacement) for i in of_mask]
            made = [(*edits, option) for edits in made for option in options]
        found += [Patch(edits) for edits in made]
    assert len(found) == len(set(found))
    return set(found)


def explored(
    problem: Problem,
    menus: Menus,
    edits: int,
    *,
    pruned: bool,
    limits: Limits = Limits(),  # noqa: B008
) -> tuple[int, set[Patch], list[frozenset[int]]] | None:
    """(level, all repairs of the first level that has some, failing segments), None beyond the cap."""
    work = Work(Budget(work=CAP), lambda: False)
    runners = [Runner(problem.program, trace, menus) for trace in problem.traces]
    editable = editable_locations(problem, menus, runners)
    segments: list[frozenset[int]] = []
    for level in range(edits + 1):
        for runner in runners:
            runner.configure(prepare(runner.machine, runner.trace), editable if level else {})
        if pruned and not level:
            segments = [s for runner in runners for s in failing_segments(runner)]
        if pruned:
            outlooks = [Outlook(runner) for runner in runners]
            explorer = Explorer(problem.program, runners, work, limits, segments, outlooks)
        else:
            explorer = Explorer(problem.program, runners, work, limits)
        try:
            found = explorer.search(level)
        except Stopped:
            return None
        if found:
            return level, patches(menus, found), segments
    return edits + 1, set(), segments


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**40))
@example(1818)  # a branch that was forced in a call of a stretch
@example(1309)  # an edit that puts right later what it wrote first
@example(4353)  # a call, which puts right what nothing behind it can
@example(5374)  # a variable that only assertions read
@example(6290)  # what a level left behind
@example(10571)  # comparing with the original although an edit may come later
@example(10940)
@example(19100)  # occurrences that depend on the edits
@example(24238)  # temporaries across an assertion
@example(25170)  # the end of a stretch within a loop
@example(25302)  # temporaries that hold nothing
def test_pruning_loses_and_adds_nothing(seed: int) -> None:
    _compare(random_problem(Random(seed), locations=12))


def _compare(problem: Problem | None) -> None:
    """With two edits the pruned search finds what the one that is not pruned finds."""
    if problem is None:
        return
    menus = Menus(problem.program)
    plain = explored(problem, menus, 2, pruned=False)
    pruned = explored(problem, menus, 2, pruned=True)
    if plain is None or pruned is None:
        return
    assert pruned[:2] == plain[:2]


@settings(max_examples=EXAMPLES // 3, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**40))
def test_pruning_loses_and_adds_nothing_where_nobody_watched_the_loops(seed: int) -> None:
    _compare(random_problem(Random(seed), locations=12, watched=False))


@settings(max_examples=EXAMPLES // 4, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**40))
def test_pruning_loses_and_adds_nothing_where_three_edits_are_needed(seed: int) -> None:
    problem = random_problem(Random(seed), locations=5, faults=3, corrupt=0)
    if problem is None:
        return
    menus = Menus(problem.program)
    pruned = explored(problem, menus, 3, pruned=True)
    if pruned is None or pruned[0] < 2:
        return  # the other tests have these
    plain = explored(problem, menus, 3, pruned=False)
    assert plain is None or pruned[:2] == plain[:2]


@settings(max_examples=EXAMPLES // 3, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**40))
def test_pruning_loses_and_adds_nothing_beside_accepted_edits(seed: int) -> None:
    random = Random(seed)
    problem = random_problem(random, locations=16)
    if problem is None:
        return
    menus = Menus(problem.program)
    accepted = random_edits(random, problem, menus)
    bench = bench_of(problem, menus).keeping(accepted)
    assert bench is not None
    work = Work(Budget(work=CAP), lambda: False)
    try:
        for edits in (0, 1, 2):
            pruned = bench.explorer(work).search(edits, decided=bench.decided)
            plain = Explorer(problem.program, bench.runners, work, Limits())
            assert patches(menus, pruned) == patches(menus, plain.search(edits, decided=bench.decided))
            if pruned:
                break
    except Stopped:
        pass


@settings(max_examples=EXAMPLES // 6, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**40))
def test_pruning_loses_and_adds_nothing_without_some_of_the_assertions(seed: int) -> None:
    random = Random(seed)
    problem = random_problem(random, locations=12, faults=2)
    if problem is None:
        return
    told = [
        (number, index)
        for number, trace in enumerate(problem.traces)
        for index, event in enumerate(trace.events)
        if isinstance(event, Assertion)
    ]
    without = set(random.sample(told, random.randint(1, min(2, len(told))))) if told else set()
    menus = Menus(problem.program)
    bench = bench_of(problem, menus)
    work = Work(Budget(work=CAP), lambda: False)
    try:
        for edits in (0, 1, 2):
            pruned = bench.explorer(work, without=without).search(edits)
            plain = Explorer(problem.program, bench.runners, work, Limits())
            assert patches(menus, pruned) == patches(menus, plain.search(edits))
            if pruned:
                break
    except Stopped:
        pass


@settings(max_examples=EXAMPLES // 15, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**40))
@example(324)  # a node of which nothing is said where a stretch begins
@example(1512)
def test_pruning_loses_and_adds_nothing_with_new_nodes(seed: int) -> None:
    """Also where one edit has to make a new node: then these are all repairs that do."""
    problem = random_problem(Random(seed), locations=12, nodes=True)
    if problem is None:
        return
    menus = Menus(problem.program, nodes=True)
    plain = explored(problem, menus, 2, pruned=False)
    pruned = explored(problem, menus, 2, pruned=True)
    if plain is None or pruned is None:
        return
    assert pruned[:2] == plain[:2]
    level, repairs, _ = plain
    allocating = {patch for patch in repairs if any(isinstance(e.replacement, NewNode) for e in patch.edits)}
    for each in (False, True):
        found = explored(problem, menus, 2, pruned=each, limits=Limits(nodes=True))
        if allocating and found is not None:
            assert found[:2] == (level, allocating)
    replayers = [Replayer(problem.program, trace, limit=3_000) for trace in problem.traces]
    assert all(replayer.run(patch).met for patch in list(allocating)[:20] for replayer in replayers)


@settings(max_examples=EXAMPLES // 3, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**40), st.booleans())
def test_pruning_loses_and_adds_nothing_with_jumps(seed: int, watched: bool) -> None:
    problem = random_problem(Random(seed), locations=12, watched=watched, jumps=True)
    if problem is None:
        return
    menus = Leaping(problem.program)
    plain = explored(problem, menus, 2, pruned=False)
    pruned = explored(problem, menus, 2, pruned=True)
    if plain is None or pruned is None:
        return
    assert pruned[:2] == plain[:2]
    replayers = [Replayer(problem.program, trace, limit=3_000) for trace in problem.traces]
    leaping = [
        patch
        for patch in plain[1]
        if any(isinstance(unguarded(edit.replacement), NewJump) for edit in patch.edits)
    ]
    assert all(replayer.run(patch).met for patch in leaping[:20] for replayer in replayers)


def random_edits(random: Random, problem: Problem, menus: Menus) -> Patch:
    """One or two edits from the menus of the problem's locations."""
    edits = []
    for location in random.sample(range(len(problem.program.locations)), random.randint(1, 2)):
        menu = menus.menu(location)
        if menu is not None:
            numbers = [i for i in range(len(menu.choices)) if menu.all >> i & 1]
            edits.append(Edit(location, menu.choices[random.choice(numbers)].replacement))
    return Patch(tuple(sorted(edits, key=lambda edit: edit.location)))


def assigns_nothing(problem: Problem, patch: Patch) -> bool:
    """Whether the edit assigns a variable that was never written: no choice of the search."""
    [edit] = patch.edits
    location = problem.program.location(edit.location)
    index = occurring_locations(problem.program, location.function)[edit.location]
    value = getattr(edit.replacement, "value", None)
    if value is None:
        return False
    for trace in problem.traces:
        machine = Machine(problem.program, patch, stops={location.function: {index}})
        seat(machine, trace.start, trace.start_stack)
        [closure] = machine.evaluators.values(location.function, [(value, value.type)])
        while machine.steps < 3_000 and machine.frame is not None:
            if machine.frame.linked.name == location.function and machine.pc == index:
                if machine.attempt(closure) is None:
                    return True
                machine.step()
            elif machine.run(3_000 - machine.steps) not in ("stop", "limit"):
                break
    return False


@settings(max_examples=EXAMPLES // 5, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**40))
@example(10944240)
def test_single_edits_are_those_that_pass_a_replay(seed: int) -> None:
    problem = random_problem(Random(seed), locations=6)
    if problem is None:
        return
    menus = Menus(problem.program)
    found = explored(problem, menus, 1, pruned=True)
    if found is None:
        return
    level, repairs, _ = found
    replayers = [Replayer(problem.program, trace, limit=3_000) for trace in problem.traces]
    if level == 0:
        assert all(r.run(Patch()).met for r in replayers)
        return
    passed: set[Patch] = set()
    for location in range(len(problem.program.locations)):
        menu = menus.menu(location)
        if menu is None or (problem.editable is not None and location not in problem.editable):
            continue
        for number, choice in enumerate(menu.choices):
            patch = Patch((Edit(location, choice.replacement),))
            if menu.all >> number & 1 and all(r.run(patch).met for r in replayers):
                passed.add(patch)
    assert repairs <= passed
    assert all(assigns_nothing(problem, patch) for patch in passed - repairs)
