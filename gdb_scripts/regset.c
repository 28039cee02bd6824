/* Preloaded into gdb: lets it write the vector registers where it knows only a part of them.
 *
 * Linux takes the extended registers (NT_X86_XSTATE) only as a whole.  gdb before version 14 keeps at most
 * 2.7 kB of them; on a machine that has more (AMX has 11 kB) the kernel answers EFAULT, and gdb can neither
 * set a vector register nor restore the registers after a call.  Then the part that gdb gives is written
 * over what the process has, and that is handed over.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>

#define EXTENDED 0x202 /* NT_X86_XSTATE */
#define MOST 65536

typedef long (*ptrace_function)(enum __ptrace_request, pid_t, void *, void *);

static long whole(ptrace_function next, pid_t pid, const struct iovec *part)
{
    static char registers[MOST] __attribute__((aligned(64)));
    struct iovec all = { registers, sizeof registers };

    if (next(PTRACE_GETREGSET, pid, (void *)EXTENDED, &all) < 0)
        return -1;
    if (all.iov_len <= part->iov_len) {
        errno = EFAULT;
        return -1;
    }
    memcpy(registers, part->iov_base, part->iov_len);
    return next(PTRACE_SETREGSET, pid, (void *)EXTENDED, &all);
}

__attribute__((visibility("default"))) long ptrace(enum __ptrace_request request, ...)
{
    static ptrace_function next;
    va_list rest;
    pid_t pid;
    void *address, *data;
    long result;

    va_start(rest, request);
    pid = va_arg(rest, pid_t);
    address = va_arg(rest, void *);
    data = va_arg(rest, void *);
    va_end(rest);
    if (next == NULL)
        next = (ptrace_function)dlsym(RTLD_NEXT, "ptrace");
    result = next(request, pid, address, data);
    if (result < 0 && errno == EFAULT && request == PTRACE_SETREGSET && address == (void *)EXTENDED)
        result = whole(next, pid, data);
    return result;
}
