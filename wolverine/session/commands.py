"""Every command as a frozen dataclass: its fields are its arguments, its docstring is its help.

`wolverine.session.parse` makes them from text.  `SessionCommand`s are carried out by the session;
`ShellCommand`s by whoever reads the lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

_IN_FORCE = 1.5  # seconds
ResumeVerb = Literal["next", "step", "finish", "until", "advance", "continue"]


@dataclass(frozen=True, slots=True)
class Start:
    """start

    Run the program to the first line of main.
    """

    arguments: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """run

    Run the program to the first breakpoint, or to its end.
    """

    arguments: str = ""


@dataclass(frozen=True, slots=True)
class Resume:
    """next [N] | step [N] | finish | until [PLACE] | advance PLACE | continue [N]

    Let the program go on, as in gdb. `next` executes one statement and stays in this function, `step` goes
    into calls, `finish` runs to the end of the function, `until` passes the end of a loop, `advance` runs
    to a line or function, `continue` to the next breakpoint. `next` and `step` are repeated N times;
    `continue N`, given at a breakpoint, stops there when it is reached for the N-th time from then on. Ctrl-C
    stops the program.
    """

    verb: ResumeVerb
    argument: str = ""

    @property
    def text(self) -> str:
        """The command as gdb takes it."""
        return f"{self.verb} {self.argument}".rstrip()

    @property
    def count(self) -> int:
        """How many times, where the argument is a plain number; 1 otherwise."""
        return int(self.argument) if self.argument.isascii() and self.argument.isdigit() else 1


@dataclass(frozen=True, slots=True)
class Enter:
    """enter

    Go into the loop or branch at whose condition the program stands, whatever it says. The decision is
    remembered: a repair has to make the same one.
    """


@dataclass(frozen=True, slots=True)
class Leave:
    """leave

    Leave the loop, or do not take the branch, whatever the condition says. The decision is remembered: a
    repair has to make the same one.
    """


@dataclass(frozen=True, slots=True)
class Change:
    """change PLACE VALUE

    Correct the state. The memory of the process is changed at once, and a repair has to bring the value
    about. PLACE is a variable (head, f::x in a frame further out), a field (n4->prev, a->b->c), *p or a[3].
    VALUE is a node (n3), null, a number, a character ('x'), a constant of an enumeration, true, false, a
    place (its present value), or an expression that gdb can work out (l->n - 1); for an array of characters
    a text ("Bob"), stored as strcpy does; `new` is a node that the program should have allocated; for a
    node itself, live or freed. After a crash the statement begins anew with it. `undo` takes it back.
    """

    place: str
    value: str


@dataclass(frozen=True, slots=True)
class Undo:
    """undo

    Take back the last change made at this stop.
    """


@dataclass(frozen=True, slots=True)
class Spec:
    """spec [PLACE ...]

    Assert the present state here, or only these places. A temporary that is set before it is read again is
    asserted if it is named or was changed. Prints the number of the checkpoint, for `resume` and `spec drop`.
    """

    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SpecDrop:
    """spec drop K

    Withdraw the assertion of checkpoint K. The checkpoint itself stays.
    """

    checkpoint: int


@dataclass(frozen=True, slots=True)
class Track:
    """track PLACE ...

    Let `spec` record only these places from now on, unless it names others.
    """

    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Untrack:
    """untrack

    Let `spec` record the whole state again.
    """


@dataclass(frozen=True, slots=True)
class LineRange:
    """Lines `first` to `last` (from 1, both included) of `file` ("": the file in which we stand)."""

    first: int
    last: int
    file: str = ""


@dataclass(frozen=True, slots=True)
class Repair:
    """repair [--budget SECONDS] [--insert N] [--line A-B] [--function NAME] [--ask N] | repair --answer K

    Find the smallest edits that meet all assertions and forced branches. The best repair is put in force in
    the running program; `candidates` lists the others. --budget bounds the time (by itself a search ends
    after so much work, not by the clock: mostly in seconds, in some minutes where much is possible),
    --insert the number of inserted statements, --line and --function where edits may be made. Where repairs
    would act differently on other heaps, it asks which result you want: its number K tells (0 or neither
    for none of them), in scripts --answer K, and holds for later repairs too. --ask N allows N questions
    in a row, --no-question none.
    Where nothing is asserted, the program must not crash; when it has ended, `repair` goes back to where it
    first did what C forbids, or else to where a node was lost that it never freed. Where main has lost
    nodes, the program goes on to its end first.
    --engine NAME chooses how to search: search (as it does by itself), widening (Algorithm 1 on z3) or
    widening-any (which relaxes by chance); --localize has it change suspicious statements only, as
    long as that suffices, --no-localize all of them. --explain tells what the engine widening does.
    """

    engine: str | None = None
    budget: float | None = None
    insert: int | None = None
    lines: tuple[int, int] | None = None
    function: str | None = None
    localize: bool | None = None
    explain: bool = False
    answer: int | None = None
    question: bool = True
    ask: int = 1

    @property
    def seconds(self) -> float | None:
        """How much of the budget the search may take; the rest is for putting what it finds in force."""
        return None if self.budget is None else self.budget - min(self.budget / 4, _IN_FORCE)


@dataclass(frozen=True, slots=True)
class Candidates:
    """candidates [K]

    List the repairs that were found, best first: a line for each behaviour, then some that come to the same
    in other words.  `candidates K` shows the difference that number K would make to the source, listed or
    not, and a heap on which it crashes, if one was found; `accept K` puts it in force.
    """

    number: int | None = None


@dataclass(frozen=True, slots=True)
class Accept:
    """accept K

    Put candidate number K in force instead, until the program goes on. `accept 0` takes the patch out of
    force, at any time: the program runs as it was given.
    """

    candidate: int


@dataclass(frozen=True, slots=True)
class Localize:
    """localize [--engine NAME] [--explain]

    Rank the statements by suspicion. --engine NAME chooses how: gradient, slice or exact (those in some
    smallest repair); --explain says how it came about.
    """

    engine: str | None = None
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Concrete:
    """concrete LINE[-LINE] | concrete FUNCTION | concrete off [LINE[-LINE] | FUNCTION]

    Do not model these lines, or calls of this function. What they do is taken from the process
    (specification refinement). `off` ends that, for all of them where nothing is named.
    """

    what: LineRange | str | None
    off: bool = False


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """checkpoints [--picture FILE]

    Show the tree of checkpoints. --picture draws it into a file: .svg .png .pdf .dot.
    """

    picture: str | None = None


@dataclass(frozen=True, slots=True)
class ResumeCheckpoint:
    """resume K

    Go back to checkpoint K, with process, position, names and constraints.
    """

    checkpoint: int


@dataclass(frozen=True, slots=True)
class Back:
    """back [N]

    Undo the last stop, or the last N.
    """

    count: int = 1


@dataclass(frozen=True, slots=True)
class Graph:
    """graph [PLACE ...]

    Draw the heap, or only what these places lead to, with themselves as labels; other variables are left out.
    """

    places: tuple[str, ...] = ()
    tidy: bool = False


@dataclass(frozen=True, slots=True)
class Save:
    """save FILE

    Write the picture of the heap to a file. Its ending names the format: .svg .png .pdf .dot .json .txt;
    .html is the whole session as one page that replays it in any browser, offline.
    """

    file: str


@dataclass(frozen=True, slots=True)
class Rewrite:
    """rewrite [FILE]

    Write the repaired C source to FILE, or print the difference. `patch -p1` takes it. Where several files
    are patched, `rewrite DIRECTORY/` writes each by its name into that directory.
    """

    file: str | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """why NODE | PLACE

    Say since when a node is lost or a pointer dangles, and by which statement; of a place: what it leads to.
    """

    node: str


@dataclass(frozen=True, slots=True)
class View:
    """view

    Show the session in a browser, and let it be driven there: the live page. Its address is printed; it is
    for you alone. `save session.html` keeps the page as a file.
    """


@dataclass(frozen=True, slots=True)
class StepBudget:
    """set step-budget SECONDS | show step-budget

    Bound the time of one stepping command. What still runs then is stopped (10 seconds by default). Waiting
    for input takes none of it.
    """

    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class ImageMemory:
    """set image-memory SIZE | show image-memory

    Bound the memory for the states that `back` goes to (500M by default). Beyond it the oldest are thinned
    out; checkpoints are kept. SIZE is a number of bytes, or ends in K, M or G.
    """

    size: int | None = None


@dataclass(frozen=True, slots=True)
class GdbCommand:
    """Anything else goes to gdb as it stands; a block (`commands ... end`) with its line ends."""

    text: str


@dataclass(frozen=True, slots=True)
class History:
    """history [N]

    Show the commands given so far, or the last N.
    """

    count: int | None = None


@dataclass(frozen=True, slots=True)
class Sessions:
    """sessions

    List the recorded sessions, the newest first. `wolverine --resume NAME` repeats one up to its end.
    """


@dataclass(frozen=True, slots=True)
class Source:
    """source FILE

    Run the commands in a file. The first one that fails ends it.
    """

    file: str


@dataclass(frozen=True, slots=True)
class Help:
    """help [COMMAND]

    Explain a command, or list them all.
    """

    topic: str = ""


@dataclass(frozen=True, slots=True)
class Quit:
    """quit

    End the session and the program with it.
    """


ShellCommand = History | Sessions | Source | Help | Quit

SessionCommand = (
    Start
    | Run
    | Resume
    | Enter
    | Leave
    | Change
    | Undo
    | Spec
    | SpecDrop
    | Track
    | Untrack
    | Repair
    | Candidates
    | Accept
    | Localize
    | Concrete
    | Checkpoints
    | ResumeCheckpoint
    | Back
    | Graph
    | Save
    | Rewrite
    | Why
    | View
    | StepBudget
    | ImageMemory
    | GdbCommand
)

Command = SessionCommand | ShellCommand
