#include <stdio.h>
#include <stdlib.h>
#include <limits.h>
#include <string.h>
#define MAXLEVEL 4
typedef struct snode {
    int key;
    int value;
    struct snode **forward;
} snode;
typedef struct skiplist {
    int level;
    int size;
    struct snode *header;
} skiplist;
static unsigned long seed = 1;
static int rand_level(void) {
    int level = 1;
    while ((seed = seed * 1103515245ul + 12345) >> 16 & 1 && level < MAXLEVEL) level++;
    return level;
}
skiplist *init(skiplist *list) {
    int i;
    snode *header = (snode *)malloc(sizeof(struct snode));
    list->header = header;
    header->key = INT_MAX;
    header->forward = (snode **)malloc(sizeof(snode*) * (MAXLEVEL + 1));
    for (i = 0; i <= MAXLEVEL; i++) header->forward[i] = list->header;
    list->level = 1;
    list->size = 0;
    return list;
}
int sl_insert(skiplist *list, int key, int value) {
    snode *update[MAXLEVEL + 1];
    snode *x = list->header;
    int i, level;
    for (i = list->level; i >= 1; i--) {
        while (x->forward[i]->key < key) x = x->forward[i];
        update[i] = x;
    } x = x->forward[1];
    if (key == x->key) {
        x->value = value;
        return 0;
}  else {
        level = rand_level();
        if (level > list->level) {
            for (i = list->level + 1; i <= level; i++) update[i] = list->header;
            list->level = level;
        }
        x = (snode *)malloc(sizeof(snode));
        x->key = key;
        x->value = value;
        x->forward = (snode **)malloc(sizeof(snode*) * (level + 1));
        for (i = 1; i <= level; i++) {
            x->forward[i] = update[i]->forward[i];
            update[i]->forward[i] = x;
        }
    } return 0;
}
snode *sl_search(skiplist *list, int key) {
    snode *x = list->header;
    int i;
    for (i = list->level; i >= 1; i--) while (x->forward[i]->key < key) x = x->forward[i];
    if (x->forward[1]->key == key) return x->forward[1];
    return NULL;
}
int main() {
    int arr[] = { 3, 6, 9, 2, 11, 1 }, i;
    skiplist list;
    init(&list);
    for (i = 0; i < sizeof(arr) / sizeof(arr[0]); i++) sl_insert(&list, arr[i], arr[i]);
    snode *x = sl_search(&list, 9);
    return x ? x->value : 0;
}
