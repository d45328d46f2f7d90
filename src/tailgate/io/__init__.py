"""Reading and writing of instances: benchmark texts, JSON, folders of CSV files, workbooks."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Unpack

from tailgate.io.benchmark_text import (
    benchmark_instance_text,
    draft_benchmark_text,
    write_benchmark,
)
from tailgate.io.csv_folder import draft_csv_folder, write_csv_folder
from tailgate.io.draft import ParsedDraft
from tailgate.io.json_instance import draft_json_text, json_instance_text, write_json
from tailgate.io.json_schemas import json_schema
from tailgate.io.solution_file import read_solution, write_solution
from tailgate.io.text_file import name_from, read_text, source_text
from tailgate.io.vrptw_rows import draft_vrptw_rows, is_vrptw_rows
from tailgate.io.xlsx_workbook import draft_xlsx, is_workbook, write_xlsx
from tailgate.model.aliases import PathLike
from tailgate.model.conventions import ConventionOverrides
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance

__all__ = [
    "benchmark_instance_text",
    "json_instance_text",
    "json_schema",
    "read_draft",
    "read_solution",
    "read_text_draft",
    "write",
    "write_benchmark",
    "write_csv_folder",
    "write_json",
    "write_solution",
    "write_xlsx",
]


def read_text_draft(
    text: str, source: str, name: str, **overrides: Unpack[ConventionOverrides]
) -> ParsedDraft:
    """Read an instance that is no file as far as its cells can be read: JSON, or benchmark text.

    Complaints call it ``source``; ``name`` is that of an instance that has none.
    """
    draft = draft_json_text if _is_json(text) else draft_benchmark_text
    return draft(text, source, name, overrides)


def write(instance: Instance, path: PathLike) -> None:
    """Write an instance in the format that its path names.

    Benchmark text has no place for names, units and conventions, and refuses time windows; the
    other formats hold everything.

    Parameters
    ----------
    instance : Instance
        What is written.
    path : str or path-like
        ``.json``, ``.txt`` (benchmark text) or ``.xlsx``; a path without an ending, or of a
        folder that exists, is a CSV folder.

    Examples
    --------
    >>> import tailgate, tempfile
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp()) / "orders"
    >>> tailgate.write(tailgate.generate_instance(6, 2, seed=1), folder)
    >>> sorted(path.name for path in folder.iterdir())
    ['customers.csv', 'items.csv', 'vehicle.json']
    """
    _refuse_empty(path)
    suffix = "" if _is_folder(path) else Path(path).suffix.casefold()
    if suffix not in _WRITERS:
        raise InputError(
            f"ends in {suffix}; choose .json, .txt, .xlsx, or a folder without a dot",
            source=source_text(path),
        )
    _WRITERS[suffix](instance, path)


_WRITERS: dict[str, Callable[[Instance, PathLike], None]] = {
    "": write_csv_folder,
    ".json": write_json,
    ".txt": write_benchmark,
    ".xlsx": write_xlsx,
}


def read_draft(path: PathLike, **overrides: Unpack[ConventionOverrides]) -> ParsedDraft:
    """Read a file of any format as far as its cells can be read, whatever they add up to."""
    _refuse_empty(path)
    if _is_folder(path):
        return draft_csv_folder(path, overrides)
    suffix = Path(path).suffix.casefold()
    if is_workbook(path):
        return draft_xlsx(path, overrides)
    text, source, name = read_text(path), source_text(path), name_from(path)
    if suffix == ".csv":
        if not is_vrptw_rows(text):
            raise InputError(
                "is one table of a CSV folder; give the folder instead of the file", source=source
            )
        return draft_vrptw_rows(text, source, name, overrides)
    if suffix == ".json" or _is_json(text):
        return draft_json_text(text, source, name, overrides, Path(path).parent)
    return draft_benchmark_text(text, source, name, overrides)


def _is_json(text: str) -> bool:
    return text.lstrip().startswith("{")


def _refuse_empty(path: PathLike) -> None:
    # An unset variable of a script, which would otherwise mean the current folder.
    if not os.fspath(path):
        raise InputError("the path is empty; name a file or folder")


def _is_folder(path: PathLike) -> bool:
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        # No permission, or no path at all: the reader says so.
        return False
