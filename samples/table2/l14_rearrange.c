/* rearrange a list: first, last, second, last but one, ... */
#include <stdio.h>
#include <stdlib.h>

struct Node {
    int data;
    struct Node *next;
};

struct Node *newNode(int key)
{
    struct Node *temp = (struct Node *)malloc(sizeof(struct Node));
    temp->data = key;
    temp->next = NULL;
    return temp;
}

void reverselist(struct Node **head)
{
    struct Node *prev = NULL, *curr = *head, *next;
    while (curr) {
        next = curr->next;
        curr->next = prev;
        prev = curr;
        curr = next;
    }
    *head = prev;
}

void rearrange(struct Node **head)
{
    struct Node *slow = *head, *fast;
    struct Node *head1, *head2, *curr, anchor;

    if (slow == NULL)
        return;
    fast = slow->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    head1 = *head;
    head2 = slow->next;
    slow->next = NULL;
    reverselist(&head2);

    curr = &anchor;
    anchor.next = NULL;
    while (head1 || head2) {
        if (head1) {
            curr->next = head1;
            curr = curr->next;
            head1 = head1->next;
        }
        if (head2) {
            curr->next = head2;
            curr = curr->next;
            head2 = head2->next;
        }
    }
    *head = anchor.next;
}

void printlist(struct Node *node)
{
    while (node != NULL) {
        printf("%d ", node->data);
        if (node->next)
            printf("-> ");
        node = node->next;
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    struct Node *head = NULL, *last = NULL;
    for (int i = 1; i < argc; i++) {
        struct Node *n = newNode(atoi(argv[i]));
        if (last == NULL)
            head = last = n;
        else
            last = last->next = n;
    }
    printlist(head);
    rearrange(&head);
    printlist(head);
    while (head) {
        last = head;
        head = head->next;
        free(last);
    }
    return 0;
}
