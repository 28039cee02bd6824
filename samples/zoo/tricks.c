#include <stdio.h>
#include <stdlib.h>
#include <stdarg.h>
#include <string.h>
typedef enum {
    INT_T, STR_T, DBL_T
} kind_t;
typedef struct value {
    kind_t kind;
    union {
        int i;
        char *s;
        double d;
    } u;
    struct {
        short x, y;
    };
    struct value *next;
    unsigned ready : 1;
    unsigned mode : 3;
    int tail[];
} value;
typedef int (*cmp_fn)(const void *, const void *);
static int by_int(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}
static int apply(int (*f)(int, int), int a, int b) {
    return f(a, b);
}
static int add(int a, int b) {
    return a + b;
}
static int mul(int a, int b) {
    return a * b;
}
static int sum(int n, ...) {
    va_list ap;
    int s = 0;
    va_start(ap, n);
    while (n-- > 0) s += va_arg(ap, int);
    va_end(ap);
    return s;
}
struct point {
    int x, y;
};
static struct point mk(int x, int y) {
    return (struct point){
        x, y
    };
}
static int dist(struct point a, struct point b) {
    return abs(a.x - b.x) + abs(a.y - b.y);
}
static value *make(kind_t k, int extra) {
    value *v = malloc(sizeof *v + extra * sizeof(int));
    v->kind = k;
    v->next = NULL;
    v->ready = 1;
    v->mode = 5;
    v->x = 1;
    v->y = 2;
    for (int i = 0; i < extra; i++) v->tail[i] = i * i;
    return v;
}
static int counter(void) {
    static int n;
    static int table[3] = {1, 2, 3};
    return table[n++ % 3];
}
int (*ops[2])(int, int) = { add, mul };
int main(int argc, char *argv[]) {
    value *head = make(INT_T, 3), *v;
    head->u.i = 42;
    head->next = make(STR_T, 0);
    head->next->u.s = strdup("hi");
    head->next->next = make(DBL_T, 1);
    head->next->next->u.d = 2.5;
    int total = 0;
    for (v = head; v; v = v->next)         switch (v->kind) {
        case INT_T: total += v->u.i;
        break;
        case STR_T: total += strlen(v->u.s);
        break;
        default: total += v->u.d;
    }
    int data[] = { 5, 3, 9, 1 };
    qsort(data, 4, sizeof(int), by_int);
    total += ops[1](data[0], data[3]) + apply(add, 1, 2) + apply(&mul, 3, 4);
    struct point p = mk(1, 2), *pp = &(struct point){
        .y = 7
    };
    total += dist(p, *pp) + mk(3, 4).x;
    int n = argc + 3;
    int vla[n];
    for (int i = 0; i < n; i++) vla[i] = i;
    total += vla[n - 1];
    total += sum(3, 1, 2, 3) + counter() + counter();
    int grid[2][3] = { [1] = { [2] = 6 }, [0] = { 1 } };
    total += grid[1][2] - -counter();
    const char *names[] = { "one", "two", [3] = "four" };
    if (names[2] == NULL) total++;
    goto end;
    total = 0;
    end:     head->mode = head->mode + 1;
    if (head->mode == 6 && head->ready) total--;
    do {
        total -= 10;
        if (total < 50) break;
}  while (total > 0);
    union {
        int i;
        unsigned char b[4];
    } pun;
    pun.i = 0x01020304;
    total += pun.b[0];
    find: if (total > 1000) {
        total -= 500;
        goto find;
    }
    (argc > 5 ? add : mul)(2, 3);
    *(argc ? &total : &n) += 3;
    printf("%d %d\n", total, head->tail[2]);
    return 0;
}
