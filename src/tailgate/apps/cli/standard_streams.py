"""``-`` as the name of a file: the standard input where one is read, else the standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Unpack

from tailgate.apps.cli.output import print_note
from tailgate.io import read_solution
from tailgate.io.text_file import MAX_FILE_BYTES, read_text, text_of
from tailgate.model.aliases import PathLike
from tailgate.model.conventions import ConventionOverrides
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.solution import Solution
from tailgate.model.solution_json import solution_from_text
from tailgate.solver.loading import read, read_text_instance

STANDARD_STREAM = "-"
STDIN = "<stdin>"
INSTANCE_MARK = '"tailgate-instance-'
"""What a JSON file of orders has."""
_NAME = "stdin"


def is_standard_stream(path: PathLike | None) -> bool:
    """Return whether a file is none; one that is really called so is ``./-``."""
    return path is not None and os.fspath(path) == STANDARD_STREAM


def read_instance(
    path: str,
    *,
    check_loading: bool = True,
    all_optional: bool = False,
    **overrides: Unpack[ConventionOverrides],
) -> Instance:
    """Read an instance from a file or folder, or from the standard input."""
    checks = {"check_loading": check_loading, "all_optional": all_optional}
    if not is_standard_stream(path):
        return read(path, **checks, **overrides)
    text = _standard_input("the instance")
    return read_text_instance(text, STDIN, _NAME, **checks, **overrides)


def read_orders(path: str, plans: Iterable[Solution]) -> Instance:
    """Read the instance of plans that are there, which the judge looks at without the solver.

    Where a plan lets all items be turned, so does the instance: an item that fits no other way
    is no mistake then.
    """
    overrides: ConventionOverrides = {}
    if any(plan.conventions.turn == "all" for plan in plans):
        overrides = {"turn": "all"}
    return read_instance(path, check_loading=False, **overrides)


def read_plan(path: str | Path) -> Solution:
    """Read a solution from a file or from the standard input."""
    if not is_standard_stream(path):
        return read_solution(path)
    return solution_from_text(_standard_input("the solution"), source=STDIN)


def refuse_both(instance: str, solution: str | Path | None, field: str) -> None:
    """Refuse to take instance and solution from the same stream."""
    if is_standard_stream(instance) and is_standard_stream(solution):
        raise InputError(
            "the instance comes from the standard input already; name a file for one of the two",
            field=field,
        )


def refuse_standard_stream(path: PathLike | None, field: str) -> None:
    """Refuse ``-`` where only a file will do."""
    if is_standard_stream(path):
        raise InputError(
            "cannot be a standard stream; name a file (one that is really called so is ./-)",
            field=field,
        )


def read_table(path: Path) -> str:
    """Read the text of a table from a file or from the standard input."""
    return _standard_input("the table") if is_standard_stream(path) else read_text(path)


def refuse_json_and_output(*, json: bool) -> None:
    """Refuse two documents in one stream."""
    if json:
        raise InputError(
            "writes to the standard output, and so does --json; leave out one of the two",
            field="--out",
        )


def _standard_input(what: str) -> str:
    if sys.stdin is None:
        raise InputError("there is no standard input; name a file", source=STDIN)
    if sys.stdin.isatty():
        print_note(f"{what} is read from the standard input; Ctrl-D ends it")
    # One byte more than allowed, so that what is too large is noticed.
    content = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    return text_of(content, STDIN)
