/* Appends its arguments to a list and prints it. */
#include <stdio.h>
#include <stdlib.h>

typedef struct node {
    int val;
    struct node *next;
} node;

void append(node **head, int val)
{
    node *fresh = malloc(sizeof(node));
    fresh->val = val;
    fresh->next = NULL;
    node *last = *head;
    if (last == NULL) {
        *head = fresh;
        return;
    }
    while (last->next != NULL)
        last = last->next;
    last->next = fresh;
}

int main(int argc, char *argv[])
{
    node *list = NULL;
    int i;
    for (i = 1; i < argc; i++)
        append(&list, atoi(argv[i]));
    for (node *each = list; each != NULL; each = each->next)
        printf("%d ", each->val);
    printf("\n");
    return 0;
}
