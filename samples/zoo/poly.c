#include <stdio.h>
#include <stdlib.h>
struct Node {
    int coeff;
    int pow;
    struct Node* next;
};
void create_node(int x, int y, struct Node** temp) {
    struct Node *r, *z;
    z = *temp;
    if (z == NULL) {
        r = (struct Node*)calloc(1, sizeof(struct Node));
        r->coeff = x;
        r->pow = y;
        *temp = r;
        r->next = (struct Node*)calloc(1, sizeof(struct Node));
        r = r->next;
        r->next = NULL;
}      else {
        r->coeff = x;
        r->pow = y;
        r->next = (struct Node*)calloc(1, sizeof(struct Node));
        r = r->next;
        r->next = NULL;
    }
}
struct Node *term(int c, int p, struct Node *n) {
    struct Node *t = malloc(sizeof *t);
    *t = (struct Node){ .coeff = c, .pow = p, .next = n };
    return t;
}
void polyadd(struct Node* poly1, struct Node* poly2, struct Node* poly) {
    while (poly1->next && poly2->next) {
        if (poly1->pow > poly2->pow) {
            poly->pow = poly1->pow;
            poly->coeff = poly1->coeff;
            poly1 = poly1->next;
    }          else if (poly1->pow < poly2->pow) {
            poly->pow = poly2->pow;
            poly->coeff = poly2->coeff;
            poly2 = poly2->next;
    }          else {
            poly->pow = poly1->pow;
            poly->coeff = poly1->coeff + poly2->coeff;
            poly1 = poly1->next;
            poly2 = poly2->next;
        }
        poly->next = (struct Node*)calloc(1, sizeof(struct Node));
        poly = poly->next;
        poly->next = NULL;
}      while (poly1->next || poly2->next) {
        if (poly1->next) {
            poly->pow = poly1->pow;
            poly->coeff = poly1->coeff;
            poly1 = poly1->next;
        }
        if (poly2->next) {
            poly->pow = poly2->pow;
            poly->coeff = poly2->coeff;
            poly2 = poly2->next;
        }
        poly->next = (struct Node*)calloc(1, sizeof(struct Node));
        poly = poly->next;
        poly->next = NULL;
    }
}
void show(struct Node* node) {
    while (node->next != NULL) {
        printf("%dx^%d", node->coeff, node->pow);
        node = node->next;
        if (node->coeff >= 0) {
            if (node->next != NULL) printf("+");
        }
    }
}
int main() {
    struct Node *poly1 = term(5, 2, term(4, 1, term(2, 0, term(0, 0, NULL)))), *poly2 = term(-5, 1, term(-5, 0, term(0, 0, NULL))), *poly = calloc(1, sizeof(struct Node));
    poly->next = NULL;
    polyadd(poly1, poly2, poly);
    show(poly);
    return 0;
}
