"""Parts of C programs that tests of the engine and of sessions have in common."""

SLIP, MEANT = "tail->next = head;", "tail->next = n;"

# Two bugs: SLIP, and what `rotate` leaves `tail` at.
ROTATED = """\
struct node { int data; struct node *next, *prev; };
struct node *head, *tail;
void push_back(int d) {
    struct node *n = malloc(sizeof *n);
    n->data = d;
    n->next = NULL;
    n->prev = tail;
    if (tail)
        tail->next = head;
    else
        head = n;
    tail = n;
}
void rotate(void) {
    struct node *first = head;
    head = first->next;
    head->prev = NULL;
    first->next = NULL;
    first->prev = tail;
    tail->next = first;
}
"""

# A list of items, the least recently used first; `detach` takes one out, `attach` puts it at the end.
USED = """\
struct item { int no; struct item *next, *prev; };
struct item *first, *last;
static void detach(struct item *which)
{
    if (which->prev)
        which->prev->next = which->next;
    else
        first = which->next;
    if (which->next)
        which->next->prev = which->prev;
    else
        last = which->prev;
}
static void attach(struct item *which)
{
    which->prev = last;
    which->next = NULL;
    if (last)
        last->next = which;
    else
        first = which;
    last = which;
}
"""
