"""C in and out: preprocessing, parsing, lowering; and patches as source edits."""

from wolverine.frontend.loading import Loaded, load

__all__ = ["Loaded", "load"]
