"""Control flow inside one function."""

from __future__ import annotations

from wolverine.core.program import Branch, Function, Jump, Return


def forward(function: Function, start: int, stop: int = -1) -> set[int]:
    """The instructions that can be executed from `start` on, up to an arrival at `stop` (not included).

    When execution starts at `stop` it is executed once.
    """
    code = function.code
    seen: set[int] = set()
    work = [start]
    first = True
    while work:
        index = work.pop()
        if index in seen or index >= len(code) or (index == stop and not first):
            continue
        first = False
        seen.add(index)
        match code[index]:
            case Jump(_, target):
                work.append(target)
            case Branch(_, _, if_true, if_false):
                work += [if_true, if_false]
            case Return():
                pass
            case _:
                work.append(index + 1)
    return seen
