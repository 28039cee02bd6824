"""The files of the page, read from `viz/`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wolverine.errors import CommandError

TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
INDEX = "index.html"


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as it is sent."""

    type: str
    content: bytes


def assets(folder: Path) -> dict[str, Asset]:
    """The page's files by name; they all lie in one folder, and nothing else there is served.

    Raises CommandError where the page is not installed.
    """
    try:
        files = sorted(each for each in folder.iterdir() if each.suffix in TYPES and each.is_file())
        found = {each.name: Asset(TYPES[each.suffix], each.read_bytes()) for each in files}
    except OSError as error:
        raise CommandError(f"the files of the page cannot be read: {error}") from error
    if INDEX not in found:
        raise CommandError(f"the files of the page are not in {folder}")
    return found
