"""The command line of Wolverine."""

from wolverine.cli.main import main

__all__ = ["main"]
