/* an AVL tree that meets only the left-left case: numbers in falling order */
#include <stdio.h>
#include <stdlib.h>

typedef struct Node {
    int key;
    struct Node *left;
    struct Node *right;
    int height;
} Node;

int max(int a, int b) { return (a > b) ? a : b; }

int height(Node *N)
{
    if (N == NULL)
        return 0;
    return N->height;
}

Node *newNode(int key)
{
    Node *node = (Node *)malloc(sizeof(Node));
    node->key = key;
    node->left = NULL;
    node->right = NULL;
    node->height = 1;
    return node;
}

Node *rightRotate(Node *y)
{
    Node *x = y->left;
    Node *T2 = x->right;

    x->right = y;
    y->left = T2;

    y->height = max(height(y->left), height(y->right)) + 1;
    x->height = max(height(x->left), height(x->right)) + 1;
    return x;
}

int getBalance(Node *N) { return N == NULL ? 0 : height(N->left) - height(N->right); }

Node *insert(Node *node, int key)
{
    if (node == NULL)
        return newNode(key);
    if (key < node->key)
        node->left = insert(node->left, key);
    else if (key > node->key)
        node->right = insert(node->right, key);
    else
        return node;
    node->height = 1 + max(height(node->left), height(node->right));
    if (getBalance(node) > 1 && key < node->left->key)
        return rightRotate(node);
    return node;
}

void preOrder(Node *root)
{
    if (root == NULL)
        return;
    printf("%d(%d) ", root->key, root->height);
    preOrder(root->left);
    preOrder(root->right);
}

void freeTree(Node *root)
{
    if (root == NULL)
        return;
    freeTree(root->left);
    freeTree(root->right);
    free(root);
}

int main(int argc, char *argv[])
{
    Node *root = NULL;
    int i;
    for (i = 1; i < argc; i++)
        root = insert(root, atoi(argv[i]));
    preOrder(root);
    printf("\n");
    freeTree(root);
    return 0;
}
