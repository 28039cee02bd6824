"""What a process asks of the system's clocks is answered as before when it is put back and goes on again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

CLOCKS = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
long ticks, nanoseconds, utc, microseconds, unlike, noise[5];
int sane(void);
static void ask(void)
{
    struct timespec now;
    struct timeval day;
    clock_gettime(CLOCK_MONOTONIC, &now);
    nanoseconds = now.tv_nsec;
    timespec_get(&now, TIME_UTC);
    utc = now.tv_nsec;
    gettimeofday(&day, NULL);
    microseconds = day.tv_usec;
    ticks = (long)clock();
    getrandom(noise, sizeof noise, 0);
    srand((unsigned)(nanoseconds ^ time(NULL)));
    unlike = rand();
}
int main(void)
{
    ask();
    ask();  /* again */
    puts(sane() ? "sane" : "odd");  /* asked */
    return 0;
}
int sane(void)
{
    time_t kept = 0, now = time(&kept);
    struct timespec none;
    return now == kept && now > 1600000000 && clock() >= 0 && clock_gettime(12345, &none) == -1;
}
"""
NAMES = ("nanoseconds", "utc", "microseconds", "ticks", "unlike")


def test_a_process_that_is_put_back_hears_the_same(bench: Callable[..., Any]) -> None:
    held = bench(CLOCKS)
    held.until("again")
    image = held.debugger.take_image()
    first = {name: held.value(name) for name in NAMES}
    assert not image.notes
    held.debugger.console(f"tbreak prog.c:{held.line('asked')}")
    told = []
    for _ in range(3):
        held.debugger.restore(image)
        held.debugger.console(f"tbreak prog.c:{held.line('asked')}")
        held.debugger.resume("continue")
        told.append({name: held.value(name) for name in (*NAMES, "noise")})
    assert told[0] == told[1] == told[2]
    assert first["nanoseconds"] != told[0]["nanoseconds"]
    held.debugger.console("delete")
    held.debugger.resume("continue")
    assert b"sane" in held.output
