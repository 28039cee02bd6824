/* Loops whose heads are macros, as kernels and the BSDs write them. */
#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>

struct list_head { struct list_head *next, *prev; };
#define LIST_HEAD(name) struct list_head name = { &(name), &(name) }
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define list_for_each(pos, head) for (pos = (head)->next; pos != (head); pos = pos->next)
#define list_for_each_safe(pos, n, head) \
	for (pos = (head)->next, n = pos->next; pos != (head); pos = n, n = pos->next)
#define while_any(head) while ((head)->next != (head))
#define SLIST_FOREACH(var, head, field) for ((var) = (head)->first; (var); (var) = (var)->field)
#define times(n) for (int _i = 0; _i < (n); _i++)
#define forever for (;;)
#define LENGTH(out, head) do { (out) = 0; for (struct list_head *_p = (head)->next; _p != (head); _p = _p->next) (out)++; } while (0)

struct task { int pid; struct list_head run; struct task *sibling; };
static LIST_HEAD(queue);
static struct { struct task *first; } all;

static void enqueue(int pid)
{
	struct task *t = malloc(sizeof(*t));
	t->pid = pid;
	t->run.prev = queue.prev;
	t->run.next = &queue;
	queue.prev->next = &t->run;
	queue.prev = &t->run;
	t->sibling = all.first;
	all.first = t;
}

static void drop(struct list_head *entry)
{
	entry->prev->next = entry->next;
	entry->next->prev = entry->prev;
}

int main(void)
{
	struct list_head *pos, *n;
	struct task *t;
	int sum = 0, length;

	times(4)
		enqueue(_i);
	list_for_each(pos, &queue)
		sum += container_of(pos, struct task, run)->pid;
	LENGTH(length, &queue);
	list_for_each_safe(pos, n, &queue) {
		struct task *odd = container_of(pos, struct task, run);
		if (odd->pid % 2 == 0)
			continue;
		drop(pos);
		if (odd->pid == 3)
			break;
	}
	SLIST_FOREACH(t, &all, sibling) {
		int left = t->pid;
		times(2) {
			left += _i;
		}
		sum += left;
	}
	while_any(&queue) {
		pos = queue.next;
		drop(pos);
		sum--;
	}
	forever {
		if (all.first == NULL)
			break;
		t = all.first;
		all.first = t->sibling;
		free(t);
	}
	printf("%d %d\n", sum, length);
	return 0;
}
