/* split a circular list into two halves by means of two pointers */
#include <stdio.h>
#include <stdlib.h>

struct Node {
  int data;
  struct Node *next;
};

void push(struct Node **head_ref, int data) {
  struct Node *ptr1 = (struct Node *)malloc(sizeof(struct Node));
  struct Node *temp = *head_ref;
  ptr1->data = data;
  ptr1->next = *head_ref;
  if (*head_ref != NULL) {
    while (temp->next != *head_ref)
      temp = temp->next;
    temp->next = ptr1;
  } else
    ptr1->next = ptr1;
  *head_ref = ptr1;
}

void printList(struct Node *head) {
  struct Node *temp = head;
  if (head != NULL) {
    do {
      printf("%d ", temp->data);
      temp = temp->next;
    } while (temp != head);
  }
  printf("\n");
}

void splitList(struct Node *head, struct Node **head1_ref, struct Node **head2_ref) {
  struct Node *slow_ptr = head;
  struct Node *fast_ptr = head;
  if (head == NULL)
    return;
  while (fast_ptr->next != head && fast_ptr->next->next != head) {
    fast_ptr = fast_ptr->next->next;
    slow_ptr = slow_ptr->next;
  }
  if (fast_ptr->next->next == head)
    fast_ptr = fast_ptr->next;
  *head1_ref = head;
  if (head->next != head)
    *head2_ref = slow_ptr->next;
  fast_ptr->next = slow_ptr->next;
  slow_ptr->next = head;
}

void freeList(struct Node *head) {
  struct Node *p = head, *next;
  if (head == NULL)
    return;
  do {
    next = p->next;
    free(p);
    p = next;
  } while (p != head);
}

int main(int argc, char **argv) {
  struct Node *head = NULL, *head1 = NULL, *head2 = NULL;
  for (int i = argc - 1; i >= 1; i--)
    push(&head, atoi(argv[i]));
  printList(head);
  splitList(head, &head1, &head2);
  printList(head1);
  printList(head2);
  freeList(head1);
  freeList(head2);
  return 0;
}
