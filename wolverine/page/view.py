"""A session's pages: the live one, served when it is first asked for, and those saved as files."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from wolverine import config
from wolverine.page.browser import may_open, open_page
from wolverine.page.timeline import Timeline
from wolverine.session import results
from wolverine.session.commands import Command
from wolverine.session.session import Session
from wolverine.shell.inbox import Inbox

if TYPE_CHECKING:
    from wolverine.page.server import Server
    from wolverine.page.telling import Teller


class View:
    """What a shell tells of a session goes to the timeline, and from there to the pages.

    Lines that pages give wait in `inbox` for the shell to carry them out; with `drives` false pages only
    watch.
    """

    def __init__(self, session: Session, *, drives: bool) -> None:
        self._session = session
        self._drives = drives
        self.timeline = Timeline(session)
        self.inbox = Inbox()
        self.server: Server | None = None
        self._leading = config.state_dir() / "pages" / f"{os.getpid()}.html"

    def begin(self, text: str, command: Command) -> None:
        """A command is about to be carried out."""
        self.timeline.begin(text, command)

    def result(self, result: results.Result) -> None:
        """What is answered."""
        self.timeline.result(result)

    def end(self) -> None:
        """The command is through."""
        self.timeline.end()
        if not self.timeline.runs():
            self.inbox.forget_input()

    def watched(self) -> bool:
        """Whether a page is served from which the program may be given input."""
        return self.server is not None and self._drives

    def waits(self, now: bool) -> None:
        """The program waits for a line from now on, or does not any more."""
        self.timeline.waits(now)

    def typed(self) -> bytes:
        """The next line that a page has for the program, taken away; b"" for none."""
        return self.inbox.typed()

    def input(self, data: bytes) -> None:
        """This was typed into the program, wherever that was."""
        self.timeline.typed(data)

    def open(self) -> str:
        """Serve the live page, and show it where there is a screen.  As `serve`."""
        url = self.serve()
        if self._drives and may_open(os.environ):
            open_page(url, self._leading)
        return url

    def serve(self) -> str:
        """Serve the live page; its address.  Raises CommandError where that is not possible."""
        if self.server is None:
            self.server = self._served()
        return self.server.url

    def save(self, file: str) -> None:
        """Write the session as one page that needs nothing else.  Raises CommandError."""
        from wolverine.page.export import save

        self.timeline.look()
        save(self._teller().hello(live=False)[1], config.viz(), Path(file))

    def close(self) -> None:
        """End the server."""
        if self.server is not None:
            self.timeline.listener = None
            self.server.close()
            with contextlib.suppress(OSError):
                self._leading.unlink(missing_ok=True)

    def _served(self) -> Server:
        # Imported here: few sessions have a page, and the prompt should not wait for it.
        from wolverine.page.assets import assets
        from wolverine.page.server import Server

        self.timeline.look()
        teller = self._teller()
        server = Server(
            assets(config.viz()),
            teller.hello,
            self.inbox.put,
            self._session.interrupt,
            self.inbox.type,
            drives=self._drives,
        )
        teller.send = server.publish
        self.timeline.listener = teller
        return server

    def _teller(self) -> Teller:
        from wolverine.page.telling import Teller

        return Teller(self.timeline, drives=self._drives)
