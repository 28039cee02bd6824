#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define RED 1
#define BLACK 0
enum kind { LEAF, INNER, ROOT };
typedef struct node {
    int key;
    unsigned color : 1;
    int leaf : 1;
    unsigned refs : 30;
    enum kind kind : 2;
    signed char tiny : 3;
    struct node *left, *right;
} node;
struct flags { unsigned char a : 3, b : 5; unsigned long wide : 20; unsigned full : 32; _Bool on : 1; unsigned long huge : 40; };
struct flags global;
node *make(int key) {
    node *n = malloc(sizeof *n);
    n->key = key;
    n->color = RED;
    n->leaf = 1;
    n->refs = 1;
    n->kind = LEAF;
    n->tiny = -2;
    n->left = n->right = NULL;
    return n;
}
int main(void) {
    node *a = make(3);
    node *b = make(4);
    struct flags f = {0};
    a->right = b;
    a->color = BLACK;
    b->refs++;
    b->refs += 2;
    a->color ^= 1;
    b->tiny = 5;
    int v = b->tiny;
    a->kind = ROOT;
    a->kind++;
    f.a = 9; f.b--; f.wide = -1; f.full = f.wide; f.on = 4;
    f.full -= 1 << 21;
    global = f;
    node c = *b;
    c.leaf = !c.leaf;
    *a = c;
    if (a->leaf < 0) v = 1;
    v = b->refs - 10;
    v = f.full > -1;
    f.huge = 7;
    memset(b, 0, sizeof *b);
    node *d = calloc(1, sizeof *d);
    d->color = 1;
    v += d->leaf;
    free(b); free(a); free(d);
    return v;
}
