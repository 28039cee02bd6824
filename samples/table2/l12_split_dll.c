/* split a doubly linked list before the first node greater than a limit: LIMIT ELEMENTS... */
#include <stdio.h>
#include <stdlib.h>

struct dnode {
  int val;
  struct dnode *prev;
  struct dnode *next;
};

struct dlist {
  struct dnode *head;
  struct dnode *tail;
};

void init(struct dlist *l) {
  l->head = NULL;
  l->tail = NULL;
}

void add_tail(struct dlist *l, int val) {
  struct dnode *d = (struct dnode *)malloc(sizeof(struct dnode));
  d->val = val;
  d->next = NULL;
  d->prev = l->tail;
  if (l->tail != NULL)
    l->tail->next = d;
  else
    l->head = d;
  l->tail = d;
}

int split(struct dlist *l, struct dlist *right, int limit) {
  struct dnode *d = l->head;
  int moved = 0;
  init(right);
  while (d != NULL && d->val <= limit)
    d = d->next;
  if (d == NULL)
    return 0;
  right->head = d;
  right->tail = l->tail;
  if (d->prev == NULL) {
    init(l);
  } else {
    l->tail = d->prev;
    l->tail->next = NULL;
    d->prev = NULL;
  }
  for (d = right->head; d != NULL; d = d->next)
    moved++;
  return moved;
}

void print(struct dlist *l) {
  struct dnode *d;
  for (d = l->head; d != NULL; d = d->next)
    printf("%d ", d->val);
  printf("/ ");
  for (d = l->tail; d != NULL; d = d->prev)
    printf("%d ", d->val);
  printf("\n");
}

void clear(struct dlist *l) {
  struct dnode *d = l->head;
  while (d != NULL) {
    struct dnode *next = d->next;
    free(d);
    d = next;
  }
  init(l);
}

int main(int argc, char *argv[]) {
  struct dlist left, right;
  int i, moved;
  init(&left);
  for (i = 2; i < argc; i++)
    add_tail(&left, atoi(argv[i]));
  moved = split(&left, &right, argc > 1 ? atoi(argv[1]) : 0);
  printf("%d moved\n", moved);
  print(&left);
  print(&right);
  clear(&left);
  clear(&right);
  return 0;
}
