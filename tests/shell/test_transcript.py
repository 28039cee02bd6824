"""The tool that writes the README's session anew."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_spec = importlib.util.spec_from_file_location("transcript", ROOT / "tools" / "transcript.py")
assert _spec is not None
assert _spec.loader is not None
transcript = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(transcript)

PRINTED = """\
(wolverine) start
main ()

# The story.
(wolverine) next
1

2
(wolverine) next
3
(wolverine) spec
asserted
"""
README = """\
before
<!-- transcript: begin (from somewhere) -->
Words.

```
(wolverine) next
old
...
(wolverine) spec
old
```
<!-- transcript: end -->
after
"""


def test_a_session_is_split_into_commands_with_their_answers() -> None:
    assert list(transcript.steps(PRINTED)) == [
        ("start", ["main ()"]),
        ("next", ["1", "", "2"]),
        ("next", ["3"]),
        ("spec", ["asserted"]),
    ]


def test_the_commands_that_are_shown_get_their_answers_anew() -> None:
    fresh = transcript.renewed(README, list(transcript.steps(PRINTED)))
    body = "(wolverine) next\n1\n\n2\n...\n(wolverine) spec\nasserted\n"
    assert fresh == README.replace("(wolverine) next\nold\n...\n(wolverine) spec\nold\n", body)


def test_commands_that_stand_together_are_found_together() -> None:
    shown = README.replace("...\n", "")
    fresh = transcript.renewed(shown, list(transcript.steps(PRINTED)))
    assert "(wolverine) next\n3\n(wolverine) spec\nasserted\n" in fresh


def test_a_command_that_the_session_does_not_have_is_an_error() -> None:
    with pytest.raises(ValueError, match="no repair"):
        transcript.renewed(README.replace("spec", "repair"), list(transcript.steps(PRINTED)))


def test_the_readme_shows_what_the_demo_prints() -> None:
    assert transcript.main(["--check"]) == 0
