#include <stdio.h>
#include <stdlib.h>

struct Node {
    int data;
    struct Node *next;
};

/* the node before the middle one is found by a slow and a fast pointer */
struct Node *deleteMid(struct Node *head)
{
    struct Node *slow, *fast, *prev;
    if (head == NULL)
        return NULL;
    if (head->next == NULL) {
        free(head);
        return NULL;
    }
    slow = head;
    fast = head;
    prev = NULL;
    while (fast != NULL && fast->next != NULL) {
        fast = fast->next->next;
        prev = slow;
        slow = slow->next;
    }
    prev->next = slow->next;
    free(slow);
    return head;
}

struct Node *newNode(int data, struct Node *next)
{
    struct Node *temp = malloc(sizeof(struct Node));
    temp->data = data;
    temp->next = next;
    return temp;
}

void printList(struct Node *ptr)
{
    while (ptr != NULL) {
        printf("%d->", ptr->data);
        ptr = ptr->next;
    }
    printf("NULL\n");
}

int main(int argc, char **argv)
{
    struct Node *head = NULL;
    int i;
    for (i = argc - 1; i > 0; i--)
        head = newNode(atoi(argv[i]), head);
    printList(head);
    head = deleteMid(head);
    printList(head);
    while (head != NULL) {
        struct Node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
