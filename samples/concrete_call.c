/* Stores the numbers that foo() reads from a text into a list: Figure 9 of the Wolverine2 paper.
 * What foo() does is not modelled, its effect is taken from the process; bar() has the bug. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *head;
const char *text = "7 11 13 17 19 23 29 31 37 41";

void push(int data)
{
    struct node *fresh = malloc(sizeof(struct node));
    fresh->data = data;
    fresh->next = head;
    head = fresh;
}

int foo()
{
    char *rest;
    long number = strtol(text, &rest, 10);
    text = rest;
    return (int)number;
}

void bar()
{
    struct node *current = NULL;
    int i;
    current = head;
    while (current != NULL) {
        i = foo(); // wolverine: concrete
        head->data = i;
        current = current->next;
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        push(atoi(argv[i]));
    bar();
    for (struct node *each = head; each != NULL; each = each->next)
        printf("%d ", each->data);
    printf("\n");
    return 0;
}
