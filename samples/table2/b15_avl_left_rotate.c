#include <stdio.h>
#include <stdlib.h>
#include <limits.h>

struct Tree
{
  int value;
  int depth;
  struct Tree *l;
  struct Tree *r;
};
struct Tree *root;

int depth_of(struct Tree *t)
{
  int d = 0;
  if (t != NULL)
    d = t->depth;
  return d;
}

void set_depth(struct Tree *t)
{
  int a = depth_of(t->l);
  int b = depth_of(t->r);
  if (a > b)
    t->depth = a + 1;
  else
    t->depth = b + 1;
}

struct Tree *left_rotate(struct Tree *x)
{
  struct Tree *y = x->r;
  struct Tree *middle = y->l;
  y->l = x;
  x->r = middle;
  set_depth(x);
  set_depth(y);
  return y;
}

struct Tree *add(struct Tree *t, int value)
{
  int balance;
  if (t == NULL)
  {
    t = (struct Tree *)malloc(sizeof(struct Tree));
    t->value = value;
    t->depth = 1;
    t->l = t->r = NULL;
    return t;
  }
  if (value < t->value)
    t->l = add(t->l, value);
  else
    t->r = add(t->r, value);
  set_depth(t);
  balance = depth_of(t->l) - depth_of(t->r);
  if (balance < -1 && value >= t->r->value)
    t = left_rotate(t);
  return t;
}

int walk(struct Tree *t, int last)
{
  if (t == NULL)
    return last;
  last = walk(t->l, last);
  if (last > t->value)
    printf("! ");
  printf("%d/%d ", t->value, t->depth);
  return walk(t->r, t->value);
}

void cut(struct Tree **t)
{
  if (*t == NULL)
    return;
  cut(&(*t)->l);
  cut(&(*t)->r);
  free(*t);
  *t = NULL;
}

int main(int argc, char *argv[])
{
  int k = 0;
  while (++k < argc)
    root = add(root, atoi(argv[k]));
  walk(root, INT_MIN);
  printf("\n");
  cut(&root);
  return 0;
}
