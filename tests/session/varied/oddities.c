#include <stdio.h>
#include <stdlib.h>
union number { int i; float f; char bytes[4]; };
struct flags { unsigned a : 3; unsigned b : 5; int rest; };
struct outer { int tag; union number n; struct flags f; struct outer *next; };
struct list { struct outer *head; struct { int count; long sum; } stats; };
long g1, g2 = -1; unsigned short us = 65535; signed char sc = 127; unsigned char uc;
float average(int *v, int n) { float s = 0; int i; for (i = 0; i < n; ++i) s += v[i]; return n ? s / n : 0; }
int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }
void hanoi(int n, int from, int to, int *moves) { int other = 6 - from - to; if (n == 0) return; hanoi(n - 1, from, other, moves); ++*moves; hanoi(n - 1, other, to, moves); }
int side(int *p) { return (*p)++; }
struct list *make(int n) {
    struct list *l = malloc(sizeof *l);
    l->head = NULL; l->stats.count = 0; l->stats.sum = 0L;
    while (n --> 0) {
        struct outer *o = malloc(sizeof *o);
        o->tag = n; o->n.i = n * 3; o->f.a = n; o->f.b = n + 1; o->f.rest = 0; o->next = l->head;
        l->head = o; l->stats.count++; l->stats.sum += o->tag;
    }
    return l;
}
int main(int argc, char **argv) {
    int v[4] = { 1, 2, 3 }, k = 0, i = 0, *p = v, *e = v + 4;
    struct list *l = make(3);
    double d = average(v, 4);
    us++; sc++; uc = (unsigned char)-1; uc += 2; g1 = 1L << 61; g1 *= -2; g2 = (unsigned)g2;
    k = fact(5) / gcd(12, 18);
    hanoi(2, 1, 3, &i);
    while (p < e) *p++ += 10;
    k = p - v; p = e; --p; k += *p--; k -= *--p;
    k = side(&i) + (side(&i) ? side(&k) : 7);
    if (side(&i) > 3 || side(&k) < 0) k = 5; else if (k) k = 6; else k = 7;
    k = v[side(&k) % 2] = v[i % 3] = 12;
    v[k > 2] <<= 2; v[0] |= 0x10; v[1] &= ~1; v[2] ^= v[0];
    i = (k = 3) + (l != NULL) + !l + -k;
    for (struct outer *o = l->head, **w = &l->head; o; o = *w) { if (o->tag == 1) { *w = o->next; free(o); } else w = &o->next; }
    for (;;) { if (i++ > 6) break; if (i == 3) continue; switch (i) { case 4: k--; continue; case 5: break; } k += 2; }
    do k--; while (k > 20); 
    if (d > 1.0 && d < 2.0) k = (int)d; else k = (int)(d * 2);
    i = 0;
again:
    i++;
    if (i < 3) goto again;
    while (1) { if (--i < 0) goto out; }
out:
    printf("%d %d %f\n", i, k, d);
    exit(k > 100);
}
