#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
#include <stdbool.h>
#include <ctype.h>
#include <math.h>
#include <time.h>
#include <limits.h>
#include <errno.h>
#include <stdint.h>
#include <unistd.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <pthread.h>
#define FOREACH(p, h) for (p = h; p; p = p->next)
#define CHECK(c) do { if (!(c)) { fprintf(stderr, "no\n"); exit(1); } } while (0)
struct n { struct n *next; int d; bool b; union { int i; float f; } u; unsigned bits : 3, more : 7; double x; char name[20]; };
enum color { RED, GREEN = 5, BLUE };
typedef int (*cmp)(const void *, const void *);
static int by(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int vsum(int k, ...) { va_list ap; int s = 0; va_start(ap, k); while (k--) s += va_arg(ap, int); va_end(ap); return s; }
static struct n *find(list, key)
struct n *list; int key;
{
  struct n *p;
  FOREACH(p, list) { if (p->d == key) return p; }
  return 0;
}
int two(int *out, enum color c, uint8_t w) {
  assert(out != NULL);
  *out = c == RED ? 1 : w >> 2; CHECK(*out);
  switch (c) { case RED: case GREEN: return 1; case BLUE: break; }
  return isdigit(*out) && toupper(*out) > 'A';
}
main(argc, argv) char **argv;
{
  int a[5] = { 5, 3, 1 }, n = 5, *q = a + 2, m[2][3] = {{1,2,3},{4,5,6}};
  int vla[n];
  char buf[32] = "hello", *s = buf;
  struct n x = { .d = 3, .b = true }, *p = &x;
  double z = 1.5;
  qsort(a, n, sizeof(int), by);
  vla[0] = *q++; vla[1] = m[1][2]; vla[2] = (*q)--;
  while (*s) { *s = toupper(*s); s++; }
  p->u.i = 4; p->bits = 3; p->x = z * 2;
  strcpy(x.name, buf); x.name[0] = '\0';
  if (find(p, 3) && (p = find(p, 3)) != NULL || strcmp(buf, "x") == 0) n += p->d, n--;
  for (s = buf; *s && *s != 'L'; ) ++s;
  printf("%d %s %zu\n", vsum(2, 1, 2), buf, strlen(buf) + sizeof buf + sizeof(struct n));
  { cmp f = by; n = f(a, a + 1); }
  n = ({ int t = 3; t; });
  do { if (n++ > 3) break; } while (1);
  return (int)z + (n ? a[0] : two(&n, BLUE, 4));
}
