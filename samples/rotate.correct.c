/* Builds a binary search tree from the numbers on the command line, rotates it to the right at its root
 * and prints it by levels of depth.  rotate_right() loses the middle subtree and makes a cycle. */
#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

struct tree *root;

struct tree *leaf(int key)
{
    struct tree *fresh = malloc(sizeof(struct tree));
    fresh->key = key;
    fresh->left = NULL;
    fresh->right = NULL;
    return fresh;
}

void add(int key)
{
    struct tree **where = &root;
    while (*where != NULL)
        where = key < (*where)->key ? &(*where)->left : &(*where)->right;
    *where = leaf(key);
}

struct tree *rotate_right(struct tree *top)
{
    struct tree *up = top->left;
    struct tree *middle = up->right;
    up->right = top;
    top->left = middle;
    return up;
}

void show(struct tree *tree, int depth)
{
    if (tree == NULL || depth > 20)
        return;
    show(tree->left, depth + 1);
    printf("%d@%d ", tree->key, depth);
    show(tree->right, depth + 1);
}

int main(int argc, char *argv[])
{
    int i;
    for (i = 1; i < argc; i++)
        add(atoi(argv[i]));
    if (root != NULL && root->left != NULL)
        root = rotate_right(root);
    show(root, 0);
    printf("\n");
    return 0;
}
