"""The conventions of CONTRIBUTING.md that a program can check."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

from builders import REPOSITORY

FILES = sorted(
    path
    for folder in ("src", "tests", "examples", "docs")
    for path in (REPOSITORY / folder).rglob("*.py")
)
# Words with which a comment would silence the checkers.
SILENCER = re.compile(r"#\s*(?:type:\s*ignore|noqa|pragma:\s*no)", re.IGNORECASE)
CATCH_ALL = {"Exception", "BaseException"}


def relative(path: Path) -> str:
    """Return a path as people write it."""
    return path.relative_to(REPOSITORY).as_posix()


def silencers(source: str) -> list[int]:
    """Return the lines whose comment silences a checker."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [
        token.start[0]
        for token in tokens
        if token.type == tokenize.COMMENT and SILENCER.search(token.string)
    ]


def catch_alls(source: str) -> list[int]:
    """Return the lines that catch every error and do not raise it again."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.ExceptHandler):
            continue
        caught = [] if node.type is None else list(ast.walk(node.type))
        names = {name.id for name in caught if isinstance(name, ast.Name)}
        last = node.body[-1]
        raises_again = isinstance(last, ast.Raise) and last.exc is None
        if (node.type is None or names & CATCH_ALL) and not raises_again:
            lines.append(node.lineno)
    return lines


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_no_comment_silences_a_checker_and_no_error_is_swallowed(path: Path) -> None:
    """What CONTRIBUTING.md forbids, tests do not do, either."""
    source = path.read_text(encoding="utf-8")
    assert silencers(source) == []
    assert catch_alls(source) == []


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.name.startswith("test_")], ids=relative
)
def test_every_test_says_why_it_exists(path: Path) -> None:
    """A test that fails years later is kept or thrown away after that line."""
    tests = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    assert [test.name for test in tests if not ast.get_docstring(test)] == []


def test_the_checks_find_what_they_look_for() -> None:
    """A check that finds nothing would let everything pass."""
    assert silencers("x = 1  # type: ignore[x]\ny = '# noqa'\nz = 2  # NOQA: E501\n") == [1, 3]
    body = "try:\n    pass\nexcept {}:\n    {}\n"
    assert catch_alls(body.format("(ValueError, Exception)", "pass")) == [3]
    assert catch_alls(body.format("BaseException", "raise")) == []
    assert catch_alls(body.format("ValueError", "pass")) == []
    assert catch_alls("try:\n    pass\nexcept:\n    pass\n") == [3]
