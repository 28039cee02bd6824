"""The live page's server: files and one WebSocket, in a thread and an event loop of its own."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from aiohttp import WSMsgType, web

from wolverine.errors import CommandError
from wolverine.page.assets import INDEX, Asset
from wolverine.page.safety import LOOPBACK, Guard

_MOST_COMMAND = 64 << 10  # bytes of a message from a page
_MOST_WAITING = 16 << 20  # characters of messages that a slow page may lag behind; then it starts over
_FAREWELL = 1.0  # seconds that a page is given to take the last messages
_ALIVE = 20.0  # seconds between two looks whether a page is still there

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class _Client:
    """A page: the messages that it has not got yet.  It begins with a hello."""

    def __init__(self) -> None:
        self.waiting: deque[tuple[int, str]] = deque()
        self.size = 0
        self.greeted = -1  # what the hello held; -1 when there has to be one
        self.more = asyncio.Event()
        self.idle = asyncio.Event()
        self.more.set()

    def add(self, number: int, text: str) -> None:
        self.waiting.append((number, text))
        self.size += len(text)
        if self.size > _MOST_WAITING:
            self.waiting.clear()
            self.size, self.greeted = 0, -1
        self.idle.clear()
        self.more.set()


class Server:
    """Serves `files` and tells every page what `publish` is given, after a `hello`.

    `command`, `interrupt` and `typed` (a line for the program) are called on the server's thread.  With
    `drives` false pages only watch.
    Raises CommandError when no port can be had.
    """

    def __init__(
        self,
        files: Mapping[str, Asset],
        hello: Callable[[], tuple[int, str]],
        command: Callable[[str], None],
        interrupt: Callable[[], None],
        typed: Callable[[bytes], None],
        *,
        drives: bool,
    ) -> None:
        self._files = files
        self._hello = hello
        self._command = command
        self._interrupt = interrupt
        self._typed = typed
        self._drives = drives
        self._clients: set[_Client] = set()
        self._sockets: set[web.WebSocketResponse] = set()
        try:
            self._listening = socket.create_server((LOOPBACK, 0))
        except OSError as error:
            raise CommandError(f"the live page cannot be served: {error.strerror}") from error
        self.guard = Guard(self._listening.getsockname()[1])
        self._loop = asyncio.new_event_loop()
        self._ending = asyncio.Event()
        self._thread = threading.Thread(target=self._serve, name="page", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The address of the page, with the token."""
        return self.guard.url

    def publish(self, number: int, text: str) -> None:
        """Send a message to every page.  Safe from all threads."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._spread, number, text)

    def close(self) -> None:
        """Let the pages have the last messages, then end."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._ending.set)
            self._thread.join(2 * _FAREWELL + 1)

    def _spread(self, number: int, text: str) -> None:
        for client in self._clients:
            client.add(number, text)

    # -- the thread --------------------------------------------------------------------------------

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._run())
        finally:
            self._loop.close()

    async def _run(self) -> None:
        app = web.Application(middlewares=[self._checked], client_max_size=_MOST_COMMAND)
        app.on_response_prepare.append(self._headed)
        app.router.add_get("/{token}/ws", self._socket)
        app.router.add_get("/{token}/{name:[^/]*}", self._file)
        runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=_FAREWELL)
        await runner.setup()
        try:
            await web.SockSite(runner, self._listening).start()
            await self._ending.wait()
            farewells = [client.idle.wait() for client in self._clients]
            if farewells:
                tasks = [asyncio.ensure_future(each) for each in farewells]
                await asyncio.wait(tasks, timeout=_FAREWELL)
            for each in list(self._sockets):
                await each.close(code=1001, message=b"the session has ended")
        finally:
            await runner.cleanup()

    # -- requests ----------------------------------------------------------------------------------

    @web.middleware
    async def _checked(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        socket_wanted = request.match_info.handler == self._socket
        token = request.match_info.get("token", "")
        refusal = self.guard.refusal(request.headers, token, socket=socket_wanted)
        if refusal:
            return web.Response(status=403, text=f"{refusal}\n")
        return await handler(request)

    async def _headed(self, _request: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(self.guard.headers())

    async def _file(self, request: web.Request) -> web.StreamResponse:
        asset = self._files.get(request.match_info["name"] or INDEX)
        if asset is None:
            return web.Response(status=404, text="there is no such file\n")
        return web.Response(body=asset.content, content_type=asset.type, charset="utf-8")

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        talk = web.WebSocketResponse(max_msg_size=_MOST_COMMAND, heartbeat=_ALIVE, compress=False)
        await talk.prepare(request)
        client = _Client()
        self._clients.add(client)
        self._sockets.add(talk)
        sending = asyncio.create_task(self._send(client, talk))
        try:
            async for message in talk:
                if message.type is WSMsgType.TEXT:
                    self._heard(message.data)
        finally:
            sending.cancel()
            client.idle.set()
            self._clients.discard(client)
            self._sockets.discard(talk)
        return talk

    async def _send(self, client: _Client, talk: web.WebSocketResponse) -> None:
        """Everything in order; what a hello holds already is left out."""
        while True:
            client.more.clear()
            if client.greeted < 0:
                client.waiting.clear()
                client.greeted, text = self._hello()
                client.size = 0
                await talk.send_str(text)
            while client.waiting and client.greeted >= 0:
                number, text = client.waiting.popleft()
                client.size -= len(text)
                if number > client.greeted:
                    await talk.send_str(text)
            if client.greeted >= 0:
                client.idle.set()
                await client.more.wait()

    def _heard(self, data: str) -> None:
        """What a page wants; what is no proper message is not heard."""
        wanted = _parsed(data)
        if not self._drives:
            return
        match wanted:
            case {"kind": "command", "line": str(line)} if _is_line(line):
                self._command(line)
            case {"kind": "interrupt"}:
                self._interrupt()
            case {"kind": "input", "line": str(line)} if _is_typing(line):
                self._typed(f"{line}\n".encode())
            case {"kind": "end-of-input"}:
                self._typed(b"\x04")


def _parsed(data: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _is_line(line: str) -> bool:
    """Whether it is one line with something on it."""
    return bool(line.strip()) and _is_typing(line)


def _is_typing(line: str) -> bool:
    """Whether it is one line, maybe an empty one; control characters are nobody's typing."""
    return all(each.isprintable() or each == "\t" for each in line)
