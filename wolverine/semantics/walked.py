"""Variables with which a program walks to and fro: the line of an editor at which it stands.

They are set to the next node here and to the previous one there, so they lead to an end by chance only.
"""

from __future__ import annotations

from wolverine.core.expressions import Dereference, Element, Load, LValue, Member, VariableReference, text
from wolverine.core.graph import VariableId
from wolverine.core.program import Assign, Function, Program


def walked(program: Program, variable: VariableId) -> bool:
    """Whether the program sends a variable on over two links of the nodes to which it leads."""
    if variable.depth >= 0:
        function = program.functions.get(variable.function)
        return function is not None and len(_links(function, variable.name, "local")) > 1
    found = (_links(each, variable.name, "global") for each in program.functions.values())
    return len(frozenset[str]().union(*found)) > 1


def sent_on(function: Function, name: str) -> bool:
    """Whether a function sends a local variable on over a link of the nodes to which it leads."""
    return bool(_links(function, name, "local"))


def _links(function: Function, name: str, level: str) -> frozenset[str]:
    """The links over which the function sends a variable on, but for those that it has set itself.

    `tail->next = n; tail = tail->next;` is another way to say `tail = n`.
    """
    found: set[str] = set()
    given: set[str] = set()
    for step in function.code:
        match step:
            case Assign(_, VariableReference(to) as place, Load(far)):
                before, link = _link(far)
                if before == place and to == name and place.level == level and link not in given:
                    found.add(link)
            case Assign(_, target):
                holder, link = _link(target)
                if holder is not None and holder.name == name:
                    given.add(link)
    return frozenset(found)


def _link(place: LValue) -> tuple[VariableReference | None, str]:
    """The variable that leads to the node of which a place is a link, and that link: `next`, `child[0]`."""
    match place:
        case Member(Dereference(Load(VariableReference() as variable)), link):
            return variable, link
        case Element(Member(Dereference(Load(VariableReference() as variable)), link), index):
            return variable, f"{link}[{text(index)}]"
    return None, ""
