"""A matrix as a table: names of places in the first row and column, in any order.

The corner may say what it is, and in which unit: "distances", "durations (s)".
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NoReturn

from tailgate.io.csv_table import Record, csv_records, find_separator
from tailgate.io.draft import DraftUnits, Place
from tailgate.io.matrix_rows import UNIT_NAMES, MatrixField, PlaceNames, matrix_of_rows, step_of
from tailgate.model.errors import InputError
from tailgate.model.matrix import NO_ROAD, Matrix
from tailgate.model.units import decimal_text
from tailgate.model.validation import shown

NO_ROAD_WORDS = ("null", "-")
"""What a cell says where there is no road; an empty one is a mistake."""

_CORNER = re.compile(r"(?P<field>distances?|durations?|times?)?\s*(?:\((?P<unit>\w+)\))?", re.I)
_PLAIN_NUMBERS = re.compile(r"[0-9.eE+-]*+", re.ASCII)


class MatrixSquare:
    """A square table of a matrix, not yet in the order of the instance."""

    def __init__(self, records: list[Record], *, source: str, separator: str = "") -> None:
        """Take rows that are not blank, as text; the first one names the columns.

        ``separator`` is empty where cells need none.
        """
        self._source = source
        self._separator = separator
        self._mark = ""
        if not records:
            raise InputError("the table has no header row", source=source)
        (self._header_line, header), *self._rows = records
        self._header = header[1:]
        corner = _CORNER.fullmatch(header[0]) if header else None
        if corner is None:
            self._fail(
                self._header_line,
                None,
                'the first cell must be empty, "distances" or "durations", perhaps with a unit '
                f'such as "durations (s)", got {shown(header[0])}',
            )
        word = (corner["field"] or "").casefold()
        self.field: MatrixField | None = None
        """What the corner says that it is."""
        if word:
            self.field = "distances" if word.startswith("distance") else "durations"
        self._unit = corner["unit"]

    @classmethod
    def of_text(cls, text: str, source: str) -> MatrixSquare:
        """Read the text of a CSV file."""
        separator, skipped = find_separator(text)
        records = csv_records(text, separator, source)
        return cls(records[1:] if skipped else records, source=source, separator=separator)

    def matrix(self, field: MatrixField, names: PlaceNames, units: DraftUnits) -> Matrix:
        """Return the matrix in the order of the instance, in its unit."""
        if self.field not in (None, field):
            self._fail(self._header_line, None, f"is said to hold {self.field}, not {field}")
        columns = self._places(self._header, names)
        lines = [line for line, _ in self._rows]
        places = self._places([cells[0] for _, cells in self._rows], names, lines)
        rows: list[list[object]] = [[] for _ in places]
        for (line, cells), place in zip(self._rows, places, strict=True):
            values = self._values(line, cells[1:], place, columns, names)
            rows[place] = [values[position] for position in _order(columns)]
        row_lines = {place: line for line, place in zip(lines, places, strict=True)}

        def complain(problem: str, *path: int) -> NoReturn:
            line = row_lines[path[0]] if path else self._header_line
            self._fail(line, names.labels[path[1]] if len(path) > 1 else None, problem)

        return matrix_of_rows(
            rows, field, names=names, step=self._step(field, units), complain=complain
        )

    def _step(self, field: MatrixField, units: DraftUnits) -> Fraction:
        instance_unit = units.distance if field == "distances" else units.time
        try:
            return step_of(
                field, instance_unit if self._unit is None else self._unit, instance_unit
            )
        except InputError as error:
            self._fail(self._header_line, None, error.problem)

    def _places(
        self, labels: list[str], names: PlaceNames, lines: list[int] | None = None
    ) -> list[int]:
        """Return the numbers of the places in a row or column of names; all must be there once."""
        what = "column" if lines is None else "row"
        found: dict[int, str] = {}
        for position, label in enumerate(labels):
            line = self._header_line if lines is None else lines[position]
            place = names.place_of(label)
            if place is None:
                problem = f"there is no place {shown(label)} in the instance" + names.hint(label)
                self._fail(line, None, problem if label else f"a {what} has no name")
            if place in found:
                self._fail(line, None, f"there are two {what}s for {shown(label)}")
            found[place] = label
        for place, label in enumerate(names.labels):
            if place not in found:
                self._fail(self._header_line, None, f"the {what} of {label} is missing")
        return list(found)

    def _values(
        self, line: int, cells: list[str], place: int, columns: list[int], names: PlaceNames
    ) -> list[float | None]:
        """Return the numbers of a row, in the order of the columns."""
        if len(cells) > len(columns):
            self._fail(line, None, f"has {len(cells)} values, more than there are columns")
        cells = cells + [""] * (len(columns) - len(cells))
        joined = "".join(cells)
        has_points = "." in joined
        if (
            all(cells)
            and _PLAIN_NUMBERS.fullmatch(joined)
            and not (has_points and self._mark == ",")
        ):
            self._mark = self._mark or ("." if has_points else "")
            try:
                return list(map(float, cells))
            except ValueError:
                # One of them is no number after all, and is named below.
                pass
        return [
            self._value(line, cell, place, column, names)
            for cell, column in zip(cells, columns, strict=True)
        ]

    def _value(
        self, line: int, cell: str, place: int, column: int, names: PlaceNames
    ) -> float | None:
        if not cell and place == column:
            return 0.0
        pair = f"from {names.labels[place]} to {names.labels[column]}"
        field = names.labels[column]
        if not cell:
            remedy = f"write {' or '.join(NO_ROAD_WORDS)} if it cannot be driven"
            self._fail(line, field, f"the road {pair} is missing; {remedy}")
        if cell.casefold() in NO_ROAD_WORDS:
            return None
        mark = "," if "," in cell else "." if "." in cell else ""
        if mark and self._mark not in ("", mark):
            self._fail(
                line,
                field,
                f"{shown(cell)} has another decimal mark than the numbers before it; use one "
                "throughout, and no thousands separators",
            )
        self._mark = self._mark or mark
        if self._separator != "," and cell.count(",") == 1 and "." not in cell:
            cell = cell.replace(",", ".")
        if not _PLAIN_NUMBERS.fullmatch(cell):
            self._fail(line, field, f"must be a number ({pair}), got {shown(cell)}")
        try:
            return float(cell)
        except ValueError:
            self._fail(line, field, f"must be a number ({pair}), got {shown(cell)}")

    def _fail(self, line: int | None, field: str | None, problem: str) -> NoReturn:
        raise Place(self._source, line, field).error(problem)


def _order(columns: list[int]) -> list[int]:
    """Return at which position of a row each place is."""
    positions = [0] * len(columns)
    for position, place in enumerate(columns):
        positions[place] = position
    return positions


def square_cells(
    matrix: Matrix, field: MatrixField, names: list[str], unit: str
) -> list[list[str]]:
    """Return a matrix as the table that `MatrixSquare` reads; the names' first is the depot's."""
    stated, factor, power = stated_in(matrix, field, unit)
    corner = field if stated == unit else f"{field} ({stated})"
    rows = [[corner, *names]]
    for name, values in zip(names, matrix.stored.tolist(), strict=True):
        cells = (
            NO_ROAD_WORDS[0] if value == NO_ROAD else decimal_text(value * factor, power)
            for value in values
        )
        rows.append([name, *cells])
    return rows


def stated_in(matrix: Matrix, field: MatrixField, unit: str) -> tuple[str, int, int]:
    """Return a unit in which all values of a matrix are decimals, and what a step is in it.

    The latter is a factor and a power of ten: a stored v is v * factor / power. The instance's
    own unit is the first choice, but seconds are no decimals of minutes.
    """
    for name in (unit, *UNIT_NAMES[field]):
        try:
            step = matrix.step * step_of(field, unit, name)
        except InputError:
            continue
        for places in range(10):
            factor = step * 10**places
            if factor.denominator == 1:
                return name, factor.numerator, 10**places
    raise InputError(
        f"{field} in steps of {matrix.step} are decimals in no unit; round them", field="travel"
    )
