/* Deletes the middle element of a list: Figure 4 of the Wolverine2 paper, rebuilt from its text.
 * (Five elements, not three: so that one round shows what temp has to be.)
 * One pointer has to move twice as fast as the other, and does not. */
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *head, *slow_ptr, *fast_ptr;

void push(int data)
{
    struct node *fresh = malloc(sizeof(struct node));
    fresh->data = data;
    fresh->next = head;
    head = fresh;
}

void deleteMid()
{
    struct node *temp, *prev = NULL;
    slow_ptr = head;
    fast_ptr = head;
    temp = fast_ptr->next;
    while (fast_ptr != NULL && temp != NULL) {
        fast_ptr = temp->next;
        if (fast_ptr != NULL) {
            temp = fast_ptr;
        }
        prev = slow_ptr;
        slow_ptr = slow_ptr->next;
    }
    temp = slow_ptr->next;
    prev->next = temp;
    free(slow_ptr);
}

int main()
{
    push(2);
    push(4);
    push(8);
    push(10);
    push(12);
    deleteMid();
    return 0;
}
