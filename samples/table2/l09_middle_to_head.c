#include <stdio.h>
#include <stdlib.h>

struct Node {
    int data;
    struct Node* next;
};

void setMiddleHead(struct Node** head)
{
    if (*head == NULL)
        return;

    struct Node* one_node = (*head);
    struct Node* two_node = (*head);
    struct Node* prev = NULL;
    while (two_node != NULL && two_node->next != NULL) {
        prev = one_node;
        two_node = two_node->next->next;
        one_node = one_node->next;
    }
    if (prev == NULL)
        return;
    prev->next = prev->next->next;
    one_node->next = (*head);
    (*head) = one_node;
}

void push(struct Node** head_ref, int new_data)
{
    struct Node* new_node = (struct Node*)malloc(sizeof(struct Node));
    new_node->data = new_data;
    new_node->next = (*head_ref);
    (*head_ref) = new_node;
}

void printList(struct Node* ptr)
{
    while (ptr != NULL) {
        printf("%d ", ptr->data);
        ptr = ptr->next;
    }
    printf("\n");
}

int main(int argc, char* argv[])
{
    struct Node* head = NULL;
    int i;
    for (i = argc - 1; i > 0; i--)
        push(&head, atoi(argv[i]));
    printList(head);
    setMiddleHead(&head);
    printList(head);
    do {
        struct Node* gone = head;
        if (gone != NULL)
            head = gone->next;
        free(gone);
    } while (head != NULL);
    return 0;
}
