"""What is told of repairs, and of that there is none."""

from __future__ import annotations

from collections import Counter
from textwrap import shorten
from typing import Literal

from wolverine import frontend
from wolverine.core.patch import Candidate, Patch, Repairs
from wolverine.core.program import Program, Span, reachable
from wolverine.core.trace import Interval, Problem, Trace
from wolverine.errors import CommandError, SourceError
from wolverine.semantics.violations import line_of
from wolverine.session import results
from wolverine.session.commands import Repair
from wolverine.session.moments import NO_PATCH

_BEHAVIOURS = 30  # lines of `candidates`
_UNCOMPARED = 40  # of those that were not compared, which may read alike
_OTHERS = 12  # and of other words for the same
_NAMED = 5  # functions
_QUOTED = 40  # characters of a statement
_GAPS = {"before": "in front of", "wrap-before": "in front of", "after": "behind", "wrap-after": "behind"}


def repaired(
    program: Program,
    engine: str,
    repairs: Repairs,
    index: int,
    how: Literal["native", "screened"],
    seconds: float,
    earlier: Patch = NO_PATCH,
    *,
    accepted: bool = False,
    stays: bool = False,
) -> results.Repaired:
    """The event: `edits` are those that `earlier` does not hold, `patch` holds all of them.

    It was `accepted` by its number, and `stays` in force where it was already.
    """
    patch = repairs.candidates[index].patch
    known = set(earlier.edits)
    fresh = Patch(tuple(edit for edit in patch.edits if edit not in known))
    edits = frontend.describe(program, fresh)
    return results.Repaired(
        engine=engine,
        seconds=seconds,
        cost=len(edits),
        candidates=repairs.total,
        behaviours=repairs.behaviours,
        applied=how,
        edits=tuple(results.EditResult(e.kind, e.line, e.before, e.after) for e in edits),
        patch=frontend.diff(program, patch),
        accepted=index + 1 if accepted else 0,
        compared=repairs.compared,
        stays=stays,
    )


def _one_line(program: Program, patch: Patch) -> str:
    return ", ".join(f"line {edit.line}: {_as_words(edit)}" for edit in frontend.describe(program, patch))


def _as_words(edit: frontend.EditText) -> str:
    """An edit without its line: what is inserted stands by itself."""
    match edit.kind:
        case "change":
            return f"{edit.before} becomes {edit.after}"
        case "insert":
            return edit.after
        case "delete":
            return f"deleted: {edit.before}"


def written(program: Program, patch: Patch) -> str:
    """The edits of a patch, one behind the other; "" where it cannot be written."""
    try:
        return _one_line(program, patch)
    except SourceError:
        return ""


def listed(program: Program, found: Repairs, chosen: int) -> list[str]:
    """The lines of `candidates`; `chosen` is the index of the one in force.

    Each behaviour has a line, for its closest candidate (for the one in force where that reads alike), with
    how many others do the same; some of these follow.  Candidates that cannot be written are left out.
    Of those that were not compared no behaviours are told, and only the first are written.  Edits that all
    have in common, such as those that were accepted before, are told once and in front.
    """
    common = _common(program, found)
    few = len(found.candidates) if found.compared else _UNCOMPARED
    told = [
        (written(program, _without(each.patch, common)), each.behaviour if found.compared else 0)
        if index < few or index == chosen
        else ("", 0)
        for index, each in enumerate(found.candidates)
    ]
    alike: dict[tuple[str, int], int] = {}  # the first of those that read and act alike
    for index, text in enumerate(told):
        if text[0] and (text not in alike or index == chosen):
            alike[text] = index
    closest: dict[int, int] = {}
    for (_, behaviour), index in alike.items():
        closest.setdefault(behaviour, index)
    others = [index for index in alike.values() if index not in closest.values()]
    words = Counter(behaviour for _, behaviour in alike)
    shown = sorted(closest.values())[:_BEHAVIOURS]
    if chosen in alike.values() and chosen not in (*shown, *others):
        shown.append(chosen)
    more = sorted(others, key=lambda index: (index != chosen, index))[:_OTHERS]
    read = Counter(told[index][0] for index in (*shown, *more))

    def line(index: int, also: int) -> str:
        candidate, mark = found.candidates[index], "*" if index == chosen else " "
        heaps = "1 fresh heap" if candidate.crashes == 1 else f"{candidate.crashes} fresh heaps"
        crash = f", crashes on {heaps}" if candidate.crashes else ""
        same = f"; {also} more do{'es' * (also == 1)} the same" if also else ""
        words_alike = read[told[index][0]] > 1
        where = _placed(program, candidate.patch) if words_alike else ""
        text = f"{mark}{index + 1:3}  {told[index][0]}{where}"
        return f"{text}  (behaviour {candidate.behaviour}{crash}{same})" if found.compared else text

    lines = [f"     each of them with {written(program, common)}"] if common.edits else []
    lines += [line(index, words[told[index][1]] - 1) for index in shown]
    if more:
        how = "the same in other words" if found.compared else "not compared with it"
        lines += [f"     {how}:", *(line(index, 0) for index in sorted(more))]
    behaviours = found.behaviours - len(shown) if found.compared else 0
    rest = len(found.candidates) - len(shown) - len(more)
    left = [f"{behaviours} more behaviour{'s' * (behaviours > 1)}"] if behaviours > 0 else []
    left += [f"{rest} more number{'s' * (rest > 1)}"] if rest > 0 else []
    if left:
        lines.append(f"     and {', '.join(left)}: `accept` takes every number up to {len(found.candidates)}")
    if found.total > len(found.candidates):
        lines.append(
            f"     ({found.total - len(found.candidates)} more, further from the source, have no number)"
        )
    return lines


