/* Deletes the first argument from the list of the others and prints what is left.
 * remove_key() links the node before to the one that it is about to free. */
#include <stdio.h>
#include <stdlib.h>

struct item {
    int key;
    struct item *next;
};

struct item *make(int count, char *keys[])
{
    struct item *first = NULL;
    while (count-- > 0) {
        struct item *fresh = malloc(sizeof(struct item));
        fresh->key = atoi(keys[count]);
        fresh->next = first;
        first = fresh;
    }
    return first;
}

struct item *remove_key(struct item *first, int key)
{
    struct item *before = NULL;
    struct item *now = first;
    while (now != NULL && now->key != key) {
        before = now;
        now = now->next;
    }
    if (now == NULL)
        return first;
    if (before == NULL)
        first = now->next;
    else
        before->next = now;
    free(now);
    return first;
}

int main(int argc, char *argv[])
{
    struct item *list = make(argc > 2 ? argc - 2 : 0, argv + 2);
    struct item *each;
    if (argc > 1)
        list = remove_key(list, atoi(argv[1]));
    for (each = list; each != NULL; each = each->next)
        printf("%d ", each->key);
    printf("\n");
    return 0;
}
