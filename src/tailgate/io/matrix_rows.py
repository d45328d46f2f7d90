"""A matrix as rows of numbers, wherever they were read: checked, and in the instance's unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Literal, NoReturn, Protocol

from tailgate.model.errors import InputError
from tailgate.model.instance_checks import DEPOT_NAMES
from tailgate.model.json_document import kind_of
from tailgate.model.matrix import MAX_STORED, Matrix
from tailgate.model.travel import KILOMETRES_PER_UNIT, SECONDS_PER_UNIT
from tailgate.model.validation import did_you_mean, shown

MatrixField = Literal["distances", "durations"]

_NUMBERS = {int, float, Decimal, type(None)}
_CELL = re.compile(r"\w+\[(\d+)\]\[(\d+)\]")
_UNITS: dict[MatrixField, dict[str, Fraction | int]] = {
    "distances": dict(KILOMETRES_PER_UNIT),
    "durations": dict(SECONDS_PER_UNIT),
}
UNIT_NAMES: dict[MatrixField, tuple[str, ...]] = {
    field: tuple(name for name in units if name) for field, units in _UNITS.items()
}
"""Units that can be converted into one another."""


class PlaceNames:
    """What the places of a matrix are called: the depot, then the customers in their order."""

    def __init__(self, customers: Sequence[str], depot: str = "") -> None:
        """Take the customers' names, empty where they have none but their number."""
        numbered = enumerate(customers, start=1)
        self.labels = (depot or "the depot", *(name or str(number) for number, name in numbered))
        self._places = {label: place for place, label in enumerate(self.labels) if place}
        self._depot = depot

    @property
    def count(self) -> int:
        """How many places there are."""
        return len(self.labels)

    def place_of(self, name: str) -> int | None:
        """Return the number of a place, 0 for the depot; nothing for an unknown name."""
        place = self._places.get(name)
        if place is None and (name.casefold() in DEPOT_NAMES or (name and name == self._depot)):
            return 0
        return place

    def hint(self, name: str) -> str:
        """Return which name was probably meant."""
        return did_you_mean(name, (self._depot or "depot", *self.labels[1:]))


class Complain(Protocol):
    """Raises a complaint about a matrix, or about the row or the cell at a path in it."""

    def __call__(self, problem: str, *path: int) -> NoReturn:
        """Raise it with the file and the line."""


def step_of(field: MatrixField, unit: str, instance_unit: str) -> Fraction:
    """Return what 1 in a matrix's unit is worth in the instance's; both unnamed are km and min."""
    units = _UNITS[field]
    if unit == instance_unit:
        return Fraction(1)
    if unit not in units or instance_unit not in units:
        *others, last = UNIT_NAMES[field]
        quantity = "distance" if field == "distances" else "time"
        raise InputError(
            f"{field} in {shown(unit)} cannot be converted into the instance's unit "
            f"{shown(instance_unit)}; here and in units.{quantity}, name {', '.join(others)} or "
            f"{last}"
        )
    return Fraction(units[unit]) / Fraction(units[instance_unit])


def matrix_of_rows(
    rows: object,
    field: MatrixField,
    *,
    names: PlaceNames,
    step: Fraction,
    complain: Complain,
) -> Matrix:
    """Return the matrix of rows of numbers; ``None`` is a road that cannot be driven.

    ``step`` is what a value of 1 is worth in the instance's unit.
    """
    import numpy as np

    checked = _checked_rows(rows, names, complain)
    for row, values in enumerate(checked):
        if not set(map(type, values)) <= _NUMBERS:
            column = next(i for i, value in enumerate(values) if type(value) not in _NUMBERS)
            pair = _pair(names, row, column)
            got = kind_of(values[column])
            problem = f"must be a number, or null where there is no road ({pair}), got {got}"
            complain(problem, row, column)
    try:
        square = np.array(checked, dtype=np.float64)
    except OverflowError:
        row, column = _first_huge(checked)
        complain(f"is too large a number ({_pair(names, row, column)})", row, column)
    roads_left_out = sum(values.count(None) for values in checked)
    if np.count_nonzero(np.isnan(square)) > roads_left_out:
        cells = np.argwhere(np.isnan(square)).tolist()
        row, column = next(cell for cell in cells if checked[cell[0]][cell[1]] is not None)
        complain(f"must be a finite number ({_pair(names, row, column)}), got NaN", row, column)
    try:
        return Matrix.of(square, field, step=step, labels=names.labels)
    except InputError as error:
        cell = _CELL.fullmatch(error.field or "")
        complain(error.problem, *(map(int, cell.groups()) if cell else ()))


def _checked_rows(rows: object, names: PlaceNames, complain: Complain) -> list[list[object]]:
    """Return the rows of a square over these places."""
    count = names.count
    if not isinstance(rows, list):
        complain(f"must be an array of {count} rows, got {kind_of(rows)}")
    for row, values in enumerate(rows):
        if not isinstance(values, list):
            complain(f"must be a row [...] of {count} values, got {kind_of(values)}", row)
    if len(rows) == count and all(len(values) == count for values in rows):
        return rows
    wanted = f"the depot and {count - 1} customers, in the order of the file"
    if len(rows) != count:
        complain(f"must have {count} rows ({wanted}), got {len(rows)}")
    row = next(row for row, values in enumerate(rows) if len(values) != count)
    length = len(rows[row])
    missing = f"; the road {_pair(names, row, length)} is missing" if length < count else ""
    complain(
        f"the row of {names.labels[row]} must have {count} values ({wanted}), got "
        f"{length}{missing}",
        row,
    )


def _pair(names: PlaceNames, row: int, column: int) -> str:
    return f"from {names.labels[row]} to {names.labels[column]}"


def _first_huge(rows: list[list[object]]) -> tuple[int, int]:
    return next(
        (row, column)
        for row, values in enumerate(rows)
        for column, value in enumerate(values)
        if isinstance(value, int) and abs(value) > MAX_STORED**2
    )
