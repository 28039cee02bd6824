#include <stdio.h>
#include <stdlib.h>

struct Node
{
    int data;
    struct Node *next;
};

void moveToFront(struct Node **head_ref)
{
    /* nothing to do for an empty list or a single node */
    if (*head_ref == NULL || (*head_ref)->next == NULL)
        return;

    struct Node *secLast = NULL;
    struct Node *last = *head_ref;
    while (last->next != NULL)
    {
        secLast = last;
        last = last->next;
    }
    secLast->next = NULL;
    last->next = *head_ref;
    *head_ref = last;
}

void push(struct Node **head_ref, int new_data)
{
    struct Node *new_node = (struct Node *)malloc(sizeof(struct Node));
    new_node->data = new_data;
    new_node->next = *head_ref;
    *head_ref = new_node;
}

void printList(struct Node *node)
{
    while (node != NULL)
    {
        printf("%d ", node->data);
        node = node->next;
    }
}

int main(int argc, char **argv)
{
    struct Node *start = NULL, *p;
    int i;
    for (i = argc - 1; i >= 1; i--)
        push(&start, atoi(argv[i]));
    printList(start);
    moveToFront(&start);
    printf("| ");
    printList(start);
    printf("\n");
    while (start != NULL)
    {
        p = start;
        start = start->next;
        free(p);
    }
    return 0;
}
