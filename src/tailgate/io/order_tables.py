"""Two tables as people keep them, customers and their items: in a CSV folder or in a workbook.

docs/formats.md describes the columns.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from decimal import Context, Decimal

from tailgate.io.csv_table import CellReader, Row, Table
from tailgate.io.draft import ZERO, DraftCustomer, DraftItem, Place, check_storable
from tailgate.io.headings import INFO_COLUMNS, info_heading, info_name
from tailgate.io.name_lists import split_names
from tailgate.io.yes_no import yes_or_no
from tailgate.model.customer import Position
from tailgate.model.instance_checks import DEPOT_NAMES
from tailgate.model.json_document import short
from tailgate.model.limits import MAX_ITEMS_PER_CUSTOMER, MAX_WEIGHT
from tailgate.model.travel import Coordinates
from tailgate.model.validation import did_you_mean, shown

AXES: dict[Coordinates, tuple[str, ...]] = {"x/y": ("x", "y"), "lat/lon": ("lon", "lat")}
"""By kind of coordinates the columns that the model calls x and y."""

# Wide enough for any sum of storable weights.
_EXACT = Context(prec=60)
# Of a cell with several lines, as an address often has.
_LINE_BREAK = re.compile(r"\s*[,;]?\s*[\r\n]\s*")
_STRANGE_BLANK = re.compile(r"[^\S ]")

_POSITIONS: dict[str, Position] = {
    **dict.fromkeys(("first", "erster", "erste", "zuerst", "premier", "première"), "first"),
    **dict.fromkeys(("last", "letzter", "letzte", "zuletzt", "dernier", "dernière"), "last"),
}

_PATH = re.compile(r"customers\[(\d+)\](?:\.info\.(?P<info>.+)|\.(\w+)(?:\[(\d+)\](?:\.(\w+))?)?)?")


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

    def __init__(self, customers: Table, items: Table, *, settings: str, cells: CellReader) -> None:
        """Bring the rows together; ``settings`` is the part of the export that has the depot."""
        self._customer_table = customers
        self._item_table = items
        self._settings = settings
        self._cells = cells
        self.coordinates = self._find_coordinates()
        """Which coordinates the customers have."""
        self._info_columns = [
            column
            for column in customers.spelling
            if column in INFO_COLUMNS or info_name(column) is not None
        ]
        self._customers = self._customer_rows()
        self._add_item_rows()

    @property
    def labels(self) -> list[str]:
        """What the customers are called, in the order of their numbers."""
        return [rows.label for rows in self._customers]

    def require_coordinates(self) -> None:
        """Complain if customers have no coordinates, which are needed without a matrix."""
        if self.coordinates == "none":
            self._customer_table.require("x", " (or lat and lon, or a table of distances)")

    def _find_coordinates(self) -> Coordinates:
        table = self._customer_table
        present = [
            kind
            for kind, columns in AXES.items()
            if any(column in table.spelling for column in columns)
        ]
        if len(present) > 1:
            both = " and ".join(
                table.spelling[column]
                for columns in AXES.values()
                for column in columns
                if column in table.spelling
            )
            raise table.error(
                table.header_line,
                None,
                f"has coordinates of two kinds ({both}); keep x and y, or lat and lon, and write # "
                "before the headings of the others",
            )
        for kind in present:
            for column in sorted(AXES[kind]):
                table.require(column)
        return present[0] if present else "none"

    def customers(self, kinds: Collection[str]) -> list[DraftCustomer]:
        """Return the customers with their items, in the order of their numbers.

        ``kinds`` are the names of the vehicles.
        """
        labels = {rows.label for rows in self._customers}
        return [self._customer(rows, labels, kinds) for rows in self._customers]

    def locate(self, path: str) -> Place | None:
        """Return table, line and column of a field of the model, if it is in these tables."""
        match = _PATH.match(path)
        if match is None:
            return None
        rows = self._customers[int(match[1])]
        _, info, field, item, item_field = match.groups()
        if field != "items":
            column = "customer" if field == "name" else field and field.replace("_", " ")
            if info is not None:
                column = info_heading(info)
            if column == "weight" and not rows.row.cells.get("weight"):
                return self._item_table.place(rows.first_item_line, column)
            return self._customer_table.place(rows.row.line, column)
        if item is None:
            return self._item_table.place(rows.first_item_line, "customer")
        return self._item_table.place(rows.items[int(item)][0].line, item_field)

    def _customer_rows(self) -> list[_CustomerRows]:
        table = self._customer_table
        found: dict[str, _CustomerRows] = {}
        for row in table.rows:
            label = row.cells["customer"]
            if not label:
                raise table.error(row.line, "customer", "is empty; every row needs a customer")
            if label.casefold() in DEPOT_NAMES:
                problem = (
                    f"{shown(label)} is the depot, whose place and hours are in {self._settings}"
                )
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

    def _customer(
        self, rows: _CustomerRows, labels: Collection[str], kinds: Collection[str]
    ) -> DraftCustomer:
        items = [
            DraftItem(
                width=self._item_number(row, "width"),
                length=self._item_number(row, "length"),
                quantity=quantity,
                name=row.cells.get("name", ""),
                turn=self._may_turn(row),
            )
            for row, quantity in rows.items
        ]
        row, table, cells = rows.row, self._customer_table, self._cells
        x, y = ZERO, ZERO
        if self.coordinates != "none":
            x, y = (cells.number(table, row, axis) for axis in AXES[self.coordinates])
        return DraftCustomer(
            x=x,
            y=y,
            weight=self._weight(rows),
            items=items,
            name=rows.label,
            ready=cells.moment_or_none(table, row, "ready") or ZERO,
            due=cells.moment_or_none(table, row, "due"),
            service=cells.duration_or_none(table, row, "service") or ZERO,
            info=self._info(row),
            leave_out_cost=cells.number_or_none(table, row, "leave out cost"),
            vehicles=self._names(row, "vehicles", kinds) or None,
            not_with=self._names(row, "not with", labels),
            together=self._names(row, "together", labels),
            position=self._position(row),
        )

    def _names(self, row: Row, column: str, known: Collection[str]) -> tuple[str, ...]:
        """Return the names in a cell; none if it is empty."""
        cell = row.cells.get(column)
        if not cell:
            return ()
        place = self._customer_table.place(row.line, column)
        names = split_names(cell, known, place)
        if not names:
            raise place.error(f"names nothing, got {shown(cell)}; leave the cell empty")
        return names

    def _position(self, row: Row) -> Position | None:
        cell = row.cells.get("position", "")
        if not cell:
            return None
        if cell.casefold() not in _POSITIONS:
            raise self._customer_table.error(
                row.line, "position", f"must be first or last, or empty, got {shown(cell)}"
            )
        return _POSITIONS[cell.casefold()]

    def _info(self, row: Row) -> dict[str, str]:
        """Return what the row's info columns say; an address may have several lines."""
        texts = {
            info_name(column) or column: row.cells[column]
            for column in self._info_columns
            if row.cells[column]
        }
        return {
            name: _STRANGE_BLANK.sub(" ", _LINE_BREAK.sub(", ", text))
            for name, text in texts.items()
        }

    def _weight(self, rows: _CustomerRows) -> Decimal:
        """Return the customer's weight, which either table may give, or both if they agree."""
        stated = self._cells.number_or_none(self._customer_table, rows.row, "weight")
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

    def _may_turn(self, row: Row) -> bool:
        """Return whether the items of a row may be turned; an empty cell says no."""
        return bool(yes_or_no(row.cells.get("turn", ""), self._item_table.place(row.line, "turn")))

    def _item_number(self, row: Row, column: str) -> Decimal:
        return self._cells.number(self._item_table, row, column)
