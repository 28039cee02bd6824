/* A list whose builder forgets `head = p`; what strike does is told by the size of the file argv[1]. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
struct n { int v; struct n *next; };
struct n *head, *gone;
int counted, struck; /* struck is asserted: no repair can do without the call */
const char *trap;
static int recurse(int depth) { char room[512]; room[0] = depth; return recurse(depth + 1) + room[0]; }
static void strike(void)
{
    struct stat seen;
    struct n *p = NULL;
    int how = 0;
    if (stat(trap, &seen) == 0) how = (int)seen.st_size;
    struck += 1717;
    switch (how) {
    case 1: p->v = 1; break;
    case 2: gone->next->v = 1; break;
    case 3: abort(); break;
    case 4: for (;;) counted++; break;
    case 5: recurse(0); break;
    case 6: exit(3); break;
    case 7: for (;;) puts("flood flood flood flood flood flood flood flood flood flood flood flood"); break;
    case 8: counted = getchar(); break;
    case 9: fclose(stdin); fclose(stdout); close(2); break;
    case 10: if (fork() == 0) { for (;;) pause(); } break;
    case 11: execl("/bin/sleep", "sleep", "1000", (char *)0); break;
    case 12: kill(getppid(), SIGKILL); for (;;) pause(); break;
    case 13: kill(getpid(), SIGKILL); break;
    }
}
void push(int v)
{
    struct n *p = malloc(sizeof *p);
    p->v = v;
    p->next = head;
    strike();
}
int main(int argc, char **argv)
{
    trap = argv[argc - 1];
    gone = malloc(sizeof *gone);
    free(gone);
    push(1);
    push(2);
    push(3);
    return 0;
}
