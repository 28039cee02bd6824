/* keep a list sorted while numbers arrive */
#include <stdio.h>
#include <stdlib.h>

struct node { int data; struct node *next; };

struct node *new_node(int data)
{
    struct node *n = malloc(sizeof(struct node));
    n->data = data;
    n->next = NULL;
    return n;
}

void sorted_insert(struct node **head_ref, struct node *n)
{
    struct node *current;
    if (*head_ref == NULL || (*head_ref)->data >= n->data) {
        n->next = *head_ref;
        *head_ref = n;
    } else {
        current = *head_ref;
        while (current->next != NULL && current->next->data < n->data) {
            current = current->next;
        }
        n->next = current->next;
        current->next = n;
    }
}

int main(int argc, char *argv[])
{
    struct node *head = NULL, *p;
    for (int i = 1; i < argc; i++)
        sorted_insert(&head, new_node(atoi(argv[i])));
    for (p = head; p != NULL; p = p->next)
        printf("%d%s", p->data, p->next ? ", " : "");
    puts("");
    while ((p = head) != NULL) {
        head = p->next;
        free(p);
    }
    return 0;
}
