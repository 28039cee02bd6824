/* two queues, a graph as adjacency lists, a matrix, mutual pointers */
#include <stdio.h>
#include <stdlib.h>
struct qnode { int v; struct qnode *next; };
struct queue { struct qnode *front, *rear; };
struct edge;
struct vertex { int id, seen; struct edge *edges; struct vertex *next; };
struct edge { struct vertex *to; struct edge *next; };
struct graph { struct vertex *vertices; int n; struct queue q; };
struct queue *createQueue() { struct queue *q = (struct queue *)malloc(sizeof(struct queue)); q->front = q->rear = NULL; return q; }
void enQueue(struct queue *q, int k)
{
    struct qnode *temp = malloc(sizeof(struct qnode));
    temp->v = k, temp->next = NULL;
    if (q->rear == NULL) {
        q->front = q->rear = temp;
        return;
    }
    q->rear->next = temp;
    q->rear = temp;
}
int deQueue(struct queue *q, int *out)
{
    struct qnode *temp;
    if (q->front == NULL)
        return 0;
    temp = q->front;
    *out = temp->v;
    q->front = q->front->next;
    if (q->front == NULL)
        q->rear = NULL;
    free(temp);
    return 1;
}
struct vertex *find(struct graph *g, int id)
{
    struct vertex *v;
    for (v = g->vertices; v && v->id != id; v = v->next)
        ;
    return v;
}
struct vertex *add(struct graph *g, int id)
{
    struct vertex *v = find(g, id);
    if (v) return v;
    v = malloc(sizeof *v);
    *v = (struct vertex){ id, 0, NULL, g->vertices };
    g->n++;
    return g->vertices = v;
}
void connect(struct graph *g, int a, int b)
{
    struct vertex *u = add(g, a), *w = add(g, b);
    struct edge *e = malloc(sizeof(struct edge));
    e->to = w; e->next = u->edges; u->edges = e;
}
int bfs(struct graph *g, int from)
{
    int order = 0, id;
    find(g, from)->seen = 1;
    order++;
    enQueue(&g->q, from);
    while (deQueue(&g->q, &id))
        for (struct edge *e = find(g, id)->edges; e; e = e->next)
            if (!e->to->seen) { e->to->seen = ++order; enQueue(&g->q, e->to->id); }
    return order;
}
int **matrix(int r, int c)
{
    int **m = malloc(r * sizeof(int *)), i, j;
    for (i = 0; i < r; i++) {
        m[i] = malloc(c * sizeof **m);
        for (j = 0; j < c; j++) m[i][j] = i == j;
    }
    return m;
}
int main(void)
{
    struct graph g = { 0 };
    struct queue *q = createQueue();
    int x, y = 0, **m;
    enQueue(q, 3); enQueue(q, 4);
    while (deQueue(q, &x)) y = y * 10 + x;
    connect(&g, 1, 2); connect(&g, 1, 3); connect(&g, 2, 1);
    printf("%d %d\n", y, bfs(&g, 1));
    m = matrix(2, 2);
    m[0][1] = m[1][0]++ + 5;
    { int y = m[0][1]; x = y; }
    { long y = x; y *= 1000000000; x = y > 0 ? 1 : 0; }
    free(m[1]); free(*m); free(m);
    return 0;
}
