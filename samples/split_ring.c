/* Splits a ring of the numbers on the command line into two halves and prints both.
 * split() closes the second half with a link that it has just changed. */
#include <stdio.h>
#include <stdlib.h>

struct link {
    int number;
    struct link *next;
};

struct link *ring, *half;

void append(int number)
{
    struct link *fresh = malloc(sizeof(struct link));
    fresh->number = number;
    if (ring == NULL) {
        ring = fresh;
        fresh->next = fresh;
    } else {
        struct link *last = ring;
        while (last->next != ring)
            last = last->next;
        last->next = fresh;
        fresh->next = ring;
    }
}

void split(void)
{
    struct link *slow = ring;
    struct link *fast = ring;
    while (fast->next != ring && fast->next->next != ring) {
        slow = slow->next;
        fast = fast->next->next;
    }
    if (fast->next != ring)
        fast = fast->next;
    half = slow->next;
    slow->next = ring;
    fast->next = slow->next;
}

void show(struct link *first)
{
    struct link *each = first;
    int most = 50;
    if (first == NULL)
        return;
    do {
        printf("%d ", each->number);
        each = each->next;
    } while (each != first && --most > 0);
    printf("\n");
}

int main(int argc, char *argv[])
{
    int i;
    for (i = 1; i < argc; i++)
        append(atoi(argv[i]));
    if (argc > 2) {
        split();
        show(ring);
        show(half);
    }
    return 0;
}
