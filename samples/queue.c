/* A queue with its first and last cell: the numbers on the command line go in and come out again.
 * enqueue() does not move the end of the queue. */
#include <stdio.h>
#include <stdlib.h>

typedef struct cell {
    int value;
    struct cell *behind;
} cell;

typedef struct {
    cell *first, *last;
} queue;

void enqueue(queue *q, int value)
{
    cell *fresh = malloc(sizeof(cell));
    fresh->value = value;
    fresh->behind = NULL;
    if (q->last != NULL) {
        q->last->behind = fresh;
    } else {
        q->first = fresh;
        q->last = fresh;
    }
}

int dequeue(queue *q)
{
    cell *gone = q->first;
    int value = gone->value;
    q->first = gone->behind;
    if (q->first == NULL)
        q->last = NULL;
    free(gone);
    return value;
}

int main(int argc, char *argv[])
{
    queue q = {NULL, NULL};
    int i;
    for (i = 1; i < argc; i++)
        enqueue(&q, atoi(argv[i]));
    while (q.first != NULL)
        printf("%d ", dequeue(&q));
    printf("\n");
    return 0;
}
