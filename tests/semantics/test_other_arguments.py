"""What a function may be given besides: nodes beside the one that it was given, and other texts."""

from __future__ import annotations

from pathlib import Path

from playing import Play, program_of

from wolverine.core.graph import External, NodeId, Place, Pointer
from wolverine.repair.source.flags import Flags
from wolverine.semantics.arguments import another_flag, another_node, other_arguments
from wolverine.semantics.words import text_at

TREE = """#include <stdlib.h>
struct item { struct item *up, *first, *last, *next, *prev; };
static void before(struct item *there, struct item *one) {
    one->up = there->up;
    one->next = there;
}
int main(void) {
    struct item *root = calloc(1, sizeof *root);
    for (int i = 0; i < 3; i++) {
        struct item *one = calloc(1, sizeof *one);
        one->up = root;
        one->prev = root->last;
        if (root->last)
            root->last->next = one;
        else
            root->first = one;
        root->last = one;
    }
    before(root->first, calloc(1, sizeof *root));
    return 0;
}
"""


def test_of_several_nodes_each_is_exchanged_for_one_in_its_list(tmp_path: Path) -> None:
    play = Play(program_of(TREE, tmp_path))
    play.enter_function("before")
    play.to(6)
    graph = play.problem().traces[0].start
    [there, one] = [Place(v.id, 0) for v in graph.frames[0].variables if v.parameter]
    assert graph.cells[there] == Pointer(NodeId(2), 0)
    given = [(each.cells[there], each.cells[one]) for each in another_node(graph)]
    fresh = graph.cells[one]
    # Not the root, which no list is, nor the new node, which goes with it.
    assert given == [(Pointer(NodeId(3), 0), fresh), (Pointer(NodeId(4), 0), fresh)]


NAMES = """#include <stdlib.h>
#include <string.h>
struct name { struct name *next; char *text; };
static struct name *names;
static int has(const char *text) {
    struct name *n = names;
    while (n && strcmp(n->text, text) != 0)
        n = n->next;
    return n != NULL;
}
int main(void) {
    const char *given[] = { "ann", "bob", "cy" };
    for (int i = 0; i < 3; i++) {
        struct name *n = malloc(sizeof *n);
        n->text = strdup(given[i]);
        n->next = names;
        names = n;
    }
    return has("bob");
}
"""


def test_texts_from_outside_are_others_outside(tmp_path: Path) -> None:
    play = Play(program_of(NAMES, tmp_path))
    play.enter_function("has")
    play.to(10)
    graph = play.problem().traces[0].start
    [parameter] = [Place(v.id, 0) for v in graph.frames[0].variables if v.parameter]
    assert text_at(graph, parameter) == b"bob"
    others = list(other_arguments(graph))
    # No text of a node's own is handed to a function that may free it.
    assert all(isinstance(each.cells[parameter], External) for each in others)
    assert [text_at(each, parameter) for each in others] == [b"", b"b", b"ann", b"cy"]


SEEN = """#include <stdlib.h>
struct room { int number, seen; struct room *next; };
static struct room *lost;
static int look(struct room *r) {
    if (r == NULL || r->seen)
        return 0;
    r->seen = 1;
    return 1 + look(r->next);
}
int main(void) {
    struct room *r = calloc(1, sizeof *r);
    r->next = calloc(1, sizeof *r);
    r->next->seen = 1;
    lost = calloc(1, sizeof *r);
    free(lost);
    return look(r);
}
"""


def test_a_flag_is_turned_in_one_live_node_after_the_other(tmp_path: Path) -> None:
    program = program_of(SEEN, tmp_path)
    play = Play(program)
    play.enter_function("look")
    play.to(6)
    graph = play.problem().traces[0].start
    one, two = Place(NodeId(1), 4), Place(NodeId(2), 4)
    assert (graph.cells[one], graph.cells[two]) == (0, 1)
    found = list(another_flag(graph, Flags(program).truths()))
    assert [(each.cells[one], each.cells[two]) for each in found] == [(1, 1), (0, 0)]
    assert not list(another_flag(graph, ()))
