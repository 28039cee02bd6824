"""Pictures of memory graphs: one layout, drawn in the terminal and in files, told in words and as data."""

from wolverine.draw.events import GraphData, as_json, value_json
from wolverine.draw.layout import LIMIT, layout
from wolverine.draw.names import Names, place_text
from wolverine.draw.picture import Picture
from wolverine.draw.save import ENDINGS, dot, pdf, png, save, svg
from wolverine.draw.terminal import terminal
from wolverine.draw.words import describe

__all__ = [
    "ENDINGS",
    "LIMIT",
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
    "save",
    "svg",
    "terminal",
    "value_json",
]
