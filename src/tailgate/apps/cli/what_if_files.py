"""The folder of ``tailgate what-if``: the orders and the plan of every variant."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from tailgate.apps.cli.fleet_variants import Counts
from tailgate.apps.cli.output import print_note
from tailgate.apps.cli.what_if_table import WhatIfTable
from tailgate.io import write_json, write_solution
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance

_NO_FILE_LETTER = re.compile(r"[^\w.-]+")


def prepare_folder(folder: Path) -> None:
    """Make the folder, or refuse one in which something would be replaced."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: is a file, not a folder; name a folder", field="--out")
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise InputError(f"{folder}: is not empty; name another folder", field="--out")


def write_variants(
    folder: Path, answer: WhatIfTable, orders: Mapping[Counts, Instance], *, quiet: bool
) -> None:
    """Write the variants that have a plan."""
    for counts, result in answer.results.items():
        if result.solution is None:
            continue
        name = _NO_FILE_LETTER.sub("-", answer.fleet_text(counts)).strip("-")
        write_json(orders[counts], folder / f"{name}.orders.json")
        write_solution(result.solution, folder / f"{name}.json")
    if not quiet:
        print_note(f"written: {folder}")
