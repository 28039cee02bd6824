#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef enum op {
    INSERT, ERASE
} op;
typedef struct action {
    op kind;
    size_t at;
    char what;
    struct action *below;
} action;
typedef struct editor {
    char *text;
    size_t len, cap;
    action *undo, *redo;
} editor;
static void grow(editor *e) {
    if (e->len + 1 >= e->cap) {
        e->cap = e->cap ? e->cap * 2 : 4;
        e->text = realloc(e->text, e->cap);
    }
}
static void push(action **s, action a) {
    action *n = malloc(sizeof *n);
    *n = a;
    n->below = *s;
    *s = n;
}
static action pop(action **s) {
    action *n = *s, a = *n;
    *s = n->below;
    free(n);
    return a;
}
static void put(editor *e, size_t at, char c) {
    grow(e);
    for (size_t i = e->len; i > at; i--) e->text[i] = e->text[i - 1];
    e->text[at] = c;
    e->text[++e->len] = 0;
}
static char take(editor *e, size_t at) {
    char c = e->text[at];
    memmove(e->text + at, e->text + at + 1, e->len - at);
    e->len--;
    return c;
}
static void type(editor *e, char c) {
    push(&e->undo, (action){ INSERT, e->len, c, NULL });
    put(e, e->len, c);
}
static void undo(editor *e) {
    if (!e->undo) return;
    action a = pop(&e->undo);
    if (a.kind == INSERT) take(e, a.at);
    else put(e, a.at, a.what);
    push(&e->redo, a);
}
static void redo(editor *e) {
    if (e->redo != NULL) {
        action a = pop(&e->redo);
        switch (a.kind) {
            case INSERT: put(e, a.at, a.what);
            break;
            case ERASE: take(e, a.at);
            break;
        }
        push(&e->undo, a);
    }
}
int main(void) {
    editor e = {0};
    for (const char *p = "abcd"; *p; ++p) type(&e, *p);
    undo(&e);
    undo(&e);
    redo(&e);
    type(&e, '!');
    push(&e.undo, (action){ .kind = ERASE, .what = take(&e, 0) });
    undo(&e);
    puts(e.text);
    return (int)e.len;
}
