/* The three programs of section 5.1 of Wolverine2, each with one bug: in the second statement. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *a, *b, *c, *d;

struct node *chain(int from, int to)
{
    struct node *first = malloc(sizeof(struct node));
    first->data = from;
    first->next = NULL;
    if (from < to)
        first->next = chain(from + 1, to);
    return first;
}

void set(struct node *list, struct node *other)
{
    a = list;
    b = list->next;
    c = list->next->next;
    d = other;
}

void independent(void)
{
    a = a->next;
    b = b->next;
    c = c->next;
}

void overwritten(void)
{
    b = a->next;
    b = b->next;
    c = c->next;
}

void dependent(void)
{
    a = a->next;
    b = b->next;
    c = b->next;
}

void show(void)
{
    printf("%d %d %d %d\n", a->data, b->data, c->data, d->data);
}

int main(int argc, char *argv[])
{
    int shift = argc > 1 ? atoi(argv[1]) : 0;
    struct node *list = chain(shift + 1, shift + 4);
    struct node *other = chain(shift + 5, shift + 6);

    set(list, other);
    independent();
    show();
    set(list, other);
    overwritten();
    show();
    set(list, other);
    dependent();
    show();
    return 0;
}
