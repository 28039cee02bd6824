/* Reverse a singly linked list in place. */
#include <stdio.h>
#include <stdlib.h>

struct Node {
    int data;
    struct Node* next;
};

static void reverse(struct Node** head_ref)
{
    struct Node* prev = NULL;
    struct Node* current = *head_ref;
    struct Node* next = NULL;
    while (current != NULL) {
        next = current->next;
        current->next = prev;
        prev = current;
        current = next;
    }
    *head_ref = prev;
}

void push(struct Node** head_ref, int new_data)
{
    struct Node* new_node = (struct Node*)malloc(sizeof(struct Node));
    new_node->data = new_data;
    new_node->next = (*head_ref);
    (*head_ref) = new_node;
}

void printList(struct Node* head)
{
    struct Node* temp = head;
    while (temp != NULL) {
        printf("%d ", temp->data);
        temp = temp->next;
    }
    printf("\n");
}

void freeList(struct Node* head)
{
    while (head != NULL) {
        struct Node* next = head->next;
        free(head);
        head = next;
    }
}

int main(int argc, char* argv[])
{
    struct Node* head = NULL;
    int i;
    for (i = argc - 1; i > 0; i--)
        push(&head, atoi(argv[i]));
    printList(head);
    reverse(&head);
    printList(head);
    freeList(head);
    return 0;
}
