/* the intersection of two sorted lists as a new list: COUNT ELEMENTS-OF-THE-FIRST... ELEMENTS-OF-THE-SECOND... */
#include <stdio.h>
#include <stdlib.h>

struct Node {
    int data;
    struct Node* next;
};

void push(struct Node** head_ref, int new_data);

struct Node* sortedIntersect(struct Node* a, struct Node* b)
{
    struct Node dummy;
    struct Node* tail = &dummy;
    dummy.next = NULL;

    while (a != NULL && b != NULL) {
        if (a->data == b->data) {
            push((&tail->next), a->data);
            tail = tail->next;
            a = a->next;
            b = b->next;
        }
        else if (a->data < b->data)
            a = a->next;
        else
            b = b->next;
    }
    return (dummy.next);
}

void push(struct Node** head_ref, int new_data)
{
    struct Node* new_node = (struct Node*)malloc(sizeof(struct Node));
    new_node->data = new_data;
    new_node->next = (*head_ref);
    (*head_ref) = new_node;
}

void printAndFree(struct Node* node)
{
    struct Node* next;
    while (node != NULL) {
        printf("%d ", node->data);
        next = node->next;
        free(node);
        node = next;
    }
    printf("\n");
}

int main(int argc, char* argv[])
{
    struct Node *a = NULL, *b = NULL, *intersect = NULL;
    int i, first = argc > 1 ? atoi(argv[1]) : 0;
    for (i = argc - 1; i >= 2; i--) {
        if (i - 2 < first)
            push(&a, atoi(argv[i]));
        else
            push(&b, atoi(argv[i]));
    }
    intersect = sortedIntersect(a, b);
    printAndFree(a);
    printAndFree(b);
    printAndFree(intersect);
    return 0;
}
