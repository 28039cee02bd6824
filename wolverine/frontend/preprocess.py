"""Running gcc's preprocessor and mapping every token to the bytes it comes from.

`-fdebug-cpp` makes gcc print before each token the file, line and column where it is spelled (GCC
manual, "Preprocessor Options").  A token spelled outside directives of a source file is that source
token, or a macro's argument; the rest comes out of a macro's body.
"""

from __future__ import annotations

import re
import subprocess
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from wolverine.core.program import SourceFile
from wolverine.errors import SourceError
from wolverine.frontend.tokens import Lexed, Lines, Token, lex
from wolverine.tools import run_tool

_MARK = re.compile(
    r"\{P:(.*?);F:.*?;L:(-?\d+);C:(-?\d+);S:-?\d+;M:[^;]*;E:-?\d+,LOC:\d+,R:\d+\}([^{]*(?:\{(?!P:[^{]*;F:)[^{]*)*)"
)
_MARKS = re.compile(r"\{P:[^}]*+\}\s*+")  # much faster than what tells their parts
_MARKER = re.compile(r'# \d+ "((?:[^"\\\n]|\\.)*)"')
_LINE_MARKER = re.compile(r'^[ \t]*# \d+ "((?:[^"\\\n]|\\.)*)"', re.MULTILINE)
_DIRECTIVE_LINE = re.compile(r"^[ \t]*#[^\n]*$", re.MULTILINE)


class Printed(NamedTuple):
    """A token as gcc printed it, with the place where it is spelled.

    `output` is the file whose text it is part of: for a macro's body the file that uses the macro.
    """

    text: str
    path: str
    line: int
    column: int
    output: str


class Preprocessed(NamedTuple):
    """What gcc printed: the system headers before the program's first token, and the tokens from there.

    In the headers' text a `MARK` stands before each token.
    """

    heading: str
    tokens: list[Printed]


MARK = "\1"


