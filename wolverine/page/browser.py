"""Opening the page in the user's browser, where there is one to look at."""

from __future__ import annotations

import webbrowser
from collections.abc import Mapping


def may_open(environment: Mapping[str, str]) -> bool:
    """Whether the user sits before this machine's screen: a display is there, and no ssh in between."""
    display = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")
    remote = any(environment.get(name) for name in ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"))
    return bool(display) and not remote


def open_page(url: str) -> None:
    """Open the page in the user's browser; where that fails, the address has been printed."""
    try:
        webbrowser.open(url)
    except (webbrowser.Error, OSError):
        return
