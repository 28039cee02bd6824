"""The source files that a ready executable was built from, as its debug information names them."""

from __future__ import annotations

from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from wolverine.errors import SourceError


def sources_of(executable: Path) -> tuple[Path, ...]:
    """The C files of the executable's compilation units that can be read, in order.

    Raises SourceError when the file is no executable or was built without -g.
    """
    try:
        with executable.open("rb") as stream:
            elf = ELFFile(stream)
            if not elf.has_dwarf_info():
                raise SourceError(f"{executable} has no debug information; compile it with -g -O0")
            named = []
            for unit in elf.get_dwarf_info().iter_CUs():
                top = unit.get_top_DIE()
                name, folder = (top.attributes.get(f"DW_AT_{key}") for key in ("name", "comp_dir"))
                if name is not None:
                    base = Path(folder.value.decode()) if folder is not None else Path()
                    named.append(base / name.value.decode())
    except OSError as error:
        raise SourceError(f"{executable} cannot be read: {error.strerror}") from error
    except ELFError as error:
        raise SourceError(f"{executable} is no executable: {error}") from error
    found = tuple(dict.fromkeys(path for path in named if path.suffix == ".c" and path.is_file()))
    if not named:
        raise SourceError(f"{executable} has no debug information; compile it with -g -O0")
    return found
