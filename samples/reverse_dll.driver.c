/* Runs reverse_dll.c on the values given as arguments: build that file with -Dmain=session_main. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
    struct node *prev;
};

extern struct node *head;
void push(int data);
void reverse();

int main(int argc, char **argv)
{
    struct node *each, *last = NULL;
    for (int i = 1; i < argc; i++)
        push(atoi(argv[i]));
    reverse();
    for (each = head; each != NULL; each = each->next) {
        printf("%d ", each->data);
        last = each;
    }
    printf("|");
    for (each = last; each != NULL; each = each->prev)
        printf(" %d", each->data);
    printf("\n");
    return 0;
}
