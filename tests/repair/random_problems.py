"""Small random programs over lists, and traces of what a person meant them to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

from wolverine.core.expressions import (
    Binary,
    Constant,
    Dereference,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    VariableReference,
)
from wolverine.core.graph import (
    Frame,
    MemoryGraph,
    Node,
    NodeId,
    Place,
    Pointer,
    Uninitialised,
    Value,
    Variable,
    VariableId,
)
from wolverine.core.patch import Edit, NewJump, NewNode, Patch, Replacement
from wolverine.core.program import (
    Assign,
    Branch,
    Call,
    Declare,
    Function,
    Gap,
    Instruction,
    Jump,
    Location,
    LocationKind,
    Program,
    Return,
    SourceFile,
    Span,
)
from wolverine.core.trace import Assertion, Budget, Decision, End, Event, Position, Problem, Trace
from wolverine.core.types import INT, VOID, Field, PointerType, StructReference, StructType, Types
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.guards import Product
from wolverine.repair.menus.menu import Menu
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import graph_of, seat

NODE = StructReference("node")
POINTER = PointerType(NODE)
TYPES = Types(
    {
        "node": StructType(
            "node", 24, (Field("data", 0, INT), Field("next", 8, POINTER), Field("prev", 16, POINTER))
        )
    }
)
FIELDS = {"data": (0, INT), "next": (8, POINTER), "prev": (16, POINTER)}
SPAN = Span(0, 0, 0, 1)


def arrow(variable: VariableReference, name: str) -> Member:
    offset, ctype = FIELDS[name]
    return Member(Dereference(Load(variable), NODE), name, offset, ctype)


class Builder:
    """Builds one function after the other with one numbering of locations."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.locations: list[Location] = []
        self.functions: dict[str, Function] = {}
        self.head = VariableReference("head", POINTER, "global")

    def function(self, name: str, parameters: int, locals_: int, size: int, called: str = "") -> None:
        self.name = name
        self.called = called
        self.code: list[Instruction] = []
        names = "pqrst"
        everything = [VariableReference(names[i], POINTER) for i in range(parameters + locals_)]
        self.number = VariableReference("k", INT)
        self.temporary = VariableReference("$1", POINTER)
        self.pointers = [*everything, self.head]
        self.scope = (*everything, self.number, self.head)
        for variable in everything[parameters:]:
            self.code.append(Declare(-1, variable))
            if self.random.random() < 0.7:
                self.assign(variable, Constant(0, POINTER), "initialiser")
        self.code.append(Declare(-1, self.number))
        self.assign(self.number, Constant(0, INT), "initialiser")
        self.block(size, 2)
        self.code.append(Return(-1, None))
        self.functions[name] = Function(
            name,
            0,
            1,
            tuple(everything[:parameters]),
            (*everything[parameters:], self.number),
            (self.temporary,) if called else (),
            VOID,
            tuple(self.code),
            (),
            (-1,) * len(self.code),
            SPAN,
        )

    def location(self, kind: LocationKind, loop: bool = False) -> int:
        number = len(self.locations)
        self.locations.append(
            Location(number, self.name, kind, SPAN, number, f"L{number}", self.scope, loop=loop)
        )
        return number

    def gap(self) -> None:
        self.code.append(Gap(self.location("gap")))

    def assign(self, target: LValue, value: Expression, kind: LocationKind = "assignment") -> None:
        self.code.append(Assign(self.location(kind), target, value))

    def pointer(self) -> Expression:
        if self.random.random() < 0.15:
            return Constant(0, POINTER)
        return Load(self.place())

    def place(self) -> LValue:
        variable = self.random.choice(self.pointers)
        if self.random.random() < 0.5:
            return variable
        return arrow(variable, self.random.choice(("next", "prev")))

    def condition(self) -> Expression:
        choice = self.random.random()
        operator = self.random.choice(("==", "!="))
        if choice < 0.6:
            return Binary("!=", Load(self.random.choice(self.pointers)), Constant(0, POINTER), INT)
        if choice < 0.8:
            return Binary(operator, Load(self.place()), self.pointer(), INT)
        variable = self.random.choice(self.pointers)
        small = Binary("<", Load(arrow(variable, "data")), Constant(self.random.randint(0, 3), INT), INT)
        guard = Binary("!=", Load(variable), Constant(0, POINTER), INT)
        return Logical("&&", guard, small) if self.random.random() < 0.5 else small

    def block(self, size: int, depth: int) -> None:
        self.gap()
        for _ in range(size):
            self.statement(depth)
            self.gap()

    def statement(self, depth: int) -> None:
        choice = self.random.random()
        if depth and choice < 0.2:
            self.loop(depth)
        elif depth and choice < 0.35:
            self.branch(depth)
        elif self.called and choice < 0.5:
            self.assign(self.temporary, Load(self.random.choice(self.pointers)), "argument")
            self.code.append(Call(self.location("call"), self.called, (Load(self.temporary),), None))
        elif choice < 0.6:
            self.assign(self.number, Binary("+", Load(self.number), Constant(1, INT), INT))
        else:
            self.assign(self.place(), self.pointer())

    def loop(self, depth: int) -> None:
        at = len(self.code)
        number = self.location("condition", loop=True)
        condition = self.condition()
        self.code.append(Gap(number))  # a placeholder
        self.block(self.random.randint(1, 3), depth - 1)
        self.code.append(Jump(-1, at))
        end = len(self.code)
        self.code[at] = Branch(number, condition, at + 1, end)
        for index in range(at + 1, end):
            if isinstance(step := self.code[index], Gap) and step.leaves < 0:
                self.code[index] = replace(step, leaves=end, again=at)

    def branch(self, depth: int) -> None:
        at = len(self.code)
        number = self.location("condition")
        condition = self.condition()
        self.code.append(Gap(number))
        self.block(self.random.randint(1, 2), depth - 1)
        jump = len(self.code)
        self.code.append(Jump(-1, 0))
        self.gap()
        self.code[jump] = Jump(-1, len(self.code))
        self.code[at] = Branch(number, condition, at + 1, jump + 1)

    def program(self) -> Program:
        file = SourceFile("random.c", b"")
        return Program((file,), TYPES, (self.head,), self.functions, tuple(self.locations))


