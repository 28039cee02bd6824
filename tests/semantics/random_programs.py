"""Random C programs without undefined behaviour: heaps, integers of all widths, all control flow.

`make random` (or `python tests/semantics/random_programs.py FIRST COUNT`) walks through
COUNT programs under gdb, beginning with seed FIRST, and reports differences and how much was modelled.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from wolverine.bench.modelled import Walk, walk

INTEGERS = (
    "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long",
    "unsigned long", "long long", "_Bool", "enum colour",
)  # fmt: skip
LITERALS = (
    "0",
    "1",
    "-1",
    "7",
    "'x'",
    "300",
    "70000",
    "0x7fffffff",
    "255u",
    "-5L",
    "(1UL << 40)",
    "BLUE",
    "LIMIT",
)
FLOATS = ("float", "double")

HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#define LIMIT 12
#define MAX(a, b) ((a) > (b) ? (a) : (b))
enum colour { RED, GREEN = 5, BLUE };
"""

FIXED = """
static node *made[32];
static int count;
static long total;
char text[24] = "heap";

static node *make(int value, node *next)
{
    node *fresh = (node *) calloc(1, sizeof(node));
    fresh->key = value;
    fresh->next = next;
    if (next != NULL)
        next->prev = fresh;
    if (count < 32)
        made[count++] = fresh;
    return fresh;
}

static node *pick(int index)
{
    return count == 0 ? NULL : made[(unsigned) index % (unsigned) count];
}

static void push(node **head, int value) { *head = make(value, *head); }

static int length(const node *list, int bound)
{
    if (!list || bound <= 0)
        return 0;
    return 1 + length(list->next, bound - 1);
}

static void insert(node **root, int key, int depth)
{
    if (*root == NULL || depth > 5) {
        node *leaf = malloc(sizeof *leaf);
        memset(leaf, 0, sizeof *leaf);
        leaf->key = key;
        *root = leaf;
    } else if (key < (*root)->key)
        insert(&(*root)->next, key, depth + 1);
    else
        insert(&(*root)->prev, key, depth + 1);
}

static struct part twist(struct part given, int by)
{
    given.a += by;
    given.tail[by & 1] ^= 3;
    return given;
}

static int bump(int *where) { return ++*where; }

static node *touch(int *where, node *other) { *where += 2; return other; }
"""


