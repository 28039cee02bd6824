#include <stdio.h>
#include <stdlib.h>

typedef struct RBTree_ RBTree;
typedef struct RBNode_ RBNode;

struct RBNode_ {
	int        key;
	char       red;
	RBNode    *link[2];     /* left, right */
	RBNode    *up;
};
struct RBTree_ {
	RBNode    *root;
	int        size;
};

static void right_rotate(RBTree *t, RBNode *y)
{
	RBNode *x = y->link[0];

	y->link[0] = x->link[1];
	if (x->link[1])
		x->link[1]->up = y;
	x->up = y->up;
	if (!y->up)
		t->root = x;
	else if (y == y->up->link[1])
		y->up->link[1] = x;
	else
		y->up->link[0] = x;
	x->link[1] = y;
	y->up = x;
	x->red = 0, y->red = 1;
}

static void insert(RBTree *t, int key)
{
	RBNode **where = &t->root, *up = NULL, *n;

	while (*where) {
		up = *where;
		where = &up->link[key >= up->key];
	}
	n = calloc(1, sizeof(*n));
	n->key = key;
	n->up = up;
	n->red = up != NULL;
	*where = n;
	t->size++;
}

static void print(RBNode *n, int level)
{
	if (!n)
		return;
	print(n->link[0], level + 1);
	printf("%d:%d%s ", level, n->key, n->red ? "*" : "");
	print(n->link[1], level + 1);
}

static int clear(RBNode *n)
{
	int count;
	if (!n)
		return 0;
	count = clear(n->link[0]) + clear(n->link[1]) + 1;
	free(n);
	return count;
}

int main(int argc, char **argv)
{
	RBTree tree = { NULL, 0 };
	int i;

	for (i = 1; i < argc; i++)
		insert(&tree, atoi(argv[i]));
	print(tree.root, 0);
	puts("");
	if (tree.root && tree.root->link[0])
		right_rotate(&tree, tree.root);
	print(tree.root, 0);
	puts("");
	return clear(tree.root) == tree.size ? 0 : 1;
}
