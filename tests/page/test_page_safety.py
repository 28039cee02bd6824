"""Only the page of this run may talk to the server: each rule alone keeps a request out."""

from __future__ import annotations

import http.client
import json
import queue
import socket
from collections.abc import Callable, Iterator
from typing import Any

import aiohttp
import pytest
from page_talk import talked

from wolverine.page.assets import Asset
from wolverine.page.safety import Guard
from wolverine.page.server import Server

FILES = {"index.html": Asset("text/html", b"<p>hi</p>"), "main.js": Asset("text/javascript", b"1")}
HELLO = '{"kind":"hello"}'


class Served:
    """A server without a session, and the lines that pages gave."""

    def __init__(self, *, drives: bool = True) -> None:
        self.lines: queue.Queue[str] = queue.Queue()
        self.server = Server(
            FILES,
            lambda: (0, HELLO),
            self.lines.put,
            lambda: self.lines.put("interrupt"),
            lambda data: self.lines.put(f"typed {data!r}"),
            drives=drives,
        )
        self.port = self.server.guard.port
        self.token = self.server.guard.token

    def get(self, path: str, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            sent = {"Host": f"127.0.0.1:{self.port}", **headers}
            connection.putrequest(method, path, skip_host=True)
            for name, value in sent.items():
                connection.putheader(name, value)
            connection.endheaders()
            response = connection.getresponse()
            response.read()
            return response
        finally:
            connection.close()

    def say(self, *messages: str, **headers: str) -> str:
        """Open the socket, say something, and give what was heard first; "" where it was refused."""

        async def talk() -> str:
            url = f"ws://127.0.0.1:{self.port}/{self.token}/ws"
            sent = {"Origin": f"http://127.0.0.1:{self.port}", **headers}
            async with aiohttp.ClientSession() as session:
                try:
                    async with session.ws_connect(url, headers=sent) as opened:
                        heard = await opened.receive_str(timeout=30)
                        for message in messages:
                            await opened.send_str(message)
                        await opened.close()
                        return heard
                except aiohttp.WSServerHandshakeError as error:
                    assert error.status == 403
                    return ""

        return talked(talk())


@pytest.fixture
def serve() -> Iterator[Callable[..., Served]]:
    opened: list[Served] = []

    def start(**options: Any) -> Served:
        opened.append(Served(**options))
        return opened[-1]

    yield start
    for each in opened:
        each.server.close()


def command(line: str) -> str:
    return json.dumps({"kind": "command", "line": line})


def test_the_page_itself_is_answered(serve: Callable[..., Served]) -> None:
    served = serve()
    assert served.get(f"/{served.token}/").status == 200
    assert (
        served.get(f"/{served.token}/main.js").getheader("Content-Type") == "text/javascript; charset=utf-8"
    )
    assert served.get(f"/{served.token}/", Host=f"localhost:{served.port}").status == 200
    assert served.say(command("next")) == HELLO
    assert served.lines.get(timeout=30) == "next"


def test_the_server_listens_on_loopback_only(serve: Callable[..., Served]) -> None:
    served = serve()
    # 127.0.0.2 is this machine too, but nobody listens there unless all addresses are listened on.
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", served.port), timeout=30)


@pytest.mark.parametrize("path", ["/", "/main.js", "/wrong/", "/wrong/main.js", "/wrong/ws", "//main.js"])
def test_without_the_token_nothing_is_told(serve: Callable[..., Served], path: str) -> None:
    served = serve()
    origin = f"http://127.0.0.1:{served.port}"
    assert served.get(path, Origin=origin).status == 403


def test_every_run_has_another_token(serve: Callable[..., Served]) -> None:
    first, second = serve(), serve()
    assert first.token != second.token
    assert len(first.token) >= 32
    assert second.get(f"/{first.token}/").status == 403


@pytest.mark.parametrize("host", ["evil.example:80", "evil.example:{port}", "127.0.0.1", "127.0.0.1.:{port}"])
def test_another_host_is_refused(serve: Callable[..., Served], host: str) -> None:
    """A site whose name was made to lead to 127.0.0.1 sends its own name."""
    served = serve()
    named = host.format(port=served.port)
    assert served.get(f"/{served.token}/", Host=named).status == 403
    assert served.say(command("next"), Host=named, Origin=f"http://{named}") == ""
    assert served.lines.empty()


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "file://"])
def test_another_origin_is_refused(serve: Callable[..., Served], origin: str) -> None:
    served = serve()
    assert served.say(command("next"), Origin=origin) == ""
    assert served.get(f"/{served.token}/main.js", Origin=origin).status == 403
    assert served.lines.empty()


