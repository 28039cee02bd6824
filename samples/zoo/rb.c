#include <stdio.h>
#include <stdlib.h>
#define RED 0
#define BLACK 1
typedef struct node {
    int key;
    unsigned char color;
    struct node *parent, *left, *right;
} node;
node sentinel = { 0, BLACK, NULL, NULL, NULL };
node *nil = &sentinel;
node *root = &sentinel;
#define IS_RED(n) ((n)->color == RED)
void left_rotate(node *x) {
    node *y = x->right;
    x->right = y->left;
    if (y->left != nil) y->left->parent = x;
    y->parent = x->parent;
    if (x->parent == nil) root = y;
    else if (x == x->parent->left) x->parent->left = y;
    else x->parent->right = y;
    y->left = x;
    x->parent = y;
}
void right_rotate(node *y) {
    node *x = y->left;
    y->left = x->right;
    if (x->right != nil) x->right->parent = y;
    x->parent = y->parent;
    if (y->parent == nil) root = x;
    else if (y == y->parent->right) y->parent->right = x;
    else y->parent->left = x;
    x->right = y;
    y->parent = x;
}
void fix(node *z) {
    while (IS_RED(z->parent)) {
        if (z->parent == z->parent->parent->left) {
            node *y = z->parent->parent->right;
            if (IS_RED(y)) {
                z->parent->color = y->color = BLACK;
                z->parent->parent->color = RED;
                z = z->parent->parent;
        }  else {
                if (z == z->parent->right) {
                    z = z->parent;
                    left_rotate(z);
                } z->parent->color = BLACK;
                z->parent->parent->color = RED;
                right_rotate(z->parent->parent);
            }
    }  else {
            node *y = z->parent->parent->left;
            if (IS_RED(y)) {
                z->parent->color = BLACK;
                y->color = BLACK;
                z->parent->parent->color = RED;
                z = z->parent->parent;
        }  else {
                if (z == z->parent->left) right_rotate(z = z->parent);
                z->parent->color = BLACK;
                z->parent->parent->color = RED;
                left_rotate(z->parent->parent);
            }
        }
    } root->color = BLACK;
}
void insert(int key) {
    node *z = malloc(sizeof(node)), *y = nil, *x = root;
    z->key = key;
    while (x != nil) {
        y = x;
        x = key < x->key ? x->left : x->right;
    } z->parent = y;
    if (y == nil) root = z;
    else if (key < y->key) y->left = z;
    else y->right = z;
    z->left = z->right = nil;
    z->color = RED;
    fix(z);
}
int black_height(node *n) {
    int h;
    if (n == nil) return 1;
    h = black_height(n->left);
    return n->color == BLACK ? h + 1 : h;
}
int main() {
    int k[] = { 10, 20, 30, 15, 25, 5, 1 };
    unsigned i;
    nil->left = nil->right = nil->parent = nil;
    root = nil;
    for (i = 0; i < sizeof(k) / sizeof(int); i++) insert(k[i]);
    printf("%d\n", black_height(root));
    return 0;
}
