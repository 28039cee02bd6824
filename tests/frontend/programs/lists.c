#include <stdio.h>
#include <stdlib.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define LIMIT 10

typedef struct node {
    int data;
    struct node *next, *prev;
} Node;

typedef struct { Node *head; int count; int a[4]; } List;

Node *root = NULL;   /* the tree */
static int counter;

Node *make(int d)
{
    Node *n = (Node *)malloc(sizeof(Node));
    n->data = d;        // the value
    n->next = n->prev = NULL;
    return n;
}

void push(Node **head_ref, int d)
{
    Node *n = make(d);
    n->next = *head_ref;
    if (*head_ref != NULL)
        (*head_ref)->prev = n;   /* back */
    *head_ref = n;
}

int sum(const Node *p) {
    if (!p) return 0;
    return p->data + sum(p->next);
}

int count(Node *p) {
    int k = 0;
    for (; p; p = p->next) k++;
    return MAX(k, LIMIT);
}

void fill(List *l, int n) {
    int i, j = 0;
    for (i = 0, j = 3; i < n && j >= 0; i++, j--) {
        l->a[i] = j * i;
        if (l->a[i] > LIMIT) {
            l->count += 2;
        } else if (i % 2)
            l->count--;
    }
    while (n --> 0)
        ;
    do { l->count++; } while (l->count < LIMIT);
    switch (n) {
    case 0:
        l->count = 1;
        break;
    case 1: l->count = 2;
    default:
        l->head = NULL;
    }
}

Node *append(Node *head, int d)
{
    Node *n = make(d), *cur = head;
    if (head == NULL) {
        head = n;
        return head;
    }
    while (cur->next != NULL && cur != n) {
        cur = cur->next;
    }
    cur->next = n; n->prev = cur;
    counter++;
    return head;
}

int main(int argc, char **argv)
{
    List l = { NULL, 0 };
    List copy;
    Node *h = NULL, *t;
    int i, c;
    char ch = 'a';
    unsigned char u = 200;
    push(&h, 1);
    for (i = 0; i < argc; ++i) {
        if (i == 3) continue;
        h = append(h, i);
    }
    u = u + 100;
    copy = l;
    c = sum(h);
    if ((t = h) != NULL && t->data > 0)
        c = c > 2 ? c : -c;
    fill(&l, 3);
    copy.count = l.count;
    ch++;
    printf("%d %d %d %c\n", c, count(h), copy.count, ch);
    t = h;
    while (t) { Node *next = t->next; free(t); t = next; }
    return 0;
}
