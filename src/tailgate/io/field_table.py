"""Fields with their values: a row of a table, a table with a field in each row, or JSON."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from decimal import Decimal

from tailgate.io.csv_table import NOTHING, CellReader, Record, Row, Table
from tailgate.io.draft import Place, Time, count
from tailgate.io.headings import NOTE_MARK, Headings, heading_key
from tailgate.io.yes_no import yes_or_no
from tailgate.model.errors import InputError
from tailgate.model.validation import did_you_mean, shown

FIELD_HEADINGS = ("field", "value")

_MISSING = "is missing: write it into a row of its own"


class Fields(ABC):
    """Values by their fields, and where each of them is."""

    @abstractmethod
    def __contains__(self, field: str) -> bool:
        """Return whether a field has a value."""

    @abstractmethod
    def place(self, field: str) -> Place:
        """Return where a field is, or should be."""

    @abstractmethod
    def text(self, field: str) -> str:
        """Return a text; empty if it is not there."""

    @abstractmethod
    def flag_or_none(self, field: str) -> bool | None:
        """Return yes or no if it is there."""

    @abstractmethod
    def number(self, field: str) -> Decimal:
        """Return a number that must be there."""

    @abstractmethod
    def count(self, field: str, *, low: int, high: int) -> int:
        """Return a whole number that must be there."""

    @abstractmethod
    def moment_or_none(self, field: str) -> Time | None:
        """Return a time of day if it is there."""

    @abstractmethod
    def duration_or_none(self, field: str) -> Time | None:
        """Return how long something takes if it is there."""

    def error(self, field: str, problem: str) -> InputError:
        """Return a complaint about a field."""
        return self.place(field).error(problem)

    def number_or_none(self, field: str) -> Decimal | None:
        """Return a number if it is there."""
        return self.number(field) if field in self else None

    def count_or_none(self, field: str, *, low: int, high: int) -> int | None:
        """Return a whole number if it is there."""
        return self.count(field, low=low, high=high) if field in self else None


class TableFields(Fields):
    """Fields in rows of a table."""

    def __init__(
        self, table: Table, rows: Mapping[str, Row], cells: CellReader, line: int | None = None
    ) -> None:
        """Take the row in which each field is; ``line`` is where one is missing."""
        self._table = table
        self._rows = rows
        self._cells = cells
        self._line = line

    def __contains__(self, field: str) -> bool:
        """Return whether a field has a value."""
        return bool(self.text(field))

    def place(self, field: str) -> Place:
        """Return where a field is, or should be."""
        row = self._rows.get(field)
        return self._table.place(self._line if row is None else row.line, field or None)

    def text(self, field: str) -> str:
        """Return a text; empty if it is not there."""
        row = self._rows.get(field)
        return "" if row is None else row.cells[field]

    def flag_or_none(self, field: str) -> bool | None:
        """Return yes or no if it is there."""
        return yes_or_no(self.text(field), self.place(field))

    def number(self, field: str) -> Decimal:
        """Return a number that must be there."""
        if field not in self._rows:
            raise self.error(field, _MISSING)
        return self._cells.number(self._table, self._rows[field], field)

    def count(self, field: str, *, low: int, high: int) -> int:
        """Return a whole number that must be there."""
        return count(self.text(field).replace(",", "."), self.place(field), low=low, high=high)

    def moment_or_none(self, field: str) -> Time | None:
        """Return a time of day if it is there."""
        if field not in self:
            return None
        return self._cells.moment_or_none(self._table, self._rows[field], field)

    def duration_or_none(self, field: str) -> Time | None:
        """Return how long something takes if it is there."""
        if field not in self:
            return None
        return self._cells.duration_or_none(self._table, self._rows[field], field)


def fields_of_row(table: Table, row: Row, cells: CellReader) -> Fields:
    """Return the columns of a table, and what one row has in them."""
    return TableFields(table, dict.fromkeys(table.spelling, row), cells, table.header_line)


def field_table(
    records: list[Record], headings: Headings, cells: CellReader, *, source: str, separator: str
) -> Fields:
    """Read a table that has a field in each row, and its value beside it."""
    table = Table(source, source, separator, 1, {}, ())
    rows: dict[str, Row] = {}
    # What stands beside the values, for people.
    notes: tuple[int, ...] = ()
    for line, cells_of_row in records:
        spelled, value, *more = [*cells_of_row, ""][: max(2, len(cells_of_row))]
        if not rows and (heading_key(spelled), heading_key(value)) == FIELD_HEADINGS:
            notes = tuple(i for i, one in enumerate(more) if one.startswith(NOTE_MARK))
            continue
        if spelled.startswith(NOTE_MARK):
            continue
        if any(one for i, one in enumerate(more) if i not in notes):
            raise Place(source, line, spelled).error("has more than one value beside it")
        field = headings.column(spelled)
        if field is None:
            listed, hint = ", ".join(headings.known), did_you_mean(spelled, headings.spellings)
            raise Place(source, line, shown(spelled)).error(
                f"is not a known field (known here: {listed}){hint}"
            )
        if field in headings.refused:
            if value.casefold() in NOTHING:
                continue
            raise Place(source, line, spelled).error(f"{headings.refused[field]}; leave it out")
        if field in rows:
            both = " and ".join(dict.fromkeys((table.spelling[field], spelled)))
            raise Place(source, line, spelled).error(f"duplicate field: {both} mean {field}")
        rows[field] = Row(line, {field: value})
        table.spelling[field] = spelled
    fields = TableFields(table, rows, cells)
    for field in headings.required:
        if field not in fields:
            raise table.place(None, field).error(_MISSING)
    return fields
