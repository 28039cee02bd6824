#include <stdio.h>
#include <stdlib.h>

typedef struct node {
    int data;
    struct node *next;
} node_t;

/* swaps links, not data */
node_t *pairWiseSwap(node_t *head)
{
    node_t *prev, *curr;
    if (head == NULL || head->next == NULL)
        return head;

    prev = head;
    curr = head->next;
    head = curr;

    while (1) {
        node_t *next = curr->next;
        curr->next = prev;
        if (next == NULL || next->next == NULL) {
            prev->next = next;
            break;
        }
        prev->next = next->next;
        prev = next;
        curr = prev->next;
    }
    return head;
}

void push(node_t **head_ref, int new_data)
{
    node_t *new_node = (node_t *)malloc(sizeof(node_t));
    new_node->data = new_data;
    new_node->next = (*head_ref);
    (*head_ref) = new_node;
}

void printList(node_t *node)
{
    while (node != NULL) {
        printf("%d ", node->data);
        node = node->next;
    }
    printf("\n");
}

int main(int argc, char *argv[])
{
    node_t *start = NULL, *next;
    int i = argc;
    while (--i > 0)
        push(&start, atoi(argv[i]));
    printList(start);
    start = pairWiseSwap(start);
    printList(start);
    while (start) {
        next = start->next;
        free(start);
        start = next;
    }
    return 0;
}
