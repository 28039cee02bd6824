#include <stdio.h>
#include <stdlib.h>

typedef struct item { int key; struct item *next; } item;
typedef int (*compare_fn)(const item *, const item *);
typedef void (*visit_fn)(item *, void *);
typedef struct { item *head; int count; compare_fn compare; void (*release)(void *); } list;
struct shape;
struct operations { int (*area)(const struct shape *); struct shape *(*grow)(struct shape *, int); };
struct shape { const struct operations *ops; int side; };

static int upwards(const item *a, const item *b) { return a->key - b->key; }
static int downwards(const item *a, const item *b) { return upwards(b, a); }
static int untyped(const void *a, const void *b) { return upwards(a, b); }

static void put(list *l, int key)
{
    item *fresh = malloc(sizeof *fresh), **at = &l->head;
    fresh->key = key;
    while (*at != NULL && l->compare(*at, fresh) < 0)
        at = &(*at)->next;
    fresh->next = *at;
    *at = fresh;
    l->count++;
}

static void each(list *l, visit_fn visit, void *context)
{
    item *next;
    for (item *i = l->head; i; i = next) {
        next = i->next;
        (*visit)(i, context);
    }
}

static void add(item *i, void *context) { *(int *)context += i->key; }
static void drop(item *i, void *context) { ((list *)context)->release(i); }

static int square_area(const struct shape *s) { return s->side * s->side; }
static int line_area(const struct shape *s) { return 0 * s->side; }
static struct shape *grow(struct shape *s, int by) { s->side += by; return s; }
static const struct operations square = { square_area, grow }, line = { .area = line_area };

static int one(int x) { return x + 1; }
static int two(int x) { return x * 2; }
static int (*chosen(int which))(int) { return which ? two : &one; }

static int fold(const item *i, int (*step)(int), int start)
{
    return i == NULL ? start : fold(i->next, step, step(start) + i->key);
}

int main(void)
{
    list l = { NULL, 0, upwards, free };
    int (*table[])(int) = { one, two, chosen(1) };
    struct shape s = { &square, 3 }, t = { &line, 5 };
    int total = 0, n = 2;
    put(&l, 4);
    put(&l, 1);
    l.compare = (compare_fn)untyped;
    put(&l, 3);
    l.compare = l.count > 2 ? downwards : upwards;
    each(&l, add, &total);
    total += table[n - 1](total) + table[2](n + 1);
    n++;
    total = chosen(n > 5)(total);
    total += s.ops->grow(&s, s.ops->area(&s))->side;
    total += t.ops->grow == NULL ? t.ops->area(&t) : 100;
    total = fold(l.head, *table[0], total);
    printf("%d %d %d\n", total, l.compare == downwards, s.side);
    each(&l, drop, &l);
    return 0;
}