def test_a_socket_without_an_origin_is_refused() -> None:
    guard = Guard(4000)
    headers = {"Host": "127.0.0.1:4000"}
    assert guard.refusal(headers, guard.token, socket=True)
    assert not guard.refusal(headers, guard.token, socket=False)


def test_nothing_is_allowed_across_origins(serve: Callable[..., Served]) -> None:
    served = serve()
    own = f"http://127.0.0.1:{served.port}"
    for response in (
        served.get(f"/{served.token}/", Origin=own),
        served.get(f"/{served.token}/", "OPTIONS", Origin="http://evil.example"),
        served.get("/wrong/", Origin="http://evil.example"),
    ):
        names = [name.lower() for name, _ in response.getheaders()]
        assert not [name for name in names if name.startswith("access-control-")]
        assert response.getheader("Cross-Origin-Resource-Policy") == "same-origin"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_requests_only_read(serve: Callable[..., Served], method: str) -> None:
    served = serve()
    assert served.get(f"/{served.token}/", method).status in (403, 405)


@pytest.mark.parametrize("path", ["/{token}/", "/{token}/main.js", "/{token}/none.js", "/wrong/", "/"])
def test_every_answer_has_the_policy(serve: Callable[..., Served], path: str) -> None:
    served = serve()
    response = served.get(path.format(token=served.token))
    sent = response.getheader("Content-Security-Policy", "")
    policy = {name: words for name, *words in (part.split() for part in sent.split(";"))}
    assert policy["default-src"] == ["'none'"]
    assert policy["script-src"] == ["'self'"]
    assert policy["style-src"] == ["'self'"]
    assert policy["frame-ancestors"] == ["'none'"]
    assert response.getheader("X-Content-Type-Options") == "nosniff"
    assert response.getheader("Cache-Control") == "no-store"


@pytest.mark.parametrize("name", ["../pyproject.toml", "..%2fLICENSE", "%2e%2e/config.py", "server.py"])
def test_no_other_file_is_served(serve: Callable[..., Served], name: str) -> None:
    served = serve()
    assert served.get(f"/{served.token}/{name}").status in (403, 404)


@pytest.mark.parametrize(
    "message",
    [
        "", "[]", "7", "{", '{"kind":"command"}', '{"kind":"command","line":7}', '{"kind":"other"}',
        command(""), command("  "), command("next\nnext"), command("next\rnext"), command("a\0b"),
        command("\x1b[2J"), "[" * 50_000,
        '{"kind":"input"}', '{"kind":"input","line":"1\\n2"}', '{"kind":"input","line":"\\u0004"}',
    ],
)  # fmt: skip
def test_what_is_no_message_is_not_heard(serve: Callable[..., Served], message: str) -> None:
    served = serve()
    served.say(message, command("last"))
    assert served.lines.get(timeout=30) == "last"


@pytest.mark.parametrize(
    ("message", "typed"),
    [
        ('{"kind":"input","line":"1 2"}', b"1 2\n"),
        ('{"kind":"input","line":""}', b"\n"),
        ('{"kind":"end-of-input"}', b"\x04"),
    ],
)
def test_lines_for_the_program_are_told_from_commands(
    serve: Callable[..., Served], message: str, typed: bytes
) -> None:
    served = serve()
    served.say(message)
    assert served.lines.get(timeout=30) == f"typed {typed!r}"


def test_a_page_of_a_batch_run_only_watches(serve: Callable[..., Served]) -> None:
    served = serve(drives=False)
    assert served.say(command("next"), '{"kind":"interrupt"}', '{"kind":"input","line":"1"}') == HELLO
    served.server.close()
    assert served.lines.empty()
