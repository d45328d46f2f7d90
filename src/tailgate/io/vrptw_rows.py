"""The CSV rows of the 2L-VRPTW instances by Zhang et al. (2022): one file, numbers only.

A row is number, x, y, service, demand, ready, due, then width and length of each item, with zeros
behind the last one; row 0 is the depot. The floor is 20 wide and 10 long. Capacity and number of
trucks are not stated, so neither is a limit. Distances are rounded to one decimal, and items may be
unloaded in any order.
"""

from __future__ import annotations

import re
from decimal import Decimal

from tailgate.io.draft import (
    Draft,
    DraftCustomer,
    DraftItem,
    DraftTravel,
    DraftVehicle,
    ParsedDraft,
    Place,
    check_storable,
    parse_number,
)
from tailgate.model.conventions import ConventionOverrides, Conventions
from tailgate.model.errors import InputError
from tailgate.model.limits import MAX_CUSTOMERS, MAX_ITEMS, MAX_WEIGHT
from tailgate.model.validation import shown

FLOOR_WIDTH, FLOOR_LENGTH = Decimal(20), Decimal(10)
CONVENTIONS = Conventions(
    distance="rounded", fleet="at-most", single_customer_routes="allow", lifo=False
)
"""Under which Zhang et al. publish their values."""
DECIMALS = 1

_COLUMNS = ("number", "x", "y", "service", "demand", "ready", "due")
_COLUMN_NAMES = {"weight": "demand"}
_PATH = re.compile(r"customers\[(\d+)\](?:\.(\w+)(?:\[(\d+)\](?:\.(\w+))?)?)?")


def is_vrptw_rows(text: str) -> bool:
    """Tell whether a text begins with the row of a depot, all in numbers."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    numbers = [parse_number(cell.strip()) for cell in first.split(",")]
    is_row = len(numbers) >= len(_COLUMNS) and (len(numbers) - len(_COLUMNS)) % 2 == 0
    return is_row and None not in numbers and numbers[0] == 0


def draft_vrptw_rows(
    text: str, source: str, file_name: str, overrides: ConventionOverrides
) -> ParsedDraft:
    """Read the text of such a file; ``source`` is what complaints call it."""
    reader = _Reader(source, text)
    return ParsedDraft(reader.draft(file_name, CONVENTIONS.overridden(overrides)), reader.locate)


class _Reader:
    """Reads the rows, and knows their lines."""

    def __init__(self, source: str, text: str) -> None:
        self._source = source
        self._lines: list[int] = []
        self._rows: list[dict[str, Decimal]] = []
        self._items: list[list[DraftItem]] = []
        total = 0
        for number, line in enumerate(text.split("\n"), start=1):
            if not line.strip():
                continue
            self._lines.append(number)
            if len(self._lines) > MAX_CUSTOMERS + 1:
                raise self._error(None, f"there are more than {MAX_CUSTOMERS} customers")
            numbers = self._numbers(line.split(","))
            self._rows.append(dict(zip(_COLUMNS, numbers, strict=False)))
            self._items.append(self._items_of(numbers[len(_COLUMNS) :]))
            total += len(self._items[-1])
            if total > MAX_ITEMS:
                raise self._error(None, f"there are more than {MAX_ITEMS} items")

    def draft(self, name: str, conventions: Conventions) -> Draft:
        """Return the instance, under these conventions."""
        depot, *customers = self._rows
        for column in ("service", "demand"):
            if depot[column] != 0:
                raise InputError(
                    f"the depot must have 0, got {depot[column]}",
                    source=self._source,
                    line=self._lines[0],
                    field=column,
                )
        if self._items[0]:
            raise Place(self._source, self._lines[0], None).error("the depot must have no items")
        for line, row in zip(self._lines[1:], customers, strict=True):
            # A sum cannot take any exponent that a number may have.
            check_storable(row["demand"], MAX_WEIGHT, Place(self._source, line, "demand"))
        weight = sum((row["demand"] for row in customers), Decimal(0))
        return Draft(
            name=name,
            vehicles=[
                DraftVehicle(
                    *(FLOOR_WIDTH, FLOOR_LENGTH), max(weight, Decimal(1)), count=len(customers)
                )
            ],
            depot_x=depot["x"],
            depot_y=depot["y"],
            customers=[
                DraftCustomer(
                    x=row["x"],
                    y=row["y"],
                    weight=row["demand"],
                    items=items,
                    ready=row["ready"],
                    due=row["due"],
                    service=row["service"],
                )
                for row, items in zip(customers, self._items[1:], strict=True)
            ],
            conventions=conventions,
            depot_ready=depot["ready"],
            depot_due=depot["due"],
            travel=DraftTravel(decimals=DECIMALS),
        )

    def locate(self, path: str) -> Place:
        """Return the line and the column of a field of the model."""
        match = _PATH.match(path)
        if match:
            column = _COLUMN_NAMES.get(match[2] or "", match[2])
            if match[3] is not None:
                side = f" {match[4]}" if match[4] else ""
                column = f"item {int(match[3]) + 1}{side}"
            return Place(self._source, self._lines[int(match[1]) + 1], column)
        section, _, column = path.partition(".")
        if section == "depot":
            return Place(self._source, self._lines[0], column)
        return Place(self._source, None, path)

    def _numbers(self, cells: list[str]) -> list[Decimal]:
        odd = (len(cells) - len(_COLUMNS)) % 2
        if len(cells) < len(_COLUMNS) or odd:
            raise self._error(
                None,
                f"expected {', '.join(_COLUMNS)}, then width and length of every item; got "
                f"{len(cells)} cells",
            )
        numbers = []
        for position, cell in enumerate(cells):
            number = parse_number(cell.strip())
            if number is None:
                raise self._error(_column(position), f"must be a number, got {shown(cell)}")
            numbers.append(number)
        expected = len(self._lines) - 1
        if numbers[0] != expected:
            raise self._error(
                "number", f"must be {expected}, for rows are in order, got {shown(cells[0])}"
            )
        return numbers

    def _items_of(self, sizes: list[Decimal]) -> list[DraftItem]:
        pairs = list(zip(sizes[::2], sizes[1::2], strict=True))
        count = sum(1 for pair in pairs if any(pair))
        if any(any(pair) for pair in pairs[count:]):
            raise self._error(f"item {count}", "has no size, but stands before an item that has")
        return [DraftItem(width=width, length=length) for width, length in pairs[:count]]

    def _error(self, field: str | None, problem: str) -> InputError:
        return Place(self._source, self._lines[-1], field).error(problem)


def _column(position: int) -> str:
    if position < len(_COLUMNS):
        return _COLUMNS[position]
    item, side = divmod(position - len(_COLUMNS), 2)
    return f"item {item + 1} {('width', 'length')[side]}"
