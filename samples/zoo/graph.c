#include <stdio.h>
#include <stdlib.h>
struct AdjListNode {
    int dest;
    int weight;
    struct AdjListNode* next;
};
struct AdjList {
    struct AdjListNode *head;
};
struct Graph {
    int V;
    struct AdjList* array;
};
struct AdjListNode* newAdjListNode(int dest, int weight) {
    struct AdjListNode* newNode = (struct AdjListNode*) malloc(sizeof(struct AdjListNode));
    newNode->dest = dest;
    newNode->weight = weight;
    newNode->next = NULL;
    return newNode;
}
struct Graph* createGraph(int V) {
    struct Graph* graph = (struct Graph*) malloc(sizeof(struct Graph));
    graph->V = V;
    graph->array = (struct AdjList*) malloc(V * sizeof(struct AdjList));
    int i;
    for (i = 0; i < V; ++i) graph->array[i].head = NULL;
    return graph;
}
void addEdge(struct Graph* graph, int src, int dest, int weight) {
    struct AdjListNode* check = NULL;
    struct AdjListNode* newNode = newAdjListNode(dest, weight);
    if (graph->array[src].head == NULL) {
        newNode->next = graph->array[src].head;
        graph->array[src].head = newNode;
}      else {
        check = graph->array[src].head;
        while (check->next != NULL) {
            check = check->next;
        } check->next = newNode;
    }
    newNode = newAdjListNode(src, weight);
    newNode->next = graph->array[dest].head;
    graph->array[dest].head = newNode;
}
typedef struct {
    int items[16];
    int front, rear;
} queue;
static int isEmpty(queue *q) {
    return q->rear == -1;
}
static void enqueue(queue *q, int value) {
    if (q->rear == 15) return;
    if (q->front == -1) q->front = 0;
    q->items[++q->rear] = value;
}
static int dequeue(queue *q) {
    int item = q->items[q->front++];
    if (q->front > q->rear) {
        q->front = q->rear = -1;
    } return item;
}
int visited[16], dist[16];
void dfs(struct Graph *g, int v) {
    visited[v] = 1;
    for (struct AdjListNode *p = g->array[v].head; p; p = p->next) if (!visited[p->dest]) dfs(g, p->dest);
}
void bfs(struct Graph *g, int s) {
    queue q = { .front = -1, .rear = -1 };
    int matrix[3][4] = { {1, 2}, {3, 4, 5} };
    for (int i = 0; i < g->V; i++) visited[i] = 0;
    visited[s] = 1;
    enqueue(&q, s);
    while (!isEmpty(&q)) {
        int u = dequeue(&q);
        struct AdjListNode *t = g->array[u].head;
        while (t) {
            int w = t->dest;
            if (visited[w] == 0) {
                visited[w] = 1;
                dist[w] = dist[u] + t->weight * matrix[u % 3][w % 4];
                enqueue(&q, w);
            } t = t->next;
        }
    }
    matrix[1][2] += matrix[0][1];
    matrix[2][matrix[0][0]]++;
    int (*row)[4] = &matrix[1];
    (*row)[0] = 9;
    row--;
    row[0][3] = 4;
    *(*(matrix + 1) + 1) = 8;
    dist[s] = matrix[1][2] + matrix[2][1];
}
int main() {
    int V = 5;
    struct Graph* g = createGraph(V);
    addEdge(g, 0, 1, 2);
    addEdge(g, 0, 4, 3);
    addEdge(g, 1, 2, 4);
    addEdge(g, 1, 3, 1);
    addEdge(g, 3, 4, 5);
    bfs(g, 0);
    for (int i = 0; i < V; i++) visited[i] = 0;
    dfs(g, 2);
    printf("%d\n", dist[3]);
    return 0;
}
