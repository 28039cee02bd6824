/* Watches the runs that driver.c makes: line coverage of each apart, also of those that crash or do not end,
 * and how often each predicate was evaluated and held.
 *
 * WOLVERINE_PREDICATES is the number of predicates; their counts go to the file "predicates", for each run
 * (times held, times evaluated) as unsigned int.  WOLVERINE_COVERAGE is set where the subject is compiled with
 * --coverage; the run's data then are in the folder runs/NUMBER.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

#ifdef WOLVERINE_COVERAGE
void __gcov_dump(void);
#endif

#define SIZE (sizeof(unsigned[2]) * (WOLVERINE_PREDICATES + 1))

static const int ending[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGVTALRM, SIGXCPU, SIGPIPE};
static unsigned (*counts)[2];
static FILE *table;

__attribute__((constructor)) static void prepare(void)
{
    counts = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    table = fopen("predicates", "wb");
    if (counts == MAP_FAILED || table == NULL)
        exit(2);
}

int wolverine_see(int predicate, int holds)
{
    counts[predicate][0] += holds != 0;
    counts[predicate][1]++;
    return holds;
}

static void ended(int number)
{
    for (unsigned i = 0; i < sizeof ending / sizeof *ending; i++)
        signal(ending[i], SIG_DFL);
#ifdef WOLVERINE_COVERAGE
    __gcov_dump();
#endif
    raise(number);
}

/* gcov derives counts that it does not keep from flows that leave a function by its end or by a call: a call at
 * the beginning of each statement lets it account for a crash in that statement.  A run that does not end is
 * ended after so many statements, always at the same place.
 */
void wolverine_at(void)
{
    static long statements;
    if (++statements > WOLVERINE_STATEMENTS)
        ended(SIGVTALRM);
}

void wolverine_begin(int number)
{
    static char stack[1 << 16];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = ended, .sa_flags = SA_ONSTACK | SA_NODEFER};
    struct itimerval limit = {{0, 0}, {0, WOLVERINE_MICROSECONDS}};
    char folder[32];
    snprintf(folder, sizeof folder, "runs/%d", number);
    setenv("GCOV_PREFIX", folder, 1);
    setenv("GCOV_PREFIX_STRIP", "99", 1);
    sigaltstack(&other, NULL);
    for (unsigned i = 0; i < sizeof ending / sizeof *ending; i++)
        sigaction(ending[i], &action, NULL);
    setitimer(ITIMER_VIRTUAL, &limit, NULL); /* of processor time: other work does not end a run */
}

void wolverine_end(int number)
{
    (void)number;
    fwrite(counts, sizeof *counts, WOLVERINE_PREDICATES, table);
    fflush(table); /* a child must not inherit it unwritten */
    memset(counts, 0, SIZE);
}
