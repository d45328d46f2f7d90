"""Reading and writing of instances: benchmark text, JSON, folders of CSV files, workbooks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Unpack

from tailgate.conventions import ConventionOverrides
from tailgate.errors import InputError
from tailgate.formats.benchmark_text import draft_benchmark, read_benchmark, write_benchmark
from tailgate.formats.csv_folder import draft_csv_folder, read_csv_folder, write_csv_folder
from tailgate.formats.draft import Drafted, Loaded
from tailgate.formats.json_instance import draft_json, read_json, write_json
from tailgate.formats.json_schemas import json_schema
from tailgate.formats.xlsx_workbook import (
    draft_xlsx,
    is_workbook,
    read_xlsx,
    write_xlsx,
)
from tailgate.instance import Instance
from tailgate.loading import find_unloadable_customer
from tailgate.text_file import read_text, source_text

__all__ = [
    "json_schema",
    "read",
    "read_benchmark",
    "read_csv_folder",
    "read_draft",
    "read_json",
    "read_xlsx",
    "write",
    "write_benchmark",
    "write_csv_folder",
    "write_json",
    "write_xlsx",
]


def read(
    path: str | os.PathLike[str],
    *,
    check_loading: bool = True,
    **overrides: Unpack[ConventionOverrides],
) -> Instance:
    """Read an instance of any format: a CSV folder, a workbook, JSON, or else benchmark text.

    Conventions given here go before those of the file or of its format. A customer whose own items
    cannot be loaded is refused, unless ``check_loading`` is off.

    >>> import tailgate
    >>> tailgate.read("examples/garden_centres", fleet="exactly").n
    10
    """
    loaded = read_draft(path, **overrides).assembled()
    if check_loading:
        _refuse_unloadable(loaded)
    return loaded.instance


def write(instance: Instance, path: str | os.PathLike[str]) -> None:
    """Write an instance as its path says: ``.json``, ``.txt`` (benchmark), ``.xlsx``, CSV folder.

    A path without an ending, or of a folder that exists, is a CSV folder. Benchmark text has no
    place for names, units and conventions, and refuses time windows; the others hold everything.

    >>> import tailgate, tempfile
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp()) / "orders"
    >>> tailgate.write(tailgate.generate_instance(6, 2, seed=1), folder)
    >>> sorted(path.name for path in folder.iterdir())
    ['customers.csv', 'items.csv', 'vehicle.json']
    """
    _refuse_empty(path)
    suffix = Path(path).suffix.casefold()
    if not suffix or _is_folder(path):
        write_csv_folder(instance, path)
    elif suffix == ".json":
        write_json(instance, path)
    elif suffix == ".txt":
        write_benchmark(instance, path)
    elif suffix == ".xlsx":
        write_xlsx(instance, path)
    else:
        raise InputError(
            f"ends in {suffix}; choose .json, .txt, .xlsx, or a folder without a dot",
            source=source_text(path),
        )


def read_draft(path: str | os.PathLike[str], **overrides: Unpack[ConventionOverrides]) -> Drafted:
    """Read a file of any format as far as its cells can be read, whatever they add up to."""
    _refuse_empty(path)
    if _is_folder(path):
        return draft_csv_folder(path, overrides)
    suffix = Path(path).suffix.casefold()
    if suffix == ".csv":
        raise InputError(
            "is one table of a CSV folder; give the folder instead of the file",
            source=source_text(path),
        )
    if is_workbook(path):
        return draft_xlsx(path, overrides)
    if suffix == ".json" or read_text(path).lstrip().startswith("{"):
        return draft_json(path, overrides)
    return draft_benchmark(path, overrides)


def _refuse_empty(path: str | os.PathLike[str]) -> None:
    # An unset variable of a script, which would otherwise mean the current folder.
    if not os.fspath(path):
        raise InputError("the path is empty; name a file or folder")


def _is_folder(path: str | os.PathLike[str]) -> bool:
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        # No permission, or no path at all: the reader says so.
        return False


def _refuse_unloadable(loaded: Loaded) -> None:
    number = find_unloadable_customer(loaded.instance)
    if number is not None:
        raise loaded.locate(f"customers[{number - 1}].items").error(
            f"the items of customer {loaded.instance.label(number)} cannot be loaded together, "
            "even alone in a vehicle; split the order between two customers"
        )
