"""Struct layouts against gcc."""

import subprocess

from wolverine.frontend import load

SOURCE = """
#include <stdbool.h>
#include <stdint.h>
typedef struct { char c; struct { short s; double d; } in; int a[3]; } Named;
struct list { struct list *next; char tag; Named item; long double big; };
enum color { RED, GREEN };
union either { int i; double d; char text[9]; };
struct mixed { bool b; enum color c; union either u; int (*f)(void); uint8_t bytes[5]; char *s[2]; float x; };
struct bits { unsigned a : 3, b : 7; int after; unsigned char c : 4; long last; };
struct outer { struct { int x, y; }; char z; union { int i; char c; }; short end; };
"""
MEMBERS = {
    "Named": "c in a", "struct list": "next tag item big", "struct mixed": "b c u f bytes s x",
    "struct bits": "after last", "struct outer": "x y z end",
}  # fmt: skip


def test_offsets_and_sizes(tmp_path):
    lines = [SOURCE, "#include <stdio.h>", "#include <stddef.h>", "int main(void) {"]
    for ctype, members in MEMBERS.items():
        lines.append(f'printf("{ctype}::%zu %zu\\n", sizeof({ctype}), _Alignof({ctype}));')
        for member in members.split():
            lines.append(f'printf("{ctype}:{member}:%zu 0\\n", offsetof({ctype}, {member}));')
    source = tmp_path / "layout.c"
    source.write_text("\n".join([*lines, "return 0; }"]))
    subprocess.run(["gcc", "-w", str(source), "-o", str(tmp_path / "layout")], check=True)
    printed = subprocess.run([str(tmp_path / "layout")], capture_output=True, text=True, check=True).stdout
    structs = load([source]).program.types.structs
    assert printed
    for line in printed.splitlines():
        ctype, member, numbers = line.split(":")
        first, second = map(int, numbers.split())
        layout = structs[ctype.removeprefix("struct ")]
        if member:
            field = layout.field(member)
            assert field is not None and field.offset == first, line
        else:
            assert (layout.size, layout.alignment) == (first, second), line


def test_many_fields(tmp_path):
    source = tmp_path / "wide.c"
    fields = " ".join(f"int f{index};" for index in range(500))
    source.write_text(
        f"struct wide {{ {fields} }};\nint main(void) {{ struct wide w; w.f499 = 1; return w.f499; }}"
    )
    assert load([source]).program.types.structs["wide"].size == 2000
