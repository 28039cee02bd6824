"""Bit fields: the model's values against gcc's, for every width and type that matters."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from wolverine.core.graph import MemoryGraph, Place, VariableId
from wolverine.core.types import BIT, IntType, StructType, bit_field, bit_of, byte_of
from wolverine.debugger.layout import BitField
from wolverine.frontend import load
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import graph_of, seat

TYPES = {
    "unsigned": (1, 2, 7, 8, 9, 16, 17, 30, 31, 32), "int": (1, 3, 8, 15, 24, 31, 32), "_Bool": (1,),
    "unsigned char": (1, 5), "signed char": (3, 7), "short": (1, 9), "unsigned short": (15,),
    "enum kind": (2, 5), "enum sign": (2,), "unsigned long": (1, 20, 32, 64), "long": (12, 31),
}  # fmt: skip
VALUES = (0, 1, -1, 2, 5, 127, -128, 255, 0x12345, -70000)
FIELD = """
static void f{n}(long v) {{
    struct all y, *p = &x;
    put(x.f{n} = v); p->f{n} += 3; put(x.f{n}); put(p->f{n}++); put(--x.f{n}); x.f{n} ^= 5; put(p->f{n});
    x.f{n} <<= 1; put(x.f{n} >> 1); x.f{n} = -x.f{n}; put(x.f{n} * 3); x.f{n} = ~p->f{n}; put(x.f{n} % 7);
    put((x.f{n} < 2) + 2 * (x.f{n} > -1) + 4 * (x.f{n} - 10 < 0) + 8 * (x.f{n} == v) + 16 * !x.f{n});
    put(x.f{n} + 1u > v); put(x.f{n} ? x.f{n} : 9); put(x.f{n} && v); y = x; y.f{n} = v + 1; put(y.f{n});
    put(x.f{n} | y.f{n}); y = *p; put(y.f{n}); put((char)x.f{n} + (unsigned short)y.f{n}); put(sum(y));
}}
"""


def _program() -> tuple[str, int]:
    """The program, and how often it calls `put`."""
    fields = [(ctype, width) for ctype, widths in TYPES.items() for width in widths]
    members = " ".join(f"{ctype} f{n} : {width};" for n, (ctype, width) in enumerate(fields))
    total = " + ".join(f"{n + 1} * s.f{n}" for n in range(len(fields)))
    body = "".join(FIELD.format(n=n) for n in range(len(fields)))
    calls = " ".join(f"f{n}({value}L);" for value in VALUES for n in range(len(fields)))
    text = f"""
enum kind {{ A, B, C }}; enum sign {{ MINUS = -1, ZERO, PLUS }};
struct all {{ char before; {members} int behind; unsigned : 3; unsigned last : 2; }} x;
long results[{len(fields) * len(VALUES) * 19}]; int count;
static void put(long value) {{ results[count++] = value; }}
static long sum(struct all s) {{ return {total} + s.before + s.behind + s.last; }}
{body}
int main(void) {{ x.behind = 77; x.before = 3; x.last = 2; {calls} return 0; }}
"""
    return text, len(fields) * len(VALUES) * FIELD.count("put(")


def test_bit_fields_agree_with_gcc(tmp_path: Path) -> None:
    text, count = _program()
    native, model = tmp_path / "native.c", tmp_path / "model.c"
    model.write_text(text)
    shown = 'for (int i = 0; i < count; i++) printf("%ld\\n", results[i]); return 0; }'
    native.write_text("#include <stdio.h>\n" + text.replace("return 0; }", shown))
    binary = tmp_path / "native"
    subprocess.run(["gcc", "-w", "-O0", "-fwrapv", "-o", binary, native], check=True)
    done = subprocess.run([binary], capture_output=True, check=True, timeout=20)
    wanted = [int(line) for line in done.stdout.split()]
    program = load([model]).program
    assert [f.unsupported for f in program.functions.values() if f.unsupported] == []
    machine = Machine(program)
    start = MemoryGraph(program.types, cells=dict.fromkeys(_cells(program.types.structs["all"]), 0))
    seat(machine, start, (("main", 0),))
    assert machine.run(5_000_000) == "exited"
    final = graph_of(machine, start)
    results = VariableId(-1, "", "results")
    assert [final.cells[Place(results, 8 * i)] for i in range(count)] == wanted


def _cells(struct: StructType) -> Iterator[Place]:
    yield Place(VariableId(-1, "", "count"), 0)
    for field in struct.fields:
        yield Place(VariableId(-1, "", "x"), field.offset)


@given(st.integers(0, 100), st.integers(1, 64), st.booleans(), st.integers(), st.binary(min_size=32))
def test_a_bit_field_is_written_and_read_among_its_neighbours(
    first: int, width: int, signed: bool, number: int, data: bytes
) -> None:
    found = bit_field("f", first, width, IntType("long", 8, signed))
    assert byte_of(found.offset) * 8 + bit_of(found.offset) == first or width == 64
    if width == 64:
        assert found.type == IntType("long", 8, signed)
        return
    assert isinstance(found.type, IntType)
    assert found.offset == first // 8 + first % 8 * BIT
    field = BitField(0, byte_of(found.offset), bit_of(found.offset), found.type)
    piece = data[field.byte : field.byte + field.size]
    made = data[: field.byte] + field.written(piece, number) + data[field.byte + field.size :]
    assert field.number(made) == found.type.wrap(number)
    apart = int.from_bytes(made, "little") ^ int.from_bytes(data, "little")
    assert not apart & ~((1 << width) - 1 << first)
    assert (field.number(made) - number) % (1 << width) == 0
    assert (field.number(made) < 0) <= signed
