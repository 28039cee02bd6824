#include <stdlib.h>
#include <stdio.h>
struct n { struct n *next; int d; };
struct n *head;
int f(int a) { return a; }
void g(struct n *p, int k)
{
  int a = 1, b = f(2);
  struct n *q = malloc(sizeof *q), *r;
  while (p != NULL && p->d > 3)
    p = p->next;
  while (f(a)) { a--; }
  for (a = 0; a < 3; a++)
    b += a;
  for (;;) { if (b) break; else continue; }
  for (int i = 0; ; i++) { if (i > 3) break; }
  for (; a > 0; ) a--;
  do { a++; } while (a < 3);
  if (a == 3) b = 1; else if (a && f(b)) b = 2; else { b = 3; }
  switch (a) { case 1: b = 1; break; default: b = 2; }
  b = a ? f(1) : f(2);
  a = b = 3;
  free(q);
  ;
  { int z = 1; z++; }
  while (1) { a++; if (a > 10) goto out; }
out:
  printf("%d %d\n", f(a), f(b));
  int arr[3] = {1, 2, 3};
  struct n s = { NULL, 1 }, u;
  u = s;
  (void)arr; (void)u;
  if (!p) return;
  while (a--) ;
  for (;;) { }
}
int h(void) { while (1) if (f(1)) return 3; }
int m(int x) { if (x) { return 1; } return f(x) + f(2); }
