"""Writing results for people and for machines.

Rich is loaded where it is used: most results need none of it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from tailgate.model.rounding import counted as counted


def json_text(content: object) -> str:
    """Return a JSON document for people's eyes and machines' parsers."""
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def print_json(content: object) -> None:
    """Print one JSON document to the standard output."""
    print(json_text(content), end="")


def print_result(
    arguments: argparse.Namespace, content: Mapping[str, object], *, bare: str, text: str
) -> None:
    """Print a result for machines, for scripts or for people, as the options ask."""
    if arguments.json:
        print_json(content)
    else:
        print(bare if arguments.quiet else text)


def print_note(text: str) -> None:
    """Print something that is not part of the result."""
    print(text, file=sys.stderr)


def progress_is_welcome(*, quiet: bool) -> bool:
    """Return whether someone is there to watch a progress display."""
    return not quiet and sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def searching(doing: str = "searching", *, quiet: bool) -> Iterator[None]:
    """Show that a long search is alive, where someone can see it."""
    if not progress_is_welcome(quiet=quiet):
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{doing}; Ctrl-C stops"):
        yield


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, left: frozenset[str]) -> str:
    """Return an aligned table; the columns named in ``left`` hold words, the others numbers."""
    from rich.cells import cell_len

    lines = [list(header), *(list(row) for row in rows)]
    widths = [max(cell_len(line[column]) for line in lines) for column in range(len(header))]
    aligned = []
    for line in lines:
        cells = []
        for name, cell, width in zip(header, line, widths, strict=True):
            blanks = " " * (width - cell_len(cell))
            cells.append(cell + blanks if name in left else blanks + cell)
        aligned.append("  ".join(cells).rstrip())
    return "\n".join(aligned)


def duration_text(seconds: float) -> str:
    """Return a time in the unit in which it is a handy number."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    if seconds < 1:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:.1f} s"


def times_text(total: float, parts: Mapping[str, float]) -> str:
    """Return how long a run took, and what it spent the time on."""
    spent = [f"{name} {duration_text(seconds)}" for name, seconds in parts.items() if seconds > 0]
    return f"{duration_text(total)}: {', '.join(spent)}" if spent else duration_text(total)
