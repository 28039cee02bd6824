#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>
#include <limits.h>
/* arena, tree by index, union-find, big number by digits */
struct arena { unsigned char *base; size_t used, size; };
static struct arena pool;
static void *grab(size_t n) { n = (n + 7) & ~(size_t)7; if (pool.used + n > pool.size) return NULL; void *p = pool.base + pool.used; pool.used += n; return p; }
struct digit { unsigned char d; struct digit *more; };
static struct digit *number(unsigned long v) { if (!v) return NULL; struct digit *n = grab(sizeof *n); n->d = v % 10; n->more = number(v / 10); return n; }
static struct digit *plus(const struct digit *a, const struct digit *b, int carry)
{
    if (!a && !b && !carry) return NULL;
    struct digit *r = grab(sizeof *r);
    int s = (a ? a->d : 0) + (b ? b->d : 0) + carry;
    r->d = s % 10;
    r->more = plus(a ? a->more : NULL, b ? b->more : NULL, s / 10);
    return r;
}
int parent[6], rank_[6];
int find(int x) { return parent[x] == x ? x : (parent[x] = find(parent[x])); }
bool unite(int a, int b)
{
    a = find(a), b = find(b);
    if (a == b) return false;
    if (rank_[a] < rank_[b]) { int t = a; a = b; b = t; }
    parent[b] = a;
    if (rank_[a] == rank_[b]) ++rank_[a];
    return true;
}
int main(void)
{
    pool.size = 1024; pool.base = malloc(pool.size);
    struct digit *s = plus(number(987), number(2345), 0);
    unsigned long v = 0, ten = 1;
    for (struct digit *p = s; p; p = p->more, ten *= 10) v += p->d * ten;
    for (int i = 0; i < 6; i++) parent[i] = i;
    int edges[][3] = { {0, 1, 4}, {1, 2, 8}, {0, 2, 7}, {3, 4, 1} }, cost = 0, least = INT_MAX;
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        if (unite(edges[i][0], edges[i][1])) cost += edges[i][2];
        least = edges[i][2] < least ? edges[i][2] : least;
    }
    printf("%lu %d %d\n", v, cost, least);
    free(pool.base);
    return 0;
}
