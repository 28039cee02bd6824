/* insert VALUE at POSITION of a list: POSITION VALUE ELEMENTS... */
#include <stdio.h>
#include <stdlib.h>
#define NEW(type) ((type *)malloc(sizeof(type)))

struct cell {
    int info;
    struct cell *next;
};
static struct cell *first = NULL;

int insert_at(int position, int value)
{
    struct cell *fresh = NEW(struct cell), *walk;
    int at = 1;
    fresh->info = value;
    if (position <= 0 || first == NULL) {
        fresh->next = first;
        first = fresh;
        return 0;
    }
    walk = first;
    while (at < position && walk->next != NULL) {
        walk = walk->next;
        at++;
    }
    fresh->next = walk->next;
    walk->next = fresh;
    return at;
}

void print(void)
{
    struct cell *walk;
    for (walk = first; walk != NULL; walk = walk->next)
        printf("[%d]", walk->info);
    printf("\n");
}

int main(int argc, char *argv[])
{
    int i, n;
    if (argc < 3) return 0;
    for (i = 3; i < argc; i++)
        insert_at(argc, atoi(argv[i]));
    n = insert_at(atoi(argv[1]), atoi(argv[2]));
    printf("%d: ", n);
    print();
    while (first != NULL) {
        struct cell *rest = first->next;
        free(first);
        first = rest;
    }
    return 0;
}
