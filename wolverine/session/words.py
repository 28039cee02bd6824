"""Command words: Wolverine's, gdb's, and what an abbreviation stands for.

A word that gdb knows as it stands keeps gdb's meaning, except where Wolverine has a command of that
name.  An abbreviation of exactly one Wolverine command is that command, unless gdb alone would take the
abbreviation for something else: then it is refused as ambiguous, since the two may do opposite things.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from wolverine.errors import UsageError

_ELSEWHERE = {"diff": "rewrite", "patch": "rewrite"}  # as other tools call it
_CLOSE = 0.75  # of the letters of two words (difflib)

# The order is that of the help.
WORDS = (
    "start",
    "run",
    "next",
    "step",
    "finish",
    "until",
    "advance",
    "continue",
    "enter",
    "leave",
    "change",
    "undo",
    "spec",
    "track",
    "untrack",
    "repair",
    "candidates",
    "accept",
    "localize",
    "concrete",
    "checkpoints",
    "resume",
    "back",
    "graph",
    "save",
    "rewrite",
    "why",
    "view",
    "history",
    "sessions",
    "source",
    "help",
    "quit",
)

# gdb's own short names for commands that Wolverine carries out itself.
ALIASES = {
    "n": "next",
    "s": "step",
    "fin": "finish",
    "u": "until",
    "c": "continue",
    "cont": "continue",
    "fg": "continue",
    "r": "run",
    "h": "help",
    "q": "quit",
    "exit": "quit",
}

# gdb's short names that the list of its commands leaves out or that look ambiguous in it.
_GDB_ALIASES = """b br bre brea tb tbr d del dis disa disas e i inf p l f t j k x w wh tp bt where ni si rc ed
    en"""

_GDB_WORDS = """! + - < > actions add-auto-load-safe-path add-auto-load-scripts-directory add-inferior
    add-symbol-file add-symbol-file-from-memory agent-printf alias append apropos attach awatch backtrace
    bookmark break break-range call catch cd checkpoint clear clone-inferior collect commands
    compare-sections compile complete condition core-file define define-prefix delete demangle detach
    directory disable disassemble disconnect display document dont-repeat down down-silently dprintf dump
    echo edit enable end eval exec-file explore expression faas file find flash-erase focus
    forward-search frame fs ftrace function generate-core-file goto-bookmark guile guile-repl handle
    hbreak if ignore inferior info init-if-undefined interpreter-exec interrupt jit-reader-load
    jit-reader-unload jump kill layout list load macro maintenance make mem memory-tag monitor new-ui
    nexti nosharedlibrary output overlay passcount path pipe print print-object printf ptype pwd python
    python-interactive queue-signal rbreak record refresh remote remove-inferiors remove-symbol-file
    restart restore return reverse-continue reverse-finish reverse-next reverse-nexti reverse-search
    reverse-step reverse-stepi rni rsi rwatch search section select-frame set sharedlibrary shell show
    signal skip starti stepi stepping stop strace symbol-file taas target task tbreak tcatch tdump teval
    tfaas tfind thbreak thread trace tsave tstart tstatus tstop tty tui tvariable undisplay unset up
    up-silently update watch whatis while while-stepping winheight winwidth with ws |"""

GDB_WORDS = frozenset(_GDB_WORDS.split())
_TAKEN = GDB_WORDS | frozenset(_GDB_ALIASES.split())

# Multi-line commands of gdb: the lines up to `end` belong to them.
BLOCK_WORDS = frozenset(["commands", "define", "document", "if", "while", "while-stepping", "stepping", "ws"])

# These take the rest of the line as text in another language: `;` and `#` are theirs.
FOREIGN_WORDS = frozenset(
    ["python", "py", "python-interactive", "pi", "guile", "gu", "shell", "!", "pipe", "|", "compile"]
)

# These read a terminal, or draw on all of it; gdb has none, and would never answer.
_EDITING = "open the file in another window; `list` shows the source"
_DRAWING = "the picture is drawn at every stop; `list` shows the source"
_ON_TERMINALS = {
    **dict.fromkeys(("edit", "edi", "ed", "e"), _EDITING),
    **dict.fromkeys(("tui", "layout"), _DRAWING),
    "explore": "`print` and `graph` show values",
}
_WITHOUT_ARGUMENTS = {
    "shell": "give the command with it, as in: shell ls",
    "!": "give the command with it, as in: !ls",
    "python-interactive": "give the expression with it, as in: python-interactive 1 + 2",
    "pi": "give the expression with it, as in: pi 1 + 2",
}


# gdb's commands about the frames of a process, or that move it: at its end they find those of the C library.
_ON_FRAMES = (
    *("backtrace", "where", "frame", "select-frame", "up", "down", "return", "jump", "signal", "stepi"),
    "nexti",
)
_CHOOSING = frozenset(["frame", "f", "select-frame", "up", "up-silently", "down", "down-silently"])
_SHORT_ON_FRAMES = frozenset(["bt", "f", "j", "si", "ni"])
_FRAME_PARTS = ("frame", "locals", "args")


def on_frames(text: str) -> bool:
    """Whether a command of gdb's is about the frames of a running program, or moves it."""
    word, _, rest = text.strip().partition(" ")
    if word in ("i", "inf", "info"):
        part = rest.strip().partition(" ")[0]
        return part != "" and any(each.startswith(part) for each in _FRAME_PARTS)
    whole = word in _ON_FRAMES or word in _SHORT_ON_FRAMES
    return whole or (len(word) > 2 and any(each.startswith(word) for each in _ON_FRAMES))


def chooses_frame(text: str) -> bool:
    """Whether a command of gdb's chooses the frame that its commands look at."""
    word, _, rest = text.strip().partition(" ")
    return word in _CHOOSING and not rest.strip().startswith("apply")


def refuse_terminal(text: str) -> None:
    """Raise UsageError for a command of gdb's that needs the terminal, with what to do instead."""
    word, _, rest = text.strip().partition(" ")
    instead = _ON_TERMINALS.get(word) or (None if rest.strip() else _WITHOUT_ARGUMENTS.get(word))
    if instead is not None:
        raise UsageError(f"{word} needs the terminal, which gdb does not have here: {instead}")


def meant(word: str) -> str | None:
    """The command that somebody who wrote an unknown word may have meant, Wolverine's before gdb's."""
    if word in _ELSEWHERE:
        return _ELSEWHERE[word]
    return close(word, WORDS) or close(word, sorted(GDB_WORDS))


def close(word: str, known: Iterable[str]) -> str | None:
    """The known word that is most like one that is not known, if it is alike enough to be meant."""
    return next(iter(get_close_matches(word, known, n=1, cutoff=_CLOSE)), None)


def resolve(word: str) -> str | None:
    """The Wolverine command that `word` stands for, None where it is gdb's.

    Raises UsageError for an abbreviation that could be several.
    """
    if word in WORDS:
        return word
    if word in ALIASES:
        return ALIASES[word]
    if word in _TAKEN or not word:
        return None
    ours = [name for name in WORDS if name.startswith(word)]
    if not ours:
        return None
    theirs = sorted(
        name
        for name in GDB_WORDS
        if name.startswith(word) and not any(mine.startswith(name) for mine in ours)
    )
    if len(ours) == 1 and len(theirs) != 1:
        return ours[0]
    if len(ours) == 1:
        raise UsageError(f"{word} could be {ours[0]} or gdb's {theirs[0]}; write more of it")
    raise UsageError(f"{word} could be {', '.join(ours[:-1])} or {ours[-1]}; write more of it")
