#include <stdio.h>
#include <stdlib.h>

typedef struct avl_node *avl;
struct avl_node {
    int element;
    avl left;
    avl right;
    int height;
};

static int Height(avl P)
{
    if (P == NULL)
        return -1;
    else
        return P->height;
}

static int Max(int Lhs, int Rhs)
{
    return Lhs > Rhs ? Lhs : Rhs;
}

static avl SingleRotateWithLeft(avl K2)
{
    avl K1;
    K1 = K2->left;
    K2->left = K1->right;
    K1->right = K2;
    K2->height = Max(Height(K2->left), Height(K2->right)) + 1;
    K1->height = Max(Height(K1->left), K2->height) + 1;
    return K1;
}

static avl SingleRotateWithRight(avl K1)
{
    avl K2;
    K2 = K1->right;
    K1->right = K2->left;
    K2->left = K1;
    K1->height = Max(Height(K1->left), Height(K1->right)) + 1;
    K2->height = Max(Height(K2->right), K1->height) + 1;
    return K2;
}

static avl DoubleRotateWithRight(avl K1)
{
    K1->right = SingleRotateWithLeft(K1->right);
    return SingleRotateWithRight(K1);
}

avl Insert(int X, avl T)
{
    if (T == NULL) {
        T = malloc(sizeof(struct avl_node));
        if (T == NULL)
            exit(1);
        T->element = X;
        T->height = 0;
        T->left = T->right = NULL;
    } else if (X < T->element) {
        T->left = Insert(X, T->left);
    } else if (X > T->element) {
        T->right = Insert(X, T->right);
        if (Height(T->right) - Height(T->left) == 2) {
            if (X > T->right->element)
                T = SingleRotateWithRight(T);
            else
                T = DoubleRotateWithRight(T);
        }
    }
    T->height = Max(Height(T->left), Height(T->right)) + 1;
    return T;
}

void Print(avl T, int indent)
{
    int i;
    if (T == NULL)
        return;
    Print(T->right, indent + 1);
    for (i = 0; i < indent; i++)
        printf("  ");
    printf("%d\n", T->element);
    Print(T->left, indent + 1);
}

void MakeEmpty(avl T)
{
    if (T != NULL) {
        MakeEmpty(T->left);
        MakeEmpty(T->right);
        free(T);
    }
}

int main(int argc, char **argv)
{
    avl T = NULL;
    int i;
    for (i = 1; i < argc; ++i)
        T = Insert(atoi(argv[i]), T);
    Print(T, 0);
    MakeEmpty(T);
    return 0;
}
