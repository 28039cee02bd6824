"""A repair that was found stands where there is no work left to look for links that are kept early."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NoReturn, cast

import pytest

from wolverine.core.patch import NO_EDITS, Candidate, Repairs
from wolverine.core.trace import Budget
from wolverine.repair.engine import links
from wolverine.repair.execution.work import Stopped
from wolverine.repair.special.stages import Stage


def test_what_was_found_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(*_: Any, **__: Any) -> NoReturn:
        raise Stopped("budget")

    monkeypatch.setattr(links, "_ranked_early", ended)
    context = cast(Any, SimpleNamespace(problem=SimpleNamespace(budget=Budget(1))))
    far = Candidate(NO_EDITS, 1, 9.0, 0, 0, 1, against=9.0)
    answer = Repairs((far,), "complete", 1, 1)
    assert links.or_early(context, Stage(1), answer) is answer
