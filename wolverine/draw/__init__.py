"""Pictures of memory graphs: one layout, drawn in the terminal and in files, told in words and as data.

What is here is imported when it is first asked for: nothing is drawn before a program has stopped, and a
prompt should not wait for it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wolverine.draw.events import Asked, GraphData, as_json, value_json
    from wolverine.draw.layouts import LIMIT, ON_A_SHEET, WIDTH, layout
    from wolverine.draw.names import Names, place_text, quoted
    from wolverine.draw.picture import Picture
    from wolverine.draw.saving import ENDINGS, dot, pdf, png, save, svg
    from wolverine.draw.terminals import terminal
    from wolverine.draw.words import describe
else:
    # No module has the name of what it offers: importing it would put it in that one's place.
    _WHERE = {
        "Asked": "events",
        "GraphData": "events",
        "as_json": "events",
        "value_json": "events",
        "LIMIT": "layouts",
        "WIDTH": "layouts",
        "ON_A_SHEET": "layouts",
        "layout": "layouts",
        "Names": "names",
        "place_text": "names",
        "quoted": "names",
        "Picture": "picture",
        "ENDINGS": "saving",
        "dot": "saving",
        "pdf": "saving",
        "png": "saving",
        "save": "saving",
        "svg": "saving",
        "terminal": "terminals",
        "describe": "words",
    }

    def __getattr__(name):
        if name not in _WHERE:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = globals()[name] = getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
        return found


__all__ = [
    "ENDINGS",
    "LIMIT",
    "ON_A_SHEET",
    "WIDTH",
    "Asked",
    "GraphData",
    "Names",
    "Picture",
    "as_json",
    "describe",
    "dot",
    "layout",
    "pdf",
    "place_text",
    "png",
    "quoted",
    "save",
    "svg",
    "terminal",
    "value_json",
]
