"""Types whose members are the system's own business are one line of the picture."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

QUEUE = """\
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct queue { int *first; pthread_mutex_t lock; pthread_cond_t more; int closed; };
static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
int main(void)
{
    FILE *log = stderr;
    struct queue *q = calloc(1, sizeof *q);
    pthread_mutex_init(&q->lock, NULL);
    pthread_mutex_lock(&q->lock);
    pthread_mutex_lock(&all);
    q->closed = 1;
    fprintf(log, "closed\\n");
    free(q);
    return 0;
}
"""


def test_mutexes_and_streams_have_a_line_and_no_inside(play: Callable[..., Played]) -> None:
    session = play(QUEUE, json=False, cflags=("-pthread",))
    session("break 13; run; next")
    picture = session.last(results.Graph).picture
    rows = [line.strip("│ ").split() for line in picture.splitlines() if "│" in line]
    assert [row[0] for row in rows] == ["first", "lock", "more", "closed*1"]
    assert ["lock", "pthread_mutex_t", "{…}"] in rows
    assert "all = pthread_mutex_t {…}" in picture
    assert "log = FILE" in picture
    assert "__" not in picture
    assert "not drawn" not in picture
    data = session.last(results.Graph).data["nodes"]
    assert any("lock" in name for name in data[0]["fields"])
