/* a binary search tree; its root is rotated to the left as a splay tree does */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *left, *right;
};

struct node *newNode(int key)
{
    struct node *node = (struct node *)malloc(sizeof(struct node));
    node->key = key;
    node->left = node->right = NULL;
    return (node);
}

struct node *leftRotate(struct node *x)
{
    struct node *y = x->right;
    x->right = y->left;
    y->left = x;
    return y;
}

struct node *insert(struct node *root, int key)
{
    if (root == NULL)
        return newNode(key);
    if (key < root->key)
        root->left = insert(root->left, key);
    else if (key > root->key)
        root->right = insert(root->right, key);
    return root;
}

void preOrder(struct node *root)
{
    if (root != NULL) {
        printf("%d ", root->key);
        preOrder(root->left);
        preOrder(root->right);
    }
}

void destroy(struct node *root)
{
    if (root == NULL)
        return;
    destroy(root->left);
    destroy(root->right);
    free(root);
}

int main(int argc, char *argv[])
{
    struct node *root = NULL;
    int i;
    for (i = 1; i < argc; i++)
        root = insert(root, atoi(argv[i]));
    preOrder(root);
    puts("");
    if (root != NULL && root->right != NULL)
        root = leftRotate(root);
    preOrder(root);
    puts("");
    destroy(root);
    return 0;
}