def run_gcc(gcc: str, arguments: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
    """Run the compiler; raises ToolMissingError and CommandError as `run_tool` does."""
    return run_tool([gcc, *arguments])


def usable_flags(cflags: Sequence[str]) -> list[str]:
    """The flags without those that would direct gcc's output elsewhere."""
    result = []
    flags = iter(cflags)
    for flag in flags:
        if flag == "-o":
            next(flags, None)
        elif flag not in ("-c", "-S", "-E") and not flag.startswith("-o"):
            result.append(flag)
    return result


def compiler_complaint(path: str, cflags: Sequence[str], gcc: str) -> str:
    """What gcc has to say against the file, "" when it accepts it."""
    result = run_gcc(gcc, [*usable_flags(cflags), "-w", "-fsyntax-only", path])
    return "" if result.returncode == 0 else result.stderr.decode("utf-8", "replace").strip()


def preprocess(path: str, cflags: Sequence[str], gcc: str, names: Sequence[str]) -> Preprocessed:
    """What the compiler sees, of a program of files with these names.

    Raises SourceError with gcc's message.
    """
    result = run_gcc(gcc, [*usable_flags(cflags), "-E", "-fdebug-cpp", path])
    if result.returncode != 0:
        message = result.stderr.decode("utf-8", "replace").strip()
        if len(message) > 4000:
            message = message[:2000] + "\n...\n" + message[-2000:]
        raise SourceError(message or f"{gcc} could not preprocess {path}")
    return _read(result.stdout.decode("latin-1"), path, names)


def is_system(path: str, names: Sequence[str]) -> bool:
    """Whether text of that name belongs to the system, not to the program of these files."""
    return path.startswith(("<", "/usr/", "/lib/", "/opt/")) and path not in names


def _read(output: str, path: str, names: Sequence[str]) -> Preprocessed:
    """Tell the headers before the program's first token from the rest.

    Their text is the same each time, apart from the marks, and there is far more of it than of most programs.
    """
    system: list[str] = []
    position, current = 0, path
    marker = _next_marker(output, 0)
    while marker is not None:
        position, current = marker.start(), _unescaped(marker[1])
        following = _next_marker(output, marker.end())
        stretch = output[position : following.start() if following is not None else None]
        if is_system(current, names):
            system.append(stretch)
        elif _without_directives(_MARKS.sub("", stretch), current)[0]:
            position = output.rfind("{P:", 0, position)  # the mark of a token behind the line marker
            break
        marker = following
    else:
        position = len(output)
    heading = _MARKS.sub(MARK, "".join(system))
    if ";F:" in heading:  # rests of marks: there is a name with a brace
        return Preprocessed("", list(_printed(output, path)))
    return Preprocessed(heading, list(_printed(output[position:], current)))


def _next_marker(output: str, position: int) -> re.Match[str] | None:
    at = output.find("# ", position)
    while at >= 0:
        if output[at - 1] in "\n}" and (found := _MARKER.match(output, at)) is not None:
            return found
        at = output.find("# ", at + 1)
    return None


def _printed(output: str, current: str) -> Iterator[Printed]:
    for name, line, column, text in _MARK.findall(output):
        text, current = _without_directives(text, current)
        if text:
            yield Printed(text, name, int(line), int(column), current)


def _without_directives(text: str, current: str) -> tuple[str, str]:
    """The token, "" for none, and the file whose text comes from there on."""
    if "#" in text:
        for marker in _LINE_MARKER.findall(text):
            current = _unescaped(marker)
        text = _DIRECTIVE_LINE.sub("", text)
    return text.strip(), current


def _unescaped(name: str) -> str:
    return name.replace('\\"', '"').replace("\\\\", "\\")


def heading_tokens(heading: str) -> Iterator[tuple[str, str]]:
    """The tokens of a `Preprocessed.heading`, each with the file whose text it is."""
    current = ""
    for piece in heading.split(MARK):
        text, current = _without_directives(piece, current)
        if text:
            yield text, current


class SourceMap:
    """The source files of a program while it is read: numbers, bytes, tokens."""

    def __init__(self) -> None:
        self.files: list[SourceFile] = []
        self.lines: list[Lines] = []
        self.texts: list[str] = []
        self._lexed: dict[int, Lexed] = {}
        self._numbers: dict[str, int] = {}

    def number(self, path: str) -> int:
        """The number of the file, which is read at the first call.  Raises SourceError."""
        if path not in self._numbers:
            try:
                content = Path(path).read_bytes()
            except OSError as error:
                raise SourceError(f"{path}: {error.strerror}") from None
            self._numbers[path] = len(self.files)
            self.files.append(SourceFile(path, content))
            self.lines.append(Lines(content))
            self.texts.append(content.decode("latin-1"))
        return self._numbers[path]

    def lexed(self, file: int) -> Lexed:
        """The original tokens of a file."""
        if file not in self._lexed:
            self._lexed[file] = lex(self.texts[file])
        return self._lexed[file]


class _Aligner:
    """Gives the printed tokens of one file's stretch of output their original bytes."""

    def __init__(self, source: SourceMap, file: int) -> None:
        lexed = source.lexed(file)
        self.file = file
        self.lexemes = lexed.lexemes
        self.text = source.texts[file]
        self.starts = {lexeme.start: index for index, lexeme in enumerate(lexed.lexemes)}
        self.order = [lexeme.start for lexeme in lexed.lexemes]
        self.ranges: dict[int, tuple[int, int]] = {}
        self.present: set[int] = set()

    def find_invocations(self) -> None:
        """Find the macro invocations: names that did not reach the output, with their arguments."""
        lexemes, text, present = self.lexemes, self.text, self.present
        alive = {lexemes[index].run for index in present}
        index = 0
        while index < len(lexemes):
            first = lexemes[index]
            if index in present or first.run not in alive or not _is_word(text, first.start):
                index += 1
                continue
            last = index
            following = index + 1
            if (
                following < len(lexemes)
                and following not in present
                and text[lexemes[following].start] == "("
            ):
                last = self._closing(following)
            for inner in range(index, last + 1):
                self.ranges[inner] = (first.start, lexemes[last].end)
            index = last + 1

    def _closing(self, index: int) -> int:
        depth = 0
        for position in range(index, len(self.lexemes)):
            character = self.text[self.lexemes[position].start]
            depth += (character == "(") - (character == ")")
            if depth == 0:
                return position
        return index

    def between(self, low: int, high: int) -> tuple[int, int]:
        """The bytes of all invocations among the original tokens after `low` and before `high`."""
        found = [self.ranges[index] for index in range(low + 1, high) if index in self.ranges]
        if found:
            return found[0][0], found[-1][1]
        if low >= 0:
            lexeme = self.lexemes[low]
            return self.ranges.get(low, (lexeme.start, lexeme.end))
        return 0, 0


def _is_word(text: str, position: int) -> bool:
    character = text[position]
    return character.isalpha() or character in "_$" or character >= "\x80"


def align(printed: Sequence[Printed], source: SourceMap, is_source: Callable[[str], bool]) -> list[Token]:
    """The tokens with the original bytes that they come from.

    `is_source` tells the paths that count as source files from headers, whose tokens have file -1.
    """
    paths = {token.path for token in printed} | {token.output for token in printed}
    aligners = {path: _Aligner(source, source.number(path)) for path in sorted(paths) if is_source(path)}
    places = [_place(token, aligners, source) for token in printed]
    for aligner in aligners.values():
        aligner.find_invocations()
    after = _direct_after(printed, places, aligners)
    before: dict[str, int] = {}
    result = []
    for number, token in enumerate(printed):
        place = places[number]
        owner = aligners.get(token.output)
        if owner is None:
            result.append(Token(token.text))
            continue
        if place is not None and token.path == token.output:
            invocation = owner.ranges.get(place)
            lexeme = owner.lexemes[place]
            if invocation is not None:
                result.append(Token(token.text, owner.file, *invocation, origin=lexeme.start))
            else:
                before[token.output] = place
                result.append(Token(token.text, owner.file, lexeme.start, lexeme.end, True))
            continue
        start, end = owner.between(before.get(token.output, -1), after[number])
        result.append(Token(token.text, owner.file, start, end))
    return result


def _place(token: Printed, aligners: dict[str, _Aligner], source: SourceMap) -> int | None:
    """The original token that was printed, None when it stands in a directive or a header."""
    aligner = aligners.get(token.path)
    if aligner is None:
        return None
    offset = source.lines[aligner.file].offset(token.line, token.column)
    if offset is None:
        return None
    index = aligner.starts.get(offset)
    if index is None:
        index = bisect_right(aligner.order, offset) - 1
        if index < 0 or offset >= aligner.lexemes[index].end:
            return None
    # A stringised or pasted token is printed at the place of another one.
    if aligner.text[aligner.lexemes[index].start] != token.text[0]:
        return None
    aligner.present.add(index)
    return index


def _direct_after(
    printed: Sequence[Printed], places: Sequence[int | None], aligners: dict[str, _Aligner]
) -> list[int]:
    """For every token the next original token of its file that reached the output as it stands."""
    coming = {path: len(aligner.lexemes) for path, aligner in aligners.items()}
    result = [0] * len(printed)
    for number in range(len(printed) - 1, -1, -1):
        token, place = printed[number], places[number]
        owner = aligners.get(token.output)
        if owner is None:
            continue
        if place is not None and token.path == token.output and place not in owner.ranges:
            coming[token.output] = place
        result[number] = coming[token.output]
    return result
