/* delete the node at a position: POSITION ELEMENTS... */
#include <stdio.h>
#include <stdlib.h>

struct Node {
    int data;
    struct Node *next;
} *head = NULL;

int length = 0;

void push(int data)
{
    struct Node *n = (struct Node *)malloc(sizeof(struct Node));
    n->data = data;
    n->next = head;
    head = n;
    length++;
}

void deleteNode(int position)
{
    struct Node *temp = head, *next;
    int i;

    if (head == NULL || position < 0 || position >= length)
        return;
    if (position == 0) {
        head = temp->next;
        free(temp);
        --length;
        return;
    }
    for (i = 0; temp != NULL && i < position - 1; i++)
        temp = temp->next;
    if (temp == NULL || temp->next == NULL)
        return;
    next = temp->next->next;
    free(temp->next);
    temp->next = next;
    --length;
}

int main(int argc, char *argv[])
{
    struct Node *p;
    int i;
    if (argc > 1) {
        i = argc - 1;
        while (i > 1) {
            push(atoi(argv[i]));
            i--;
        }
        deleteNode(atoi(argv[1]));
    }
    printf("%d nodes:", length);
    p = head;
    while (p != NULL) {
        printf(" %d", p->data);
        p = p->next;
    }
    printf("\n");
    while (length > 0)
        deleteNode(length - 1);
    return head != NULL;
}
