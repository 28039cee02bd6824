#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdbool.h>
#include <limits.h>
#define SIZE 4
typedef struct entry { char key[8]; int value; struct entry *next; } entry_t;
typedef struct { entry_t *buckets[SIZE]; size_t used; } table_t;
typedef struct heap { int *data; int size, capacity; } Heap;
typedef int (*compare)(int, int);
static int less(int a, int b) { return a < b; }
static unsigned long hash(const char *s) { unsigned long h = 5381; int c; while ((c = *s++)) h = ((h << 5) + h) + c; return h; }
static table_t *create(void) { table_t *t = malloc(sizeof(*t)); for (int i = 0; i < SIZE; ++i) t->buckets[i] = NULL; t->used = 0; return t; }
static bool put(table_t *t, const char *key, int value)
{
    entry_t **slot = &t->buckets[hash(key) % SIZE];
    for (entry_t *e = *slot; e; e = e->next)
        if (strcmp(e->key, key) == 0) { e->value = value; return false; }
    entry_t *e = malloc(sizeof *e);
    strncpy(e->key, key, sizeof e->key - 1);
    e->key[sizeof e->key - 1] = 0;
    e->value = value;
    e->next = *slot;
    *slot = e;
    t->used++;
    return true;
}
static void heap_push(Heap *h, int v, compare before)
{
    if (h->size == h->capacity) {
        h->capacity = h->capacity ? h->capacity * 2 : 2;
        h->data = realloc(h->data, h->capacity * sizeof(int));
    }
    int i = h->size++;
    h->data[i] = v;
    while (i > 0 && before(h->data[i], h->data[(i - 1) / 2])) {
        int up = (i - 1) / 2, t = h->data[i];
        h->data[i] = h->data[up];
        h->data[up] = t;
        i = up;
    }
}
static int heap_pop(Heap *h)
{
    int top = h->data[0], i = 0;
    h->data[0] = h->data[--h->size];
    for (;;) {
        int l = 2 * i + 1, r = l + 1, m = i;
        if (l < h->size && h->data[l] < h->data[m]) m = l;
        if (r < h->size && h->data[r] < h->data[m]) m = r;
        if (m == i) return top;
        int t = h->data[m]; h->data[m] = h->data[i]; h->data[i] = t;
        i = m;
    }
}
int main(int argc, char **argv)
{
    table_t *t = create();
    Heap h = { NULL, 0, 0 };
    char *copy = strdup("zeta"), *args[3] = { "alpha", "beta", copy };
    int best = INT_MIN;
    for (int i = 0; i < 3; i++) { bool fresh = put(t, args[i], i); if (!fresh) puts("again"); }
    put(t, "beta", argc);
    for (int i = 5; i > 0; i -= 2) heap_push(&h, i, less);
    while (h.size) { int v = heap_pop(&h); if (v > best) best = v; }
    for (int i = 0; i < SIZE; i++)
        for (entry_t *e = t->buckets[i], *n; e != NULL; e = n) { n = e->next; free(e); }
    free(t); free(h.data); free(copy);
    printf("%d\n", best);
    return EXIT_SUCCESS;
}
