#include <stdio.h>
#include <stdlib.h>

struct Node {
    int data;
    struct Node *next;
};

void push(struct Node **head_ref, int new_data)
{
    struct Node *new_node = malloc(sizeof(struct Node));
    new_node->data = new_data;
    new_node->next = *head_ref;
    *head_ref = new_node;
}

struct Node *getTail(struct Node *cur)
{
    while (cur != NULL && cur->next != NULL)
        cur = cur->next;
    return cur;
}

/* partitions the list taking the last element as the pivot */
struct Node *partition(struct Node *head, struct Node *end, struct Node **newHead, struct Node **newEnd)
{
    struct Node *pivot = end;
    struct Node *prev = NULL, *cur = head, *tail = pivot;

    while (cur != pivot) {
        if (cur->data < pivot->data) {
            if ((*newHead) == NULL)
                (*newHead) = cur;
            prev = cur;
            cur = cur->next;
        } else {
            struct Node *tmp;
            if (prev)
                prev->next = cur->next;
            tmp = cur->next;
            cur->next = NULL;
            tail->next = cur;
            tail = cur;
            cur = tmp;
        }
    }
    if ((*newHead) == NULL)
        (*newHead) = pivot;
    (*newEnd) = tail;
    return pivot;
}

struct Node *quickSortRecur(struct Node *head, struct Node *end)
{
    struct Node *newHead = NULL, *newEnd = NULL, *pivot;
    if (!head || head == end)
        return head;

    pivot = partition(head, end, &newHead, &newEnd);

    if (newHead != pivot) {
        struct Node *tmp = newHead;
        while (tmp->next != pivot)
            tmp = tmp->next;
        tmp->next = NULL;
        newHead = quickSortRecur(newHead, tmp);
        tmp = getTail(newHead);
        tmp->next = pivot;
    }
    pivot->next = quickSortRecur(pivot->next, newEnd);
    return newHead;
}

void quickSort(struct Node **headRef)
{
    (*headRef) = quickSortRecur(*headRef, getTail(*headRef));
    return;
}

void printList(struct Node *node)
{
    while (node != NULL) {
        printf("%d  ", node->data);
        node = node->next;
    }
    printf("\n");
}

int main(int argc, char *argv[])
{
    struct Node *a = NULL;
    int i;
    for (i = 1; i < argc; i++)
        push(&a, atoi(argv[i]));
    printList(a);
    quickSort(&a);
    printList(a);
    while (a) {
        struct Node *b = a->next;
        free(a);
        a = b;
    }
    return 0;
}
