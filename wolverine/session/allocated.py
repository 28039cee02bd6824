"""Where nodes were allocated, in words: by which line, and who called the function that it stands in.

Most programs allocate in one function only (`new_node`), so that its line says little without its caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wolverine.core.graph import Site
from wolverine.core.process import NeverFreed
from wolverine.core.program import Program
from wolverine.core.types import PointerType, VoidType

_MOST_NAMES = 8
_MOST_LINES = 4
_MOST_GROUPS = 6


def allocated_at(program: Program, site: Site, callers: Sequence[Site]) -> str:
    """Where a node was allocated: "allocated at line 15 in getnode, called at line 63 in insert"."""
    return _words(site, [(each.function, [each.line]) for each in _telling(program, site, callers)])


def left_over(program: Program, left: Iterable[NeverFreed]) -> str:
    """The nodes that were never freed; those together that one function has had from one call."""
    groups = _grouped(program, left)
    rest = sum(each.count for group in groups[_MOST_GROUPS:] for each in group)
    told = [_told(program, group) for group in groups[:_MOST_GROUPS]]
    return "; ".join([*told, f"{rest} more"] if rest else told)


def _telling(program: Program, site: Site, callers: Sequence[Site]) -> Sequence[Site]:
    """The callers that say something: one, or two where the innermost function is another `malloc`.

    Where a function calls itself, that says nothing of what the node is for.
    """
    if any(each.function == site.function for each in callers):
        return ()
    function = program.functions.get(site.function)
    wrapper = function is not None and function.result == PointerType(VoidType())
    return callers[: 2 if wrapper else 1]


def _grouped(program: Program, left: Iterable[NeverFreed]) -> list[list[NeverFreed]]:
    """What is told together: it differs at most in the line that calls.

    A call that some activations of one function have made for each other is not told apart by callers.
    """
    found: dict[object, list[NeverFreed]] = {}
    known = [(each, _callers(program, each)) for each in left]
    bare = {each.site for each, callers in known if not callers}
    for each, callers in known:
        names = tuple(caller.function for caller in callers)
        apart = (each.site, names, callers[:-1]) if callers and each.site not in bare else each.site
        found.setdefault(apart, []).append(each)
    return list(found.values())


def _callers(program: Program, left: NeverFreed) -> Sequence[Site]:
    return _telling(program, left.site, left.callers) if left.site is not None else ()


def _told(program: Program, group: Sequence[NeverFreed]) -> str:
    """One group: its nodes, and where they come from."""
    first = sorted(node.number for each in group for node in each.first)[:_MOST_NAMES]
    more = sum(each.count for each in group) - len(first)
    names = ", ".join(f"n{number}" for number in first) + (f" and {more} more" if more else "")
    site = group[0].site
    if site is None:
        return names
    callers = [_callers(program, each) for each in group]
    calls = (
        [(at[0].function, sorted({each.line for each in at})) for at in zip(*callers, strict=True)]
        if all(callers)
        else []
    )
    return f"{names} ({_words(site, calls)})"


def _words(site: Site, calls: Sequence[tuple[str, Sequence[int]]]) -> str:
    """A call that allocates and those that led to it, with the lines where they stand."""
    words = f"allocated at line {site.line}" + (f" in {site.function}" if calls else "")
    return words + "".join(f", called at {_lines(lines)} in {name}" for name, lines in calls)


def _lines(lines: Sequence[int]) -> str:
    if len(lines) == 1:
        return f"line {lines[0]}"
    told = [str(line) for line in lines[:_MOST_LINES]]
    if len(lines) > _MOST_LINES:
        return f"lines {', '.join(told)} and {len(lines) - _MOST_LINES} more"
    return f"lines {', '.join(told[:-1])} and {told[-1]}"
