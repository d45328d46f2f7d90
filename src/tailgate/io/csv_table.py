"""A table as a spreadsheet exports it: any usual separator, decimal commas, blank rows."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from tailgate.io.clock_times import looks_like_time
from tailgate.io.draft import Place, parse_number
from tailgate.io.text_file import read_text, source_text
from tailgate.model.aliases import PathLike
from tailgate.model.errors import InputError
from tailgate.model.limits import MAX_ITEMS
from tailgate.model.validation import did_you_mean, shown

# One row for every item that an instance may have, and some to spare for hints and headings.
MAX_ROWS = MAX_ITEMS + 10

_SEPARATORS = ";,\t"
_QUOTED = re.compile(r'"[^"]*"')
_SEPARATOR_HINT = re.compile(r'"?sep=(.)"?', re.IGNORECASE)
_WORD_GAPS = re.compile(r"[\s_-]+")

# Before the heading of a column that is not for the program: an address, an order number.
NOTE_MARK = "#"


@dataclass(frozen=True, slots=True)
class Row:
    """One row that is not blank: the line it begins on and its cells by column."""

    line: int
    cells: dict[str, str]


# The line on which a row begins, and its cells.
Record = tuple[int, list[str]]


@dataclass(frozen=True, slots=True)
class Table:
    """A whole table; columns go by the names of the format, however the file spells them.

    ``title`` is what another table calls it; ``separator`` is empty where cells need none.
    """

    source: str
    title: str
    separator: str
    header_line: int
    spelling: dict[str, str]
    rows: tuple[Row, ...]

    def place(self, line: int | None, column: str | None) -> Place:
        """Return the place of a cell, the column named as the file does."""
        return Place(
            self.source, line, None if column is None else self.spelling.get(column, column)
        )

    def error(self, line: int | None, column: str | None, problem: str) -> InputError:
        """Return a complaint about a cell."""
        return self.place(line, column).error(problem)


def read_table(path: PathLike, *, required: tuple[str, ...], optional: tuple[str, ...]) -> Table:
    """Read a CSV file whose first row names the columns."""
    source, text = source_text(path), read_text(path)
    separator, skipped = find_separator(text)
    records = csv_records(text, separator, source)
    if skipped:
        records = records[1:]
    return table_of(
        records,
        source=source,
        title=Path(source).name,
        separator=separator,
        required=required,
        optional=optional,
    )


def table_of(
    records: list[Record],
    *,
    source: str,
    title: str,
    separator: str,
    required: tuple[str, ...],
    optional: tuple[str, ...],
) -> Table:
    """Make a table of rows that are not blank, the first of which names the columns."""
    if not records:
        raise InputError("the table has no header row", source=source)
    header_line, header = records[0]
    known = (*required, *optional)
    columns = _columns(header, known, source, header_line)
    spelling = {
        name: " ".join(cell.split())
        for name, cell in zip(columns, header, strict=True)
        if name is not None and name != NOTE_MARK
    }
    for name in required:
        if name not in spelling:
            present = ", ".join(spelling.values() or ["nothing"])
            raise Place(source, header_line, name).error(
                f'the column "{name}" is missing; the header row has: {present}'
            )
    rows = []
    for line, cells in records[1:]:
        for position, cell in enumerate(cells):
            if cell and (position >= len(columns) or columns[position] is None):
                raise Place(source, line, None).error(
                    f"the value {shown(cell)} is in column {position + 1}, which has no "
                    f"heading{_separator_hint(separator)}"
                )
        by_column = dict(zip(columns, cells, strict=False))
        rows.append(Row(line, {name: by_column.get(name, "") for name in spelling}))
    return Table(source, title, separator, header_line, spelling, tuple(rows))


def _separator_hint(separator: str) -> str:
    if not separator:
        return ""
    spelled = "tab" if separator == "\t" else separator
    return f' (is the separator "{spelled}" right, and is text that contains it in quotes?)'


def find_separator(text: str, column: str | None = None) -> tuple[str, bool]:
    """Return the separator, and whether the first row is only the hint ``sep=;``.

    Where a column is sure to be there, the separator that sets it apart is the right one.
    """
    first = next(line for line in text.split("\n") if line.strip())
    hint = _SEPARATOR_HINT.fullmatch(first.strip(" "))
    if hint and hint[1] in _SEPARATORS:
        return hint[1], True
    for one in _SEPARATORS:
        cells = [cell.strip().strip('"').casefold() for cell in first.split(one)]
        if column in cells and len(cells) > 1:
            return one, False
    bare = _QUOTED.sub("", first)
    return max(_SEPARATORS, key=lambda one: (bare.count(one), one == ",")), False


def csv_records(text: str, separator: str, source: str) -> list[Record]:
    """Return the rows that are not blank, each with the line on which it begins."""
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=separator, strict=True, skipinitialspace=True
    )
    records = []
    line = 1
    try:
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            if any(stripped):
                records.append((line, stripped))
            if len(records) > MAX_ROWS:
                raise InputError(f"has more than {MAX_ROWS} rows", source=source, line=line)
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"is not a proper CSV row: {error}", source=source, line=line) from error
    return records


def _columns(header: list[str], known: tuple[str, ...], source: str, line: int) -> list[str | None]:
    columns: list[str | None] = []
    by_key = {heading_key(name): name for name in known}
    for cell in header:
        if not cell or cell.startswith(NOTE_MARK):
            columns.append(NOTE_MARK if cell else None)
            continue
        name = by_key.get(heading_key(cell))
        if name is None:
            hint = did_you_mean(heading_key(cell), by_key)
            raise Place(source, line, shown(cell)).error(
                f"is not a known column (known here: {', '.join(known)}; to leave it out, write "
                f"{NOTE_MARK} before its heading){hint}"
            )
        if name in columns:
            raise Place(source, line, name).error("duplicate column")
        columns.append(name)
    return columns


def heading_key(heading: str) -> str:
    """Return what a heading is known by: people write "Due", "due" and "single-customer routes"."""
    return _WORD_GAPS.sub("", heading).casefold()


class DecimalReader:
    """Numbers of one export: all with decimal commas or all with decimal points, never guessed."""

    def __init__(self, vehicle: str) -> None:
        """Begin without a habit; the first number that has one sets it.

        ``vehicle`` is the part of the export that names the units.
        """
        self._vehicle = vehicle
        self._mark = ""
        self._first = Place("", None, None)

    def number_or_time(self, table: Table, row: Row, column: str) -> Decimal | str:
        """Return the number in a cell, or its text if it is a time as a clock shows it."""
        cell = row.cells[column]
        return cell if looks_like_time(cell) else self.number(table, row, column)

    def number(self, table: Table, row: Row, column: str) -> Decimal:
        """Return the number in a cell that must hold one."""
        cell = row.cells[column]
        place = table.place(row.line, column)
        if not cell:
            raise place.error("is empty; a number is needed here")
        if cell.casefold().lstrip("+-") in {"nan", "inf", "infinity"}:
            raise place.error(f"must be a finite number, got {shown(cell)}")
        if "," in cell and ("." in cell or cell.count(",") > 1 or table.separator == ","):
            raise place.error(f"must be a number without thousands separators, got {shown(cell)}")
        value = parse_number(cell.replace(",", "."))
        if value is None:
            raise place.error(
                f"must be a number and nothing else (units are named in {self._vehicle}), got "
                f"{shown(cell)}"
            )
        for mark, word, other in ((",", "comma", "point"), (".", "point", "comma")):
            if mark not in cell:
                continue
            if self._mark not in ("", mark):
                raise place.error(
                    f"{shown(cell)} has a decimal {word}, but {self._first.source} has a decimal "
                    f"{other} in line {self._first.line}; use one of them throughout, and no "
                    "thousands separators"
                )
            if not self._mark:
                self._mark, self._first = mark, place
        return value
