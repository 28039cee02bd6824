#include <stdio.h>
#include <stdlib.h>

/* a node of the doubly linked list */
typedef struct node {
    int data;
    struct node *next;
    struct node *prev;
} node;

node *head;

void append(int value)
{
    node *fresh = malloc(sizeof *fresh), *last = head;
    fresh->data = value;
    fresh->next = NULL;
    if (head == NULL) {
        fresh->prev = NULL;
        head = fresh;
        return;
    }
    while (last->next != NULL)
        last = last->next;
    last->next = fresh;
    fresh->prev = last;
}

void reverse(void)
{
    node *current = head, *temp = NULL;
    while (current != NULL) {
        temp = current->prev;
        current->prev = current->next;
        current->next = temp;
        current = current->prev;
    }
    if (temp != NULL)
        head = temp->prev;
}

void display(void)
{
    node *p = head, *last = NULL;
    for (; p != NULL; p = p->next) {
        printf("%d ", p->data);
        last = p;
    }
    printf("|");
    for (; last != NULL; last = last->prev)
        printf(" %d", last->data);
    printf("\n");
}

int main(int argc, char **argv)
{
    int i;
    for (i = 1; i < argc; i++)
        append(atoi(argv[i]));
    display();
    reverse();
    display();
    while (head != NULL) {
        node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
