#include <stdio.h>
#include <stdlib.h>
struct Node {
    int data;
    struct Node* next;
};
struct Node* SortedMerge(struct Node* a, struct Node* b) {
    struct Node* result = NULL;
    if (a == NULL) return (b);
    else if (b == NULL) return (a);
    if (a->data <= b->data) {
        result = a;
        result->next = SortedMerge(a->next, b);
}  else {
        result = b;
        result->next = SortedMerge(a, b->next);
    }
    return (result);
}
void FrontBackSplit(struct Node* source, struct Node** frontRef, struct Node** backRef) {
    struct Node* fast;
    struct Node* slow;
    slow = source;
    fast = source->next;
    while (fast != NULL) {
        fast = fast->next;
        if (fast != NULL) {
            slow = slow->next;
            fast = fast->next;
        }
    } *frontRef = source;
    *backRef = slow->next;
    slow->next = NULL;
}
void MergeSort(struct Node** headRef) {
    struct Node* head = *headRef;
    struct Node* a;
    struct Node* b;
    if ((head == NULL) || (head->next == NULL)) {
        return;
    }
    FrontBackSplit(head, &a, &b);
    MergeSort(&a);
    MergeSort(&b);
    *headRef = SortedMerge(a, b);
}
void push(struct Node** head_ref, int new_data) {
    struct Node* new_node = (struct Node*)malloc(sizeof(struct Node));
    new_node->data = new_data;
    new_node->next = (*head_ref);
    (*head_ref) = new_node;
}
void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}
void bubble(int a[], int n) {
    for (int i = 0; i < n - 1; i++) {
        int swapped = 0;
        for (int j = 0; j < n - i - 1; j++) if (a[j] > a[j + 1]) {
            swap(&a[j], &a[j + 1]);
            swapped = 1;
        }
        if (!swapped) break;
    }
}
int partition(int *a, int l, int h) {
    int p = a[h], i = l - 1;
    for (int j = l; j < h; j++) if (a[j] < p) swap(a + ++i, a + j);
    swap(&a[i + 1], &a[h]);
    return i + 1;
}
void quick(int *a, int l, int h) {
    if (l < h) {
        int pi = partition(a, l, h);
        quick(a, l, pi - 1);
        quick(a, pi + 1, h);
    }
}
void heapify(int a[], int n, int i) {
    int m = i, l = 2 * i + 1, r = 2 * i + 2;
    if (l < n && a[l] > a[m]) m = l;
    if (r < n && a[r] > a[m]) m = r;
    if (m != i) {
        swap(&a[i], &a[m]);
        heapify(a, n, m);
    }
}
int josephus(int n, int k) {
    struct Node *h = NULL, *t = NULL;
    for (int i = 1; i <= n; i++) {
        struct Node *x = malloc(sizeof *x);
        x->data = i;
        if (!h) h = x;
        else t->next = x;
        t = x;
    } t->next = h;
    while (t->next != t) {
        for (int i = 1; i < k; i++) t = t->next;
        struct Node *d = t->next;
        t->next = d->next;
        free(d);
    } int r = t->data;
    free(t);
    return r;
}
void moveNode(struct Node** destRef, struct Node** sourceRef) {
    struct Node* newNode = *sourceRef;
    *sourceRef = newNode->next;
    newNode->next = *destRef;
    *destRef = newNode;
}
int main() {
    struct Node* a = NULL;
    push(&a, 15);
    push(&a, 10);
    push(&a, 5);
    push(&a, 20);
    MergeSort(&a);
    int v[] = {5, 1, 4, 2};
    bubble(v, 4);
    int w[5] = {3, 9, 2, 7};
    quick(w, 0, 4);
    for (int i = 1; i >= 0; i--) heapify(v, 4, i);
    struct Node *b = NULL;
    moveNode(&b, &a);
    int j = josephus(5, 2);
    printf("%d %d\n", w[0], j);
    return 0;
}
