/* Nodes that calloc cleared, written in part, and freed. */
#include <stdlib.h>
#include <string.h>

struct item { char *name; unsigned hits; struct item *chain; double weight; };
static struct item *top;

static struct item *make(const char *name)
{
    struct item *p = calloc(1, sizeof(*p));
    p->name = malloc(strlen(name) + 1);
    strcpy(p->name, name);
    p->chain = top;
    return top = p;
}

int main(void)
{
    struct item *old;
    make("one")->hits++;
    make("two")->weight = 0.5;
    while ((old = top) != NULL) {
        top = old->chain;
        free(old->name);
        free(old);
    }
    return 0;
}
