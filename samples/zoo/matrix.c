#include <stdio.h>
#include <stdlib.h>
#define ROWS 3
#define COLS 4
typedef struct cell {
    int row, col, value;
    struct cell *right, *down;
} Cell;
struct sparse {
    Cell *rows[ROWS];
    Cell *cols[COLS];
    size_t n;
};
static void put(struct sparse *m, int r, int c, int v) {
    Cell **rp = &m->rows[r], **cp = m->cols + c, *e;
    while (*rp && (*rp)->col < c) rp = &(*rp)->right;
    if (*rp && (*rp)->col == c) {
        (*rp)->value = v;
        return;
}      while (*cp && (*cp)->row < r) cp = &(*cp)->down;
    e = malloc(sizeof(*e));
    e->row = r;
    e->col = c;
    e->value = v;
    e->right = *rp;
    e->down = *cp;
    *rp = *cp = e;
    m->n++;
}
static int get(const struct sparse *m, int r, int c) {
    const Cell *p;
    for (p = m->rows[r]; p && p->col <= c; p = p->right) if (p->col == c) return p->value;
    return 0;
}
static int **alloc2d(int r, int c) {
    int **a = malloc(r * sizeof *a), i;
    for (i = 0; i < r; ++i) a[i] = calloc(c, sizeof **a);
    return a;
}
static void transpose(int a[ROWS][COLS], int t[COLS][ROWS]) {
    int i, j;
    for (i = 0; i < ROWS; i++) for (j = 0; j < COLS; j++) t[j][i] = a[i][j];
}
int main(void) {
    struct sparse m = {{0}};
    int a[ROWS][COLS], t[COLS][ROWS], i, j, **d = alloc2d(2, 3);
    static int z[2][2] = {{1,2},{3,4}};
    put(&m, 0, 1, 5);
    put(&m, 2, 3, 7);
    put(&m, 0, 0, 1);
    put(&m, 0, 1, 6);
    for (i = 0; i < ROWS; i++) for (j = 0; j < COLS; j++) a[i][j] = get(&m, i, j);
    transpose(a, t);
    for (i = 0; i < 2; i++) for (j = 0; j < 3; j++) d[i][j] = t[j][i] * z[i][j & 1];
    d[1][2] += **d + *(d[1] + 1);
    for (i = 0; i < 2; i++) free(d[i]);
    free(d);
    printf("%d %zu\n", a[2][3], m.n);
    return 0;
}
