/* Runs delete_middle.c on the values given as arguments: build that file with -Dmain=session_main. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

extern struct node *head;
void push(int data);
void deleteMid();

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        push(atoi(argv[i]));
    deleteMid();
    for (struct node *each = head; each != NULL; each = each->next)
        printf("%d\n", each->data);
    return 0;
}
