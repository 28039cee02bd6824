/* the left-right case of an AVL tree, with a pointer to the link that is to change */
#include <stdio.h>
#include <stdlib.h>

struct avl {
	int key, height;
	struct avl *child[2];
};

static int height(struct avl *t)
{
	return t ? t->height : 0;
}

static void update(struct avl *t)
{
	int l = height(t->child[0]), r = height(t->child[1]);
	t->height = (l < r ? r : l) + 1;
}

static void rotate_left(struct avl **link)
{
	struct avl *x = *link, *y = x->child[1];
	x->child[1] = y->child[0];
	y->child[0] = x;
	update(x);
	update(y);
	*link = y;
}

static void rotate_right(struct avl **link)
{
	struct avl *y = *link, *x = y->child[0];
	y->child[0] = x->child[1];
	x->child[1] = y;
	update(y);
	update(x);
	*link = x;
}

static void rotate_left_right(struct avl **link)
{
	rotate_left(&(*link)->child[0]);
	rotate_right(link);
}

static void insert(struct avl **link, int key)
{
	struct avl *t = *link;
	if (t == NULL) {
		t = malloc(sizeof *t);
		t->key = key;
		t->height = 1;
		t->child[0] = t->child[1] = NULL;
		*link = t;
		return;
	}
	if (key == t->key)
		return;
	insert(&t->child[key > t->key], key);
	update(t);
	if (height(t->child[0]) - height(t->child[1]) > 1) {
		if (key > t->child[0]->key)
			rotate_left_right(link);
		else
			rotate_right(link);
	}
}

static void print(const struct avl *t)
{
	if (!t) {
		printf(".");
		return;
	}
	printf("(%d", t->key);
	print(t->child[0]);
	print(t->child[1]);
	printf(")");
}

static void drop(struct avl *t)
{
	if (t) {
		drop(t->child[0]);
		drop(t->child[1]);
		free(t);
	}
}

int main(int argc, char **argv)
{
	struct avl *root = NULL;
	int i;

	for (i = 1; i < argc; i++)
		insert(&root, atoi(argv[i]));
	print(root);
	printf("\n");
	drop(root);
	return 0;
}
