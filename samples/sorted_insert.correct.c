/* Builds an ascending list from the numbers on the command line and prints it. */
#include <stdio.h>
#include <stdlib.h>

typedef struct Item {
    int key;
    struct Item *next;
} Item;

Item *make_item(int key)
{
    Item *item = malloc(sizeof(Item));
    item->key = key;
    item->next = NULL;
    return item;
}

Item *insert(Item *first, int key)
{
    Item *before = NULL;
    Item *after = first;
    Item *fresh = make_item(key);

    while (after != NULL && after->key < key)
    {
        before = after;
        after = after->next;
    }
    if (before == NULL)
    {
        fresh->next = first;
        return fresh;
    }
    fresh->next = after;
    before->next = fresh;
    return first;
}

int main(int argc, char *argv[])
{
    Item *list = NULL;
    int i;

    for (i = 1; i < argc; i++)
    {
        list = insert(list, atoi(argv[i]));
    }
    while (list != NULL)
    {
        Item *rest = list->next;
        printf("%d\n", list->key);
        free(list);
        list = rest;
    }
    return 0;
}
