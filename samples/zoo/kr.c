#include <stdio.h>
struct list {
    int v;
    struct list *n;
};
struct list pool[10];
int used;
struct list *cons(v, n) int v;
struct list *n;
{
    struct list *p = &pool[used++];
    p->v = v;
    p->n = n;
    return p;
}
add(a, b) int a, b;
{
    return a + b;
}
struct list *append(a, b) struct list *a, *b;
{
    if (a == 0) return b;
    a->n = append(a->n, b);
    return a;
}
sumlist(l) struct list *l;
{
    register int s = 0;
    while (l) s = add(s, l->v), l = l->n;
    return s;
}
main(argc, argv) int argc;
char **argv;
{
    struct list *a, *b;
    a = cons(1, cons(2, 0));
    b = cons(3, (struct list *)0);
    a = append(a, b);
    printf("%d\n", sumlist(a));
    return 0;
}