def random_program(random: Random) -> Program:
    builder = Builder(random)
    called = ""
    if random.random() < 0.3:
        builder.function("g", 1, 0, random.randint(1, 2))
        called = "g"
    builder.function("f", random.randint(1, 2), random.randint(0, 2), random.randint(2, 4), called)
    return builder.program()


def random_heap(random: Random, program: Program) -> MemoryGraph:
    """A list of up to four nodes, mostly well linked."""
    size = random.randint(0, 4)
    nodes = {NodeId(i): Node(NodeId(i), 24, NODE) for i in range(1, size + 1)}
    cells: dict[Place, Value] = {}
    types = {}

    def to(number: int) -> Value:
        if random.random() < 0.1 and size:
            number = random.randint(1, size)
        return Pointer(NodeId(number)) if 1 <= number <= size else None

    for i in range(1, size + 1):
        cells[Place(NodeId(i), 0)] = random.randint(0, 3)
        cells[Place(NodeId(i), 8)] = to(i - 1)
        cells[Place(NodeId(i), 16)] = to(i + 1)
        for offset, ctype in FIELDS.values():
            types[Place(NodeId(i), offset)] = ctype
    variables = []
    function = program.functions["f"]
    for variable in (*function.parameters, *function.locals):
        identity = VariableId(1, "f", variable.name)
        variables.append(Variable(identity, variable.type, variable in function.parameters))
        held: Value = to(random.randint(0, size)) if variable in function.parameters else Uninitialised()
        cells[Place(identity, 0)] = held
        types[Place(identity, 0)] = variable.type
    head = VariableId(-1, "", "head")
    cells[Place(head, 0)] = to(size)
    types[Place(head, 0)] = POINTER
    return MemoryGraph(
        TYPES, (Frame(1, "f", tuple(variables)),), (Variable(head, POINTER),), nodes, cells, types
    )


class Leaping(Menus):
    """Plain menus, with jumps in gaps, under no test or one of few, and numbers that are compared first."""

    def __init__(self, program: Program) -> None:
        super().__init__(program, guarded=True)

    def menu(self, location: int) -> Menu | None:
        """The menu of a location."""
        found = super().menu(location)
        if found is None or not isinstance(found.choices, Product):
            return found
        product, jumps = found.choices, found.choices.statements.leaping
        few = sum(jumps << block * product.width for block in range(1, min(len(product.tests), 3) + 1))
        return replace(found, all=found.all & (1 << len(product.statements.menu.choices)) - 1 | few)


