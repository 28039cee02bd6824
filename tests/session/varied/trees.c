#include <stdio.h>
#include <stdlib.h>
struct tree { int key; int height; struct tree *left; struct tree *right; struct tree *parent; };
int max(int a, int b) { return (a > b) ? a : b; }
int height(struct tree *t) { return t == NULL ? 0 : t->height; }
struct tree *node(int key, struct tree *up)
{
	struct tree *t = calloc(1, sizeof *t);
	t->key = key;
	t->height = 1;
	t->parent = up;
	return t;
}
struct tree *rotate_right(struct tree *y)
{
	struct tree *x = y->left;
	struct tree *t2 = x->right;
	x->right = y;
	y->left = t2;
	if (t2) t2->parent = y;
	x->parent = y->parent;
	y->parent = x;
	y->height = max(height(y->left), height(y->right)) + 1;
	x->height = 1 + max(height(x->left), height(x->right));
	return x;
}
struct tree *rotate_left(struct tree *x)
{
	struct tree *y = x->right;
	x->right = y->left;
	if (y->left != NULL) y->left->parent = x;
	y->left = x; y->parent = x->parent; x->parent = y;
	x->height = max(height(x->left), height(x->right)) + 1;
	y->height = max(height(y->left), height(y->right)) + 1;
	return y;
}
int balance(struct tree *t) { if (!t) return 0; return height(t->left) - height(t->right); }
struct tree *insert(struct tree *t, int key, struct tree *up)
{
	if (t == NULL)
		return node(key, up);
	if (key < t->key)
		t->left = insert(t->left, key, t);
	else if (key > t->key)
		t->right = insert(t->right, key, t);
	else
		return t;
	t->height = 1 + max(height(t->left), height(t->right));
	int b = balance(t);
	if (b > 1 && key < t->left->key) return rotate_right(t);
	if (b < -1 && key > t->right->key) return rotate_left(t);
	if (b > 1 && key > t->left->key) { t->left = rotate_left(t->left); return rotate_right(t); }
	if (b < -1 && key < t->right->key) { t->right = rotate_right(t->right); return rotate_left(t); }
	return t;
}
int count(struct tree *t) { return t ? count(t->left) + 1 + count(t->right) : 0; }
int is_even(int n);
int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }
int is_even(int n) { if (n == 0) return 1; return is_odd(n - 1); }
void inorder(struct tree *t, int *out, int *n)
{
	if (!t) return;
	inorder(t->left, out, n);
	out[(*n)++] = t->key;
	inorder(t->right, out, n);
}
void drop(struct tree *t) { if (t) { drop(t->left); drop(t->right); free(t); } }
int main()
{
	static const int keys[] = { 30, 20, 10, 25, 40, 22 };
	struct tree *root = NULL;
	int out[8], n = 0, i;
	for (i = 0; i < (int)(sizeof keys / sizeof keys[0]); ++i)
		root = insert(root, keys[i], NULL);
	inorder(root, out, &n);
	for (i = 0; i < n; i++) printf("%d%c", out[i], i + 1 < n ? ' ' : '\n');
	printf("%d %d\n", count(root), is_even(count(root)));
	drop(root);
	return 0;
}
