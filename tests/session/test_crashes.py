"""A crash names the place at fault: what is null, what dangles, what leads nowhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from played_session import Played
from thorough import every_other

from wolverine.errors import CommandError
from wolverine.session import results

PROGRAM = """\
#include <stdlib.h>
#include <string.h>
struct n { int v; struct n *next; char name[8]; struct n *more[2]; };
struct n *head, *other;
int zero, far = -300000000;
char *word;
int sum(int a, int b) { return a + b; }
int main(void)
{
    struct n *p = malloc(sizeof *p), *q = malloc(sizeof *q), *gone = malloc(sizeof *gone), *fresh;
    struct n many[3] = {{0}};
    head = p;
    memset(p, 0, sizeof *p);
    memset(q, 0, sizeof *q);
    p->next = q;
    q->v = 1;
    fresh = malloc(sizeof *fresh);
    free(gone);
    STATEMENT;
    return q->v;
}
"""


@pytest.mark.parametrize(
    ("statement", "signal", "words"),
    [
        ("other->v = 1", "SIGSEGV", "other is null"),
        ("q->v = p->next->next->v", "SIGSEGV", "p->next->next is null"),
        ("p->next->next->v = q->v", "SIGSEGV", "p->next->next is null"),
        ("if (p->next->next->next == q) q->v = 2", "SIGSEGV", "p->next->next is null"),
        ("while (q != p) q = q->next", "SIGSEGV", "q is null"),
        ("q->v = other != NULL && other->v ? 1 : p->more[1]->v", "SIGSEGV", "p->more[1] is null"),
        ("q->v = sum(p->v, p->more[zero]->v)", "SIGSEGV", "p->more[zero] is null"),
        ("fresh->next->v = 1", "SIGSEGV", "fresh->next was never set"),
        ("gone->next->v = 1", "SIGSEGV", "gone->next was never set; it was read from n3, which was freed"),
        ("*word++ = 'x'", "SIGSEGV", "word is null"),
        ("p->v = (other++)->v", "SIGSEGV", "other is null"),
        ("*(int *)0x41 = 3", "SIGSEGV", "0x41 leads nowhere"),
        ("many[far].v = 3", "SIGSEGV", "many[far] with index -300000000 lies outside"),
        ("p[far].v = 3", "SIGSEGV", "p[-300000000] lies outside of n1, which has 1"),
        ("q->v = q->v / zero", "SIGFPE", "zero is zero"),
        ("strcpy(p->name, word)", "SIGSEGV", "word (passed to strcpy) is null"),
        (
            "head->next = (p->v = 3, &other->next), q->v = (*head->next).v, *other = *p",
            "SIGSEGV",
            "head->next leads nowhere (0x8)",
        ),
    ],
)
def test_the_place_at_fault_is_named(
    play: Callable[..., Any], statement: str, signal: str, words: str
) -> None:
    session = play(PROGRAM.replace("STATEMENT", statement))
    line = PROGRAM[: PROGRAM.index("STATEMENT")].count("\n") + 1
    session(f"start\nbreak {line}\ncontinue\nnext")
    assert session.last(results.Signalled) == results.Signalled(signal, line)
    note = next(each.text for each in session.heard[::-1] if isinstance(each, results.Note))
    assert note.endswith(words), note
    session("back\ncontinue")
    if not any(isinstance(each, results.Signalled) for each in session.heard[-5:]):
        session("continue")
    assert session.last(results.Signalled) == results.Signalled(signal, line)


def test_nothing_is_blamed_for_a_signal_from_elsewhere(play: Callable[..., Any]) -> None:
    session = play(PROGRAM.replace("STATEMENT", "abort()"))
    session("run")
    assert "null" not in session.texts()
    assert session.last(results.Signalled).signal == "SIGABRT"


@pytest.mark.thorough
def test_what_hangs_on_activations_that_are_left_out_is_not_called_lost(play: Callable[..., Any]) -> None:
    session = play("""\
