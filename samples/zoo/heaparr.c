#include <stdio.h>
#include <stdlib.h>
typedef struct {
    int key;
    const char *what;
} Item;
typedef struct {
    Item *items;
    int size, capacity;
} Heap;
#define PARENT(i) (((i) - 1) / 2)
#define LEFT(i) (2 * (i) + 1)
#define SWAP(a, b) do { Item t_ = (a); (a) = (b); (b) = t_; } while (0)
Heap *make(int cap) {
    Heap *h = malloc(sizeof(Heap));
    h->items = malloc(cap * sizeof(Item));
    h->size = 0;
    h->capacity = cap;
    return h;
}
void push(Heap *h, int key, const char *what) {
    if (h->size == h->capacity) h->items = realloc(h->items, (h->capacity *= 2) * sizeof *h->items);
    int i = h->size++;
    h->items[i] = (Item){ key, what };
    while (i && h->items[PARENT(i)].key > h->items[i].key) {
        SWAP(h->items[i], h->items[PARENT(i)]);
        i = PARENT(i);
    }
}
Item pop(Heap *h) {
    Item top = h->items[0];
    h->items[0] = h->items[--h->size];
    int i = 0;
    for (;;) {
        int s = i, l = LEFT(i), r = l + 1;
        if (l < h->size && h->items[l].key < h->items[s].key) s = l;
        if (r < h->size && h->items[r].key < h->items[s].key) s = r;
        if (s == i) break;
        SWAP(h->items[i], h->items[s]);
        i = s;
    } return top;
}
int main(void) {
    Heap *h = make(2);
    push(h, 5, "five");
    push(h, 2, "two");
    push(h, 8, "eight");
    push(h, 1, "one");
    int s = 0;
    while (h->size > 0) {
        Item it = pop(h);
        s = s * 10 + it.key;
        printf("%s\n", it.what);
    } return s & 127;
}
