/* keep M nodes, delete the next N, and so on: M N ELEMENTS... */
#include <stdio.h>
#include <stdlib.h>

typedef struct Node
{
    int data;
    struct Node *next;
} Node;

Node *append(Node *head, int data)
{
    Node *n = (Node *)malloc(sizeof(Node)), *p;
    n->data = data;
    n->next = NULL;
    if (head == NULL)
        return n;
    for (p = head; p->next != NULL; p = p->next)
        ;
    p->next = n;
    return head;
}

void skipMdeleteN(Node *head, int M, int N)
{
    Node *curr = head, *t;
    int count;
    while (curr)
    {
        for (count = 1; count < M && curr != NULL; count++)
            curr = curr->next;
        if (curr == NULL)
            return;
        t = curr->next;
        for (count = 1; count <= N && t != NULL; count++)
        {
            Node *temp = t;
            t = t->next;
            free(temp);
        }
        curr->next = t;
        curr = t;
    }
}

void printList(Node *head)
{
    Node *temp = head;
    while (temp != NULL)
    {
        printf("%d ", temp->data);
        temp = temp->next;
    }
    printf("\n");
}

int main(int argc, char *argv[])
{
    Node *head = NULL, *next;
    int i, M, N;
    if (argc < 3)
    {
        printf("usage: M N ELEMENTS\n");
        return 0;
    }
    M = atoi(argv[1]);
    N = atoi(argv[2]);
    if (M < 1) M = 1;
    for (i = 3; i < argc; i++)
        head = append(head, atoi(argv[i]));
    skipMdeleteN(head, M, N);
    printList(head);
    for (; head; head = next)
    {
        next = head->next;
        free(head);
    }
    return 0;
}
