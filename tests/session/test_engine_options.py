"""The options of `repair` and `checkpoints` that choose how an engine works and what is drawn."""

from __future__ import annotations

import pytest

from wolverine.errors import UsageError
from wolverine.session import commands, engines
from wolverine.session.parse import parse


def test_explain_and_locks_are_parsed() -> None:
    (plain,) = parse("repair")
    (told,) = parse("repair --engine widening --explain --no-localize --insert 2")
    (locked,) = parse("repair --localize")
    assert isinstance(plain, commands.Repair) and plain.localize is None and not plain.explain
    assert isinstance(told, commands.Repair) and told.localize is False and told.explain
    assert (told.engine, told.insert) == ("widening", 2)
    assert isinstance(locked, commands.Repair) and locked.localize is True


def test_a_picture_of_the_checkpoints_needs_a_file() -> None:
    assert parse("checkpoints --picture tree.svg") == (commands.Checkpoints("tree.svg"),)
    assert parse("checkpoints") == (commands.Checkpoints(),)
    for wrong in ("checkpoints --picture", "checkpoints 3"):
        with pytest.raises(UsageError):
            parse(wrong)


def test_an_engine_that_cannot_explain_itself_says_which_can() -> None:
    with pytest.raises(UsageError, match="widening"):
        engines.engine(None, told=print)
    with pytest.raises(UsageError, match="search"):
        engines.engine("nobody")
