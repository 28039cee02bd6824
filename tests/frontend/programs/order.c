#include <stdio.h>
#include <stdlib.h>
struct n { struct n *next; int d; };
struct n A, B, *g = &A; int i = 0; int arr[10]; int z;
int t(int k) { printf("%d ", k); return k; }
struct n *chg(void) { g = &B; return &A; }
int bump(void) { i = 5; return 7; }
int f3(int a, int b, int c) { return a + b * 10 + c * 100; }
int rd(int a, int b) { return a * 100 + b; }
int main(void) {
  g->next = chg(); printf("lhs %s\n", A.next ? "first(A)" : "later(B)"); g=&A;
  arr[i] = bump(); printf("idx %s\n", arr[0] == 7 ? "first" : "later"); i = 0;
  f3(t(1), t(2), t(3)); puts(" args");
  t(1) + t(2); puts(" bin");
  z = i + bump(); printf("i+bump=%d\n", z); i = 0;
  z = rd(i, bump()); printf("rd(i,bump)=%d\n", z); i = 0;
  z = rd(bump(), i); printf("rd(bump,i)=%d\n", z); i = 0;
  i += bump(); printf("i+=bump %d\n", i); i = 0;
  arr[t(1)] = t(2); puts(" arr[]=");
  arr[t(1)] += t(2); puts(" arr[]+=");
  z = t(1) < t(2); puts(" cmp");
  z = rd(i++, 4); printf("%d\n", z); i = 0;
  z = i++ + bump(); printf("i++ + bump %d i=%d\n", z, i); i = 0;
  int l = 1; z = l++ + t(8); printf("l++ %d\n", z);
  A.d = 0; g=&A; g->d = g->d + (chg(), 3); printf("A.d %d B.d %d\n", A.d, B.d);
}
