"""The real shell on a scripted session, to be run in a pseudo-terminal by test_terminal.py.

`continue` runs until Ctrl-C, as does `repair`, which tells nothing; `until` asks its user a question on a
terminal of its own.
"""

from __future__ import annotations

import os
import pty
import sys

from scripted_session import STOP, ScriptedSession

from wolverine.session import commands, results
from wolverine.session.commands import SessionCommand
from wolverine.shell.loop import Outlet, Shell
from wolverine.shell.presenter import TextPresenter
from wolverine.shell.prompt import PromptReader

CHILD = "import sys; sys.stdout.write('sum of ' + sys.stdin.readline()); sys.stdout.flush()"


def main() -> int:
    outlet = Outlet(TextPresenter(sys.stdout, sys.stdout, color=False, width=80))
    session = ScriptedSession(outlet)

    def forever(_command: SessionCommand) -> None:
        session.interrupted.clear()
        outlet(results.Output("running\n"))
        session.interrupted.wait()
        outlet(STOP)

    def ask(_command: SessionCommand) -> None:
        master, slave = pty.openpty()
        outlet(results.Output("number? "))
        pid = os.posix_spawn(
            sys.executable,
            [sys.executable, "-c", CHILD],
            dict(os.environ),
            file_actions=[
                (os.POSIX_SPAWN_DUP2, slave, 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            ],
        )
        session.send_input = lambda data: os.write(master, data)  # type: ignore[method-assign, assignment]
        os.waitpid(pid, 0)
        outlet(results.Output("thanks\x1b[2J\n"))

    def refuse(_command: SessionCommand) -> None:
        outlet(results.Error("enter", "no branch"))

    def search(_command: SessionCommand) -> None:
        session.interrupted.clear()
        session.interrupted.wait()
        outlet(results.Note("nothing found"))

    def step(command: SessionCommand) -> None:
        assert isinstance(command, commands.Resume)
        match command.verb:
            case "continue":
                forever(command)
            case "until":
                ask(command)
            case _:
                outlet(results.Text(f"did {command.text}\n"))

    session.answers = {commands.Resume: step, commands.Enter: refuse, commands.Repair: search}
    session.completions["info "] = [f"info {letter}{number:03}" for letter in "abc" for number in range(100)]
    shell = Shell(session, outlet, keyboard=sys.stdin.fileno())
    reader = PromptReader(session, color=False)
    shell.interact(reader, ahead=reader.ahead)
    print(f"left with {shell.status}")
    return shell.status


if __name__ == "__main__":
    sys.exit(main())
