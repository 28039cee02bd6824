/* A stack kept as a doubly linked list, and its reversal in place. */
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
    struct node *prev;
};

struct node *head;

void push(int data)
{
    struct node *fresh = (struct node *)malloc(sizeof(struct node));
    fresh->data = data;
    fresh->next = head;
    fresh->prev = NULL;
    if (head != NULL)
        head->prev = fresh;
    head = fresh;
}

void reverse()
{
    struct node *current, *temp1 = NULL, *temp2 = NULL;
    current = head;
    while (current != NULL) {
        temp1 = current->prev;
        temp2 = current->next;
        current->prev = temp2;
        current->next = temp1;
        current = current->prev;
    }
    if (temp1 != NULL)
        head = temp1->prev;
}

int main()
{
    push(2);
    push(4);
    push(8);
    push(10);
    reverse();
    return 0;
}
