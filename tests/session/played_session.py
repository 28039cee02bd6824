"""A session on a real process, driven by command lines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from thorough import WORK

from wolverine.session import results
from wolverine.session.options import SessionOptions
from wolverine.session.parse import parse
from wolverine.session.session import Session


class Played:
    """A session and all that it answered; `outlet` gets a copy of that.

    Repairs are looked for with a bounded amount of work, so that tests need not wait for searches that find
    no more; with `work=None` they get what users have.
    """

    def __init__(
        self,
        source: Path | tuple[Path, ...],
        outlet: Callable[[results.Result], None] | None = None,
        **options: Any,
    ):
        self.heard: list[results.Result] = []
        self._outlet = outlet
        chosen = {"batch": True, "json": True, "work": WORK, **options}
        sources = source if isinstance(source, tuple) else (source,)
        self.session = Session(SessionOptions(sources, **chosen), self._hear)

    def _hear(self, result: results.Result) -> None:
        self.heard.append(result)
        if self._outlet is not None:
            self._outlet(result)

    def __call__(self, lines: str) -> list[results.Result]:
        """Carry out commands (one a line, or several with ;); what they answered."""
        before = len(self.heard)
        for line in lines.strip().splitlines():
            for command in parse(line):
                self.session.execute(command)  # type: ignore[arg-type]
        return self.heard[before:]

    def line(self) -> int:
        """The line of the present stop."""
        return self.last(results.Stopped).line

    def last(self, kind: type[Any]) -> Any:
        """The last answer of a kind."""
        return next(result for result in reversed(self.heard) if isinstance(result, kind))

    def places(self) -> dict[str, Any]:
        """The variables of the last picture."""
        return self.last(results.Graph).data["places"]

    def fields(self, node: str) -> dict[str, Any]:
        """The fields of a node in the last picture."""
        return next(n for n in self.last(results.Graph).data["nodes"] if n["name"] == node)["fields"]

    def texts(self) -> str:
        """All words so far."""
        return "\n".join(r.text for r in self.heard if isinstance(r, (results.Text, results.Note)))

    def output(self) -> str:
        """What the program wrote."""
        return "".join(r.text for r in self.heard if isinstance(r, results.Output))
