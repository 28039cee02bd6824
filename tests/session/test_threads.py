"""Programs with threads, which do not go back: what they do is shown as it comes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.errors import WolverineError
from wolverine.session import results

WORKER = """\
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct entry { struct entry *next; int v; };
static struct entry *head;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *unused)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&mutex);
        struct entry *e = malloc(sizeof *e);
        e->v = i;
        e->next = head;
        head = e;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    for (struct entry *e = head; e != NULL; e = e->next)
        printf("%d\\n", e->v);
    return 0;
}
"""


@pytest.fixture
def threaded(play: Callable[..., Played]) -> Played:
    return play(WORKER, cflags=("-pthread",))


def test_a_thread_that_was_stopped_goes_on_to_the_end_of_the_program(threaded: Played) -> None:
    threaded("break worker\nrun\ncontinue")
    assert threaded.output() == "2\n1\n0\n"
    assert threaded.last(results.Exited).code == 0
    assert "never freed, up to the end: n1, n2, n3" in threaded.texts()


def test_a_stop_before_the_threads_is_gone_back_to(threaded: Played) -> None:
    threaded("start\nbreak worker\ncontinue")
    threaded("back")
    assert threaded.last(results.Stopped).function == "main"
    threaded("continue")
    assert threaded.last(results.Stopped).function == "worker"
    threaded("delete\ncontinue")
    assert threaded.output() == "2\n1\n0\n"


def test_a_stop_of_a_thread_that_is_over_is_not(threaded: Played) -> None:
    threaded("break worker\nbreak 25\nrun\ncontinue")
    with pytest.raises(WolverineError, match="several threads there, which do not go back"):
        threaded("back")
    threaded("delete\ncontinue")
    assert threaded.output() == "2\n1\n0\n"
