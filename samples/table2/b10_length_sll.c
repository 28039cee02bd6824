#include <stdio.h>
#include <stdlib.h>

struct Node { int data; struct Node *next; };

/* iterative */
int getCount(struct Node *head)
{
    int count = 0;
    struct Node *current = head;
    while (current != NULL)
    {
        count++;
        current = current->next;
    }
    return count;
}

/* recursive */
int length(struct Node *head)
{
    if (head == NULL)
        return 0;
    return 1 + length(head->next);
}

main(argc, argv)
int argc;
char **argv;
{
    struct Node *head = NULL, *n;
    int i;
    for (i = 1; i < argc; i++)
    {
        n = (struct Node *)malloc(sizeof(struct Node));
        n->data = atoi(argv[i]);
        n->next = head;
        head = n;
    }
    printf("%d %d\n", getCount(head), length(head));
    while (head != NULL)
    {
        n = head;
        head = head->next;
        free(n);
    }
    return 0;
}