def _common(program: Program, found: Repairs) -> Patch:
    """The edits that all candidates have, where each has others besides."""
    patches = [each.patch for each in found.candidates]
    if len(patches) < 2:
        return NO_PATCH
    shared = set(patches[0].edits).intersection(*(each.edits for each in patches[1:]))
    common = Patch(tuple(edit for edit in patches[0].edits if edit in shared))
    apart = all(len(each.edits) > len(shared) for each in patches)
    return common if apart and written(program, common) else NO_PATCH


def _without(patch: Patch, common: Patch) -> Patch:
    return Patch(tuple(edit for edit in patch.edits if edit not in common.edits))


def numbered(found: Repairs, number: int) -> Candidate:
    """The candidate of that number.  Raises CommandError where there is none."""
    if 1 <= number <= len(found.candidates):
        return found.candidates[number - 1]
    last = len(found.candidates)
    there = f"they go from 1 to {last}" if last > 1 else "there is candidate 1"
    raise CommandError(f"there is no candidate {number}; {there}")


def _placed(program: Program, patch: Patch) -> str:
    """In front of or behind which statements a patch inserts: of one line there may be several places."""
    found = [program.location(edit.location) for edit in patch.edits]
    gaps = [(_GAPS.get(each.gap, ""), each.span) for each in found if each.kind == "gap"]
    told = [f"{word} `{_quoted(program, span)}`" for word, span in gaps if word]
    return f" {', '.join(told)}" if told else ""


def _quoted(program: Program, span: Span) -> str:
    text = program.files[span.file].content[span.start : span.end].decode(errors="replace")
    return shorten(text, _QUOTED, placeholder=" ...")


def unfollowed(program: Program, trace: Trace) -> str:
    """The first stretch of an execution over which the model did not follow, and why; "" where it did.

    What is edited there changes nothing in the model, so that no such edit is a repair.
    """
    found = next((each for each in trace.events if isinstance(each, Interval) and each.reason), None)
    if found is None:
        return ""
    ends = [(found.position.function, found.position.instruction), *found.to[:1]]
    begin, *end = (_line(program, *each) for each in ends)
    way = f"from {begin} to {end[0]}" if end else f"from {begin} on"
    return (
        f"the model does not follow the program {way} ({found.reason}), so that no edit of what is done "
        "there can be tried"
    )


def _line(program: Program, name: str, instruction: int) -> str:
    line = line_of(program, name, instruction)
    return f"line {program.functions[name].line if line is None else line} in {name}"


def explained(reason: str, core: tuple[str, ...]) -> str:
    """Why there is no repair (see `NoRepair`)."""
    match reason:
        case "unsatisfiable":
            what = "; ".join(core)
            return f"these cannot hold together within the edits tried: {what}" if core else "no edit fits"
        case "budget":
            return "the search was ended before it had tried all edits"
        case "interrupted":
            return "interrupted"
        case _:
            return "; ".join(core) or reason


def ended_early(program: Program, problem: Problem, command: Repair, seconds: float) -> str:
    """That a search was ended at its bound: what it looked at, and what may bring it further."""
    if command.lines is not None:
        where = f"lines {command.lines[0]} to {command.lines[1]}"
    elif command.function is not None:
        where = command.function
    else:
        first = problem.traces[0].start_stack[0][0]
        names = [first, *sorted(reachable(program, {first}) - {first})]
        where = ", ".join(names) if len(names) <= _NAMED else f"{first} and all that it calls"
    timed = command.seconds is not None and seconds >= command.seconds
    bound = "as `--budget` says" if timed else "at its bound of steps"
    narrower = "a few lines (`--line A-B`)"
    if command.function is None and command.lines is None:
        narrower = f"one function (`--function F`) or {narrower}"
    return (
        f"no repair was found in {where}: the search was ended after {seconds:.1f} s, {bound}, before it had "
        f"tried all edits. Try {narrower}, or correct or assert a picture on the way (`change`, `spec`)"
    )
