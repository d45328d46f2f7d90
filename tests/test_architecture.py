"""Which part of the package may use which: data flows one way."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import REPOSITORY

PACKAGE = REPOSITORY / "src" / "tailgate"

# From the lowest to the highest, as in docs/architecture.md.
ROOMS = [
    "_core",
    "errors",
    "validation",
    "notebooks",
    "conventions",
    "units",
    "rounding",
    "text_file",
    "json_document",
    "time_limit",
    "work",
    "instance",
    "solution",
    "verify",
    "loading",
    "recording",
    "routing",
    "pricing",
    "master",
    "network",
    "screening",
    "stabilisation",
    "column_generation",
    "search",
    "formats",
    "generate",
    "dataset",
    "report",
    "experiments",
    "serve",
    "cli",
    "__main__",
]


def room_of(path: Path) -> str:
    """Return the folder or file directly below the package."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def used_rooms(path: Path) -> Iterator[str]:
    """Yield the rooms whose names a file imports, also inside its functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "tailgate":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tailgate."):
            yield str(node.module).split(".")[1]
        elif isinstance(node, ast.Import):
            yield from (
                alias.name.split(".")[1] for alias in node.names if alias.name[:9] == "tailgate."
            )


@pytest.mark.parametrize("room", ROOMS[1:])
def test_a_room_uses_none_above_it(room: str) -> None:
    """A cycle begins with one import in the wrong direction."""
    files = [path for path in PACKAGE.rglob("*.py") if room_of(path) == room]
    assert files
    allowed = set(ROOMS[: ROOMS.index(room) + 1])
    for path in files:
        assert set(used_rooms(path)) <= allowed, path.name


def test_every_room_is_known_here() -> None:
    """A new room must say where it stands."""
    rooms = {room_of(path) for path in PACKAGE.rglob("*.py")} - {"__init__"}
    assert rooms == set(ROOMS) - {"_core"}


def test_the_judge_knows_only_data() -> None:
    """It must not be able to repeat a mistake of the solver."""
    assert set(used_rooms(PACKAGE / "verify.py")) <= {"errors", "instance", "solution"}