class Author:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._depth = 0
        self._loops = 0
        self._scalars: list[str] = []
        self._fields: list[str] = []
        self._reals: list[str] = []
        self._labels = 0

    def program(self) -> str:
        """The text of the program."""
        functions = [self._function(f"work{index}") for index in range(self._random.randint(1, 3))]
        calls = "".join(
            f"    result += work{index}({self._random.randint(-9, 30)}, &list);\n"
            for index in range(len(functions))
        )
        return (
            HEAD
            + self._types()
            + FIXED
            + "\n".join(functions)
            + "\nint main(int argc, char **argv)\n{\n    node *list = NULL;\n    int result = argc;\n"
            + "    push(&list, 3);\n    push(&list, 8);\n"
            + calls
            + '    printf("%d %ld %s\\n", result, total, text);\n    return result & 63;\n}\n'
        )

    def _types(self) -> str:
        pick = self._random
        fields = [f"    {pick.choice(INTEGERS)} f{index};\n" for index in range(3)]
        fields.append(f"    {pick.choice(FLOATS)} real;\n")
        pick.shuffle(fields)
        return (
            "struct part { short a; unsigned char tail[3]; };\n"
            "typedef struct node {\n    int key;\n    struct node *next, *prev;\n"
            + "".join(fields)
            + "    struct part part;\n    char name[8];\n} node;\n"
        )

    def _function(self, name: str) -> str:
        pick = self._random
        self._scalars = [f"v{index}" for index in range(4)]
        types = [pick.choice(INTEGERS) for _ in self._scalars]
        head = "".join(
            f"    {ctype} {variable} = {self._constant()};\n" for ctype, variable in zip(types, self._scalars)
        )
        self._scalars += ["n", "a[1]", "a[n & 3]", "total", "s"]
        self._fields = ["key", "f0", "f1", "f2", "part.a", "part.tail[1]", "name[2]"]
        body = "".join(self._statement("    ", 2) for _ in range(pick.randint(5, 9)))
        return (
            f"\nint {name}(int n, node **root)\n{{\n    static int s;\n{head}"
            "    int i = 0, j = 0, k = 0, *w = &i;\n    int a[4] = { 4, -2, n };\n    double d = 0.5;\n"
            "    node *p = *root, *q = p, *r = NULL;\n    struct part x = { 3, { 1, 2 } };\n"
            f"{body}out:\n    *root = p ? p : q;\n"
            "    return a[0] + i - j + (k > 2) + (r != NULL) + x.a;\n}\n"
        )

    # -- expressions -------------------------------------------------------------------------------

    def _constant(self) -> str:
        return self._random.choice(LITERALS)

    def _scalar(self) -> str:
        return self._random.choice(self._scalars)

    def _value(self, depth: int = 2) -> str:
        """An integer expression without side effects."""
        pick = self._random
        if depth == 0 or pick.random() < 0.2:
            return pick.choice((self._scalar(), self._scalar(), self._constant()))
        one, two = self._value(depth - 1), self._value(depth - 1)
        match pick.randint(0, 9):
            case 0 | 1:
                return f"((unsigned) {one} {pick.choice('+-*')} (unsigned) {two})"
            case 2:
                return f"((unsigned long) ({one}) {pick.choice('+-*')} ({two}))"
            case 3:
                return f"(({one}) {pick.choice('&|^')} ({two}))"
            case 4:
                return f"((unsigned) ({one}) << (({two}) & 15))"
            case 5:
                return f"(({one}) >> (({two}) & 7))"
            case 6:
                return f"(({two}) > 0 ? (int) ({one}) / (int) MAX(1, ({two}) & 0xff) : ~({one}))"
            case 7:
                return f"({pick.choice(('!', '~', '-(short) '))}({one}))"
            case 8:
                return f"(({one}) {pick.choice(('<', '<=', '==', '!=', '>=', '>'))} ({two}))"
            case _:
                return f"(({pick.choice(INTEGERS)}) ({one}))"

    def _test(self) -> str:
        pick = self._random
        p, q = self._pointers()
        return pick.choice((
            f"{p} != NULL", f"!{p}", p, f"{p} == {q}", f"{p} && {p}->next", f"{p} && {p}->next == {q}",
            f"{p} == NULL || {p}->key > {self._value(1)}", self._value(), "i++ < 2 && bump(&j) > 1",
            f"({p} = {q}) != NULL", f"{p} && ({p}->{self._field()} || ++k)", f"(i = {self._value(1)}) > 3",
            f"length({p}, 4) > 1", "d > 1.5", "isdigit(text[1]) || isupper(text[0])",
            f"strcmp(text, \"{pick.choice(('heap', 'hf', ''))}\") {pick.choice(('==', '<'))} 0",
        ))  # fmt: skip

    def _pointers(self) -> tuple[str, str]:
        return self._random.choice("pqr"), self._random.choice("pqr")

    def _field(self) -> str:
        return self._random.choice(self._fields)

    # -- statements --------------------------------------------------------------------------------

    def _statement(self, indent: str, depth: int) -> str:
        if depth and self._random.random() < 0.35:
            return self._compound(indent, depth)
        return indent + self._simple() + "\n"

    def _simple(self) -> str:
        pick = self._random
        p, q = self._pointers()
        link, scalar, value = pick.choice(("next", "prev")), self._scalar(), self._value()
        choices = (
            f"{p} = {q};", f"{p} = pick({value});", f"{p} = make({value}, {q});", f"push(&{p}, {value});",
            f"if ({p}) {p}->{link} = {q};", f"if ({p} && {p}->{link}) {q} = {p}->{link};",
            f"if ({p}) {p}->{self._field()} = {value};", f"if ({p}) {scalar} = {p}->{self._field()};",
            f"if ({p}) {p}->{self._field()}{pick.choice(('++', '--'))};", f"{scalar} = {value};",
            f"{scalar} {pick.choice('|&^')}= {value};", f"{scalar} = ({scalar} = {value}, {self._value(1)});",
            f"v0 = v1 = {value};", f"a[i++ & 3] = {value};", f"*w = {value}; w = w == &i ? &j : &a[2];",
            "a[j & 3] -= (short) k++;",
            f"if ({p} && {q}) {p}->part = {q}->part;", f"if ({p}) {{ x = {p}->part; x.tail[2] += 9; }}",
            f"if ({p}) {p}->part = twist({p}->part, {self._value(1)} & 7);", "x = twist(x, k & 3);",
            f"if ({p}) {{ node copy = *{p}; copy.key ^= 1; *{p} = copy; }}",
            f"{{ node **at = {p} ? &{p}->{link} : &r; *at = {q}; }}", f"insert(&{p}, {value}, 0);",
            f"insert(root, (int) ({value}) & 15, 2);", f"total += length({p}, 5) * 3;",
            f"i = {p} ? {p}->key & 7 : i + 1;", "k += bump(&i) + (j > 2 ? bump(&j) : 0);",
            f"strncpy(text + (k & 3), \"{pick.choice(('abc', 'Zz9', ''))}\", 4);",
            "text[i & 3] = 'a' + (j & 7);",
            "j += (int) strlen(text);", f"if ({p}) {{ strncpy({p}->name, text, 7); {p}->name[7] = '\\0'; }}",
            f"if ({p}) {p}->real = {p}->real * 0.5 + (i & 15);", f"d = d / 3 + ({self._value(1)} & 31);",
            "v2 = (int) d + (d > 4.25);", "{ char *c = strdup(text); c[0] ^= 1; s += c[0]; free(c); }",
            f"{{ int *m = malloc(3 * sizeof(int)); m[0] = k; m[2] = (int) {self._value(1)}; "
            "memmove(m + 1, m, 4); a[3] = m[1] ^ m[2]; m = realloc(m, 4 * sizeof *m); m[3] = m[0]; "
            "a[2] = m[3]; free(m); }",
            f"if ({p}) touch(&k, {p})->key = k;" , f"*({p} ? &{p}->key : &j) += 1;",
            "a[k & 3] = a[j & 3], j++;", "s++;",
            f"switch (k & 3) {{ case 0: i++; case 1: j--; break; case 3: {p} = {q}; break; "
            "default: k = 4; }",
        )  # fmt: skip
        return pick.choice(choices)

    def _compound(self, indent: str, depth: int) -> str:
        pick = self._random
        inner = "".join(self._statement(indent + "    ", depth - 1) for _ in range(pick.randint(1, 3)))
        p, _ = self._pointers()
        self._loops += 1
        c = f"c{self._loops}"
        stop = pick.choice(("break;", "continue;", ";"))
        match pick.randint(0, 8):
            case 0:
                return f"{indent}if ({self._test()}) {{\n{inner}{indent}}}\n"
            case 1:
                other = self._statement(indent + "    ", 0)
                return f"{indent}if ({self._test()}) {{\n{inner}{indent}}} else {{\n{other}{indent}}}\n"
            case 2:
                times = pick.randint(1, 4)
                return (
                    f"{indent}for (int {c} = 0; {c} < {times}; {c}++) {{\n{inner}"
                    f"{indent}    if ({self._test()}) {stop}\n{indent}    total++;\n{indent}}}\n"
                )
            case 3:
                return (
                    f"{indent}int {c} = {pick.randint(1, 3)};\n{indent}do {{\n{inner}"
                    f"{indent}    if ({self._test()}) {stop}\n{indent}}} while (--{c} > 0);\n"
                )
            case 4:
                return (
                    f"{indent}int {c} = 0;\n"
                    f"{indent}while ({c}++ < 3 && ({self._test()})) {{\n{inner}{indent}}}\n"
                )
            case 5:
                return (
                    f"{indent}for (node *{c} = {p}, *o{c} = NULL; {c} && {c} != o{c} && s < 60; o{c} = {c}, "
                    f"{c} = {c}->next, s++) {{\n{indent}    {c}->f1 += 1;\n"
                    f"{indent}    if ({c}->next == {p}) break;\n{inner}{indent}}}\n"
                )
            case 6:
                return (
                    f"{indent}int {c} = 0;\n{indent}if ({self._test()}) goto into{c};\n"
                    f"{indent}again{c}:\n{inner}{indent}into{c}: ;\n{indent}    k--;\n"
                    f"{indent}if (++{c} < 3 && ({self._test()})) goto again{c};\n"
                )
            case 7:
                return (
                    f"{indent}for (int {c} = 0; {c} < 2; {c}++) {{\n{indent}    int n{c} = 3;\n"
                    f"{indent}    while (n{c}-- > 0) {{\n"
                    f"{indent}    switch (({self._value(1)} + n{c}) & 3) {{\n"
                    f"{indent}    case 0: j++;\n{indent}    case 1: {{\n{inner}{indent}    }}\n"
                    f"{indent}        if ({self._test()}) continue;\n{indent}        break;\n"
                    f"{indent}    case 2: goto out{c};\n"
                    f"{indent}    default: if ({self._test()}) break;\n"
                    f"{indent}        total++;\n{indent}    }}\n"
                    f"{indent}    s++;\n{indent}    }}\n{indent}    total--;\n{indent}}}\n{indent}out{c}: ;\n"
                )
            case _:
                return (
                    f"{indent}switch ({self._value(1)} & 3) {{\n{indent}case 1:\n{inner}{indent}    break;\n"
                    f"{indent}case 2:\n{indent}    k--;\n{indent}    /* on */\n{indent}default:\n"
                    f"{indent}    j++;\n{indent}}}\n"
                )


def program(seed: int) -> str:
    """The program of a seed."""
    return Author(seed).program()


def main(first: int, number: int) -> int:
    """Walk through some programs; the number of differences."""
    whole, bad = Walk(ended=True), 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + number):
            found = walked(Path(folder), seed)
            for difference in found.differences:
                print(f"seed {seed}: {difference}", flush=True)
            bad += len(found.differences)
            whole.add(found)
    print(f"{number} programs, {whole.stops} stops, {bad} differences")
    print(
        f"{whole.executed_share:.1%} of the executed statements modelled; others:",
        whole.reasons.most_common(9),
    )
    return bad


def walked(folder: Path, seed: int) -> Walk:
    """The walk through the program of a seed, which is written into a folder."""
    source = folder / f"random{seed}.c"
    source.write_text(program(seed))
    return walk([source], stdin=Path("/dev/null"), most=400)


if __name__ == "__main__":
    sys.exit(int(main(int(sys.argv[1]), int(sys.argv[2])) > 0))
