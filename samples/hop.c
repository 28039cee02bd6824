/* Reversal of a doubly linked list with two bugs that cancel each other out: Figure 10 of the
 * Wolverine2 paper. */
#include <stdio.h>
#include <stdlib.h>

typedef struct node node;
struct node {
	int value;
	node *prev, *next;
};

static node *head = NULL;

void push(int value) {
	node *cell = malloc(sizeof(*cell));
	cell->value = value;
	cell->prev = NULL;
	cell->next = head;
	if (head) head->prev = cell;
	head = cell;
}

void reverse(void) {
	node *current, *temp1 = NULL, *temp2 = NULL;
	current = head;
	while (current != NULL) {
		temp1 = current->prev;
		temp2 = current->next;
		current->prev = temp1;
		current->next = temp2;
		current = current->prev;
	}
	head = temp1->prev;
}

int print_both_ways(void) {
	node *last = NULL;
	for (node *each = head; each != NULL; each = each->next) {
		printf("%d ", each->value);
		last = each;
	}
	for (node *each = last; each != NULL; each = each->prev)
		printf("%d ", each->value);
	return printf("\n");
}

int main(void) {
	push(2);
	push(4);
	push(8);
	push(10);
	reverse();
	print_both_ways();
	return 0;
}
