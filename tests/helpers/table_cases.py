"""Tables as text, and how tests write them: as CSV files, or as the sheets of a workbook."""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

Tables = dict[str, str]
"""By name, each as comma-separated text."""
Write = Callable[[Path, Tables], Path]


def folder_of(place: Path, tables: Tables) -> Path:
    """Write tables as CSV files."""
    for name, text in tables.items():
        (place / f"{name}.csv").write_text(text, encoding="utf-8")
    return place


def workbook_of(place: Path, tables: Tables) -> Path:
    """Write tables as sheets, with cells as a spreadsheet would hold them."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, text in tables.items():
        sheet = book.create_sheet(name)
        for row in csv.reader(io.StringIO(text)):
            sheet.append([_typed(cell) for cell in row])
    book.save(place / "orders.xlsx")
    return place / "orders.xlsx"


def _typed(cell: str) -> Any:
    if cell and cell.replace(".", "", 1).removeprefix("-").isdigit():
        return float(cell)
    if len(cell) == 5 and cell[2] == ":":
        return datetime.time(int(cell[:2]), int(cell[3:]))
    return cell or None


WRITERS = {"csv": folder_of, "xlsx": workbook_of}
both = pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)


def with_change(tables: Tables, table: str, before: str, after: str) -> Tables:
    """Return the tables with one place changed."""
    assert tables[table].count(before) == 1, before
    return tables | {table: tables[table].replace(before, after)}
