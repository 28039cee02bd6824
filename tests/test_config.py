"""Directories."""

from __future__ import annotations

from pathlib import Path

import pytest

from wolverine import config


def test_the_scripts_for_gdb_are_found() -> None:
    assert (config.gdb_scripts() / "tracker.c").is_file()


@pytest.mark.parametrize(
    ("variable", "function", "fallback"),
    [("XDG_CACHE_HOME", config.cache_dir, ".cache"), ("XDG_STATE_HOME", config.state_dir, ".local/state")],
)
def test_xdg_directories(
    variable: str,
    function: object,
    fallback: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    assert callable(function)
    monkeypatch.setenv(variable, str(tmp_path))
    assert function() == tmp_path / "wolverine"
    monkeypatch.setenv("HOME", "/home/me")
    for useless in ("", "relative/path"):
        monkeypatch.setenv(variable, useless)
        assert function() == Path("/home/me") / fallback / "wolverine"


def test_private_directories_are_private(tmp_path: Path) -> None:
    made = config.private_directory(tmp_path / "a" / "b")
    assert made.stat().st_mode & 0o777 == 0o700
    assert config.private_directory(made) == made
