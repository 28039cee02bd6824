/* The clocks and the random numbers of the system, repeated: part of the library that is preloaded
   into the debugged program (tracker.c).

   A process that is put back to an earlier image has to do the same again, or nothing that was learnt
   about its execution holds: but the time has gone on, and a program that seeds its random numbers with
   it would build other heaps.  So what the system says is written down where images do not reach, in a
   shared mapping, under a number that images carry along.  The same question under the same number gets
   the same answer; the first time it comes, it is the system that answers. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default"), used))
#define LOG_BASE 0x0ff000000000ULL
#define ANSWERS (1ULL << 16)
#define BYTES 16 /* of random numbers in an answer */
#define LEFT 2048 /* bytes of the stack that calls of the system may have left behind */

enum { UNASKED, SECONDS, DAYTIME, PROCESSOR, RANDOM, CLOCKS };

struct answer {
    uint64_t question;
    union {
        int64_t numbers[2];
        unsigned char bytes[BYTES];
    };
};

static struct answer *answers; /* at a fixed address: images of one process are put into others */
static uint64_t asked;

void __attribute__((visibility("hidden"))) keep_answers(void)
{
    void *got = mmap((void *)LOG_BASE, ANSWERS * sizeof *answers, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == (void *)LOG_BASE)
        answers = got;
    else if (got != MAP_FAILED)
        munmap(got, ANSWERS * sizeof *answers);
}

/* The entry for the next question; `known` says whether it holds the answer. */
static struct answer *next_answer(uint64_t question, int *known)
{
    static __thread struct answer beyond;
    uint64_t number = __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
    struct answer *found = answers && number < ANSWERS ? &answers[number] : &beyond;
    *known = found != &beyond && found->question == question;
    found->question = question;
    return found;
}

/* What was left on the stack by an answer of the system is what the program's next locals hold. */
static __attribute__((noinline)) void leave_nothing(void)
{
    volatile unsigned char left[LEFT];
    size_t i;
    for (i = 0; i < LEFT; i++)
        left[i] = 0;
    (void)left[0];
}

static int clock_told(clockid_t clock, struct timespec *told)
{
    int (*next)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
    int known;
    struct answer *answer = next_answer(CLOCKS + (uint64_t)(uint32_t)clock, &known);
    if (!known && next(clock, told)) {
        answer->question = UNASKED; /* it fails at every time */
        return -1;
    }
    if (!known) {
        answer->numbers[0] = told->tv_sec;
        answer->numbers[1] = told->tv_nsec;
    }
    told->tv_sec = answer->numbers[0];
    told->tv_nsec = answer->numbers[1];
    return 0;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *told)
{
    int failed = clock_told(clock, told);
    leave_nothing();
    return failed;
}

EXPORT int timespec_get(struct timespec *told, int base)
{
    int failed = base != TIME_UTC || clock_told(CLOCK_REALTIME, told);
    leave_nothing();
    return failed ? 0 : base;
}

EXPORT time_t time(time_t *told)
{
    time_t (*next)(time_t *) = dlsym(RTLD_NEXT, "time");
    int known;
    struct answer *answer = next_answer(SECONDS, &known);
    if (!known)
        answer->numbers[0] = next(NULL);
    leave_nothing();
    if (told)
        *told = answer->numbers[0];
    return answer->numbers[0];
}

EXPORT int gettimeofday(struct timeval *restrict told, void *restrict zone)
{
    int (*next)(struct timeval *, void *) = dlsym(RTLD_NEXT, "gettimeofday");
    int known;
    struct answer *answer = next_answer(DAYTIME, &known);
    if (!known || zone) {
        next(told, zone); /* it does not fail */
        answer->numbers[0] = known ? answer->numbers[0] : told->tv_sec;
        answer->numbers[1] = known ? answer->numbers[1] : told->tv_usec;
    }
    leave_nothing();
    told->tv_sec = answer->numbers[0];
    told->tv_usec = answer->numbers[1];
    return 0;
}

EXPORT clock_t clock(void)
{
    clock_t (*next)(void) = dlsym(RTLD_NEXT, "clock");
    int known;
    struct answer *answer = next_answer(PROCESSOR, &known);
    if (!known)
        answer->numbers[0] = next();
    leave_nothing();
    return answer->numbers[0];
}

static ssize_t random_bytes(void *buffer, size_t size, unsigned flags)
{
    size_t done = 0;
    while (done < size) {
        size_t piece = size - done < BYTES ? size - done : BYTES;
        int known;
        struct answer *answer = next_answer(RANDOM, &known);
        if (!known && syscall(SYS_getrandom, answer->bytes, (size_t)BYTES, flags) != BYTES) {
            answer->question = UNASKED;
            return done ? (ssize_t)done : -1;
        }
        memcpy((char *)buffer + done, answer->bytes, piece);
        done += piece;
    }
    leave_nothing();
    return (ssize_t)size;
}

EXPORT ssize_t getrandom(void *buffer, size_t size, unsigned flags)
{
    return random_bytes(buffer, size, flags);
}

EXPORT int getentropy(void *buffer, size_t size)
{
    int (*next)(void *, size_t) = dlsym(RTLD_NEXT, "getentropy");
    if (size > 256)
        return next(buffer, size); /* it refuses */
    return random_bytes(buffer, size, 0) == (ssize_t)size ? 0 : -1;
}

EXPORT void arc4random_buf(void *buffer, size_t size)
{
    random_bytes(buffer, size, 0);
}

EXPORT uint32_t arc4random(void)
{
    uint32_t value = 0;
    random_bytes(&value, sizeof value, 0);
    return value;
}

EXPORT uint32_t arc4random_uniform(uint32_t bound)
{
    uint32_t least = bound ? -bound % bound : 0, value;
    if (bound < 2)
        return 0;
    do
        value = arc4random();
    while (value < least);
    return value % bound;
}
