"""What the model says a call prints is what the C library prints."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.printing import printed

STRINGS = {1: "", 2: "abc", 3: "a longer text"}

flags = st.lists(st.sampled_from("-+ #0"), unique=True, max_size=3).map("".join)
width = st.sampled_from(["", "1", "5", "12"])
precision = st.sampled_from(["", ".", ".0", ".3", ".8"])
integers = st.sampled_from([0, 1, -1, 7, 42, -300, 70000, 2**31 - 1, -(2**31), 2**40, -(2**63), 2**63 - 1])
floats = st.sampled_from([0.0, 1.0, -2.5, 3.14159, 1e10, 1e-7, 123456789.0])


@st.composite
def conversions(draw: st.DrawFn) -> tuple[str, str, object]:
    """A conversion, the C text of its argument, and the argument's value in the model."""
    kind = draw(st.sampled_from("diuxXocsfeg"))
    head = f"%{draw(flags)}{draw(width)}"
    if kind == "c":
        code = draw(st.integers(32, 126))
        return f"{head}c", str(code), code
    if kind == "s":
        number = draw(st.sampled_from(sorted(STRINGS)))
        return f"{head}{draw(precision)}s", f'"{STRINGS[number]}"', number
    if kind in "feg":
        real = draw(floats)
        return f"{head}{draw(precision)}{kind}", repr(real), real
    size = draw(st.sampled_from(["", "l", "ll", "h", "hh", "z"]))
    number = draw(integers)
    return f"{head}{draw(precision)}{size}{kind}", f"(long) {number + 1}L - 1", number


@settings(max_examples=6, deadline=None)
@given(st.lists(conversions(), min_size=30, max_size=60))
def test_formats_print_what_the_c_library_prints(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[str, str, object]]
) -> None:
    folder = tmp_path_factory.mktemp("printing")
    calls = "".join(f'    printf("{form}|\\n", {text});\n' for form, text, _ in drawn)
    source = folder / "print.c"
    source.write_text(f"#include <stdio.h>\nint main(void)\n{{\n{calls}    return 0;\n}}\n")
    subprocess.run(["gcc", "-w", "-o", folder / "print", source], check=True)
    told = subprocess.run([folder / "print"], check=True, capture_output=True).stdout.decode()

    def modelled(form: str, value: object) -> str:
        texts = {**STRINGS, 99: f"{form}|\n"}
        return printed("printf", (99, value), texts.__getitem__)

    assert "".join(modelled(form, value) for form, _, value in drawn) == told


@pytest.mark.parametrize(
    ("name", "values", "wanted"),
    [
        ("puts", (2,), "abc\n"),
        ("fputs", (2, None), "abc"),
        ("putchar", (65 + 256,), "A"),
        ("fprintf", (None, 2), "abc"),
        ("printf", (4, 6, 3, -7), "  -007"),
    ],
)
def test_each_function_takes_its_own_arguments(name: str, values: tuple[object, ...], wanted: str) -> None:
    texts = {**STRINGS, 4: "%*.*d"}
    assert printed(name, values, texts.__getitem__) == wanted


@pytest.mark.parametrize("values", [(5,), (5, None), (6, 1)])
def test_what_is_not_known_is_not_told(values: tuple[object, ...]) -> None:
    texts = {5: "%d", 6: "%n"}
    with pytest.raises(Unmodelled):
        printed("printf", values, texts.__getitem__)


def test_a_null_string_is_named(tmp_path: Path) -> None:
    assert printed("printf", (1, 0), {1: "<%s>"}.__getitem__) == "<(null)>"
