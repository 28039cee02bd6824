/* the left rotation of red-black trees, with parents: KEY ELEMENTS..., rotates at KEY */
#include <stdio.h>
#include <stdlib.h>

enum color { RED, BLACK };

struct rbnode {
    int key;
    enum color color;
    struct rbnode *left, *right, *parent;
};

struct rbnode *root = NULL;

void leftRotate(struct rbnode *x)
{
    struct rbnode *y = x->right;
    if (y == NULL)
        return;
    x->right = y->left;
    if (y->left != NULL)
        y->left->parent = x;
    y->parent = x->parent;
    if (x->parent == NULL)
        root = y;
    else if (x == x->parent->left)
        x->parent->left = y;
    else
        x->parent->right = y;
    y->left = x;
    x->parent = y;
}

void insert(int key)
{
    struct rbnode *z = (struct rbnode *)malloc(sizeof(struct rbnode));
    struct rbnode *y = NULL, *x = root;
    z->key = key;
    z->left = z->right = NULL;
    while (x != NULL) {
        y = x;
        x = key < x->key ? x->left : x->right;
    }
    z->parent = y;
    z->color = y == NULL ? BLACK : RED;
    if (y == NULL)
        root = z;
    else if (key < y->key)
        y->left = z;
    else
        y->right = z;
}

struct rbnode *search(int key)
{
    struct rbnode *x = root;
    while (x != NULL && x->key != key)
        if (key < x->key)
            x = x->left;
        else
            x = x->right;
    return x;
}

void show(struct rbnode *x)
{
    if (x == NULL)
        return;
    show(x->left);
    printf("%d%c<%d ", x->key, x->color == RED ? 'r' : 'b', x->parent != NULL ? x->parent->key : 0);
    show(x->right);
}

void drop(struct rbnode *x)
{
    if (x == NULL)
        return;
    drop(x->left);
    drop(x->right);
    free(x);
}

int main(int argc, char *argv[])
{
    struct rbnode *at;
    int i;
    for (i = 2; i < argc; i++)
        insert(atoi(argv[i]));
    show(root);
    printf("\n");
    if (argc > 1) {
        at = search(atoi(argv[1]));
        if (at != NULL)
            leftRotate(at);
    }
    show(root);
    printf("\n");
    drop(root);
    return 0;
}
