"""Everything that Wolverine says no to.

WolverineError
├── UsageError          the command line or a command is wrong; nothing was done
├── CommandError        a command is right but cannot be carried out here; nothing was lost
│   └── RestartedError  gdb was lost meanwhile; the session is as before the command
├── JournalError        a recorded session cannot be found, read or repeated
├── ToolMissingError    gdb, gcc or graphviz is not there
├── SourceError         a program cannot be read, compiled or understood
└── DebuggerError       gdb refused, answered nonsense or died
    ├── DebuggerLostError  gdb is gone
    └── ReplacedError      the process is another program since an exec
"""

from __future__ import annotations


class WolverineError(Exception):
    """Base class; the message is one that a user can act on."""


class UsageError(WolverineError):
    """The command line or a command is wrong."""


class CommandError(WolverineError):
    """A command cannot be carried out in the present state."""


class RestartedError(CommandError):
    """gdb was lost during the command and started anew; the session is as before it."""


class JournalError(WolverineError):
    """A recorded session cannot be found, read or repeated."""


class ToolMissingError(WolverineError):
    """A program that Wolverine needs is not installed."""


class SourceError(WolverineError):
    """A source file cannot be read, compiled or understood."""


class DebuggerError(WolverineError):
    """gdb refused a command, or its answer made no sense."""


class DebuggerLostError(DebuggerError):
    """gdb ended unexpectedly; the session can start another."""


class ReplacedError(DebuggerError):
    """The process has become another program (exec); it was ended."""
