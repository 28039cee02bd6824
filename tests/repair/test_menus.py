"""Menus by places, values and masks against each of their choices on its own."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from playing import program_of
from random_problems import random_heap, random_program
from thorough import examples

from wolverine.core.expressions import Dereference, Expression, Load, text
from wolverine.core.patch import Deletion, NewAssignment, NewValue
from wolverine.core.program import Assign, Branch, Program
from wolverine.core.types import StructReference
from wolverine.repair.execution.assignments import Assignments
from wolverine.repair.execution.effects import DONE, NOOP, Effect, writable
from wolverine.repair.execution.opening import open_menu
from wolverine.repair.execution.pool import FAILED, Pool, look
from wolverine.repair.execution.truths import Conditionals
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.guards import carried
from wolverine.repair.menus.menu import Assigned, Conjoined, Menu
from wolverine.repair.menus.wording import replacement_text
from wolverine.semantics.address import cell_key
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import seat

FEW = examples(10, 200)


def _menus(program: Program) -> list[Menu]:
    menus = Menus(program)
    return [m for location in menus.indices("f") if (m := menus.menu(location)) is not None]


def _machines(random: Random, program: Program) -> list[Machine]:
    """The function's entry on some heaps, and what a few steps from there lead to."""
    found = []
    for steps in (0, 0, 3, 9):
        machine = Machine(program)
        seat(machine, random_heap(random, program), (("f", 0),))
        for _ in range(steps):
            frame = machine.frame
            if frame is None or frame.linked.name != "f":
                break
            try:
                machine.step()
            except Exception:  # a crash: the state before it will do
                break
        if machine.frame is not None and machine.frame.linked.name == "f":
            found.append(machine)
    return found


def _alone(machine: Machine, menu: Menu, number: int) -> Effect | None:
    """The effect of one choice, by its own closures; None where it crashes."""
    replacement = menu.choices[number].replacement
    step = machine.program.functions[menu.function].code[menu.index]
    match replacement:
        case Deletion():
            return NOOP
        case NewAssignment(Dereference(into, StructReference() as struct), Load(Dereference(source))):
            return _copied(machine, menu.function, into, source, struct)
        case NewAssignment(target, value):
            pass
        case NewValue(value):
            assert isinstance(step, Assign)
            target = step.target
        case _:
            raise AssertionError(replacement)
    [key] = machine.evaluators.keys(menu.function, [target])
    [raw] = machine.evaluators.values(menu.function, [(value, target.type)])
    at, held = look(machine, key), look(machine, raw)
    if at is FAILED or held is FAILED or held is None or not writable(machine, at):
        return None
    return NOOP if machine.memory.cells.get(at) == held else (at, held)


def _copied(
    machine: Machine, function: str, into: Expression, source: Expression, struct: StructReference
) -> Effect | None:
    """What a struct that is copied field by field leaves behind."""
    pointers = machine.evaluators.values(function, [(each, each.type) for each in (into, source)])
    there, here = (look(machine, each) for each in pointers)
    if not isinstance(there, int) or not isinstance(here, int) or not there or not here:
        return None
    fields = [cell_key(ctype, offset) for offset, ctype in machine.program.types.scalars(struct)]
    if not all(writable(machine, at + key) for key in fields for at in (there, here)):
        return None
    held = machine.memory.cells
    values = [(there + key, held[here + key]) for key in fields if held.get(here + key) is not None]
    done = tuple((key, value) for key, value in values if held.get(key) != value)
    return (DONE, done) if done else NOOP


@pytest.mark.parametrize("seed", range(FEW))
def test_no_text_is_offered_twice(seed: int) -> None:
    for menu in _menus(random_program(Random(seed))):
        texts = [replacement_text(choice.replacement) for choice in menu.choices]
        assert len(texts) == len(set(texts))


@pytest.mark.parametrize("seed", range(FEW))
def test_places_and_values_are_those_of_the_choices(seed: int) -> None:
    looked = 0
    for menu in _menus(random_program(Random(seed))):
        if not isinstance(menu.choices, Assigned):
            continue
        rows, columns = menu.choices.masks()
        for number, choice in enumerate(menu.choices):
            if choice.target < 0:
                continue
            looked += 1
            assert [i for i, mask in enumerate(rows) if mask >> number & 1] == [choice.target]
            assert [i for i, mask in enumerate(columns) if mask >> number & 1] == [choice.value]
            if isinstance(choice.replacement, NewAssignment):
                assert choice.replacement.target == menu.targets[choice.target]
                assert choice.replacement.value == menu.values[choice.value]
    assert looked


