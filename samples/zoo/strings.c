#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct contact {
    char name[24];
    char phone[16];
    struct contact *next;
} Contact;
typedef struct {
    Contact *first;
    int size;
} Book;
Contact *newContact(const char *name, const char *phone) {
    Contact *c = (Contact *)malloc(sizeof(Contact));
    if (!c) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    strncpy(c->name, name, sizeof(c->name) - 1);
    c->name[sizeof(c->name) - 1] = '\0';
    strcpy(c->phone, phone);
    c->next = NULL;
    return c;
}
int addSorted(Book *b, const char *n, const char *p) {
    Contact *c = newContact(n, p), **pp = &b->first;
    while (*pp && strcmp((*pp)->name, n) < 0) pp = &(*pp)->next;
    if (*pp != NULL && strcmp((*pp)->name, n) == 0) {
        free(c);
        return 0;
    } c->next = *pp;
    *pp = c;
    return ++b->size;
}
Contact *lookup(Book *b, const char *part) {
    Contact *c;
    for (c = b->first; c != NULL; c = c->next) if (strstr(c->name, part) != NULL) break;
    return c;
}
void removeContact(Book *b, const char *n) {
    Contact **pp = &b->first, *old;
    while ((old = *pp) != NULL && strcmp(old->name, n)) pp = &old->next;
    if (old) {
        *pp = old->next;
        free(old);
        --b->size;
    }
}
char *reverse(char *s) {
    int i = 0, j = strlen(s) - 1;
    while (i < j) {
        char t = s[i];
        s[i++] = s[j];
        s[j--] = t;
    } return s;
}
char **split(char *text, int *count) {
    char **words = NULL;
    int n = 0;
    char *tok = strtok(text, " ");
    while (tok) {
        words = realloc(words, (n + 1) * sizeof(char *));
        words[n++] = strdup(tok);
        tok = strtok(NULL, " ");
    } *count = n;
    return words;
}
int palindrome(const char *s) {
    const char *e = s + strlen(s);
    while (s < --e) if (*s++ != *e) return 0;
    return 1;
}
int main(int argc, char *argv[]) {
    Book b = { NULL, 0 };
    char line[64] = "the quick brown fox";
    int n, i;
    char **w;
    addSorted(&b, "mary", "555");
    addSorted(&b, "anna", "123");
    addSorted(&b, "zed", "9");
    addSorted(&b, "anna", "0");
    Contact *c = lookup(&b, "ar");
    if (c) strcat(c->phone, "-1");
    removeContact(&b, "zed");
    w = split(line, &n);
    for (i = 0; i < n; i++) {
        reverse(w[i]);
        if (palindrome(w[i])) i = i;
    }
    char *copy = malloc(32);
    memset(copy, 0, 32);
    memcpy(copy, w[0], strlen(w[0]));
    char *at = strchr(copy, 't');
    if (at) *at = 'T';
    for (i = n - 1; i >= 0; i--) free(w[i]);
    free(w);
    printf("%s %d\n", copy, b.size);
    free(copy);
    return 0;
}
