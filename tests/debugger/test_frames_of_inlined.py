"""Functions that gcc would put into their callers: each call has its frame all the same."""

from __future__ import annotations

import pytest

PROGRAM = """
    struct pair { int a, b; };
    static inline int sum(struct pair *p) __attribute__((ATTRIBUTE));
    static inline int sum(struct pair *p)
    {
        int s = p->a; /* here */
        s += p->b;
        return s;
    }
    static int twice(struct pair *p) { return 2 * sum(p); }
    int main(void)
    {
        struct pair given = { 1, 2 };
        return twice(&given) - 6;
    }
"""
# Defined nowhere but where it is put in; with C's own rules only the attribute makes that compile.
NOWHERE = PROGRAM.replace("static inline", "inline")


def functions(bench, text):
    b = bench(text)
    b.until("/* here */")
    snapshot = b.debugger.snapshot()
    for level, frame in enumerate(snapshot.frames):
        assert b.debugger._execution.unwound(level)["rip"] == frame.pc
    return [frame.function for frame in snapshot.graph.frames]


def test_an_inlined_call_has_its_frame(bench):
    assert functions(bench, PROGRAM.replace("ATTRIBUTE", "always_inline")) == ["sum", "twice", "main"]


@pytest.mark.parametrize(
    "text", [PROGRAM.replace("ATTRIBUTE", "__always_inline__"), NOWHERE.replace("ATTRIBUTE", "always_inline")]
)
def test_a_caller_is_one_frame_whatever_was_put_into_it(bench, text):
    assert functions(bench, text) == ["twice", "main"]
