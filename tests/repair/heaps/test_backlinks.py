"""Repairs that break links which lead back are not the first."""

from __future__ import annotations

from pathlib import Path

from playing import Play, program_of

from wolverine.core.patch import Patch, Repairs
from wolverine.core.trace import Problem
from wolverine.repair import search
from wolverine.repair.heaps.backlinks import Backlink, backlinks, breaks
from wolverine.repair.heaps.entries import cases
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.ranking.score import Scores
from wolverine.semantics.address import POINTER, node_address

DELETE = """#include <stdlib.h>
struct node { int v; struct node *prev, *next; };
struct node *head, *tail;
void push(int v) {
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = NULL;
    n->prev = tail;
    if (tail != NULL)
        tail->next = n;
    else
        head = n;
    tail = n;
}
void del(int v) {
    struct node *p = head;
    while (p != NULL && p->v != v)
        p = p->next;
    if (p == NULL)
        return;
    if (p->prev != NULL)
        p->prev->next = p->next;
    else
        head = p->next;
    if (p->next != NULL)
        p->next->prev = p;
    else
        tail = p->prev;
    free(p);
}
int main(void) {
    push(1); push(2); push(3); push(4);
    del(2);
    return 0;
}
"""


def _problem(folder: Path) -> Problem:
    play = Play(program_of(DELETE, folder))
    play.open()
    play.to(34)
    play.change("n3->prev", "n1")
    play.spec()
    return play.problem()


def test_back_links_are_found_unless_the_assertion_breaks_them(tmp_path: Path) -> None:
    problem = _problem(tmp_path)
    trace = problem.traces[0]
    found = cases(problem.program, trace, Menus(problem.program), Patch(), {"del"})
    heaps = [case.heap for case in found if case.function == "del"]
    assert {(rule.forth, rule.back) for rule in backlinks(heaps, trace)} == {(8, 16), (16, 8)}
    play = Play(program_of(DELETE, tmp_path))
    play.open()
    play.to(34)
    play.spec()
    assert (16, 8) not in {(r.forth, r.back) for r in backlinks(heaps, play.problem().traces[0])}


def test_a_repair_as_close_that_breaks_links_elsewhere_comes_later(tmp_path: Path) -> None:
    problem = _problem(tmp_path)
    found = search(problem)
    assert isinstance(found, Repairs)
    scores = Scores(problem.program)
    best = found.candidates[0]
    others = [candidate for candidate in found.candidates if candidate.behaviour != best.behaviour]
    assert min(scores.patch(each.patch) for each in others) <= scores.patch(best.patch)
    assert best.behaviour == 1


def test_a_node_that_is_taken_out_may_lead_wherever_it_led() -> None:
    """In place of node 2 comes its child 3, which leads up from there; before, 1 led to 2 and 2 to 3."""
    rule = Backlink(32, forth=8, back=24)
    sizes = {1: 32, 2: 32, 3: 32}

    def links(one: int, two: int, up: int) -> dict[int, list[tuple[int, int, object]]]:
        pointer = {0: 0} | {number: node_address(number) for number in sizes}
        return {
            1: [(8, POINTER, pointer[one])],
            2: [(8, POINTER, pointer[two]), (24, POINTER, pointer[1])],
            3: [(24, POINTER, pointer[up])],
        }

    led = {2: [(1, 8), (3, 24)], 3: [(2, 8)], 1: [(2, 24)]}
    assert not breaks([rule], links(2, 3, 2), sizes, {}, led)
    assert not breaks([rule], links(3, 3, 1), sizes, {}, led)
    assert breaks([rule], links(3, 3, 1), sizes, {})  # nothing is known of what led to 2 before
    assert breaks([rule], links(3, 3, 2), sizes, {}, led)  # and now 3 leads up to it
    assert breaks([rule], links(2, 3, 1), sizes, {}, led)  # it is in its place still


INSIDE = """#include <stddef.h>
#include <stdlib.h>
struct link { struct link *next, *back; };
struct job { long cost; struct link at; };
struct link ready;
void enqueue(struct link *end, long cost) {
    struct job *j = malloc(sizeof *j);
    j->cost = cost;
    j->at.next = end;
    j->at.back = end->back;
    end->back->next = &j->at;
    end->back = &j->at;
}
void done(struct link *end) {
    struct link *at = end->next, *best = at;
    while (at != end) {
        struct job *j = (struct job *)((char *)at - offsetof(struct job, at));
        struct job *k = (struct job *)((char *)best - offsetof(struct job, at));
        if (j->cost < k->cost)
            best = at;
        at = at->next;
    }
    best->back->next = best->next;
    free((char *)best - offsetof(struct job, at));
}
int main(void) {
    ready.next = ready.back = &ready;
    enqueue(&ready, 4); enqueue(&ready, 2); enqueue(&ready, 7); enqueue(&ready, 5);
    done(&ready);
    return 0;
}
"""


def test_links_that_lie_inside_of_nodes_lead_back_as_well(tmp_path: Path) -> None:
    play = Play(program_of(INSIDE, tmp_path))
    play.open()
    play.to(30)
    play.change("n3+16", "n1+8")
    play.spec()
    problem = play.problem()
    found = cases(problem.program, problem.traces[0], Menus(problem.program), Patch(), {"done"})
    heaps = [case.heap for case in found if case.function == "done"]
    rules = backlinks(heaps, problem.traces[0])
    assert {(rule.tag, rule.forth, rule.back, rule.base) for rule in rules} == {
        ("job", 8, 16, 8),
        ("job", 16, 8, 8),
    }


def test_what_leads_to_a_link_inside_leads_back_to_the_one_that_leads_there() -> None:
    rule = Backlink(24, forth=8, back=16, tag="job", base=8)
    sizes = {1: 24, 2: 24}

    def links(to: int, back: int) -> dict[int, list[tuple[int, int, object]]]:
        return {1: [(8, POINTER, node_address(2) + to)], 2: [(16, POINTER, node_address(1) + back)]}

    assert not breaks([rule], links(8, 8), sizes, {})
    assert breaks([rule], links(8, 0), sizes, {})
    assert breaks([rule], links(0, 8), sizes, {})
