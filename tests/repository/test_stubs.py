"""The type stubs of the compiled core, which are generated and kept in the repository."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from builders import REPOSITORY

KEPT = REPOSITORY / "src" / "tailgate" / "_core.pyi"


def test_the_stubs_are_those_of_the_core(tmp_path: Path) -> None:
    """A binding was changed without ``make stubs``, and type checkers would read lies."""
    made = tmp_path / "_core.pyi"
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "tailgate._core", "-o", str(made)],
        check=True,
    )
    # Compared as code, for the blank lines are the business of nanobind's release.
    assert _code(made) == _code(KEPT), "out of date: run make stubs"


def _code(path: Path) -> str:
    return ast.dump(ast.parse(path.read_text(encoding="utf-8")))
