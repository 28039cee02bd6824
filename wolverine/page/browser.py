"""Opening the page in the user's browser, where there is one to look at."""

from __future__ import annotations

import os
import webbrowser
from collections.abc import Mapping
from pathlib import Path

from wolverine.config import private_directory


def may_open(environment: Mapping[str, str]) -> bool:
    """Whether the user sits before this machine's screen: a display is there, and no ssh in between."""
    display = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")
    remote = any(environment.get(name) for name in ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"))
    return bool(display) and not remote


def open_page(url: str, file: Path) -> None:
    """Open the page in the user's browser; where that fails, the address has been printed.

    The browser is given `file`, which leads on to the page and which only the user can read: the arguments
    of a process can be read by everybody on the machine, and the address holds the token.
    """
    try:
        private_directory(file.parent)
        file.unlink(missing_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
            stream.write(f'<!doctype html><meta http-equiv="refresh" content="0; url={url}">\n')
        webbrowser.open(file.as_uri())
    except (webbrowser.Error, OSError):
        return
