"""The CSV table of routes that ``pack`` reads, and the one with verdicts that it writes."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from tailgate.cli.output import counted
from tailgate.cli.route_text import RouteReader
from tailgate.errors import InputError
from tailgate.formats.csv_table import find_separator
from tailgate.loading import LoadingResult
from tailgate.text_file import read_text

ROUTE_COLUMN = "route"
VERDICT_COLUMNS = ("route", "verdict", "decided_by", "seconds")


@dataclass(frozen=True, slots=True)
class RouteRow:
    """One line of the table: the route as written and as numbers, and the other columns."""

    text: str
    customers: tuple[int, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RouteTable:
    """All routes of a file, and the names of its other columns."""

    rows: tuple[RouteRow, ...]
    other_columns: tuple[str, ...]


def read_route_table(path: Path, reader: RouteReader) -> RouteTable:
    """Read and check the whole table, so that a mistake in its last line is found at once."""
    source = str(path)
    text = read_text(path)
    delimiter, has_hint = find_separator(text, ROUTE_COLUMN)
    lines = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    columns: list[str] | None = None
    rows: list[RouteRow] = []
    while True:
        try:
            cells = next(lines, None)
        except csv.Error as error:
            raise InputError(
                f"is not a CSV line: {error}", source=source, line=lines.line_num
            ) from error
        if cells is None:
            break
        if not any(cell.strip() for cell in cells):
            continue
        if has_hint:
            has_hint = False
            continue
        if columns is None:
            columns = _columns(cells, source, lines.line_num)
            continue
        if len(cells) != len(columns):
            raise InputError(
                f"has {counted(len(cells), 'field')} where the header has {len(columns)}; a "
                'route with commas needs quotes: "A,B"',
                source=source,
                line=lines.line_num,
            )
        rows.append(_row(columns, cells, reader, source, lines.line_num))
    if columns is None or not rows:
        raise InputError("holds no route", source=source)
    others = tuple(_free_name(name) for name in columns if name != ROUTE_COLUMN)
    return RouteTable(rows=tuple(rows), other_columns=others)


class VerdictWriter:
    """Writes verdicts line by line, so that an interrupted batch keeps what it has done."""

    def __init__(self, file: TextIO, other_columns: Sequence[str]) -> None:
        """Write the header."""
        self._file = file
        self._writer = csv.writer(file, lineterminator="\n")
        self._writer.writerow([*VERDICT_COLUMNS, *other_columns])

    def write(self, row: RouteRow, result: LoadingResult) -> None:
        """Write one verdict at once."""
        self._writer.writerow(
            [
                row.text,
                result.verdict.value,
                result.decided_by,
                f"{result.seconds:.6f}",
                *row.others,
            ]
        )
        self._file.flush()


def _columns(cells: Sequence[str], source: str, line: int) -> list[str]:
    columns = [cell.strip() for cell in cells]
    columns = [ROUTE_COLUMN if name.lower() == ROUTE_COLUMN else name for name in columns]
    found = columns.count(ROUTE_COLUMN)
    if found == 0:
        raise InputError(
            f"the column is missing; the header has {', '.join(columns)[:200]}",
            source=source,
            line=line,
            field=ROUTE_COLUMN,
        )
    if found > 1:
        raise InputError("stands twice in the header", source=source, line=line, field=ROUTE_COLUMN)
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


def _free_name(column: str) -> str:
    """Keep the column, but not under a name that the verdict's own columns have."""
    return f"input_{column}" if column in VERDICT_COLUMNS else column
