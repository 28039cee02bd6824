/* delete every node with a value: VALUE ELEMENTS... */
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>

typedef struct Element Element;
struct Element {
    int number;
    Element *next;
};

static bool equal(const Element *e, int number) { return e != NULL && e->number == number; }

static Element *build(int argc, char **argv, int from)
{
    Element *e;
    if (from >= argc)
        return NULL;
    e = malloc(sizeof(Element));
    e->number = atoi(argv[from]);
    e->next = build(argc, argv, from + 1);
    return e;
}

static Element *deleteKey(Element *head, int key)
{
    Element *temp, *prev = NULL;
    while (equal(head, key)) {
        temp = head;
        head = head->next;
        free(temp);
    }
    temp = head;
    while (temp != NULL) {
        while (temp != NULL && !equal(temp, key)) {
            prev = temp;
            temp = temp->next;
        }
        if (temp == NULL)
            break;
        prev->next = temp->next;
        free(temp);
        temp = prev->next;
    }
    return head;
}

int main(int argc, char **argv)
{
    Element *head = build(argc, argv, 2), *e;
    if (argc > 1)
        head = deleteKey(head, atoi(argv[1]));
    for (e = head; e; e = e->next)
        printf("%d;", e->number);
    printf("\n");
    while (head) {
        e = head->next;
        free(head);
        head = e;
    }
    return EXIT_SUCCESS;
}
