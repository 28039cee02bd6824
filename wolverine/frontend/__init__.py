"""C in and out: preprocessing, parsing, lowering; and patches as source edits."""

from wolverine.frontend.check import check
from wolverine.frontend.difference import diff
from wolverine.frontend.emit import EditText, HotText, describe, emit, emit_hot
from wolverine.frontend.loading import Loaded, load
from wolverine.frontend.meant import patched
from wolverine.frontend.naming import renamed
from wolverine.frontend.positions import file_number, is_header, offset_of
from wolverine.frontend.reparse import parse_expression
from wolverine.frontend.spelling import split_assignment

__all__ = [
    "EditText",
    "HotText",
    "Loaded",
    "check",
    "describe",
    "diff",
    "emit",
    "emit_hot",
    "file_number",
    "is_header",
    "load",
    "offset_of",
    "parse_expression",
    "patched",
    "renamed",
    "split_assignment",
]
