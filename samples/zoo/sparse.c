#include <stdio.h>
#include <stdlib.h>
/* sparse matrix: orthogonal lists; state machine with goto */
typedef struct cell *Cell;
struct cell { int row, col, val; Cell right, down; };
typedef struct matrix { Cell rows[4], cols[4]; } Matrix;
static Cell make(int r, int c, int v) { Cell n = malloc(sizeof(struct cell)); *n = (struct cell){ r, c, v, NULL, NULL }; return n; }
void set(Matrix *m, int r, int c, int v)
{
    Cell *p = &m->rows[r], n;
    while (*p && (*p)->col < c) p = &(*p)->right;
    if (*p && (*p)->col == c) { (*p)->val = v; return; }
    n = make(r, c, v);
    n->right = *p; *p = n;
    for (p = &m->cols[c]; *p && (*p)->row < r; p = &(*p)->down)
        ;
    n->down = *p; *p = n;
}
int get(const Matrix *m, int r, int c)
{
    Cell p = m->rows[r];
again:
    if (!p) goto zero;
    if (p->col == c) goto found;
    p = p->right;
    goto again;
zero:
    return 0;
found:
    return p->val;
}
int main()
{
    Matrix m = { { 0 } };
    int i, j, sum = 0;
    set(&m, 1, 2, 5); set(&m, 1, 0, 3); set(&m, 3, 2, 8); set(&m, 0, 2, 1);
    for (i = 0; i < 4; i++)
        for (j = 0; j < 4; j++) {
            if (i == j) continue;
            if (sum > 100) goto out;
            sum += get(&m, i, j);
        }
out:
    printf("%d\n", sum);
    return sum != 17;
}
