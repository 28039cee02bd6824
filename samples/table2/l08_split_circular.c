/* split a circular list after a number of nodes: COUNT ELEMENTS... */
#include <stdio.h>
#include <stdlib.h>

typedef struct ring_node {
    int data;
    struct ring_node *next;
} ring_node;

typedef struct {
    ring_node *last;
    int size;
} ring;

static void ring_append(ring *r, int data)
{
    ring_node *n = malloc(sizeof *n);
    n->data = data;
    if (r->last == NULL) {
        n->next = n;
    } else {
        n->next = r->last->next;
        r->last->next = n;
    }
    r->last = n;
    r->size++;
}

static ring ring_split(ring *r, int count)
{
    ring rest = { NULL, 0 };
    ring_node *cut, *first;
    int i;

    if (count >= r->size || r->last == NULL)
        return rest;
    if (count <= 0) {
        rest = *r;
        r->last = NULL;
        r->size = 0;
        return rest;
    }
    first = r->last->next;
    cut = first;
    for (i = 1; i < count; i++)
        cut = cut->next;
    rest.last = r->last;
    rest.size = r->size - count;
    rest.last->next = cut->next;
    cut->next = first;
    r->last = cut;
    r->size = count;
    return rest;
}

static void ring_print(const ring *r)
{
    ring_node *p = r->last;
    int n = r->size;
    printf("(%d)", n);
    while (n-- > 0) {
        p = p->next;
        printf(" %d", p->data);
    }
    printf("\n");
}

static void ring_free(ring *r)
{
    while (r->last != NULL && r->last->next != r->last) {
        ring_node *first = r->last->next;
        r->last->next = first->next;
        free(first);
    }
    free(r->last);
    r->last = NULL;
}

int main(int argc, char **argv)
{
    ring all = { 0 }, rest;
    int i;
    for (i = 2; i < argc; i++)
        ring_append(&all, atoi(argv[i]));
    ring_print(&all);
    rest = ring_split(&all, argc > 1 ? atoi(argv[1]) : 0);
    ring_print(&all);
    ring_print(&rest);
    ring_free(&all);
    ring_free(&rest);
    return 0;
}
