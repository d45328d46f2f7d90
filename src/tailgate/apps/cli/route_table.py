"""The CSV table of routes that ``pack`` reads, and the one with verdicts that it writes."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from tailgate.apps.cli.output import counted
from tailgate.apps.cli.route_text import RouteReader
from tailgate.apps.cli.standard_streams import read_table
from tailgate.io.csv_table import find_separator
from tailgate.io.draft import Place, parse_number
from tailgate.io.formula_guard import guarded, unguarded
from tailgate.model.errors import InputError
from tailgate.solver.loading import LoadingResult

ROUTE_COLUMN = "route"
VERDICT_COLUMNS = ("route", "verdict", "decided_by", "seconds")
LATE_COLUMN = "late"
"""Comes after the verdict's columns where the orders have time windows."""
LIMITS_COLUMN = "broken_limits"
"""Comes next where routes can break other limits."""


@dataclass(frozen=True, slots=True)
class RouteRow:
    """One line of the table: the route as written and as numbers, and the other columns."""

    text: str
    customers: tuple[int, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RouteTable:
    """All routes of a file, and the columns of the table of verdicts."""

    rows: tuple[RouteRow, ...]
    verdict_columns: tuple[str, ...]
    other_columns: tuple[str, ...]

    @property
    def remarks(self) -> tuple[str, ...]:
        """The columns that say what the verdicts do not count."""
        return self.verdict_columns[len(VERDICT_COLUMNS) :]


def read_route_table(path: Path, reader: RouteReader, remarks: Sequence[str]) -> RouteTable:
    """Read and check the whole table, so that a mistake in its last line is found at once.

    ``remarks`` are columns that follow the verdict's.
    """
    source = str(path)
    text = read_table(path)
    delimiter, has_hint = find_separator(text, ROUTE_COLUMN)
    lines = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    columns: list[str] | None = None
    rows: list[RouteRow] = []
    while True:
        try:
            cells = next(lines, None)
        except csv.Error as error:
            raise Place(source, lines.line_num, None).error(
                f"is not a CSV line: {error}"
            ) from error
        if cells is None:
            break
        if not any(cell.strip() for cell in cells):
            continue
        if has_hint:
            has_hint = False
            continue
        if columns is None:
            columns = _columns([unguarded(cell) for cell in cells], source, lines.line_num)
            continue
        if len(cells) != len(columns):
            raise Place(source, lines.line_num, None).error(
                f"has {counted(len(cells), 'field')} where the header has {len(columns)}; a "
                'route with commas needs quotes: "A,B"'
            )
        own_cells = [unguarded(cell) for cell in cells]
        rows.append(_row(columns, own_cells, reader, source, lines.line_num))
    if columns is None or not rows:
        raise InputError("holds no route", source=source)
    own = (*VERDICT_COLUMNS, *remarks)
    others = tuple(_free_name(name, own) for name in columns if name != ROUTE_COLUMN)
    return RouteTable(rows=tuple(rows), verdict_columns=own, other_columns=others)


class VerdictWriter:
    """Writes verdicts line by line, so that an interrupted batch keeps what it has done."""

    def __init__(self, file: TextIO, table: RouteTable) -> None:
        """Write the header."""
        self._file = file
        self._remarks = table.remarks
        self._writer = csv.writer(file, lineterminator="\n")
        others = map(guarded, table.other_columns)
        self._writer.writerow([*table.verdict_columns, *others])

    def write(self, row: RouteRow, result: LoadingResult, remarks: Mapping[str, str]) -> None:
        """Write one verdict at once."""
        self._writer.writerow(
            [
                guarded(row.text),
                result.verdict.value,
                result.decided_by,
                f"{result.seconds:.6f}",
                *(guarded(remarks[name]) for name in self._remarks),
                *map(_harmless, row.others),
            ]
        )
        self._file.flush()


def _harmless(cell: str) -> str:
    """Keep a spreadsheet from running a cell that we only pass on; numbers stay numbers."""
    return cell if parse_number(cell) is not None else guarded(cell)


def _columns(cells: Sequence[str], source: str, line: int) -> list[str]:
    columns = [cell.strip() for cell in cells]
    columns = [ROUTE_COLUMN if name.lower() == ROUTE_COLUMN else name for name in columns]
    found, place = columns.count(ROUTE_COLUMN), Place(source, line, ROUTE_COLUMN)
    if found == 0:
        raise place.error(f"the column is missing; the header has {', '.join(columns)[:200]}")
    if found > 1:
        raise place.error("stands twice in the header")
    return columns


def _row(
    columns: Sequence[str], cells: Sequence[str], reader: RouteReader, source: str, line: int
) -> RouteRow:
    text = cells[columns.index(ROUTE_COLUMN)].strip()
    try:
        customers = reader.read(text)
    except InputError as error:
        raise InputError(error.problem, source=source, line=line, field=ROUTE_COLUMN) from error
    others = tuple(cell for name, cell in zip(columns, cells, strict=True) if name != ROUTE_COLUMN)
    return RouteRow(text=text, customers=customers, others=others)


def _free_name(column: str, own: Sequence[str]) -> str:
    """Keep the column, but not under a name that the verdict's own columns have."""
    return f"input_{column}" if column in own else column
