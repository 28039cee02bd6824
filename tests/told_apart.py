"""A program whose repairs come to different results, so that `repair` asks: for the shell and the page."""

POP = """\
#include <stdlib.h>
struct item { int value; struct item *next; };
struct item *front;
int pop(void)
{
    struct item *it = front;
    int v = it->value;
    front = it->next;
    free(it);
    return v;
}
int main(void)
{
    front = calloc(1, sizeof *front);
    pop();
    pop();
    return 0;
}
"""
