/* remove duplicates from an unsorted list, with two nested loops */
#include <stdio.h>
#include <stdlib.h>

typedef struct list {
	int data;
	struct list *next;
} list;

static list *make(int data)
{
	list *l = (list *)malloc(sizeof(list));
	l->data = data;
	l->next = NULL;
	return l;
}

int removeDuplicates(list *start)
{
	list *ptr1, *ptr2, *dup;
	int removed = 0;

	ptr1 = start;
	while (ptr1 != NULL && ptr1->next != NULL) {
		ptr2 = ptr1;
		while (ptr2->next != NULL) {
			if (ptr1->data == ptr2->next->data) {
				dup = ptr2->next;
				ptr2->next = ptr2->next->next;
				free(dup);
				removed++;
			} else
				ptr2 = ptr2->next;
		}
		ptr1 = ptr1->next;
	}
	return removed;
}

int main(int argc, char *argv[])
{
	list *head = NULL, *last = NULL, *p;
	int i, removed;

	for (i = 1; i < argc; i++) {
		p = make(atoi(argv[i]));
		if (last != NULL)
			last->next = p;
		else
			head = p;
		last = p;
	}
	removed = removeDuplicates(head);
	printf("%d:", removed);
	for (p = head; p != NULL; p = p->next)
		printf(" %d", p->data);
	printf("\n");
	while (head != NULL) {
		p = head->next;
		free(head);
		head = p;
	}
	return 0;
}