@pytest.mark.parametrize("seed", range(FEW))
def test_the_statement_as_it_is_does_not_count(seed: int) -> None:
    program = random_program(Random(seed))
    for menu in _menus(program):
        step = program.functions["f"].code[menu.index]
        for number, choice in enumerate(menu.choices):
            if not menu.all >> number & 1:
                continue
            match step, choice.replacement:
                case Assign(_, target, value), NewAssignment(other, new):
                    assert (target, text(value)) != (other, text(new))
                case Branch(_, condition), NewValue(new):
                    assert text(condition) != text(new)


@pytest.mark.parametrize("seed", range(FEW))
def test_effects_are_those_of_every_choice_alone(seed: int) -> None:
    random = Random(seed)
    program = random_program(random)
    menus = _menus(program)
    for machine in _machines(random, program):
        pool = Pool(machine)
        for menu in menus:
            opened = open_menu(pool, menu)
            if not isinstance(opened, Assignments) or opened.passing:
                continue
            subset = menu.all & random.getrandbits(len(menu.choices))
            classes = opened.classes(subset)
            for number in range(len(menu.choices)):
                wanted = _alone(machine, menu, number) if subset >> number & 1 else None
                found = [effect for effect, mask in classes.items() if mask >> number & 1]
                assert found == ([] if wanted is None else [wanted])


@pytest.mark.parametrize("seed", range(FEW))
def test_truths_are_those_of_every_condition_alone(seed: int) -> None:
    random = Random(seed)
    program = random_program(random)
    menus = [m for m in _menus(program) if isinstance(m.choices, Conjoined)]
    for machine in _machines(random, program):
        pool = Pool(machine)
        for menu in menus:
            opened = open_menu(pool, menu)
            assert isinstance(opened, Conditionals)
            subset = menu.all & random.getrandbits(len(menu.choices))
            classes = opened.classes(subset)
            for number, choice in enumerate(menu.choices):
                assert isinstance(choice.replacement, NewValue)
                [closure] = machine.evaluators.truths(menu.function, [choice.replacement.value])
                truth = look(machine, closure)
                wanted = [] if truth is FAILED or not subset >> number & 1 else [bool(truth)]
                assert [each for each, mask in classes.items() if mask >> number & 1] == wanted


def test_some_conditions_are_tests_themselves_and_some_are_none() -> None:
    """What the numbering of tests depends on occurs in the programs of these tests."""
    found = {
        menu.choices.own is None
        for seed in range(40)
        for menu in _menus(random_program(Random(seed)))
        if isinstance(menu.choices, Conjoined)
    }
    assert found == {True, False}


def test_calls_and_frees_keep_their_numbers_where_statements_are_put_under_tests(tmp_path: Path) -> None:
    program = program_of(CALLING, tmp_path)
    plain, wider = Menus(program, calls=True), Menus(program, guarded=True, calls=True)
    called = 0
    for location in plain.indices("main"):
        before, menu = plain.menu(location), wider.menu(location)
        if before is None or menu is None or program.location(location).kind != "gap":
            continue
        called |= menu.calls
        assert menu.calls == before.calls
        told = dict(menu.others)
        assert all(menu.choices[number].replacement == each.replacement for number, each in told.items())
        assert all(number in told for number in range(menu.calls.bit_length()) if menu.calls >> number & 1)
    assert called


@pytest.mark.parametrize("guarded", [False, True])
def test_choices_are_carried_over_to_menus_that_have_more(guarded: bool, tmp_path: Path) -> None:
    program = program_of(CALLING, tmp_path)
    plain, wider = Menus(program, guarded=guarded), Menus(program, guarded=guarded, nodes=True, calls=True)
    told = 0
    for location in plain.indices("main"):
        before, menu = plain.menu(location), wider.menu(location)
        if before is None or menu is None:
            continue
        for number in range(len(before.choices)):
            if before.all >> number & 1:
                mask = carried(1 << number, before, menu)
                assert menu.choices[mask.bit_length() - 1].replacement == before.choices[number].replacement
                assert mask.bit_count() == 1
                told += 1
    assert told > 100


CALLING = """#include <stdlib.h>
struct node { int value; struct node *next; };
struct node *head;
static void push(struct node *n) { n->next = head; head = n; }
int main(void) {
    struct node *one = malloc(sizeof *one);
    one->value = 1;
    push(one);
    free(one);
    return 0;
}
"""
