/* Nodes that calloc cleared, written in part, and freed; arrays in others that memset cleared. */
#include <stdlib.h>
#include <string.h>

struct item { char *name; unsigned hits; struct item *chain; double weight; };
struct line { struct line *next; int seen[3]; struct line *near[2]; char text[12]; double by[2]; };
static struct item *top;

static struct item *make(const char *name)
{
    struct item *p = calloc(1, sizeof(*p));
    p->name = malloc(strlen(name) + 1);
    strcpy(p->name, name);
    p->chain = top;
    return top = p;
}

static struct line *put(struct line *next, const char *text)
{
    struct line *l = malloc(sizeof(*l));
    l->seen[1] = 7;
    l->next = next;
    memset(l->text, 0, sizeof l->text);
    strncpy(l->text, text, sizeof l->text - 1);
    memset(l->seen, 0, sizeof l->seen);
    l->seen[2]++;
    memset(&l->near, 0, sizeof l->near);
    memset(l->by + 1, 0, sizeof l->by[1]);
    return l;
}

int main(void)
{
    struct item *old;
    struct line *lines = put(put(NULL, "a line of text"), "b");
    if (!lines->near[1] && lines->by[1] == 0 && lines->next->text[11] == 0)
        lines->seen[1] = lines->seen[0] + strlen(lines->next->text);
    free(lines->next);
    free(lines);
    make("one")->hits++;
    make("two")->weight = 0.5;
    while ((old = top) != NULL) {
        top = old->chain;
        free(old->name);
        free(old);
    }
    return 0;
}
