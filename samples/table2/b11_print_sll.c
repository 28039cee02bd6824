#include <stdio.h>
#include <stdlib.h>

typedef struct Node
{
    int data;
    struct Node *next;
} Node;

Node *head = NULL, *tail = NULL;

void addLast(int data)
{
    Node *n = (Node *)calloc(1, sizeof(Node));
    n->data = data;
    if (tail) tail->next = n;
    else head = n;
    tail = n;
}

void printNodes()
{
    Node *temp = head;
    int index = 0;
    if (temp == NULL) { printf("List is empty\n"); return; }
    while (temp != NULL)
    {
        printf("node %d: %d\n", index, temp->data);
        temp = temp->next;
        index = index + 1;
    }
}

void clear()
{
    Node *temp;
    while (head)
    {
        temp = head;
        head = head->next;
        free(temp);
    }
    tail = NULL;
}

int main(int argc, char *argv[])
{
    int i;
    for (i = 1; i < argc; i++) addLast(atoi(argv[i]));
    printNodes();
    clear();
    return 0;
}
