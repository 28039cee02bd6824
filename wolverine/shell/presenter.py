"""Results on their way out: as text for people, or as one JSON object per line."""

from __future__ import annotations

import json
import math
import re
import textwrap
import threading
from typing import Any, Protocol, TextIO

from wolverine.draw.columns import columns
from wolverine.session import results
from wolverine.shell import words
from wolverine.shell.style import Ink, Pen, visible

_SILENT = 10  # seconds that a command may take before a file is told what it does
_SILENT_AGAIN = 60  # and then until it is told again
_NUMBERED = re.compile(r"[* ]? *\d+  ")


class Presenter(Protocol):
    """Shows results as they come.  Raises BrokenPipeError when nobody reads them any more."""

    def show(self, result: results.Result) -> None:
        """Show one result."""

    def command(self, text: str) -> None:
        """A command from a script is about to be carried out."""

    def typed(self, text: str) -> None:
        """The user ended a line of input to the program; `text` is what the terminal has not echoed of it."""

    def remark(self, text: str) -> None:
        """A sentence for people beside the results, on the stream of errors."""

    def busy(self, text: str, seconds: int = 0) -> None:
        """What is being waited for, and for how long; "" when it is over.

        May be called while another thread shows results.
        """


class JsonPresenter:
    """The event stream on `out`; sentences about errors also on `words_out`."""

    def __init__(self, out: TextIO, words_out: TextIO) -> None:
        self._out = out
        self._words = words_out

    def show(self, result: results.Result) -> None:
        """One line with one object."""
        self._out.write(json.dumps(_finite(result.as_event()), allow_nan=False) + "\n")
        self._out.flush()
        if isinstance(result, results.Error):
            self._words.write(visible(error_sentence(result)) + "\n")
            self._words.flush()

    def command(self, text: str) -> None:
        """Nothing: the stream holds results only."""

    def typed(self, text: str) -> None:
        """Nothing to keep."""

    def remark(self, text: str) -> None:
        """The sentence as it is."""
        print(text, file=self._words, flush=True)

    def busy(self, text: str, seconds: int = 0) -> None:
        """Nothing: the stream holds results only."""


def _finite(value: Any) -> Any:
    """JSON has no infinities: they become objects, like other values that are no plain numbers."""
    match value:
        case float() if not math.isfinite(value):
            return {"number": str(value)}
        case dict():
            return {key: _finite(each) for key, each in value.items()}
        case list() | tuple():
            return [_finite(each) for each in value]
        case _:
            return value


def error_sentence(error: results.Error) -> str:
    """The message, with the place where the command stands in front if it stands in a file."""
    if error.script is None:
        return error.message
    return f"{error.script}:{error.line}: {error.command}: {error.message}"


