#include <stdio.h>
#include <stdlib.h>

typedef struct item {
    int value;
    struct item *link;
} *list;

/* build a ring of n numbers; returns its last item */
list create(int n, const int *values)
{
    list last = NULL;
    int i;
    for (i = 0; i < n; i++) {
        list x = (list)malloc(sizeof(struct item));
        x->value = values[i];
        if (last == NULL) {
            x->link = x;
        } else {
            x->link = last->link;
            last->link = x;
        }
        last = x;
    }
    return last;
}

void show(list last)
{
    list p;
    if (last == NULL) {
        printf("empty\n");
        return;
    }
    p = last->link;
    do {
        printf("%d -> ", p->value);
        p = p->link;
    } while (p != last->link);
    printf("(%d)\n", p->value);
}

int main(int argc, char **argv)
{
    int values[64], n = 0;
    list ring, p;
    while (n + 1 < argc && n < 64) {
        values[n] = atoi(argv[n + 1]);
        n++;
    }
    ring = create(n, values);
    show(ring);
    if (ring != NULL) {
        p = ring->link;
        ring->link = NULL;
        while (p != NULL) {
            list next = p->link;
            free(p);
            p = next;
        }
    }
    return 0;
}
