"""What pages and tests refer to is in the repository."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import REPOSITORY

PAGES = [
    path
    for folder in (".", "docs", "docs/howto", "docs/results", "examples")
    for path in sorted((REPOSITORY / folder).glob("*.md"))
    # It names files that were there once.
    if path.name != "CHANGELOG.md"
]
TESTS = sorted((REPOSITORY / "tests").rglob("*.py"))

# A path from the root of the repository, as in `tests/model/test_judge.py` or `cpp/packing`.
PATH = re.compile(r"(?<![\w./~-])(?:tests|docs|cpp|src|examples|\.ci)/[\w.-]+(?:/[\w.-]+)*")
# A file by its name alone: a page, or a test.
NAME = re.compile(r"(?<![\w./~<-])(?:[\w-]+\.md|test_\w+\.(?:py|cpp))\b")
# A document that is cited by a title in capitals, which nobody can look up.
TITLE = re.compile(r"\b[A-Z]{4,}(?='s )")


def relative(path: Path) -> str:
    """Return a path as people write it."""
    return path.relative_to(REPOSITORY).as_posix()


def cited_paths(text: str) -> Iterator[str]:
    """Yield the paths from the root of the repository that a text names."""
    for match in PATH.finditer(text):
        yield match[0].rstrip(".")


def comments_and_texts(path: Path) -> Iterator[str]:
    """Yield the comments of a Python file, and its docstrings."""
    source = path.read_text(encoding="utf-8")
    before = tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        is_docstring = token.type == tokenize.STRING and before in _BEGINNINGS
        if token.type == tokenize.COMMENT or is_docstring:
            yield token.string
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            before = token.type


_BEGINNINGS = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    """Whoever follows a page to a test or a source must find it."""
    missing = [
        path
        for path in cited_paths(page.read_text(encoding="utf-8"))
        if not (REPOSITORY / path).exists()
    ]
    assert missing == []


@pytest.mark.parametrize("test", TESTS, ids=relative)
def test_every_document_that_a_test_names_is_there(test: Path) -> None:
    """A test that rests on a document must rest on one that others can read."""
    known = {path.name for folder in ("docs", "tests", "cpp") for path in files(folder)}
    known |= {path.name for path in REPOSITORY.glob("*.md")}
    for text in comments_and_texts(test):
        for path in cited_paths(text):
            assert (REPOSITORY / path).exists(), path
        for name in NAME.findall(text):
            assert name in known, name
        for title in TITLE.findall(text):
            assert f"{title}.md" in known, title


def files(folder: str) -> Iterator[Path]:
    """Yield the files of a folder of the repository."""
    return (path for path in (REPOSITORY / folder).rglob("*.*") if path.is_file())


def test_paths_are_found_in_all_their_forms() -> None:
    """A pattern that finds nothing would let everything pass."""
    text = "`tests/a.py`, (cpp/packing), docs/howto/x.md. And build/tests/no.py, ../docs/no.md"
    assert list(cited_paths(text)) == ["tests/a.py", "cpp/packing", "docs/howto/x.md"]
    assert NAME.findall("see PLAN.md and test_x.py, not a/b.md") == ["PLAN.md", "test_x.py"]
