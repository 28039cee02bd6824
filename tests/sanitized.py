"""Programs compiled, with the address and undefined behaviour sanitizers or without, and what they print."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def sanitized(source: Path) -> Path:
    """The binary of a C file; the first violation ends it."""
    binary = source.with_suffix("")
    flags = ["-g", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    subprocess.run(["gcc", *flags, "-o", binary, source], check=True)
    return binary


def plain(source: Path) -> Path:
    """The binary of a C file that is known to be right."""
    binary = source.with_suffix("")
    subprocess.run(["gcc", "-w", "-o", binary, source], check=True)
    return binary


def printed(binary: Path, arguments: str = "") -> tuple[int, str]:
    """How the program exits, and what it prints; lost memory is no error."""
    ran = subprocess.run(
        [binary, *arguments.split()],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"},
    )
    return ran.returncode, ran.stdout
