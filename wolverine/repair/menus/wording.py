"""Candidates as text: the order of those that are equal otherwise, and what people read."""

from __future__ import annotations

from wolverine.core.expressions import Load, lvalue_text, text
from wolverine.core.parts import negated
from wolverine.core.patch import (
    Cleared,
    Deletion,
    FreedList,
    Guarded,
    NewAssignment,
    NewBlock,
    NewCall,
    NewJump,
    NewNode,
    NewReturn,
    NewSkip,
    NewValue,
    OtherFunction,
    OtherJoin,
    Patch,
    Replacement,
    Several,
    ShortCircuit,
)
from wolverine.core.program import Program


def replacement_text(replacement: Replacement) -> str:
    """C text of what an edit puts in place."""
    match replacement:
        case NewAssignment(target, value):
            return f"{lvalue_text(target)} = {text(value)}"
        case NewValue(value):
            return text(value)
        case NewCall(function, arguments, result):
            stored = "" if result is None else f"{lvalue_text(result)} = "
            stored = "return " if replacement.leaves else stored
            return f"{stored}{function}({', '.join(text(a) for a in arguments)})"
        case NewReturn(returned, before):
            last = "return" if returned is None else f"return {text(returned)}"
            return last if before is None else f"{replacement_text(before)}; {last}"
        case NewJump("while"):
            return "while for if"
        case NewJump(keyword):
            return keyword
        case NewSkip(_, last, instead):
            done = "" if instead is None else f"{replacement_text(instead)}; else "
            return f"{done}{{ ... }}"
        case NewBlock(statements, leaving, onward):
            jump = onward if isinstance(onward, NewJump) else None
            ends = [each for each in (leaving, jump) if each is not None]
            inner = "; ".join(map(replacement_text, (*statements, *ends)))
            return f"{{ {inner} }}{' else { ... }' if isinstance(onward, NewSkip) else ''}"
        case Guarded(condition, NewSkip(instead=None) as skip):
            return f"if ({text(negated(condition))}) {replacement_text(skip)}"
        case Guarded(condition, statement, otherwise):
            rest = "" if otherwise is None else f"; else {replacement_text(otherwise)}"
            return f"if ({text(condition)}) {replacement_text(statement)}{rest}"
        case NewNode(target, string=string, copied=True) if string is not None:
            return f"{lvalue_text(target)} = strdup({text(string)})"
        case NewNode(target, size, _, string) if string is not None:
            return f"{lvalue_text(target)} = malloc(strlen({text(string)}) + {size})"
        case NewNode(target, zeroed=zeroed):
            one = f"sizeof(*{lvalue_text(target)})"
            return f"{lvalue_text(target)} = {f'calloc(1, {one})' if zeroed else f'malloc({one})'}"
        case Several(assigned):
            return "; ".join(map(replacement_text, assigned))
        case FreedList(first, link, rest, owned):
            place = lvalue_text(first)
            freed = "".join(f"free({lvalue_text(each)}); " for each in (*owned, first))
            kept = f"{rest.name} = {text(Load(link))}; "
            return f"while ({place} != NULL) {{ {kept}{freed}{place} = {rest.name}; }}"
        case ShortCircuit(operator, test):
            return f"{text(test)} {operator}"
        case OtherFunction(name):
            return name
        case OtherJoin(operator):
            return operator
        case Cleared():
            return "calloc"
        case Deletion():
            return ""


def describe(program: Program, patch: Patch) -> str:
    """A text of the patch that orders candidates of equal rank: by location, then by what is put there."""
    return " | ".join(f"{e.location:06} {replacement_text(e.replacement)}" for e in patch.edits)