class TextPresenter:
    """For people: text on `out`, errors on `errors`; both may be the same terminal.

    Sentences that are longer than `width` columns are broken between words; an error of a script is one line.
    Below a picture that fills the `height` (0: any) the place of the stop stands once more.
    """

    def __init__(self, out: TextIO, errors: TextIO, color: bool, width: int = 0, height: int = 0) -> None:
        self._width = width
        self._height = height
        self._place = ""
        self._left_to_process: set[str] = set()  # causes of which that was told
        self._out = out
        self._errors = errors
        self._pen = Pen(color)
        self._line_open = False
        self._writing = threading.RLock()
        self._busy = False  # whether the last line says what is being waited for
        self._silent = _SILENT

    def show(self, result: results.Result) -> None:
        """Write the result; the program's own output keeps its line ends, all else begins a line."""
        with self._writing:
            self._wipe()
            self._show(result)

    def remark(self, text: str) -> None:
        """The sentence, as a warning."""
        with self._writing:
            self._wipe()
            self._begin_line()
            self._errors.write(self._pen(visible(self._broken(text)), Ink.WARNING) + "\n")
            self._errors.flush()

    def busy(self, text: str, seconds: int = 0) -> None:
        """A line in a terminal that gives way to the next result, to how it goes on, or to nothing.

        Elsewhere a line among the errors now and then, where it takes long.
        """
        with self._writing:
            if not text:
                self._wipe()
                self._silent = _SILENT
            elif not self._width and seconds >= self._silent:
                self._errors.write(text + "\n")
                self._errors.flush()
                self._silent = seconds + _SILENT_AGAIN
            elif self._width and not self._line_open:
                self._wipe()
                self._write(self._pen(text[: self._width - 1], Ink.FAINT))
                self._busy = True

    def _wipe(self) -> None:
        if self._busy:
            self._write("\r\x1b[K")
            self._busy = False

    def _show(self, result: results.Result) -> None:
        if isinstance(result, results.Output):
            self._write(visible(result.text))
            self._line_open = not result.text.endswith("\n") if result.text else self._line_open
            return
        self._begin_line()
        if isinstance(result, results.Error):
            sentence = error_sentence(result)
            if result.script is None:
                sentence = self._broken(sentence)
            self._errors.write(self._pen(visible(sentence), Ink.BAD) + "\n")
            self._errors.flush()
            return
        text = self._text(result)
        if text:
            self._write(text if text.endswith("\n") else text + "\n")

    def command(self, text: str) -> None:
        """The prompt and the command, as if it had been typed."""
        self._wipe()
        self._begin_line()
        self._write(f"{self._pen('(wolverine)', Ink.FAINT)} {self._pen(visible(text), Ink.STRONG)}\n")

    def typed(self, text: str) -> None:
        """The terminal's echo has ended the line, or this makes up for it."""
        if text:
            with self._writing:
                self._wipe()
                self._write(visible(text) + "\n")
        self._line_open = False

    def _begin_line(self) -> None:
        if self._line_open:
            self._write("\n")
            self._line_open = False

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()

    def _broken(self, text: str) -> str:
        """The text with its long lines broken; what compilers quote is indented and stays."""
        if not self._width or columns(text) <= self._width:
            return text
        return "\n".join(
            line
            if columns(line) <= self._width or line.startswith(" ")
            else "\n".join(self._wrapped(line, "  "))
            for line in text.split("\n")
        )

    def _wrapped(self, line: str, margin: str) -> list[str]:
        return textwrap.wrap(
            line, self._width, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False
        )

    def _filled(self, text: str) -> str:
        """The text with its long lines broken, those of a numbered list too; what goes on is indented."""
        if not self._width:
            return text
        lines = []
        for line in text.split("\n"):
            head = _NUMBERED.match(line)
            indented = len(line) - len(line.lstrip()) + 2
            margin = " " * (len(head.group()) if head is not None else indented)
            lines += self._wrapped(line, margin) or [""]
        return "\n".join(lines)

    def _text(self, result: results.Result) -> str:
        match result:
            case results.Stopped():
                self._place = self._stopped(result)
                return self._place
            case results.Graph(picture=picture):
                rows = len(picture.splitlines()) + len(self._place.splitlines())
                return f"{picture}\n{self._place}" if rows >= self._height > 0 else picture
            case results.SpecAdded(checkpoint=number, left_out=()):
                return f"asserted: checkpoint {number}"
            case results.SpecAdded(checkpoint=number, left_out=nodes):
                named, first = ", ".join(f"n{node}" for node in nodes), nodes[0]
                verb, what = ("is", "it") if len(nodes) == 1 else ("are", "them")
                return (
                    f"asserted: checkpoint {number}; {named} {verb} lost by what was changed, and nothing is "
                    f"asserted of {what} (`change n{first} freed` says that it is freed)"
                )
            case results.Localized():
                return visible("\n".join(words.localized_words(result)))
            case results.Repaired():
                head, *rest = words.repaired_words(result)
                lines = [self._pen(head, Ink.GOOD), *(visible(self._filled(line)) for line in rest)]
                return "\n".join([*lines, self._pen.diff(result.patch)])
            case results.NotRepaired():
                return "\n".join(
                    visible(self._filled(line)) if at else self._pen(line, Ink.WARNING)
                    for at, line in enumerate(words.not_repaired_words(result))
                )
            case _:
                return self._more(result)

    def _more(self, result: results.Result) -> str:
        match result:
            case results.ConcreteStep(reason=reason) if words.concrete_cause(reason) in self._left_to_process:
                return ""
            case results.ConcreteStep():
                if cause := words.concrete_cause(result.reason):
                    self._left_to_process.add(cause)
                where = (
                    f"line {result.line} in {result.function}" if result.function else f"line {result.line}"
                )
                text = f"{where} is not modelled ({result.reason}): its effect is taken from the process"
                return self._pen(visible(self._broken(text)), Ink.FAINT)
            case results.Changed():
                return visible(words.changed_words(result))
            case results.ResumedAt(number, line):
                return f"back at checkpoint {number}, line {line}"
            case results.CheckpointList():
                return result.picture or visible("\n".join(words.checkpoint_tree(result)))
            case results.Question():
                return self._question(result)
            case results.Rewritten(file, patch):
                return self._rewritten(file, patch)
            case results.Saved(file):
                return f"saved {visible(file)}"
            case results.Text(text, prose):
                return visible(self._filled(text) if prose else text)
            case results.Note(text):
                return self._pen(visible(self._broken(text)), Ink.WARNING)
            case results.OutputStays(size):
                much = words.count_words(size, "byte")
                text = f"what the program wrote since that stop ({much}) stays written"
                return self._pen(text, Ink.FAINT)
            case results.Exited(code):
                self._place = ""
                return f"the program exited with status {code}"
            case results.Signalled(signal, line):
                at = f" at line {line}" if line else ""
                return self._pen(visible(f"the program got {signal}{at}"), Ink.BAD)
            case _:
                raise AssertionError(f"no words for {result!r}")

    def _stopped(self, result: results.Stopped) -> str:
        place = f"{result.function} () at {result.file}:{result.line}" if result.file else result.function
        how = words.STOP_WORDS.get("temporary" if result.temporary else result.reason, "")
        lines = [f"{how} {self._pen(visible(place), Ink.PLACE)}".lstrip()]
        if result.line:
            lines.append(f"{result.line}\t{self._pen(visible(result.text), Ink.STRONG)}")
        return "\n".join(lines)

    def _rewritten(self, file: str | None, patch: str) -> str:
        given = "" if patch else "no repair is in force: the source is as it was given"
        if file is None:
            return self._pen.diff(patch) if patch else self._pen(given, Ink.WARNING)
        return f"written to {visible(file)}" + (f" ({given})" if given else "")

    def _question(self, result: results.Question) -> str:
        parts = ["The repairs differ. For this heap:", result.input.picture]
        parts.append("which result is wanted? What differs between them is marked with *.")
        for number, each in enumerate(result.results, 1):
            parts += [self._pen(f"{number}:", Ink.STRONG), each.picture]
        numbers = f"1 to {len(result.results)}, or 0 for none of them"
        parts.append(f"(answer with its number, {numbers}; scripts: repair --answer 1)")
        return "\n".join(parts)
