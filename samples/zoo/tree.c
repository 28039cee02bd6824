#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>
#include <limits.h>
typedef struct tnode *Tree;
struct tnode {
    int data;
    Tree left, right;
    bool lthread, rthread;
};
typedef struct gnode {
    char label;
    struct gnode *child, *sibling;
} GNode;
Tree node(int d) {
    Tree t = calloc(1, sizeof(struct tnode));
    if (t == NULL) abort();
    t->data = d;
    return t;
}
Tree ins(Tree t, int d) {
    if (!t) return node(d);
    if (d < t->data) t->left = ins(t->left, d);
    else if (d > t->data) t->right = ins(t->right, d);
    return t;
}
void iter_ins(Tree *t, int d) {
    while (*t) t = d < (*t)->data ? &(*t)->left : &(*t)->right;
    *t = node(d);
}
bool isBST(Tree t, int lo, int hi) {
    return t == NULL || (t->data > lo && t->data < hi && isBST(t->left, lo, t->data) && isBST(t->right, t->data, hi));
}
int height(Tree t) {
    if (t == NULL) return -1;
    int l = height(t->left), r = height(t->right);
    return 1 + (l > r ? l : r);
}
void mirror(Tree t) {
    if (t) {
        Tree s = t->left;
        t->left = t->right;
        t->right = s;
        mirror(t->left);
        mirror(t->right);
    }
}
Tree del(Tree t, int d) {
    Tree s;
    if (t == NULL) return NULL;
    if (d < t->data) t->left = del(t->left, d);
    else if (d > t->data) t->right = del(t->right, d);
    else if (t->left && t->right) {
        for (s = t->right; s->left; s = s->left);
        t->data = s->data;
        t->right = del(t->right, s->data);
}  else {
        s = t;
        t = t->left ? t->left : t->right;
        free(s);
    } return t;
}
void levels(Tree root) {
    Tree q[32];
    int f = 0, r = 0;
    q[r++] = root;
    while (f < r) {
        Tree t = q[f++];
        printf("%d ", t->data);
        if (t->left) q[r++] = t->left;
        if (t->right) q[r++] = t->right;
    }
}
GNode *g(char c, GNode *child, GNode *sib) {
    GNode *n = malloc(sizeof(GNode));
    n->label = c;
    n->child = child;
    n->sibling = sib;
    return n;
}
int gcount(const GNode *n) {
    return n ? 1 + gcount(n->child) + gcount(n->sibling) : 0;
}
Tree lca(Tree r, int a, int b) {
    while (r) {
        if (r->data > a && r->data > b) r = r->left;
        else if (r->data < a && r->data < b) r = r->right;
        else break;
    } return r;
}
void inorder(Tree t, int *out, int *n) {
    if (t == NULL) return;
    inorder(t->left, out, n);
    out[(*n)++] = t->data;
    inorder(t->right, out, n);
}
Tree build(int a[], int lo, int hi) {
    if (lo > hi) return NULL;
    int mid = (lo + hi) / 2;
    Tree t = node(a[mid]);
    t->left = build(a, lo, mid - 1);
    t->right = build(a, mid + 1, hi);
    return t;
}
int main() {
    Tree t = NULL;
    int vals[] = { 50, 30, 70, 20, 40 }, i, n = 0, out[10];
    for (i = 0; i < (int)(sizeof vals / sizeof *vals); i++) t = ins(t, vals[i]);
    iter_ins(&t, 60);
    printf("%d", isBST(t, INT_MIN, INT_MAX));
    t = del(t, 50);
    inorder(t, out, &n);
    Tree u = build(out, 0, n - 1);
    mirror(u);
    levels(u);
    Tree l = lca(t, 20, 40);
    printf("%d %d\n", height(t), l->data);
    GNode *gg = g('a', g('b', NULL, g('c', g('d', 0, 0), 0)), NULL);
    return gcount(gg);
}