def random_problem(
    random: Random,
    *,
    locations: int = 100,
    budget: Budget | None = None,
    corrupt: float = 0.15,
    faults: int = 2,
    nodes: bool = False,
    watched: bool = True,
    jumps: bool = False,
) -> Problem | None:
    """A program up to so many edits away from what its trace asks for; None when that cannot be run.

    With `nodes` one of the edits is rather a new node, with `jumps` a `break` or `continue`.  Unless
    `watched`, the traces hold no decisions of loops but those that are forced.
    """
    program = random_program(random)
    menus = Leaping(program) if jumps else Menus(program, nodes=nodes)
    rather = NewJump if jumps else NewNode
    intended = []
    for number in random.sample(range(len(program.locations)), min(faults, len(program.locations))):
        menu = menus.menu(number)
        if menu is not None and random.random() < 0.8:
            choices = [menu.choices[i] for i in range(len(menu.choices)) if menu.all >> i & 1]
            wanted = [c for c in choices if isinstance(c.replacement, rather)]
            choice = random.choice(wanted if wanted and not intended else choices)
            intended.append(Edit(number, choice.replacement))
    patch = Patch(tuple(sorted(intended, key=lambda e: e.location)))
    traces = []
    for _ in range(1 if random.random() < 0.8 else 2):
        trace = random_trace(random, program, patch, corrupt, watched=watched)
        if trace is None:
            return None
        traces.append(trace)
    editable = None
    if len(program.locations) > locations:
        chosen = set(random.sample(range(len(program.locations)), locations))
        editable = frozenset(chosen | {e.location for e in intended})
    return Problem(program, tuple(traces), budget or Budget(), editable)


def sampled(random: Random, menus: Menus, location: int, most: int) -> list[Replacement]:
    """Some of what may be put at a location, `most` at most."""
    menu = menus.menu(location)
    if menu is None:
        return []
    numbers = [i for i in range(len(menu.choices)) if menu.all >> i & 1]
    return [menu.choices[i].replacement for i in random.sample(numbers, min(most, len(numbers)))]


def random_trace(
    random: Random, program: Program, patch: Patch, corrupt: float, *, watched: bool = True
) -> Trace | None:
    """The events of the patched program's run on a random heap."""
    start = random_heap(random, program)
    machine = Machine(program, patch, max_depth=50)
    seat(machine, start, (("f", 0),))
    dense, full = random.random() < 0.6, random.random() < 0.8
    density = 0.5 if dense else 0.1
    events: list[Event] = []
    counts: Counter[tuple[int, int]] = Counter()

    def here() -> Position:
        frame = machine.frame
        assert frame is not None
        return Position(frame.number, frame.linked.name, machine.pc, counts[frame.number, machine.pc] + 1)

    def asserted(value_of: Callable[[Value], Value]) -> Assertion:
        graph = graph_of(machine, start)
        cells = {
            p: value_of(v)
            for p, v in graph.cells.items()
            if not isinstance(v, Uninitialised) and (full or random.random() < 0.5)
        }
        states = {n: node.state for n, node in graph.nodes.items()}
        return Assertion(here(), cells, states, frozenset(), f"checkpoint {len(events)}")

    def lied(value: Value) -> Value:
        if random.random() < 0.05 and (value is None or isinstance(value, Pointer)) and start.nodes:
            return Pointer(random.choice(list(start.nodes)))
        return value

    wrong = random.random() < corrupt
    limit = random.randint(4, 60)
    try:
        for _ in range(limit):
            frame = machine.frame
            assert frame is not None
            pc = machine.pc
            step = program.functions[frame.linked.name].code[pc]
            original = not isinstance(step, (Gap, Jump, Declare))
            if original and random.random() < density:
                events.append(asserted(lied if wrong else lambda v: v))
            if isinstance(step, Return) and frame.caller is None:
                break
            at = here()
            taken_to = frame.linked.steps[pc]
            number = frame.number
            machine.step()
            counts[number, pc] += 1
            if isinstance(taken_to, Branch) and step.location >= 0:
                taken = machine.pc == frame.linked.following[taken_to.if_true]
                loop = program.location(step.location).loop
                forced = random.random() < 0.3
                following = frame.linked.following
                open_ = following[taken_to.if_true] != following[taken_to.if_false]
                if open_ and ((loop and watched) or forced):
                    events.append(Decision(at, taken, forced))
        while isinstance(_standing(program, machine), (Gap, Jump)):
            machine.step()
    except Halt:
        return None
    events.append(asserted(lied if wrong else lambda v: v))
    events.append(End(here()))
    return Trace(start, (("f", 0),), tuple(events))


def _standing(program: Program, machine: Machine) -> Instruction:
    frame = machine.frame
    assert frame is not None
    return program.functions[frame.linked.name].code[machine.pc]
