/* swap the nodes that hold X and Y, not their data: X Y ELEMENTS... */
#include <stdio.h>
#include <stdlib.h>

struct Node
{
    int data;
    struct Node *next;
};

void swapNodes(struct Node **head_ref, int x, int y)
{
    // Nothing to do if x and y are the same
    if (x == y)
        return;

    // Search for x (keep track of prevX and CurrX)
    struct Node *prevX = NULL, *currX = *head_ref;
    while (currX && currX->data != x)
    {
        prevX = currX;
        currX = currX->next;
    }

    // Search for y
    struct Node *prevY = NULL, *currY = *head_ref;
    while (currY && currY->data != y)
    {
        prevY = currY;
        currY = currY->next;
    }

    if (currX == NULL || currY == NULL)
        return;

    if (prevX != NULL)
        prevX->next = currY;
    else
        *head_ref = currY;

    if (prevY != NULL)
        prevY->next = currX;
    else
        *head_ref = currX;

    struct Node *temp = currY->next;
    currY->next = currX->next;
    currX->next = temp;
}

void push(struct Node **head_ref, int new_data)
{
    struct Node *new_node = (struct Node *)malloc(sizeof(struct Node));
    new_node->data = new_data;
    new_node->next = (*head_ref);
    (*head_ref) = new_node;
}

void printList(struct Node *node)
{
    while (node != NULL)
    {
        printf("%d ", node->data);
        node = node->next;
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    struct Node *start = NULL, *next;
    int i;
    if (argc < 3)
        return 0;
    for (i = argc - 1; i > 2; i--)
        push(&start, atoi(argv[i]));
    printList(start);
    swapNodes(&start, atoi(argv[1]), atoi(argv[2]));
    printList(start);
    for (; start != NULL; start = next)
    {
        next = start->next;
        free(start);
    }
    return 0;
}
