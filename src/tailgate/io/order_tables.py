"""Two tables as people keep them, customers and their items: in a CSV folder or in a workbook.

docs/formats.md describes the columns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Context, Decimal

from tailgate.io.clock_times import TimeReader
from tailgate.io.csv_table import DecimalReader, Row, Table
from tailgate.io.draft import ZERO, DraftCustomer, DraftItem, Place, Time, check_storable
from tailgate.model.instance_checks import DEPOT_NAMES
from tailgate.model.json_document import short
from tailgate.model.limits import MAX_ITEMS_PER_CUSTOMER, MAX_WEIGHT
from tailgate.model.validation import did_you_mean, shown

CUSTOMER_COLUMNS = ("customer", "x", "y")
MORE_CUSTOMER_COLUMNS = ("weight", "ready", "due", "service")
ITEM_COLUMNS = ("customer", "width", "length")
MORE_ITEM_COLUMNS = ("quantity", "name", "weight")

# Wide enough for any sum of storable weights.
_EXACT = Context(prec=60)

_PATH = re.compile(r"customers\[(\d+)\](?:\.(\w+)(?:\[(\d+)\](?:\.(\w+))?)?)?")


@dataclass(slots=True)
class _CustomerRows:
    """What the two tables say about one customer."""

    label: str
    row: Row
    # Line of the first row in the table of items, even if that row counts no items.
    first_item_line: int | None = None
    items: list[tuple[Row, int]] = field(default_factory=list)
    """Each row with its quantity."""


class OrderTables:
    """The two tables, and where everything is in them."""

    def __init__(
        self,
        customers: Table,
        items: Table,
        *,
        vehicle: str,
        decimals: DecimalReader,
        times: TimeReader,
    ) -> None:
        """Bring the rows together; ``vehicle`` is the part of the export that has the depot."""
        self._customer_table = customers
        self._item_table = items
        self._vehicle = vehicle
        self._decimals = decimals
        self._times = times
        self._customers = self._customer_rows()
        self._add_item_rows()

    def customers(self) -> list[DraftCustomer]:
        """Return the customers with their items, in the order of their numbers."""
        return [self._customer(rows) for rows in self._customers]

    def locate(self, path: str) -> Place | None:
        """Return table, line and column of a field of the model, if it is in these tables."""
        match = _PATH.match(path)
        if match is None:
            return None
        rows = self._customers[int(match[1])]
        if match[2] != "items":
            column = "customer" if match[2] == "name" else match[2]
            if column == "weight" and not rows.row.cells.get("weight"):
                return self._item_table.place(rows.first_item_line, column)
            return self._customer_table.place(rows.row.line, column)
        if match[3] is None:
            return self._item_table.place(rows.first_item_line, "customer")
        return self._item_table.place(rows.items[int(match[3])][0].line, match[4])

    def _customer_rows(self) -> list[_CustomerRows]:
        table = self._customer_table
        found: dict[str, _CustomerRows] = {}
        for row in table.rows:
            label = row.cells["customer"]
            if not label:
                raise table.error(row.line, "customer", "is empty; every row needs a customer")
            if label.casefold() in DEPOT_NAMES:
                problem = f"{shown(label)} is the depot, whose coordinates are in {self._vehicle}"
                raise table.error(row.line, "customer", problem)
            if label in found:
                first = f"first in line {found[label].row.line}"
                problem = f"duplicate customer {shown(label)} ({first})"
                raise table.error(row.line, "customer", problem)
            found[label] = _CustomerRows(label, row)
        if not found:
            raise table.error(table.header_line, None, "there is no customer below the header row")
        numbers = [str(number) for number in range(1, len(found) + 1)]
        if found.keys() == set(numbers):
            # Rows sorted some other way: people still mean customer 3 by "3".
            return [found[number] for number in numbers]
        return list(found.values())

    def _add_item_rows(self) -> None:
        table = self._item_table
        by_label = {rows.label: rows for rows in self._customers}
        for row in table.rows:
            label = row.cells["customer"]
            if label not in by_label:
                title = self._customer_table.title
                problem = f"{shown(label)} is not in {title}" if label else "is empty"
                hint = did_you_mean(label, by_label)
                raise table.error(row.line, "customer", problem + hint)
            rows = by_label[label]
            if rows.first_item_line is None:
                rows.first_item_line = row.line
            quantity = self._quantity(row)
            if quantity:
                rows.items.append((row, quantity))
        for rows in self._customers:
            if rows.first_item_line is None:
                raise self._customer_table.error(
                    rows.row.line,
                    "customer",
                    f"{shown(rows.label)} has no row in {table.title}; if it takes no room on the "
                    "floor, write a row with quantity 0 for it",
                )

    def _customer(self, rows: _CustomerRows) -> DraftCustomer:
        items = [
            DraftItem(
                width=self._item_number(row, "width"),
                length=self._item_number(row, "length"),
                quantity=quantity,
                name=row.cells.get("name", ""),
            )
            for row, quantity in rows.items
        ]
        return DraftCustomer(
            x=self._customer_number(rows.row, "x"),
            y=self._customer_number(rows.row, "y"),
            weight=self._weight(rows),
            items=items,
            name=rows.label,
            ready=self._moment(rows.row, "ready") or ZERO,
            due=self._moment(rows.row, "due"),
            service=self._duration(rows.row, "service") or ZERO,
        )

    def _weight(self, rows: _CustomerRows) -> Decimal:
        """Return the customer's weight, which either table may give, or both if they agree."""
        stated = self._customer_number_or_none(rows.row, "weight")
        if not any(row.cells.get("weight") for row, _ in rows.items):
            if stated is None:
                raise self._customer_table.error(
                    rows.row.line,
                    "weight",
                    f"customer {shown(rows.label)} has no weight: give it here for the customer, "
                    f'or for every item in a column "weight" of {self._item_table.title}',
                )
            return stated
        total = ZERO
        for row, quantity in rows.items:
            if not row.cells["weight"]:
                problem = (
                    f"is empty, while other items of customer {shown(rows.label)} have a weight"
                )
                raise self._item_table.error(row.line, "weight", problem)
            weight = self._item_number(row, "weight")
            place = self._item_table.place(row.line, "weight")
            check_storable(weight, MAX_WEIGHT, place)
            if weight < 0:
                raise place.error(f"must not be negative, got {short(weight)}")
            total = _EXACT.add(total, _EXACT.multiply(weight, Decimal(quantity)))
        if stated is not None and stated != total:
            raise self._customer_table.error(
                rows.row.line,
                "weight",
                f"customer {shown(rows.label)} weighs {short(stated)} here, but its items in "
                f"{self._item_table.title} weigh {short(total)} together",
            )
        return total

    def _quantity(self, row: Row) -> int:
        if not row.cells.get("quantity"):
            return 1
        value = self._item_number(row, "quantity")
        if not 0 <= value <= MAX_ITEMS_PER_CUSTOMER or value != value.to_integral_value():
            raise self._item_table.error(
                row.line,
                "quantity",
                f"must be a whole number from 0 to {MAX_ITEMS_PER_CUSTOMER}, got {short(value)}",
            )
        return int(value)

    def _item_number(self, row: Row, column: str) -> Decimal:
        return self._decimals.number(self._item_table, row, column)

    def _customer_number(self, row: Row, column: str) -> Decimal:
        return self._decimals.number(self._customer_table, row, column)

    def _moment(self, row: Row, column: str) -> Time | None:
        if not row.cells.get(column):
            return None
        given = self._decimals.number_or_time(self._customer_table, row, column)
        return self._times.moment(given, lambda: self._customer_table.place(row.line, column))

    def _duration(self, row: Row, column: str) -> Time | None:
        if not row.cells.get(column):
            return None
        given = self._decimals.number_or_time(self._customer_table, row, column)
        return self._times.duration(given, lambda: self._customer_table.place(row.line, column))

    def _customer_number_or_none(self, row: Row, column: str) -> Decimal | None:
        return self._customer_number(row, column) if row.cells.get(column) else None
