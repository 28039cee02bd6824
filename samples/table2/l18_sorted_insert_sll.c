/* insertion sort of a list by repeated sorted insertion of its own nodes */
#include <stdio.h>
#include <stdlib.h>

typedef int value;
typedef struct link {
	value v;
	struct link *next;
} link_t_, *list;

static list head;
static int steps;

static void put(value v)
{
	list l = malloc(sizeof(link_t_));
	l->v = v;
	l->next = head;
	head = l;
}

static void sorted_insert(list *sorted, list fresh)
{
	list at = *sorted;

	if (at == NULL || at->v >= fresh->v) {
		fresh->next = at;
		*sorted = fresh;
		return;
	}
	for (; at->next != NULL && at->next->v < fresh->v; at = at->next)
		steps++;
	fresh->next = at->next;
	at->next = fresh;
}

static void insertion_sort(void)
{
	list sorted = NULL, current = head;

	while (current != NULL) {
		list next = current->next;
		sorted_insert(&sorted, current);
		current = next;
	}
	head = sorted;
}

static void print(list l)
{
	if (l == NULL) {
		printf("\n");
		return;
	}
	printf("%d ", l->v);
	print(l->next);
}

int main(int argc, char **argv)
{
	while (argc-- > 1)
		put(atoi(*++argv));
	print(head);
	insertion_sort();
	print(head);
	printf("%d steps\n", steps);
	while (head != NULL) {
		list next = head->next;
		free(head);
		head = next;
	}
	return 0;
}
