"""What the program writes is shown once, also where a repair leads on or it is run with a patch."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

TEAM = """\
#include <stdio.h>
#include <stdlib.h>
#define MAX 4
struct person { int age; };
int main(void)
{
    struct person *team[MAX];
    int i, sum = 0;
    printf("team\\n");
    for (i = 0; i < MAX; i++) {
        team[i] = malloc(sizeof *team[i]);
        team[i]->age = 20 + i;
    }
    for (i = 0; i <= MAX; i++)
        sum += team[i]->age;
    printf("average %d\\n", sum / MAX);
    for (i = 0; i < MAX; i++)
        free(team[i]);
    return 0;
}
"""


def test_what_the_patched_program_writes_beyond_the_crash_is_shown(play: Callable[..., Played]) -> None:
    session = play(TEAM, work=None)
    session("run")
    assert session.output() == "team\n"
    session("repair --no-question")
    assert session.last(results.Repaired).edits[0].after == "i < MAX"
    assert session.output() == "team\naverage 21\n"
    assert "with the repair the program went on to line 20 and wrote:" in session.texts()
    session("continue")
    assert session.output() == "team\naverage 21\n"


def test_a_run_with_the_patch_writes_it_once(play: Callable[..., Played]) -> None:
    session = play(TEAM, work=None)
    session("run; repair --no-question")
    before = len(session.output())
    session("run")
    assert session.output()[before:] == "team\naverage 21\n"
    session("break 16; run")
    assert session.output()[before:] == "team\naverage 21\nteam\n"


PRINTED = """\
#include <stdio.h>
#include <stdlib.h>
struct cell { int v; };
int main(void)
{
    struct cell *c = malloc(sizeof *c);
    c->v = 1;
    printf("%d\\n", c->v);
    free(c);
    return 0;
}
"""


def test_where_the_repair_changes_what_was_written_it_is_shown_anew(play: Callable[..., Played]) -> None:
    session = play(PRINTED)
    session("start; next 3; change c->v 2; repair --no-question")
    assert session.last(results.Repaired).edits[0].after == "c->v = 2"
    assert session.output() == "1\n2\n"
    assert "with the repair the program wrote this from where the execution under repair" in session.texts()
    session("continue")
    assert session.output() == "1\n2\n"


CONSTRUCTED = """\
#include <stdio.h>
__attribute__((constructor)) static void before(void) { printf("before\\n"); }
int main(void)
{
    printf("main\\n");
    return 0;
}
"""


def test_what_is_written_before_main_is_written_once(play: Callable[..., Played]) -> None:
    session = play(CONSTRUCTED)
    session("run")
    assert session.output() == "before\nmain\n"
