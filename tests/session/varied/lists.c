#include <stdio.h>
#include <stdlib.h>

typedef struct Node {
    int data;
    struct Node *next, *prev;
} Node, *NodePtr;

static int made;                /* a global of this file */
NodePtr tail = NULL;

NodePtr newNode(int v)
{
    NodePtr n = (NodePtr)malloc(sizeof(Node));
    if (!n) { perror("malloc"); exit(1); }
    n->data = v; n->next = n->prev = NULL;
    made++;
    return n;
}

void push(Node **head_ref, int v) {
    Node *n = newNode(v);
    n->next = *head_ref;
    if (*head_ref != NULL) (*head_ref)->prev = n;
    else tail = n;
    *head_ref = n;
}

void append(Node **head_ref, int v) {
    Node **where = head_ref, *last = NULL;
    while (*where) { last = *where; where = &(*where)->next; }
    *where = newNode(v);
    (*where)->prev = last;
    tail = *where;
}

int removeValue(Node **head_ref, int v)
{
    int removed = 0;
    Node **pp = head_ref;
    while (*pp)
        if ((*pp)->data == v) {
            Node *gone = *pp;
            *pp = gone->next;
            if (gone->next) gone->next->prev = gone->prev;
            else tail = gone->prev;
            free(gone);
            ++removed;
        } else
            pp = &(*pp)->next;
    return removed;
}

Node *makeCircular(int n)
{
    Node *first = NULL, *last = NULL;
    int i = n;
    do {
        Node *x = newNode(i);
        if (!first) first = last = x;
        else { last->next = x; x->prev = last; last = x; }
    } while (--i > 0);
    last->next = first; first->prev = last;
    return first;
}

int length(const Node *c) {
    int k = 0;
    const Node *p = c;
    if (c == NULL) return 0;
    do { k++; p = p->next; } while (p != c && p != NULL);
    return k;
}

void swapData(int *a, int *b) { int t = *a; *a = *b; *b = t; }

void bubble(Node *h) {
    int swapped;
    Node *end = NULL, *p;
    if (!h) return;
    do {
        swapped = 0;
        for (p = h; p->next != end; p = p->next)
            if (p->data > p->next->data) { swapData(&p->data, &p->next->data); swapped = 1; }
        end = p;
    } while (swapped);
}

Node *reverse(Node *h) {
    Node *t;
    for (t = NULL; h; ) {
        Node *n = h->next;
        h->next = t; h->prev = n;
        t = h; h = n;
    }
    return t;
}

int main(int argc, char *argv[])
{
    Node *head = NULL, *ring;
    int i, k;
    for (i = 0, k = 10; i < 4; i++, k -= 3) push(&head, k);
    append(&head, 7);
    append(&head, 1);
    bubble(head);
    k = removeValue(&head, 7);
    printf("%d removed, %d made, tail %d\n", k, made, tail->data);
    head = reverse(head);
    ring = makeCircular(3);
    printf("%d %d\n", length(ring), length(head));
    for (Node *p = head; p != NULL; p = p->next) printf("%d ", p->data);
    puts("");
    while (head) { Node *n = head->next; free(head); head = n; }
    return argc > 5;
}
