#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define MAX 5
#define SQUARE(x) ((x) * (x))
enum colour { RED, GREEN = 4, BLUE };
struct point { int x, y; };
struct shape { enum colour colour; struct point corners[3]; char name[12]; double area; struct point *extra; };
typedef struct { unsigned char a; short b; long c; float f; } mixed;
struct stack { int top; int items[MAX]; } st = { -1, { 0 } };
int total = 3, table[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
char *words[] = { "one", "two", NULL };
struct point add(struct point a, struct point b) { struct point c; c.x = a.x + b.x; c.y = a.y + b.y; return c; }
void move(struct point *p, int dx, int dy) { p->x += dx; p->y -= dy; }
int push(int v) { if (st.top == MAX - 1) return 0; st.items[++st.top] = v; return 1; }
int pop(void) { return st.top < 0 ? -1 : st.items[st.top--]; }
int counter(void) { static int calls = 10; return calls++; }
static int classify(int n)
{
    switch (n) {
    case 0: return 100;
    case 1:
    case 2: n += 5;
        /* falls through */
    case 3: n *= 2; break;
    default:
        if (n < 0) break;
        n = -n;
    }
    return n;
}
int search(int *a, int n, int v)
{
    int i = 0;
    while (i < n && a[i] != v) i++;
    return i == n ? -1 : i;
}
void sort(int a[], int n)
{
    int i, j, key;
    for (i = 1; i < n; i++) {
        key = a[i];
        j = i - 1;
        while (j >= 0 && a[j] > key) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = key;
    }
}
int main(void)
{
    struct point p = { 1, 2 }, q = { .y = 4 }, *r;
    struct shape s = { BLUE, { { 0, 0 }, { 1, 1 } }, "box", 1.5, NULL }, copy;
    mixed m = { 250, -3, 1L << 40, 0.5f };
    int a[MAX] = { 5, 3, 9, 1, 7 }, i, j;
    unsigned u = 0;
    char buf[16] = "abc", *c;
    q = add(p, q);
    p = add(add(p, q), p);
    move(&p, 2, 3);
    move(s.corners + 2, 9, 9);
    copy = s;
    copy.corners[1].y = SQUARE(p.x + 1);
    copy.extra = &s.corners[2];
    r = copy.extra;
    r->x++; (*r).y--; --r->x;
    m.a += 10; m.b = m.b * 20000; m.c ^= m.a; m.f *= 3;
    u--; u >>= 4; i = (int)u; j = i % 7; j = -j / 2; j <<= 3;
    i = 5; i = i + 2 * (j = 3, j + 1);
    for (i = 0; i < MAX; i++) push(a[i] * i);
    while ((j = pop()) >= 0) total += j;
    sort(a, MAX);
    i = search(a, MAX, 7);
    for (i = -1; i < 5; i++) { if (i == 3) continue; total += classify(i); if (total > 1000) break; }
    for (i = 0; i < 2; i++) for (j = 0; j < 3; j++) table[i][j] += table[1 - i][2 - j];
    i = counter() + counter();
    if (i > 3 && (j = counter()) > 2 || total++ < 3) total--;
    if (!(i & 1) && total) i = total > 3 ? total - 1 : -total;
    strcpy(buf + 3, "def");
    for (c = buf; *c; c++) if (*c >= 'a' && *c <= 'z') *c = *c - 'a' + 'A';
    i = strlen(buf);
    j = strcmp(buf, "ABCDEF");
    c = strchr(buf, 'D');
    *c = '\0';
    memset(a, 0, sizeof a);
    memcpy(a, table[1], 2 * sizeof(int));
    for (char **w = words; *w != NULL; ++w) printf("%s ", *w);
    printf("%d %d %d %s %d %d\n", p.x, copy.corners[1].y, total, buf, i, j);
    if (s.colour == BLUE) goto end;
    total = 0;
end:
    return 0;
}