#include <stdlib.h>
struct n { int v; struct n *next; };
static int deep(int n) { char room[512]; room[0] = (char)n; return deep(n + 1) + room[0]; }
static int hold(void)
{
    struct n *p = malloc(sizeof *p);
    p->next = malloc(sizeof *p);
    p->next->next = NULL;
    return deep(0) + p->v;
}
int main(void) { return hold(); }
""")
    session("run")
    assert "the stack is full" in session.texts()
    assert "lost" not in session.texts()
    nodes = session.last(results.Graph).data["nodes"]
    assert [node["state"] for node in nodes] == ["live", "live"]


RECURSIVE = """\
#include <stdlib.h>
struct n { int v; struct n *next; };
int sum(struct n *list)
{
    if (list == NULL)
        return 0;
    return list->v + sum(list);
}
int main(void)
{
    struct n *p = calloc(1, sizeof *p), *q = calloc(1, sizeof *q);
    p->v = 1;
    q->v = 2;
    p->next = q;
    return sum(p);
}
"""


PRINTING = """\
#include <stdio.h>
#include <stdlib.h>
struct word { char *text; struct word *next; };
static void show(struct word *w)
{
    for (; w != NULL; w = w->next)
        CALL;
}
int main(void)
{
    struct word one = {"one", NULL}, two = {NULL, &one};
    show(&two);
    return 0;
}
"""


@pytest.mark.parametrize("call", ["puts(w->text)", "fputs(w->text, stdout)", 'printf("%s\\n", w->text)'])
def test_where_null_is_printed_the_call_is_repaired(call: str, play: Callable[..., Any]) -> None:
    session = play(PRINTING.replace("CALL", call))
    session("run")
    assert session.last(results.Signalled).signal == "SIGSEGV"
    session("repair --no-question; delete; continue")
    assert session.last(results.Exited).code == 0


def test_a_text_that_is_printed_after_it_was_freed_is_told(play: Callable[..., Any]) -> None:
    session = play("""\
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    char *text = malloc(8);
    snprintf(text, 8, "%d", 17);
    free(text);
    printf("%d %p\\n", 1, (void *)text);
    printf("%*d %s\\n", 3, 1, text);
    return 0;
}
""")
    session("run")
    assert "n1 is used after it was freed, by line 9" in session.texts()


SPLITTING = """\
#include <stdlib.h>
struct n { int v; struct n *next; };
static struct n *sorted(struct n *list)
{
    struct n *slow, *fast, *one, *two, *head = NULL, **end = &head;
    if (!list)
        return list;
    for (slow = list, fast = list->next; fast && fast->next; fast = fast->next->next)
        slow = slow->next;
    two = sorted(slow->next);
    slow->next = NULL;
    one = sorted(list);
    while (one && two) {
        struct n **least = one->v <= two->v ? &one : &two;
        *end = *least;
        end = &(*end)->next;
        *least = *end;
    }
    *end = one ? one : two;
    return head;
}
int main(void)
{
    struct n *head = NULL, *p;
    int numbers[] = {2, 3, 1}, found = 0;
    for (int i = 0; i < 3; i++) {
        p = malloc(sizeof *p);
        p->v = numbers[i];
        p->next = head;
        head = p;
    }
    for (p = sorted(head); p; p = p->next)
        found = 10 * found + p->v;
    return found;
}
"""


@pytest.mark.parametrize(
    ("program", "mended", "code"),
    every_other(
        [(RECURSIVE, "sum(list->next)", 3), (SPLITTING, "if (!list || list->next == NULL)", 123)],
    ),
)
def test_recursion_without_end_is_repaired(
    program: str, mended: str, code: int, play: Callable[..., Any]
) -> None:
    session = play(program)
    session("run; repair --no-question")
    assert "calls itself without an end" in session.texts()
    added = [line for line in session.last(results.Repaired).patch.splitlines() if line.startswith("+ ")]
    assert any(mended in line for line in added)
    session("continue")
    assert session.last(results.Exited).code == code


def test_where_recursion_has_no_end_what_it_is_given_can_be_corrected(play: Callable[..., Any]) -> None:
    session = play(RECURSIVE)
    session("break sum; run; continue; change list n2; repair --no-question")
    assert session.last(results.Repaired).edits[0].after == "list->next"
    session("delete; continue")
    assert session.last(results.Exited).code == 3


HANDLED = """\
#include <signal.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static volatile sig_atomic_t got;
static void on_signal(int s) { got = s; }
int main(void)
{
    struct node *done = NULL;
    signal(SIGUSR1, HANDLER);
    raise(SIGUSR1);
    done = malloc(sizeof *done);
    done->v = got;
    free(done);
    return 0;
}
"""


@pytest.mark.parametrize("handler", ["on_signal", "SIG_IGN"])
def test_a_signal_that_the_program_handles_is_no_crash(play: Callable[..., Played], handler: str) -> None:
    session = play(HANDLED.replace("HANDLER", handler))
    session("run")
    assert session.last(results.Signalled).signal == "SIGUSR1"
    assert "the program handles or ignores it, and `continue` goes on" in session.texts()
    with pytest.raises(CommandError, match="SIGUSR1 is no fault, the program handles or ignores it"):
        session("repair")
    session("continue")
    assert session.last(results.Exited).code == 0


def test_one_that_ends_the_program_is(play: Callable[..., Played]) -> None:
    session = play(HANDLED.replace("HANDLER", "SIG_DFL"))
    session("run")
    assert session.last(results.Signalled).signal == "SIGUSR1"
    assert "handles or ignores" not in session.texts()


LETTERS = """\
#include <stdlib.h>
static int letters(const char *s)
{
    int n = 0;
    while (s[n] != '\\0')
        n++;
    return n;
}
int main(int argc, char **argv)
{
    const char *name = argv[1];
    int n = letters(name);
    return n + atoi(argv[2]) + argc;
}
"""


def test_an_argument_that_the_program_was_not_given_is_named(play: Callable[..., Played]) -> None:
    session = play(LETTERS)
    session("run")
    assert "s is null; argv[1] is not there, as the program was given no arguments" in session.texts()
    session("run word")
    assert (
        "argv[2] (passed to atoi) is null; argv[2] is not there, as the program was given one"
        in session.texts()
    )


def test_another_null_pointer_is_no_missing_argument(play: Callable[..., Played]) -> None:
    session = play(LETTERS.replace("name = argv[1]", "name = NULL"))
    session("run")
    assert "s is null" in session.texts()
    assert "arguments" not in session.texts()


GIVEN = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
static int first(struct node *of)
{
    return of->v;
}
int main(void)
{
    struct node *n = malloc(sizeof *n);
    n->v = 1;
    return first(n->next);
}
"""


def test_a_parameter_is_given_what_was_never_set(play: Callable[..., Any]) -> None:
    """It has been set itself, by the call."""
    session = play(GIVEN)
    session("run")
    assert "of was given what was never set" in session.texts()
