"""Right: the same output on fresh inputs, and no report of a sanitizer."""

from itertools import islice

import pytest

from wolverine.campaign.inputs import fresh_inputs
from wolverine.campaign.rightness import Judge, run

COPY = b"""#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int *p = malloc(argc * sizeof *p), i;
    for (i = 1; i < argc; i++)
        p[i] = atoi(argv[i]);
    for (i = 1; i < argc; i++)
        printf("%d ", p[i]);
    free(p);
    return 0;
}
"""
KNOWN = [["1", "2"], ["5", "4", "3"], []]


@pytest.fixture(scope="module")
def judge():
    return Judge("copy", COPY, KNOWN)


def test_another_text_that_does_the_same_is_right(judge):
    assert judge.right(COPY.replace(b"i = 1; i < argc", b"i = 1; argc > i"))
    assert judge.right(COPY.replace(b"return 0", b"/* done */ return 0"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'printf("%d ", p[i])', b'printf("%d ", p[i] == 7 ? 8 : p[i])'),  # another output, seldom
        (b"free(p);", b""),  # a leak
        (b"free(p);", b"free(p); i = p[0];"),  # use after free
        (b"argc * sizeof *p", b"argc * 4 - 4"),  # one element beyond the end
        (b"return 0", b"return argc > 4"),  # another status
        (b"return 0", b"while (argc > 1); return 0"),  # no end
        (b"return 0", b"return nothing"),  # does not compile
    ],
)
def test_what_differs_is_wrong(judge, before, after):
    assert not judge.right(COPY.replace(before, after))


def test_inputs_are_fresh_varied_and_seeded():
    made = list(islice(fresh_inputs("copy", KNOWN), 60))
    assert made == list(islice(fresh_inputs("copy", KNOWN), 60))
    assert made != list(islice(fresh_inputs("other", KNOWN), 60))
    assert len(set(made)) == 60
    assert not set(made) & {tuple(words) for words in KNOWN}
    assert {len(words) for words in made} >= {1, 2, 3, 4}


def test_inputs_on_which_the_correct_program_fails_do_not_count():
    text = COPY.replace(b"free(p);", b"free(p); if (argc == 3) i = p[1];")
    inputs = [words for words, _ in Judge("copy", text, KNOWN).expected()]
    assert len(inputs) == 50
    assert all(len(words) != 2 for words in inputs)


def test_each_input_has_its_own_process():
    text = b"""#include <stdio.h>
    int n;
    int main(int c, char **v) { n += c; printf("%d %s", n, v[c - 1]); return n; }"""
    found = run(text, [["a"], [], ["b", "c"]])
    assert [answer.output for answer in found] == [b"2 a", b"1 program", b"3 c"]
