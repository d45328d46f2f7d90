"""A table as a spreadsheet exports it: any usual separator, decimal commas, blank rows."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from tailgate.io.clock_times import TimeReader
from tailgate.io.draft import Place, Time, parse_number
from tailgate.io.formula_guard import unguarded
from tailgate.io.headings import INFO_MARK, NOTE_MARK, Headings
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
# Written like a number, though it may not be one.
_NUMERIC = re.compile(r"[+-]?[0-9.,]+(?:e[+-]?[0-9]+)?", re.IGNORECASE)
NOTHING = ("", "no", "false")
"""What a column may say that cannot be used yet."""


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

    def require(self, column: str, instead: str = "") -> None:
        """Complain if a column is not there; ``instead`` says what would do as well."""
        if column not in self.spelling:
            present = ", ".join(self.spelling.values() or ["nothing"])
            raise self.error(
                self.header_line,
                column,
                f'the column "{column}" is missing{instead}; the header row has: {present}',
            )

    def refuse(self, headings: Headings) -> None:
        """Complain about the first cell that says what no plan can keep yet."""
        for column in filter(self.spelling.__contains__, headings.refused):
            for row in self.rows:
                if row.cells[column].casefold() not in NOTHING:
                    raise self.error(
                        row.line,
                        column,
                        f"{headings.refused[column]} (to leave the column out, write {NOTE_MARK} "
                        "before its heading)",
                    )


def read_table(path: PathLike, headings: Headings) -> Table:
    """Read a CSV file whose first row names the columns."""
    source = source_text(path)
    records, separator = read_records(path)
    return table_of(records, headings, source=source, title=Path(source).name, separator=separator)


def read_records(path: PathLike) -> tuple[list[Record], str]:
    """Return the rows of a CSV file that are not blank, and what separates its cells."""
    source, text = source_text(path), read_text(path)
    separator, skipped = find_separator(text)
    records = csv_records(text, separator, source)
    return records[1:] if skipped else records, separator


def table_of(
    records: list[Record], headings: Headings, *, source: str, title: str, separator: str
) -> Table:
    """Make a table of rows that are not blank, the first of which names the columns."""
    if not records:
        raise InputError("the table has no header row", source=source)
    header_line, header = records[0]
    columns = _columns(header, headings, source, header_line)
    spelling = {
        name: " ".join(cell.split())
        for name, cell in zip(columns, header, strict=True)
        if name is not None and name != NOTE_MARK
    }
    table = Table(source, title, separator, header_line, spelling, ())
    for name in headings.required:
        table.require(name)
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
    table = replace(table, rows=tuple(rows))
    table.refuse(headings)
    return table


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
            stripped = [unguarded(cell.strip()) for cell in cells]
            if any(stripped):
                records.append((line, stripped))
            if len(records) > MAX_ROWS:
                raise InputError(f"has more than {MAX_ROWS} rows", source=source, line=line)
            line = reader.line_num + 1
    except csv.Error as error:
        reason = str(error).replace("'\t'", "a tab")
        raise InputError(f"is not a proper CSV row: {reason}", source=source, line=line) from error
    return records


def _columns(header: list[str], headings: Headings, source: str, line: int) -> list[str | None]:
    columns: list[str | None] = []
    spelled: dict[str, str] = {}
    for cell in header:
        if not cell or cell.startswith(NOTE_MARK):
            columns.append(NOTE_MARK if cell else None)
            continue
        name = headings.column(cell)
        if name is None:
            raise Place(source, line, shown(cell)).error(_unknown_column(cell, headings))
        if name == f"{INFO_MARK} ":
            raise Place(source, line, shown(cell)).error("names nothing; write info: Gate code")
        if name in spelled:
            both = " and ".join(dict.fromkeys((shown(spelled[name]), shown(cell))))
            raise Place(source, line, name).error(
                f"duplicate column: {both} mean {name}; keep one, or write {NOTE_MARK} before the "
                "heading of the other"
            )
        columns.append(name)
        spelled[name] = cell
    return columns


def _unknown_column(cell: str, headings: Headings) -> str:
    info = f"; to see it on the sheets, {INFO_MARK}" if headings.takes_info else ""
    return (
        f"is not a known column (known here: {', '.join(headings.known)}; to leave it out, write "
        f"{NOTE_MARK} before its heading{info}){did_you_mean(cell, headings.spellings)}"
    )


class CellReader:
    """Numbers and times of one export.

    All numbers have decimal commas or all have decimal points, never guessed; all times are
    numbers, or as a clock shows them.
    """

    def __init__(self, settings: str) -> None:
        """Begin without a habit; the first number that has one sets it.

        ``settings`` is the part of the export that names the units.
        """
        self._settings = settings
        self._mark = ""
        self._first = Place("", None, None)
        self.times = TimeReader(takes_dates=True)
        """Knows whether times were given as a clock shows them."""

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
                f"must be a number and nothing else (units are named in {self._settings}), got "
                f"{shown(cell)}"
            )
        self._keep_to_one_mark(cell, place)
        return value

    def _keep_to_one_mark(self, cell: str, place: Place) -> None:
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

    def number_or_none(self, table: Table, row: Row, column: str) -> Decimal | None:
        """Return the number in a cell, ``None`` if it is empty or there is no such column."""
        return self.number(table, row, column) if row.cells.get(column) else None

    def moment_or_none(self, table: Table, row: Row, column: str) -> Time | None:
        """Return the time of day in a cell, ``None`` if it is empty."""
        if not row.cells.get(column):
            return None
        return self.times.moment(
            self._given(table, row, column), lambda: table.place(row.line, column)
        )

    def duration_or_none(self, table: Table, row: Row, column: str) -> Time | None:
        """Return how long something takes, ``None`` if the cell is empty."""
        if not row.cells.get(column):
            return None
        return self.times.duration(
            self._given(table, row, column), lambda: table.place(row.line, column)
        )

    def _given(self, table: Table, row: Row, column: str) -> Decimal | str:
        """Return a number, or what must be a clock's time."""
        cell = row.cells[column]
        return self.number(table, row, column) if _NUMERIC.fullmatch(cell) else cell
