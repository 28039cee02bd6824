"""Search for the smallest edits of a program that meet what was asserted about its executions."""

from wolverine.repair.engine import search

__all__ = ["search"]
