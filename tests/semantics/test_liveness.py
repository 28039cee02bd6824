"""Which locals may be read from an instruction on."""

import textwrap

from wolverine.core.expressions import lvalue_text
from wolverine.core.program import Assign, Concrete
from wolverine.frontend import load
from wolverine.semantics.dataflow import possibly_read


def _read(tmp_path, body: str, *, printing: bool = False) -> set[str]:
    """What may be read from the call of printf on, or behind the assignment to `g`."""
    source = tmp_path / "live.c"
    head = "#include <stdio.h>\nstruct s { int v; struct s *next; }; struct s *g; void use(int **p);\n"
    source.write_text(head + textwrap.dedent(body))
    program = load([source]).program
    function = program.functions["f"]
    if printing:
        index = next(i for i, step in enumerate(function.code) if isinstance(step, Concrete))
    else:
        steps = enumerate(function.code, 1)
        index = next(i for i, each in steps if isinstance(each, Assign) and lvalue_text(each.target) == "g")
    return {name for name in possibly_read(function, index, program) if not name.startswith("$")}


def test_what_is_set_before_it_is_read_is_not_read(tmp_path):
    body = """
        int f(struct s *list, int n) {
            struct s *cur, *prev = NULL, *tmp;
            for (cur = list; cur != NULL; cur = cur->next) {
                printf("%d", n);
                tmp = prev;
                prev = cur;
                tmp = cur;
            }
            g = prev;
            return n;
        }"""
    assert _read(tmp_path, body, printing=True) == {"cur", "prev", "n"}
    assert _read(tmp_path, body) == {"n"}


def test_what_a_pointer_leads_to_or_a_part_is_set_of_is_read(tmp_path):
    body = """
        int f(int n, int m) {
            int a[3] = {1}, b = 2, *p = &b; struct s pair; int k = 0;
            pair.v = n;
            if (n) return 0;
            pair.next = NULL;
            a[k] = *p;
            g = pair.next;
            return m;
        }"""
    assert _read(tmp_path, body) >= {"b"}
    assert not _read(tmp_path, body) & {"n", "p"}
