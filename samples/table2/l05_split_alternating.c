/* split a list into two: the nodes at even and at odd places */
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>

struct Node { int data; struct Node *next; };
typedef struct Node Node;

void moveNode(Node **destRef, Node **sourceRef)
{
    Node *newNode = *sourceRef;
    assert(newNode != NULL);
    *sourceRef = newNode->next;
    newNode->next = *destRef;
    *destRef = newNode;
}

void alternatingSplit(Node *source, Node **aRef, Node **bRef)
{
    Node *a = NULL;
    Node *b = NULL;
    Node *current = source;
    while (current != NULL) {
        moveNode(&a, &current);
        if (current != NULL) {
            moveNode(&b, &current);
        }
    }
    *aRef = a;
    *bRef = b;
}

void printList(const char *title, Node *node)
{
    printf("%s", title);
    for (; node; node = node->next)
        printf(" %d", node->data);
    printf("\n");
}

void destroy(Node *node)
{
    if (!node)
        return;
    destroy(node->next);
    free(node);
}

int main(int argc, char **argv)
{
    Node *head = NULL, *a, *b, **end = &head;
    int i;
    for (i = 1; i < argc; i++) {
        *end = malloc(sizeof(Node));
        (*end)->data = atoi(argv[i]);
        (*end)->next = NULL;
        end = &(*end)->next;
    }
    printList("all:", head);
    alternatingSplit(head, &a, &b);
    printList("a:", a);
    printList("b:", b);
    destroy(a);
    destroy(b);
    return 0;
}
