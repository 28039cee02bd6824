"""A saved page: one file, in which nothing but the page's own script can run."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from wolverine import config
from wolverine.errors import CommandError
from wolverine.page.assets import Asset, assets
from wolverine.page.export import bundled, exported, inert

HOSTILE = "</script><script>alert(1)</script><!-- <![CDATA[ &lt; \u2028\u2029 ]]> --> \\ \" ' \0 \ud800"
INDEX = """<!doctype html>
<html>
<head>
<link rel="icon" href="./icon.svg">
<link rel="stylesheet" href="./a.css">
<link rel="stylesheet" href="./b.css">
<script type="module" src="./main.js"></script>
</head>
<body></body>
</html>
"""


class Parts(HTMLParser):
    """What a browser finds in the file."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.styles: list[str] = []
        self.metas: list[dict[str, str | None]] = []
        self.links: list[str] = []
        self._into: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script":
            self.scripts.append((dict(attrs), ""))
        if tag == "style":
            self.styles.append("")
        if tag == "meta":
            self.metas.append(dict(attrs))
        if tag == "link" or any(name in ("src", "href") for name, _ in attrs):
            self.links.append(tag)
        self._into = tag

    def handle_endtag(self, tag: str) -> None:
        self._into = None

    def handle_data(self, data: str) -> None:
        if self._into == "script":
            about, text = self.scripts[-1]
            self.scripts[-1] = (about, text + data)
        if self._into == "style":
            self.styles[-1] += data

    def policy(self) -> dict[str, list[str]]:
        [meta] = [each for each in self.metas if each.get("http-equiv") == "Content-Security-Policy"]
        return {name: words for name, *words in (part.split() for part in str(meta["content"]).split(";"))}


def files(**texts: str) -> dict[str, Asset]:
    found = {"index.html": INDEX, "a.css": "p { color: red }", "b.css": "q { color: blue }", **texts}
    found = {name.replace("_js", ".js"): text for name, text in found.items()}
    return {name: Asset("text/plain", text.encode()) for name, text in found.items()}


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_hostile_text_stays_data() -> None:
    hello = json.dumps({"text": HOSTILE}, ensure_ascii=False)
    text = inert(hello)
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == {"text": HOSTILE}


def test_hostile_text_makes_no_element() -> None:
    hello = json.dumps({"text": HOSTILE})
    parts = Parts(exported(hello, files(main_js="const a = 1;\n")))
    assert [about.get("type") for about, _ in parts.scripts] == ["application/json", "module"]
    assert json.loads(parts.scripts[0][1]) == {"text": HOSTILE}


def test_only_the_pages_own_script_and_style_may_run() -> None:
    parts = Parts(
        exported("{}", files(main_js='import { b } from "./b.js";\nb();\n', b_js="export function b() {}\n"))
    )
    policy = parts.policy()
    assert policy["default-src"] == ["'none'"]
    assert policy["script-src"] == [digest(parts.scripts[1][1])]
    assert policy["style-src"] == [digest(parts.styles[0])]
    assert parts.links == []
    assert len(parts.styles) == 1


def test_the_policy_stands_before_all_that_it_is_about() -> None:
    text = exported("{}", files(main_js="const a = 1;\n"))
    assert text.index("Content-Security-Policy") < min(text.index("<style"), text.index("<script"))


def test_modules_stand_in_the_order_in_which_they_are_needed() -> None:
    made = bundled(
        files(
            main_js='import { a } from "./a.js";\nimport {\n  b,\n} from "./b.js";\na(b);\n',
            a_js='import { b } from "./b.js";\nexport function a(x) { return x + b; }\n',
            b_js="export const b = 1;\nexport async function c() {}\n",
        ),
        "main.js",
    )
    assert [line for line in made.splitlines() if line] == [
        "const b = 1;", "async function c() {}", "function a(x) { return x + b; }", "a(b);",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("modules", "words"),
    [
        ({"main_js": 'import { a as b } from "./a.js";\n', "a_js": "export const a = 1;\n"}, "renames"),
        ({"main_js": 'import { a } from "./a.js";\n', "a_js": "export default 1;\n"}, "form"),
        ({"main_js": 'import * as a from "./a.js";\n', "a_js": ""}, "form"),
        ({"main_js": 'import { a } from "https://x.example/a.js";\n'}, "form"),
        ({"main_js": 'import { a } from "./none.js";\n'}, "no file none.js"),
        ({"main_js": 'import { a } from "./a.js";\nconst b = 1;\n', "a_js": "const b = 2;\n"}, "both"),
        (
            {"main_js": 'import { a } from "./a.js";\n', "a_js": 'import { b } from "./main.js";\n'},
            "each other",
        ),
        ({"main_js": 'const a = "</script>";\n'}, "</script"),
    ],
)
def test_other_forms_are_refused(modules: dict[str, str], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        exported("{}", files(**modules))


def test_the_real_page_can_be_put_into_one_file() -> None:
    text = exported('{"kind":"hello"}', assets(config.viz()))
    parts = Parts(text)
    assert parts.links == []
    assert "http://" not in text.replace("http://www.w3.org/", "")
    assert "https://" not in text


def test_a_session_is_saved_with_all_that_it_showed(live: Callable[..., Any], tmp_path: Path) -> None:
    session = live(
        """
        #include <stdio.h>
        #include <stdlib.h>
        struct cell { char text[40]; struct cell *next; };
        int main(void) {
            struct cell *p = calloc(1, sizeof *p);
            snprintf(p->text, 40, "</script><script>alert(1)");
            puts("<img src=x onerror=alert(2)>");
            return 0;
        }
        """,
        serve=False,
    )
    saved = tmp_path / "session.html"
    for line in ("start", "next 4", "change p null", "spec", "change q 1", f"save {saved}"):
        session.command(line)
    parts = Parts(saved.read_text())
    assert len(parts.scripts) == 2
    hello = json.loads(parts.scripts[0][1])
    assert hello["live"] is False
    assert hello["drives"] is False
    assert [entry["command"] for entry in hello["entries"]] == [
        "start", "next 4", "change p null", "spec", "change q 1",
    ]  # fmt: skip
    assert hello["entries"][-1]["error"].startswith("there is no variable q")
    assert "<img src=x onerror=alert(2)>" in hello["output"]
    last = hello["moments"][-1]
    assert last["checkpoint"] == 0
    assert any(
        "</script><script>" in cell["text"] for node in last["picture"]["nodes"] for cell in node["cells"]
    )
    assert "saved" in session.out.getvalue()


def test_where_it_cannot_be_written_it_says_so(live: Callable[..., Any], tmp_path: Path) -> None:
    session = live("int main(void) { return 0; }", serve=False)
    session.command(f"save {tmp_path}/none/session.html")
    assert "cannot write" in session.out.getvalue()
