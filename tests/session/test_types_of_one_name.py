"""Types without a name, or of one name in several files: each is drawn and followed as what it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from played_session import Played

from wolverine.session import results

LIST = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *head;
static struct { int n; } count;
void list_add(int k) { struct node *n = malloc(sizeof *n); n->key = k; n->next = head; head = n; count.n++; }
"""
TREE = """\
#include <stdlib.h>
struct node { struct node *left, *right; double key; };
static struct node *root;
static struct { double sum; int n; } seen;
void tree_add(double k) { root = calloc(1, sizeof *root); root->key = k; seen.sum += k; seen.n++; }
"""
MAIN = """\
void list_add(int), tree_add(double);
enum { LOW = 1, HIGH = 4 } level = HIGH;
static struct { int hits; struct { double lo, hi; } range; } own;
int main(void) {
    list_add(7);
    tree_add(2.5);
    own.range.hi = 1.5;
    level = LOW;
    return 0;
}
"""


def test_structs_of_one_name_in_two_files(tmp_path: Path) -> None:
    files = {tmp_path / "main.c": MAIN, tmp_path / "list.c": LIST, tmp_path / "tree.c": TREE}
    for path, text in files.items():
        path.write_text(text)
    played = Played(tuple(files))
    try:
        played("break 9\nrun")
        places = played.places()
        assert played.fields("n1") == {"key": 7, "next": None}
        assert played.fields("n2") == {"left": None, "right": None, "key": 2.5}
        assert places["own"] == {"hits": 0, "range": {"lo": 0, "hi": 1.5}}
        assert (places["count"], places["seen"]) == ({"n": 1}, {"sum": 2.5, "n": 1})
        assert "tree_add is debugged without repair: struct node is another one in" in played.texts()
        assert not [r for r in played.heard if isinstance(r, results.ConcreteStep) and "list.c" in r.file]
        played("change level HIGH")
        assert played.places()["level"] == 4
    finally:
        played.session.close()


DEEP = """\
static int depth(int n) { return n ? 1 + depth(n - 1) : 0; }
int main(void) {
    int found = depth(200);
    return found;
}
"""


def test_a_recursion_deeper_than_what_is_drawn_is_followed(play: Callable[..., Any]) -> None:
    played = play(DEEP)
    played("start\nbreak depth if n == 0\ncontinue\ndelete\nadvance 4")
    assert "does not follow" not in played.texts()
    assert not [result for result in played.heard if isinstance(result, results.ConcreteStep)]
