#include <stdio.h>
#include <stdlib.h>
#include <ctype.h>
typedef struct E {
    enum {
        NUM, BIN
    } tag;
    union {
        long num;
        struct {
            char op;
            struct E *l, *r;
        } bin;
    } as;
} E;
static const char *in;
static E *num(long v) {
    E *e = malloc(sizeof(E));
    e->tag = NUM;
    e->as.num = v;
    return e;
}
static E *bin(char op, E *l, E *r) {
    E *e = malloc(sizeof(E));
    e->tag = BIN;
    e->as.bin.op = op;
    e->as.bin.l = l;
    e->as.bin.r = r;
    return e;
}
static E *expr(void);
static E *factor(void) {
    if (*in == '(') {
        in++;
        E *e = expr();
        in++;
        return e;
    } long v = 0;
    while (isdigit((unsigned char)*in)) v = v * 10 + *in++ - '0';
    return num(v);
}
static E *term(void) {
    E *e = factor();
    while (*in == '*' || *in == '/') {
        char op = *in++;
        e = bin(op, e, factor());
    } return e;
}
static E *expr(void) {
    E *e = term();
    while (*in == '+' || *in == '-') {
        char op = *in++;
        e = bin(op, e, term());
    } return e;
}
static long eval(const E *e) {
    if (e->tag == NUM) return e->as.num;
    long l = eval(e->as.bin.l), r = eval(e->as.bin.r);
    switch (e->as.bin.op) {
        case '+': return l + r;
        case '-': return l - r;
        case '*': return l * r;
        case '/': return r ? l / r : 0;
    } return -1;
}
static void drop(E *e) {
    if (!e) return;
    if (e->tag == BIN) {
        drop(e->as.bin.l);
        drop(e->as.bin.r);
    }
    free(e);
}
int main(void) {
    in = "2*(3+4)-10/5";
    E *e = expr();
    long v = eval(e);
    printf("%ld\n", v);
    drop(e);
    return (int)v;
}
