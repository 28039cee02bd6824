/* a queue as a linked list */
#include <stdio.h>
#include <stdlib.h>

struct QNode {
    int key;
    struct QNode* next;
};

struct Queue {
    struct QNode *front, *rear;
};

struct QNode* newNode(int k)
{
    struct QNode* temp = (struct QNode*)malloc(sizeof(struct QNode));
    temp->key = k;
    temp->next = NULL;
    return temp;
}

struct Queue* createQueue()
{
    struct Queue* q = (struct Queue*)malloc(sizeof(struct Queue));
    q->front = q->rear = NULL;
    return q;
}

void enQueue(struct Queue* q, int k)
{
    struct QNode* temp = newNode(k);
    if (q->rear == NULL) {
        q->front = q->rear = temp;
        return;
    }
    q->rear->next = temp;
    q->rear = temp;
}

int deQueue(struct Queue* q)
{
    if (q->front == NULL)
        return -1;
    struct QNode* temp = q->front;
    int key = temp->key;
    q->front = q->front->next;
    if (q->front == NULL)
        q->rear = NULL;
    free(temp);
    return key;
}

int main(int argc, char* argv[])
{
    struct Queue* q = createQueue();
    int i;
    for (i = 1; i < argc; i++)
        enQueue(q, atoi(argv[i]));
    if (q->front != NULL)
        printf("front %d rear %d\n", q->front->key, q->rear->key);
    while (q->front != NULL)
        printf("%d ", deQueue(q));
    printf("\n");
    free(q);
    return 0;
}
