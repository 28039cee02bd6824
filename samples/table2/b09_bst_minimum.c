#include <stdio.h>
#include <stdlib.h>

typedef struct tree_node TreeNode;
struct tree_node {
    int data;
    TreeNode *left;
    TreeNode *right;
};

TreeNode *insert(TreeNode *root, int data)
{
    TreeNode *fresh = malloc(sizeof(TreeNode)), *at = root;
    fresh->data = data;
    fresh->left = NULL;
    fresh->right = NULL;
    if (!root)
        return fresh;
    for (;;) {
        if (data <= at->data) {
            if (!at->left) {
                at->left = fresh;
                break;
            }
            at = at->left;
        } else {
            if (!at->right) {
                at->right = fresh;
                break;
            }
            at = at->right;
        }
    }
    return root;
}

/* the leftmost node holds the minimum */
int minValue(TreeNode *node)
{
    TreeNode *current = node;
    while (current->left != NULL)
        current = current->left;
    return current->data;
}

static void release(TreeNode *node)
{
    if (node) {
        release(node->left);
        release(node->right);
        free(node);
    }
}

int main(int argc, char **argv)
{
    TreeNode *root = NULL;
    int i = 1;
    while (i < argc) {
        root = insert(root, atoi(argv[i]));
        ++i;
    }
    if (root == NULL)
        printf("no minimum\n");
    else
        printf("minimum %d\n", minValue(root));
    release(root);
    return 0;
}
