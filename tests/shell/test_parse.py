"""From lines to commands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wolverine.errors import UsageError
from wolverine.session import commands as c
from wolverine.session.parse import parse
from wolverine.session.splitting import opens_block, split_commands
from wolverine.session.words import ALIASES, WORDS, resolve


@pytest.mark.parametrize(
    ("line", "place", "value"),
    [
        ("change n4->prev n3", "n4->prev", "n3"),
        ("change n4 -> prev n3", "n4->prev", "n3"),
        ("change  n4->  prev\tn3  # why", "n4->prev", "n3"),
        ("change current->next->data 5", "current->next->data", "5"),
        ("change *p 3", "*p", "3"),
        ("change * p 3", "*p", "3"),
        ("change **p &head", "**p", "&head"),
        ("change (*p)->next null", "(*p)->next", "null"),
        ("change ( *p ) -> next null", "(*p)->next", "null"),
        ("change a[3] null", "a[3]", "null"),
        ("change a [ i + 1 ] .x -4", "a[i+1].x", "-4"),
        ("change reverse::current n2", "reverse::current", "n2"),
        ("change walk#2::p n2 # second", "walk#2::p", "n2"),
        ("change head temp1 -> prev", "head", "temp1->prev"),
        ("change x = 3", "x", "3"),
        ("change x=3", "x", "3"),
        ("change d 1.5", "d", "1.5"),
        ("change c 'x'", "c", "'x'"),
        ("change c ' '", "c", "' '"),
        ("change c ';'", "c", "';'"),
        ("change c '#'", "c", "'#'"),
        ("change c '='", "c", "'='"),
        (r"change c '\''", "c", r"'\''"),
        ("change head (struct node *)0", "head", "(struct node *)0"),
        ("change x x - 2", "x", "x - 2"),
        ("change x = (y + 1) * 3", "x", "(y + 1) *3"),
        ("change x sizeof(struct node) + 1", "x", "sizeof(struct node) + 1"),
        ("change head (struct node *) 0", "head", "(struct node *) 0"),
        ("change c c + ' '", "c", "c + ' '"),
    ],
)
def test_change_takes_the_last_word_as_value(line: str, place: str, value: str) -> None:
    assert parse(line) == (c.Change(place, value),)


@pytest.mark.parametrize(
    "rest", ["", "x", "current -> n3", "a b c", "'x", "a - 2", "a += 1", "a b + c d", "a b +"]
)
def test_change_without_place_or_value_is_refused(rest: str) -> None:
    with pytest.raises(UsageError, match="change needs a place and a value"):
        parse(f"change {rest}")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", ()),
        ("  # only a comment; next", ()),
        (";;", ()),
        ("n;s ; u", (c.Resume("next"), c.Resume("step"), c.Resume("until"))),
        ("next 3", (c.Resume("next", "3"),)),
        ("fin", (c.Resume("finish"),)),
        ("advance list.c:12", (c.Resume("advance", "list.c:12"),)),
        ("start", (c.Start(),)),
        ("r a 'b; c'", (c.Run("a 'b; c'"),)),
        ("enter; leave", (c.Enter(), c.Leave())),
        ("spec", (c.Spec(),)),
        ("spec head, n4 -> prev", (c.Spec(("head", "n4->prev")),)),
        ("spec drop 2", (c.SpecDrop(2),)),
        ("track head n4->prev", (c.Track(("head", "n4->prev")),)),
        ("untrack", (c.Untrack(),)),
        ("undo", (c.Undo(),)),
        ("repair", (c.Repair(),)),
        (
            "repair --budget 2.5 --insert=0 --line 3-9 --engine search",
            (c.Repair(engine="search", budget=2.5, insert=0, lines=(3, 9)),),
        ),
        ("repair --no-question --answer 2", (c.Repair(question=False, answer=2),)),
        ("repair --answer neither; repair --ask 3", (c.Repair(answer=0), c.Repair(ask=3))),
        ("localize --explain", (c.Localize(explain=True),)),
        ("concrete 9", (c.Concrete(c.LineRange(9, 9)),)),
        ("concrete list.c:9-12", (c.Concrete(c.LineRange(9, 12, "list.c")),)),
        ("concrete push", (c.Concrete("push"),)),
        ("concrete off push", (c.Concrete("push", off=True),)),
        ("concrete off", (c.Concrete(None, off=True),)),
        ("checkpoints", (c.Checkpoints(),)),
        ("resume 0", (c.ResumeCheckpoint(0),)),
        ("back", (c.Back(1),)),
        ("back 3", (c.Back(3),)),
        ("accept 2", (c.Accept(2),)),
        ("candidates", (c.Candidates(),)),
        ("candidates 3", (c.Candidates(3),)),
        ("accept 0", (c.Accept(0),)),
        ("graph head", (c.Graph(("head",)),)),
        ("graph --tidy", (c.Graph(tidy=True),)),
        ("save my heap.svg", (c.Save("my heap.svg"),)),
        ("save 'a;b.svg'", (c.Save("a;b.svg"),)),
        ("rewrite", (c.Rewrite(),)),
        ("rewrite out.c", (c.Rewrite("out.c"),)),
        ("why n3", (c.Why("n3"),)),
        ("history 5", (c.History(5),)),
        ("source s.wol", (c.Source("s.wol"),)),
        ("help spec", (c.Help("spec"),)),
        ("q", (c.Quit(),)),
        ("set step-budget 0.5", (c.StepBudget(0.5),)),
        ("show step-budget", (c.StepBudget(),)),
    ],
)
def test_lines(line: str, expected: tuple[c.Command, ...]) -> None:
    assert parse(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "b 12",
        "break push if data == 3",
        "p head->next",
        "print/x 5",
        "x/4xg $sp",
        "bt 3",
        "l",
        "l 3,9",
        "info locals",
        "set var x = 3",
        "save breakpoints all.txt",
        "stepi",
        "frobnicate 1",
        "shell ls; pwd # both",
        "python print(1); print('#')",
        'print "a;b#c"',
        "checkpoint",
        "where",
        "n/3",
    ],
)
def test_the_rest_goes_to_gdb_unchanged(line: str) -> None:
    assert parse(line) == (c.GdbCommand(line),)


def test_foreign_code_keeps_its_semicolons_but_what_stands_before_is_split() -> None:
    assert parse("next; python print(1); print(2)") == (
        c.Resume("next"),
        c.GdbCommand("python print(1); print(2)"),
    )


def test_an_apostrophe_alone_quotes_nothing() -> None:
    assert split_commands("echo it's; next # end") == ["echo it's", "next"]


@pytest.mark.parametrize(
    "line",
    [
        "resume",
        "resume x",
        "resume -1",
        "accept -1",
        "candidates 0",
        "back 0",
        "back 1 2",
        "enter now",
        "undo 2",
        "spec drop",
        "spec drop x",
        "spec drop 1 2",
        "track",
        "repair --budget",
        "repair --budget soon",
        "repair --budget -1",
        "repair --budget inf",
        "repair --line 9-3",
        "repair --colour red",
        "localize --engine",
        "concrete",
        "concrete a b",
        "concrete 0",
        "save",
        "source",
        "why",
        "why n1 n2",
        "advance",
        "history x",
        "set step-budget",
        "set step-budget nan",
        "set step-budget 0",
    ],
)
def test_wrong_arguments_are_refused_with_a_sentence(line: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse(line)
    assert len(str(refused.value)) > 10


@pytest.mark.parametrize(
    ("word", "command"),
    [
        ("rep", "repair"),
        ("cand", "candidates"),
        ("loc", "localize"),
        ("check", "checkpoints"),
        ("resu", "resume"),
        ("rew", "rewrite"),
        ("hist", "history"),
        ("gra", "graph"),
        ("sp", "spec"),
        ("ent", "enter"),
        ("lea", "leave"),
        ("n", "next"),
        ("s", "step"),
        ("c", "continue"),
        ("u", "until"),
        ("r", "run"),
        ("adv", "advance"),
    ],
)
def test_abbreviations(word: str, command: str) -> None:
    assert resolve(word) == command


@pytest.mark.parametrize("word", ["b", "p", "bt", "l", "f", "d", "i", "x", "tb", "del", "disp", "inf", "whe"])
def test_what_gdb_knows_stays_gdbs(word: str) -> None:
    assert resolve(word) is None


@pytest.mark.parametrize(("word", "named"), [("ba", "backtrace"), ("und", "undisplay"), ("con", "concrete")])
def test_ambiguous_abbreviations_name_the_choices(word: str, named: str) -> None:
    with pytest.raises(UsageError, match=named):
        resolve(word)


def test_every_word_and_alias_has_a_parser() -> None:
    for word in (*WORDS, *ALIASES):
        try:
            commands = parse(word)
        except UsageError as error:
            assert word in str(error)
        else:
            assert not isinstance(commands[0], c.GdbCommand), word


@pytest.mark.parametrize(
    ("line", "expected"),
    [("commands 1", True), ("python", True), ("python print(1)", False), ("define x", True), ("next", False)],
)
def test_blocks(line: str, expected: bool) -> None:
    assert opens_block(line) is expected


def test_repeat_counts() -> None:
    assert c.Resume("next", "3").count == 3
    assert c.Resume("until", "list.c:9").count == 1
    assert c.Resume("next", "3").text == "next 3"


_words = st.sampled_from([*WORDS, *ALIASES, "spec drop", "set step-budget", "repair --line", "concrete off"])
_pieces = st.sampled_from(["n1", "->", "::", "3", *"'\";#[]()*-=.\\"])


@given(st.text())
def test_any_text_parses_or_is_refused(line: str) -> None:
    _parses_or_is_refused(line)


@given(_words, st.lists(st.one_of(_pieces, st.text(max_size=4))), st.booleans())
def test_any_arguments_parse_or_are_refused(word: str, pieces: list[str], blanks: bool) -> None:
    _parses_or_is_refused(word + " " + (" " if blanks else "").join(pieces))


def _parses_or_is_refused(line: str) -> None:
    try:
        found = parse(line)
    except UsageError as error:
        assert str(error)
    else:
        assert all(isinstance(each, c.Command) for each in found)


@given(st.lists(st.sampled_from(["next", "print 'a;b'", 'echo "x#y"', "spec head", "p f#2::x"]), max_size=5))
def test_splitting_is_the_inverse_of_joining(commands: list[str]) -> None:
    assert split_commands(" ; ".join(commands) + " # the end; really") == commands
