#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <limits.h>
#define MAX 10
struct Stack {
    int top;
    unsigned capacity;
    char *array;
};
struct Stack *createStack(unsigned capacity) {
    struct Stack *s = (struct Stack *) malloc(sizeof(struct Stack));
    if (!s) return NULL;
    s->top = -1;
    s->capacity = capacity;
    s->array = (char *) malloc(s->capacity * sizeof(char));
    if (!s->array) return NULL;
    return s;
}
int isEmpty(struct Stack *s) {
    return s->top == -1;
}
char peek(struct Stack *s) {
    return s->array[s->top];
}
char pop(struct Stack *s) {
    if (!isEmpty(s)) return s->array[s->top--];
    return '$';
}
void push(struct Stack *s, char op) {
    s->array[++s->top] = op;
}
int isOperand(char ch) {
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
}
int Prec(char ch) {
    switch (ch) {
        case '+': case '-': return 1;
        case '*': case '/': return 2;
        case '^': return 3;
    } return -1;
}
int infixToPostfix(char *exp) {
    int i, k;
    struct Stack *stack = createStack(strlen(exp));
    if (!stack) return -1;
    for (i = 0, k = -1; exp[i]; ++i) {
        if (isOperand(exp[i])) exp[++k] = exp[i];
        else if (exp[i] == '(') push(stack, exp[i]);
        else if (exp[i] == ')') {
            while (!isEmpty(stack) && peek(stack) != '(') exp[++k] = pop(stack);
            if (!isEmpty(stack) && peek(stack) != '(') return -1;
            else pop(stack);
    }  else {
            while (!isEmpty(stack) && Prec(exp[i]) <= Prec(peek(stack))) exp[++k] = pop(stack);
            push(stack, exp[i]);
        }
}      while (!isEmpty(stack)) exp[++k] = pop(stack);
    exp[++k] = '\0';
    printf("%s\n", exp);
    return 0;
}
int eval(const char *e) {
    int st[MAX], top = -1, i;
    for (i = 0; e[i]; i++) if (isdigit(e[i])) st[++top] = e[i] - '0';
    else {
        int b = st[top--], a = st[top--];
        switch (e[i]) {
            case '+': st[++top] = a + b;
            break;
            case '-': st[++top] = a - b;
            break;
            case '*': st[++top] = a * b;
            break;
            case '/': st[++top] = a / b;
            break;
        }
    } return st[top];
}
int cq[MAX], front = -1, rear = -1;
void enq(int x) {
    if ((front == 0 && rear == MAX - 1) || rear == front - 1) return;
    if (front == -1) front = rear = 0;
    else if (rear == MAX - 1 && front != 0) rear = 0;
    else rear++;
    cq[rear] = x;
}
int deq(void) {
    if (front == -1) return INT_MIN;
    int d = cq[front];
    cq[front] = -1;
    if (front == rear) front = rear = -1;
    else front = (front + 1) % MAX;
    return d;
}
int main() {
    char exp[] = "a+b*(c^d-e)";
    infixToPostfix(exp);
    int r = eval("231*+9-");
    for (int i = 0; i < 4; i++) enq(i * i);
    deq();
    r += deq();
    printf("%d\n", r);
    return 0;
}
