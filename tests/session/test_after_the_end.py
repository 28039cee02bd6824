"""What `continue` says once the program has ended, and that a signal has ended it."""

from __future__ import annotations

from pathlib import Path

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.session import results

USED = """\
#include <stdlib.h>
struct link { int v; struct link *next; };
int main(void) {
    struct link *all = calloc(1, sizeof *all);
    all->next = calloc(1, sizeof *all);
    struct link *gone = all->next;
    free(gone);
    gone->v = 3;
    free(all);
    return 0;
}
"""

ABORTED = """\
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    *p = 0;
    abort();
}
"""


def _played(folder: Path, program: str) -> Played:
    source = folder / "ended.c"
    source.write_text(program)
    return Played(source)


def test_repair_goes_back_by_itself_to_the_use_of_what_was_freed(tmp_path: Path) -> None:
    session = _played(tmp_path, USED)
    session("start; next; continue")
    with pytest.raises(CommandError, match="at line 8, and `repair` goes back to there"):
        session("continue")
    session("repair --no-question")
    assert session.last(results.Repaired).edits
    session.session.close()


def test_where_a_picture_binds_the_repair_the_way_there_is_told(tmp_path: Path) -> None:
    session = _played(tmp_path, USED)
    session("start; next; spec; continue")
    with pytest.raises(CommandError, match="works where that shows"):
        session("continue")
    session.session.close()


def test_a_program_that_a_signal_has_ended_is_gone(tmp_path: Path) -> None:
    session = _played(tmp_path, ABORTED)
    session("run")
    assert not any("is gone" in each.text for each in session.heard if isinstance(each, results.Note))
    session("continue")
    assert "SIGABRT has ended the program: it is gone" in session.last(results.Note).text
    assert "`back` goes back there at line 5" in session.last(results.Note).text
    assert session.last(results.Signalled).line == 5
    session.session.close()


def test_where_nothing_tells_what_is_wrong_the_way_to_a_repair_is_told(tmp_path: Path) -> None:
    session = _played(
        tmp_path, '#include <stdio.h>\nint main(void) { int x = 3; printf("%d", x); return 0; }\n'
    )
    session("run")
    told = r"without a fault .*; stop where .* \(`break FUNCTION`, `run`\), correct it .*, and `repair` there"
    with pytest.raises(CommandError, match=told):
        session("repair")
    with pytest.raises(CommandError, match="the program has ended; `start` runs it anew"):
        session("next")
    session.session.close()


SPOILS_THE_EXIT = """\
#include <stdio.h>
#include <stdlib.h>
struct entry { long slots[28]; struct entry *next; };
static void *left_behind(void *known)
{
    void *kept[2] = { known, known };
    return kept[0];
}
static void fill(struct entry *first)
{
    struct entry *fresh;
    if (first == NULL)
        return;
    for (int i = 0; i < 28; i++)
        fresh->slots[i] = 1;
}
int main(void)
{
    struct entry *first = calloc(1, sizeof(struct entry));
    left_behind(stdout);
    fill(first);
    free(first);
    return 0;
}
"""


def test_what_led_to_a_crash_behind_main_is_told_once_and_repaired(tmp_path: Path) -> None:
    session = _played(tmp_path, SPOILS_THE_EXIT)
    session("run")
    assert session.last(results.Signalled).signal == "SIGSEGV"
    assert session.texts().count("fill::fresh is used before it has a value, by line 15 in fill") == 1
    session("repair --no-question")
    assert [edit.after for edit in session.last(results.Repaired).edits] == ["fresh = first;"]
    session.session.close()


CRASHES_BEHIND_MAIN = """\
#include <stdio.h>
int main(void) {
    int i;
    for (i = 0; i < 27; i++)
        ((long *)stdout)[i] = 1;
    return 0;
}
"""


@pytest.mark.parametrize("said", ["run", "start; next; change i 3; continue"])
def test_a_crash_behind_main_that_nothing_explains(tmp_path: Path, said: str) -> None:
    session = _played(tmp_path, CRASHES_BEHIND_MAIN)
    session(said)
    assert session.last(results.Signalled).signal == "SIGSEGV"
    with pytest.raises(CommandError, match="crashed outside of its own code"):
        session("repair")
    session.session.close()
