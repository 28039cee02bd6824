"""From a line of text to commands.

`parse` splits a line at `;`, drops `# comments`, resolves abbreviations and checks arguments.  What is
not Wolverine's becomes a `GdbCommand` with its text unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from wolverine.errors import UsageError
from wolverine.session import commands
from wolverine.session.commands import Command, LineRange
from wolverine.session.splitting import first_word, places, split_change, split_commands
from wolverine.session.words import ALIASES, refuse_terminal, resolve


def parse(line: str) -> tuple[Command, ...]:
    """The commands of a line, in order; none for an empty one or a comment.

    Raises UsageError for wrong arguments and ambiguous abbreviations.
    """
    return tuple(parse_command(text) for text in split_commands(line.replace("\0", "")))


def parse_command(text: str) -> Command:
    """One command.  Raises UsageError for wrong arguments and ambiguous abbreviations."""
    text = text.strip()
    word = first_word(text)
    name = resolve(word)
    rest = text[len(word) :].strip()
    if name is None or "\n" in text:
        refuse_terminal(text)
        return _setting(text) or commands.GdbCommand(text)
    if rest.startswith("/") and word in ALIASES:
        return commands.GdbCommand(text)
    return _PARSERS[name](rest, text)


def _setting(text: str) -> Command | None:
    match text.split():
        case ["set", "step-budget", *rest]:
            if len(rest) != 1:
                raise UsageError("set step-budget needs a number of seconds, as in: set step-budget 10")
            return commands.StepBudget(_seconds(rest[0], "set step-budget"))
        case ["show", "step-budget"]:
            return commands.StepBudget()
        case ["set", "image-memory", *rest]:
            if len(rest) != 1:
                raise UsageError("set image-memory needs a size, as in: set image-memory 500M")
            return commands.ImageMemory(_size(rest[0]))
        case ["show", "image-memory"]:
            return commands.ImageMemory()
        case _:
            return None


def _seconds(text: str, what: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < float("inf"):
        raise UsageError(f"{what} needs a number of seconds above 0, not {text}")
    return seconds


def _size(text: str) -> int:
    """Bytes, from a number that may end in K, M or G."""
    found = re.fullmatch(r"([0-9]{1,12})([KMG]?)B?", text.upper(), re.ASCII)
    size = int(found[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[found[2]] if found else 0
    if size < 1 << 20:
        raise UsageError(f"set image-memory needs a size from 1M on, as in 500M, not {text}")
    return size


def _number(text: str, what: str, least: int = 0) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) >= least):
        raise UsageError(f"{what} needs a whole number from {least} on, not {text or 'nothing'}")
    return int(text)


def _no_arguments(rest: str, name: str) -> None:
    if rest:
        raise UsageError(f"{name} takes no arguments, but here stands: {rest}")


def _resume(verb: commands.ResumeVerb) -> Callable[[str, str], Command]:
    def parser(rest: str, _text: str) -> Command:
        if verb in ("next", "step") and re.fullmatch(r"[+-]?[0-9]+", rest):
            return commands.Resume(verb, str(_number(rest, verb, 1)))
        if verb == "advance" and not rest:
            raise UsageError("advance needs a line or a function, as in: advance 12")
        return commands.Resume(verb, rest)

    return parser


def _plain(command: Callable[[], Command], name: str) -> Callable[[str, str], Command]:
    def parser(rest: str, _text: str) -> Command:
        _no_arguments(rest, name)
        return command()

    return parser


def _numbered(command: Callable[[int], Command], name: str, least: int) -> Callable[[str, str], Command]:
    return lambda rest, _text: command(_number(rest, name, least))


def _change(rest: str, _text: str) -> Command:
    return commands.Change(*split_change(rest))


def _spec(rest: str, _text: str) -> Command:
    match rest.split():
        case ["drop", number]:
            return commands.SpecDrop(_number(number, "spec drop"))
        case ["drop", *_]:
            raise UsageError("spec drop needs the number of one checkpoint, as in: spec drop 2")
        case _:
            return commands.Spec(places(rest))


def _track(rest: str, _text: str) -> Command:
    if not rest:
        raise UsageError("track needs the places that spec shall record, as in: track head n4->prev")
    return commands.Track(places(rest))


def _repair(rest: str, _text: str) -> Command:
    given: dict[str, str] = {}
    words = rest.split()
    while words:
        option, equals, value = words.pop(0).partition("=")
        if option in _REPAIR_FLAGS:
            given[option] = ""
            continue
        if option not in REPAIR_VALUES:
            raise UsageError(f"repair does not know {option}; it knows {', '.join(REPAIR_OPTIONS)}")
        if not equals:
            if not words:
                raise UsageError(f"repair {option} needs a value")
            value = words.pop(0)
        given[option] = value
    return commands.Repair(
        engine=given.get("--engine"),
        budget=_seconds(given["--budget"], "repair --budget") if "--budget" in given else None,
        insert=_number(given["--insert"], "repair --insert") if "--insert" in given else None,
        lines=_line_pair(given["--line"], "repair --line") if "--line" in given else None,
        function=given.get("--function"),
        localize=False if "--no-localize" in given else True if "--localize" in given else None,
        explain="--explain" in given,
        answer=_answer(given["--answer"]) if "--answer" in given else None,
        question="--no-question" not in given,
        ask=_number(given["--ask"], "repair --ask") if "--ask" in given else 1,
    )


def _answer(text: str) -> int:
    return 0 if text == "neither" else _number(text, "repair --answer")


_REPAIR_FLAGS = ("--localize", "--no-localize", "--no-question", "--explain")
REPAIR_VALUES = ("--engine", "--budget", "--insert", "--line", "--function", "--answer", "--ask")
REPAIR_OPTIONS = (*REPAIR_VALUES, *_REPAIR_FLAGS)


def _line_pair(text: str, what: str) -> tuple[int, int]:
    first, dash, last = text.partition("-")
    start = _number(first, what, 1)
    end = _number(last, what, 1) if dash else start
    if end < start:
        raise UsageError(f"{what}: the range {text} runs backwards")
    return start, end


def _localize(rest: str, _text: str) -> Command:
    engine, explain = None, False
    words = rest.replace("=", " ").split()
    while words:
        match words.pop(0):
            case "--explain":
                explain = True
            case "--engine" if words:
                engine = words.pop(0)
            case "--engine":
                raise UsageError("localize --engine needs a name")
            case other:
                raise UsageError(f"localize does not know {other}; it knows --engine and --explain")
    return commands.Localize(engine, explain)


def _concrete(rest: str, _text: str) -> Command:
    words = rest.split()
    off = words[:1] == ["off"]
    words = words[1:] if off else words
    if len(words) > 1 or not (words or off):
        raise UsageError("concrete needs a line, a range of lines or a function, as in: concrete 9-12")
    return commands.Concrete(_lines_or_function(words[0]) if words else None, off)


def _lines_or_function(word: str) -> LineRange | str:
    file, colon, lines = word.rpartition(":")
    if lines[:1].isdigit():
        return LineRange(*_line_pair(lines, "concrete"), file)
    if colon or not word.isidentifier():
        raise UsageError(f"concrete needs a line, a range of lines or a function, not {word}")
    return word


def _checkpoints(rest: str, _text: str) -> Command:
    option, _, file = rest.replace("=", " ", 1).partition(" ")
    if option not in ("", "--picture"):
        raise UsageError(f"checkpoints knows only --picture FILE, but here stands: {rest}")
    missing = "checkpoints --picture needs a file, as in: checkpoints --picture tree.svg"
    return commands.Checkpoints(_file(file.strip(), missing) if option else None)


def _graph(rest: str, _text: str) -> Command:
    named = places(rest)
    return commands.Graph(tuple(p for p in named if p != "--tidy"), "--tidy" in named)


def _save(rest: str, text: str) -> Command:
    if re.match(r"(breakpoints|gdb-index|tracepoints)\s", rest):
        return commands.GdbCommand(text)
    return commands.Save(_file(rest, "save needs a file, as in: save heap.svg"))


def _rewrite(rest: str, _text: str) -> Command:
    return commands.Rewrite(_file(rest, "") if rest else None)


def _source(rest: str, _text: str) -> Command:
    return commands.Source(_file(rest, "source needs a file"))


def _file(rest: str, missing: str) -> str:
    if len(rest) > 1 and rest[0] == rest[-1] and rest[0] in "'\"":
        rest = rest[1:-1]
    if not rest or "\0" in rest:
        raise UsageError(missing or "that is no file name")
    return rest


def _why(rest: str, _text: str) -> Command:
    named = places(rest)
    if len(named) != 1:
        raise UsageError("why needs one node or place, as in: why n3")
    return commands.Why(named[0])


_PARSERS: dict[str, Callable[[str, str], Command]] = {
    "start": lambda rest, _text: commands.Start(rest),
    "run": lambda rest, _text: commands.Run(rest),
    "next": _resume("next"),
    "step": _resume("step"),
    "finish": _resume("finish"),
    "until": _resume("until"),
    "advance": _resume("advance"),
    "continue": _resume("continue"),
    "enter": _plain(commands.Enter, "enter"),
    "leave": _plain(commands.Leave, "leave"),
    "change": _change,
    "undo": _plain(commands.Undo, "undo"),
    "spec": _spec,
    "track": _track,
    "untrack": _plain(commands.Untrack, "untrack"),
    "repair": _repair,
    "candidates": lambda rest, _text: commands.Candidates(_number(rest, "candidates", 1) if rest else None),
    "accept": _numbered(commands.Accept, "accept", 0),
    "localize": _localize,
    "concrete": _concrete,
    "checkpoints": _checkpoints,
    "resume": _numbered(commands.ResumeCheckpoint, "resume", 0),
    "back": lambda rest, _text: commands.Back(_number(rest, "back", 1) if rest else 1),
    "graph": _graph,
    "save": _save,
    "rewrite": _rewrite,
    "why": _why,
    "view": _plain(commands.View, "view"),
    "history": lambda rest, _text: commands.History(_number(rest, "history", 1) if rest else None),
    "sessions": _plain(commands.Sessions, "sessions"),
    "source": _source,
    "help": lambda rest, _text: commands.Help(rest),
    "quit": lambda rest, _text: commands.Quit(),
}
