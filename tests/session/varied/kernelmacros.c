/* Macros of the kernel kind: statement expressions, typeof, container_of inside of loop heads. */
#include <stddef.h>
#include <stdlib.h>
#include <stdio.h>
struct list_head { struct list_head *next, *prev; };
struct task { int pid; struct list_head run; };
#define container_of(ptr, type, member) ({ \
	const typeof( ((type *)0)->member ) *__mptr = (ptr); \
	(type *)( (char *)__mptr - offsetof(type,member) );})
#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_for_each_entry(pos, head, member)				\
	for (pos = list_entry((head)->next, typeof(*pos), member);	\
	     &pos->member != (head); 	\
	     pos = list_entry(pos->member.next, typeof(*pos), member))
#define max(x, y) ({ typeof(x) _x = (x); typeof(y) _y = (y); (void) (&_x == &_y); _x > _y ? _x : _y; })
#define swap(a, b) do { typeof(a) __tmp = (a); (a) = (b); (b) = __tmp; } while (0)
static struct list_head q = { &q, &q };
static void add(int pid) {
	struct task *t = malloc(sizeof *t);
	t->pid = pid;
	t->run.next = q.next; t->run.prev = &q;
	q.next->prev = &t->run; q.next = &t->run;
}
int main(void) {
	struct task *t;
	int most = 0, other = 9;
	add(3); add(5); add(4);
	list_for_each_entry(t, &q, run)
		most = max(most, t->pid);
	list_for_each_entry(t, &q, run) {
		if (t->pid == 5)
			break;
	}
	swap(most, other);
	printf("%d %d %d\n", most, other, t->pid);
	return 0;
}
