#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
int main(void)
{
    struct node *push(struct node *, int);
    int walk(), unused(int);
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) { int walk(struct node *p);
        head = push(head, i);
    }
    return walk(head);
}
struct node *push(struct node *head, int value)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = value;
    fresh->next = head;
    return fresh;
}
int walk(struct node *p)
{
    int sum = 0;
    while (p) { sum += p->value; p = p->next; }
    return sum;
}
