/* merge the second list into the first at alternate places; what does not fit stays: COUNT FIRST... SECOND... */
#include <stdio.h>
#include <stdlib.h>

struct Node
{
    int data;
    struct Node *next;
};

void push(struct Node **head_ref, int new_data)
{
    struct Node *new_node = (struct Node *)malloc(sizeof(struct Node));
    new_node->data = new_data;
    new_node->next = (*head_ref);
    (*head_ref) = new_node;
}

void printList(struct Node *head)
{
    struct Node *temp = head;
    while (temp != NULL)
    {
        printf("%d ", temp->data);
        temp = temp->next;
    }
    printf("\n");
}

void merge(struct Node *p, struct Node **q)
{
    struct Node *p_curr = p, *q_curr = *q;
    struct Node *p_next, *q_next;

    while (p_curr != NULL && q_curr != NULL)
    {
        p_next = p_curr->next;
        q_next = q_curr->next;

        q_curr->next = p_next;
        p_curr->next = q_curr;

        p_curr = p_next;
        q_curr = q_next;
    }
    *q = q_curr;
}

void freeList(struct Node *p)
{
    struct Node *next;
    for (; p != NULL; p = next)
    {
        next = p->next;
        free(p);
    }
}

int main(int argc, char **argv)
{
    struct Node *p = NULL, *q = NULL;
    int i, split;
    if (argc < 2)
        return 0;
    split = atoi(argv[1]) + 2;
    for (i = argc - 1; i >= split; i--)
        push(&q, atoi(argv[i]));
    for (; i >= 2; i--)
        push(&p, atoi(argv[i]));
    merge(p, &q);
    printList(p);
    printList(q);
    freeList(p);
    freeList(q);
    return 0;
}
