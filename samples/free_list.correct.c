/* Makes a list of its arguments, prints the sum, and frees the list. */
#include <stdio.h>
#include <stdlib.h>

struct link {
    int number;
    struct link *next;
};

struct link *cons(int number, struct link *next)
{
    struct link *made = malloc(sizeof *made);
    made->number = number;
    made->next = next;
    return made;
}

void free_list(struct link *first)
{
    while (first) {
        struct link *next = first->next;
        free(first);
        first = next;
    }
}

int main(int argc, char *argv[])
{
    struct link *list = NULL;
    int sum = 0;
    while (argc > 1)
        list = cons(atoi(argv[--argc]), list);
    for (struct link *l = list; l; l = l->next)
        sum += l->number;
    free_list(list);
    printf("%d\n", sum);
    return 0;
}
