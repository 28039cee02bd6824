/* a list that is sorted by absolute values becomes sorted by values */
#include <stdio.h>
#include <stdlib.h>

struct Node
{
    struct Node *next;
    int data;
};

void push(struct Node **head, int data)
{
    struct Node *n = (struct Node *)malloc(sizeof *n);
    n->next = *head;
    n->data = data;
    *head = n;
}

/* negative numbers move to the front */
void sortList(struct Node **head)
{
    struct Node *prev = *head, *curr;
    if (prev == NULL)
        return;
    curr = prev->next;
    while (curr != NULL)
    {
        if (curr->data < prev->data)
        {
            prev->next = curr->next;
            curr->next = *head;
            *head = curr;
            curr = prev;
        }
        else
            prev = curr;
        curr = curr->next;
    }
}

int magnitude(int n)
{
    if (n < 0)
        return -n;
    return n;
}

/* insertion by absolute value, so that any input will do */
void insertByMagnitude(struct Node **head, int data)
{
    struct Node **p = head;
    while (*p != NULL && magnitude((*p)->data) < magnitude(data))
        p = &((*p)->next);
    push(p, data);
}

void printList(struct Node *head)
{
    while (head != NULL)
    {
        printf("%d", head->data);
        if (head->next != NULL)
            printf(" -> ");
        head = head->next;
    }
    printf("\n");
}

int main(int argc, char *argv[])
{
    struct Node *head = NULL;
    int i;
    for (i = 1; i < argc; ++i)
        insertByMagnitude(&head, atoi(argv[i]));
    printList(head);
    sortList(&head);
    printList(head);
    while (head != NULL)
    {
        struct Node *n = head;
        head = n->next;
        free(n);
    }
    return 0;
}
