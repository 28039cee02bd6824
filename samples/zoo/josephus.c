#include <stdio.h>
#include <stdlib.h>
struct person { int no; struct person *next; };
struct person *circle(int n)
{
    struct person *first, *last; int i;
    first = last = (struct person*)malloc(sizeof(struct person));
    first->no = 1;
    for (i = 2; i <= n; i++) {
        last->next = (struct person*)malloc(sizeof(struct person));
        last = last->next;
        last->no = i;
    }
    last->next = first;
    return first;
}
int survivor(struct person **head, int k)
{
    struct person *p, *q;
    int i;
    q = p = *head;
    while (p->next != p) {
        for (i = 0; i < k - 1; i++) {
            q = p;
            p = p->next;
        }
        q->next = p->next;
        printf("%d has been killed.\n", p->no);
        free(p);
        p = q->next;
    }
    *head = p;
    return (p->no);
}
int main()
{
    int n = 7, k = 3;
    struct person *head = circle(n);
    int s = survivor(&head, k);
    printf("survivor %d\n", s);
    free(head);
    return 0;
}
