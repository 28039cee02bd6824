"""A menu: what one location may become; see `candidates` for how menus are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wolverine.core.expressions import Expression, LValue
from wolverine.core.patch import Replacement


@dataclass(frozen=True, slots=True)
class Choice:
    """One replacement; for an assignment the indices of its place and value in the menu, else -1."""

    replacement: Replacement
    target: int = -1
    value: int = -1


@dataclass(frozen=True)
class Menu:
    """The choices at one location, whose instruction is `function`'s number `index`.

    `all` is the mask of the choices that change the text.  The first choices, places and values of an
    assignment's menu are those of `base`, which many menus share.
    """

    location: int
    function: str
    index: int
    choices: Sequence[Choice]
    targets: tuple[LValue, ...] = ()
    values: tuple[Expression, ...] = ()
    all: int = 0
    base: Menu | None = None
