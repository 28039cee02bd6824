#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct contact {
    char *name;
    struct contact *next;
} Contact;

static Contact *newContact(const char *name)
{
    Contact *c = malloc(sizeof(Contact));
    c->name = strdup(name);
    c->next = NULL;
    return c;
}

static void addSorted(Contact **head, const char *name)
{
    Contact *c = newContact(name), **pp = head;
    while (*pp != NULL && strcmp((*pp)->name, name) > 0)
        pp = &(*pp)->next;
    c->next = *pp;
    *pp = c;
}

int main(int argc, char *argv[])
{
    Contact *head = NULL;
    int i;
    for (i = 1; i < argc; i++)
        addSorted(&head, argv[i]);
    for (Contact *p = head; p; p = p->next)
        puts(p->name);
    return 0;
}
