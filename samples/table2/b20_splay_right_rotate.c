#include <stdio.h>
#include <stdlib.h>

typedef struct splay
{
    int key;
    struct splay *left;
    struct splay *right;
} splay;

/* make the left child the root of the subtree that *t points to */
void rotateRight(splay **t)
{
    splay *x = (*t)->left;
    (*t)->left = x->right;
    x->right = *t;
    *t = x;
}

void insert(splay **t, int key)
{
    while (*t != NULL)
        t = key < (*t)->key ? &(*t)->left : &(*t)->right;
    *t = (splay *)malloc(sizeof(splay));
    (**t).key = key;
    (**t).left = (**t).right = 0;
}

/* bring the smallest key to the root by rotations alone */
int smallestUp(splay **t)
{
    int turns = 0;
    if (*t == NULL)
        return 0;
    while ((*t)->left != NULL)
    {
        rotateRight(t);
        turns++;
    }
    return turns;
}

void print(splay *t)
{
    if (t == NULL)
        return;
    printf("%d ", t->key);
    print(t->left);
    print(t->right);
}

void clear(splay **t)
{
    splay *gone;
    while ((gone = *t) != NULL)
    {
        clear(&gone->left);
        *t = gone->right;
        free(gone);
    }
}

int main(int argc, char *argv[])
{
    splay *tree = NULL;
    int i, turns;
    for (i = 1; i < argc; i++)
        insert(&tree, atoi(argv[i]));
    print(tree);
    printf("\n");
    turns = smallestUp(&tree);
    printf("%d: ", turns);
    print(tree);
    printf("\n");
    clear(&tree);
    return 0;
}
