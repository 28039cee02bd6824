"""A session as one HTML file that replays it anywhere: nothing is loaded, nothing is sent.

The modules of the page are put into one, in the order in which they need each other, so they keep to a
few forms (checked here): `import { a, b } from "./x.js";`, `export` before a declaration, and no name
twice at the top.  A Content-Security-Policy in the file allows just this script and style, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from wolverine.errors import CommandError
from wolverine.page.assets import INDEX, Asset, assets

_IMPORT = re.compile(r'^import\s*(?:\{[^}]*\}\s*from\s*)?"\./([\w.-]+)";[ \t]*\n?', re.M)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let)\b)", re.M)
_DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function\*?|class|const|let|var)\s+([\w$]+)", re.M)
_LEFT = re.compile(r"^\s*(?:import|export)\b.*", re.M)
_STYLE = re.compile(r'<link rel="stylesheet" href="(?:\./)?([\w.-]+)"\s*/?>')
_ICON = re.compile(r'\s*<link rel="icon"[^>]*>')
_SCRIPT = re.compile(r'<script type="module" src="(?:\./)?([\w.-]+)"></script>')
_HEAD = re.compile(r"<head>", re.I)


def save(hello: str, folder: Path, file: Path) -> None:
    """Write the page that shows `hello` (JSON text).  Raises CommandError where it cannot be written."""
    page = exported(hello, assets(folder))
    try:
        file.write_text(page, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CommandError(f"cannot write {file}: {reason}") from error


def exported(hello: str, files: Mapping[str, Asset]) -> str:
    """The HTML text of the page with all that it needs inside."""
    page = _text(files, INDEX)
    scripts = _SCRIPT.findall(page)
    styles = [_text(files, name) for name in _STYLE.findall(page)]
    if len(scripts) != 1 or not styles:
        raise CommandError(f"{INDEX} has to name one module and its style sheets")
    script = _safe_script(bundled(files, scripts[0]))
    style = "\n".join(styles)
    if "</" in style:
        raise CommandError("a style sheet must not hold </")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    meta = f'<head>\n<meta http-equiv="Content-Security-Policy" content="{policy}">'
    data = f'<script type="application/json" id="session">{inert(hello)}</script>'
    page = _ICON.sub("", page)
    first = _STYLE.search(page)
    assert first is not None
    page = page[: first.start()] + "\0style" + _STYLE.sub("", page[first.end() :])
    page = _SCRIPT.sub("\0script", page)
    page = _HEAD.sub(lambda _: meta, page, count=1)
    # The parts are put in at the end, and by plain replacement: nothing in them is looked at again.
    before, _, rest = page.partition("\0style")
    between, _, after = rest.partition("\0script")
    inside = f'{data}\n<script type="module">{script}</script>'
    return f"{before}<style>{style}</style>{between}{inside}{after}"


def inert(text: str) -> str:
    """JSON text that no HTML parser takes for anything else, and that means the same."""
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def bundled(files: Mapping[str, Asset], first: str) -> str:
    """The module `first` and all that it needs as one.  Raises CommandError for other forms than told."""
    parts: dict[str, str] = {}
    _visit(files, first, parts, ())
    seen: dict[str, str] = {}
    for name, text in parts.items():
        for declared in _DECLARED.findall(text):
            if declared in seen:
                raise CommandError(f"{declared} is declared in both {seen[declared]} and {name}")
            seen[declared] = name
    return "\n".join(parts.values())


def _visit(files: Mapping[str, Asset], name: str, parts: dict[str, str], above: tuple[str, ...]) -> None:
    if name in parts:
        return
    if name in above:
        raise CommandError(f"the modules {' and '.join(above)} need each other")
    text = _text(files, name)
    for match in _IMPORT.finditer(text):
        if re.search(r"\bas\b", match[0]):
            raise CommandError(f"{name} renames what it imports: {match[0].strip()}")
        _visit(files, match[1], parts, (*above, name))
    text = _EXPORT.sub("", _IMPORT.sub("", text))
    left = _LEFT.search(_without_comments(text))
    if left:
        raise CommandError(f"{name} has a form that cannot be put into one file: {left[0].strip()}")
    parts[name] = text


def _without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)


def _text(files: Mapping[str, Asset], name: str) -> str:
    if name not in files:
        raise CommandError(f"the page has no file {name}")
    return files[name].content.decode("utf-8")


def _safe_script(text: str) -> str:
    """A script that HTML ends only at its end tag."""
    for word in ("</script", "<!--"):
        if word in text.lower():
            raise CommandError(f"a module must not hold {word}")
    return text


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
