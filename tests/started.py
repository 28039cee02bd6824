"""Runs of the command line without the wait for its modules.

One process has imported them, and read the headers that most programs include, and forks for every run; the
child gets its arguments, folder, environment and streams as `python -m wolverine` would, and ends as that
does.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

IMPORTED = (
    "wolverine.cli.main",
    "wolverine.session.repairing",
    "wolverine.session.gate",
    "wolverine.repair.engine",
)
HEADERS = (("stdio", "stdlib"), ("stdlib",), ("stdio",))  # which most programs include
AT_START = ("PYTHON", "LC_", "LANG")  # variables that an interpreter reads when it starts
_LENGTH = 8


def wolverine(
    arguments: Iterable[object],
    *,
    given: str | bytes = "",
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """What `python -m wolverine` does with these arguments and that input; `env` is the whole environment."""
    environment = dict(os.environ if env is None else env)
    words = [str(each) for each in arguments]
    data = given.encode() if isinstance(given, str) else given
    if _at_start(environment) != _at_start(os.environ):
        return subprocess.run(
            [sys.executable, "-m", "wolverine", *words],
            input=data, capture_output=True, cwd=cwd, env=environment, check=False,
        )  # fmt: skip
    request = json.dumps(
        {"arguments": words, "cwd": str(cwd or Path.cwd()), "environment": environment}
    ).encode()
    server = _server()
    with tempfile.TemporaryFile() as read, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        read.write(data)
        read.seek(0)
        socket.send_fds(
            server, [len(request).to_bytes(_LENGTH, "big")], [each.fileno() for each in (read, out, err)]
        )
        server.sendall(request)
        status = int.from_bytes(_exactly(server, _LENGTH), "big", signed=True)
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(words, status, out.read(), err.read())


def in_words(done: subprocess.CompletedProcess[bytes]) -> subprocess.CompletedProcess[str]:
    """The same with text."""
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def _at_start(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(AT_START)}


@cache
def _server() -> socket.socket:
    here, there = socket.socketpair()
    process = subprocess.Popen(
        [sys.executable, __file__, str(there.fileno())],
        pass_fds=[there.fileno()],
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(each for each in sys.path if each)},
    )
    there.close()

    def end() -> None:
        here.close()
        process.wait()

    atexit.register(end)
    return here


def _exactly(connection: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            raise EOFError("the process that runs the command line has ended")
        data += part
    return data


def _read_headers() -> None:
    from wolverine.frontend import load

    with tempfile.TemporaryDirectory() as folder:
        for number, names in enumerate(HEADERS):
            source = Path(folder) / f"{number}.c"
            source.write_text(
                "".join(f"#include <{name}.h>\n" for name in names) + "int main(void) { return 0; }\n"
            )
            load([source])


def _serve(connection: socket.socket) -> Any:
    """Fork for each request; returns the request in the child, and ends where no more come."""
    while True:
        head, streams, _, _ = socket.recv_fds(connection, _LENGTH, 3)
        if not head:
            sys.exit()
        request = json.loads(_exactly(connection, int.from_bytes(head, "big")))
        child = os.fork()
        if not child:
            connection.close()
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
                os.close(stream)
            return request
        for stream in streams:
            os.close(stream)
        _, status = os.waitpid(child, 0)
        connection.sendall(os.waitstatus_to_exitcode(status).to_bytes(_LENGTH, "big", signed=True))


def _run(request: Any) -> NoReturn:
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["environment"])
    from wolverine import __main__ as program

    sys.argv = [str(program.__file__), *request["arguments"]]
    sys.exit(program.main())


if __name__ == "__main__":
    for name in IMPORTED:
        __import__(name)
    if shutil.which("gcc"):
        _read_headers()
    _run(_serve(socket.socket(fileno=int(sys.argv[1]))))
