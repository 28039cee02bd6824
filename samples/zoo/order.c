#include <stdio.h>
#include <stdlib.h>
typedef struct n {
    int x;
    struct n *next;
} n;
n store[4];
int calls;
n *find(void) {
    return &store[calls++ & 3];
}
int g(int v) {
    calls += 2;
    return v + calls;
}
int h(void) {
    return ++calls;
}
int twice(int a, int b) {
    return a * 10 + b;
}
n *head(n **p) {
    return *p;
}
int deep(int k) {
    return k <= 0 ? 0 : k + deep(k - 1);
}
void mutual_b(int k);
void mutual_a(int k) {
    if (k > 0) mutual_b(k - 1);
    calls++;
}
void mutual_b(int k) {
    if (k > 0) mutual_a(k - 1);
    calls--;
}
int main(void) {
    int i = 3, a[5] = {0};
    find()->x = g(h());
    find()->next = find();
    a[h() & 3] = g(1);
    a[h() & 3] += h();
    i = -i + h();
    i = twice(h(), g(2)) - twice(i++, 4);
    i = h() + i * h();
    store[h() & 3] = store[0];
    int j = (i = h(), i + 1), k = (h() > 2 && h() < 100) || h();
    a[0] = a[1] = h() + a[2];
    *(&a[0] + (h() & 1)) = h();
    if ((j = h()) > 3 && (k = g(j)) != 0) i += j ? h() : g(0);
    while (h() % 5) ;
    for (int q = h() & 1; q < 2; q += h() & 1 ? 1 : 2) a[q] ^= deep(q);
    mutual_a(3);
    n *p = head(&(n *){ &store[1] });
    p->x += p->x++ == 0 ? 1 : h();
    printf("%d %d\n", twice(h(), 2), i);
    return a[0] & 127;
}
