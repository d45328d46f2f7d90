"""A folder of spreadsheet exports: ``customers.csv``, ``items.csv`` and ``vehicle.json``.

docs/formats.md describes the columns.
"""

from __future__ import annotations

import csv
import io
import itertools
import os
import re
from dataclasses import dataclass, field
from decimal import Context, Decimal
from pathlib import Path
from typing import Unpack

from tailgate.conventions import ConventionOverrides
from tailgate.errors import InputError
from tailgate.formats.csv_table import DecimalReader, Row, read_table
from tailgate.formats.draft import (
    ZERO,
    Draft,
    DraftCustomer,
    DraftItem,
    Loaded,
    Place,
    assemble,
    check_storable,
)
from tailgate.formats.json_instance import (
    depot_content,
    place_in,
    read_conventions,
    read_depot,
    read_unit,
)
from tailgate.instance import (
    DEPOT_NAMES,
    MAX_CUSTOMERS,
    MAX_ITEMS_PER_CUSTOMER,
    MAX_WEIGHT,
    Instance,
)
from tailgate.json_document import JsonDocument, format_json, short
from tailgate.text_file import name_from, read_text, source_text, write_text
from tailgate.validation import did_you_mean, shown

CUSTOMERS_FILE = "customers.csv"
ITEMS_FILE = "items.csv"
VEHICLE_FILE = "vehicle.json"

# Wide enough for any sum of storable weights.
_EXACT = Context(prec=60)

_PATH = re.compile(r"customers\[(\d+)\](?:\.(\w+)(?:\[(\d+)\](?:\.(\w+))?)?)?")


def read_csv_folder(
    path: str | os.PathLike[str], **overrides: Unpack[ConventionOverrides]
) -> Instance:
    """Read a CSV folder; conventions given here go before those in ``vehicle.json``."""
    return load_csv_folder(path, overrides).instance


def load_csv_folder(path: str | os.PathLike[str], overrides: ConventionOverrides) -> Loaded:
    """Read a CSV folder and keep the way back to its lines."""
    _check_folder(path)
    reader = _Reader(Path(path))
    draft = reader.draft(overrides)
    return Loaded(assemble(draft, reader.locate), reader.locate)


def _check_folder(path: str | os.PathLike[str]) -> None:
    try:
        present = sorted(entry.name for entry in Path(path).iterdir())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot be read: {reason}", source=source_text(path)) from error
    known = (CUSTOMERS_FILE, ITEMS_FILE, VEHICLE_FILE)
    missing = [name for name in known if name not in present]
    if missing:
        hint = did_you_mean(missing[0], (name for name in present if name not in known))
        raise InputError(
            f"the folder lacks {' and '.join(missing)} (a CSV folder holds {CUSTOMERS_FILE}, "
            f"{ITEMS_FILE} and {VEHICLE_FILE}){hint}",
            source=source_text(path),
        )


@dataclass(slots=True)
class _CustomerRows:
    """What the two tables say about one customer."""

    label: str
    row: Row
    # Line of the first row in the table of items, even if that row counts no items.
    first_item_line: int | None = None
    item_rows: list[Row] = field(default_factory=list)
    quantities: list[int] = field(default_factory=list)


class _Reader:
    """The three files, and where everything stood in them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._decimals = DecimalReader()
        vehicle_file = folder / VEHICLE_FILE
        self._vehicle = JsonDocument(read_text(vehicle_file), source_text(vehicle_file))
        self._customer_table = read_table(
            folder / CUSTOMERS_FILE,
            required=("customer", "x", "y"),
            optional=("weight", "ready", "due", "service"),
        )
        self._item_table = read_table(
            folder / ITEMS_FILE,
            required=("customer", "width", "length"),
            optional=("quantity", "name", "weight"),
        )
        self._customers: list[_CustomerRows] = []

    def draft(self, overrides: ConventionOverrides) -> Draft:
        """Read everything into one draft."""
        members = self._vehicle.parse().members(
            required=("width", "length", "capacity", "count", "depot"),
            optional=("name", "length_unit", "weight_unit", "distance_unit", "conventions"),
        )
        depot = read_depot(members["depot"])
        units = {name: read_unit(members[name]) for name in members if name.endswith("_unit")}
        self._customers = self._customer_rows()
        self._add_item_rows()
        return Draft(
            name=(
                members["name"].string()
                if "name" in members
                else name_from(self._folder, is_folder=True)
            ),
            width=members["width"].decimal(),
            length=members["length"].decimal(),
            capacity=members["capacity"].decimal(),
            vehicle_count=members["count"].integer(low=1, high=MAX_CUSTOMERS),
            depot_x=depot["x"],
            depot_y=depot["y"],
            depot_ready=depot.get("ready", ZERO),
            depot_due=depot.get("due"),
            customers=[self._customer(rows) for rows in self._customers],
            conventions=read_conventions(members.get("conventions"), overrides),
            length_unit=units.get("length_unit", ""),
            weight_unit=units.get("weight_unit", ""),
            distance_unit=units.get("distance_unit", ""),
        )

    def locate(self, path: str) -> Place:
        """Return file, line and column of a field of the model."""
        match = _PATH.match(path)
        if match is None:
            # In this format the vehicle's members stand at the root of its file.
            return place_in(self._vehicle, path.removeprefix("vehicle."))
        rows = self._customers[int(match[1])]
        if match[2] != "items":
            column = "customer" if match[2] == "name" else match[2]
            if column == "weight" and not rows.row.cells.get("weight"):
                return self._item_table.place(rows.first_item_line, column)
            return self._customer_table.place(rows.row.line, column)
        if match[3] is None:
            return self._item_table.place(rows.first_item_line, "customer")
        return self._item_table.place(rows.item_rows[int(match[3])].line, match[4])

    def _customer_rows(self) -> list[_CustomerRows]:
        table = self._customer_table
        found: dict[str, _CustomerRows] = {}
        for row in table.rows:
            label = row.cells["customer"]
            if not label:
                raise table.error(row.line, "customer", "is empty; every row needs a customer")
            if label.casefold() in DEPOT_NAMES:
                raise table.error(
                    row.line,
                    "customer",
                    f"{shown(label)} is the depot, whose coordinates stand in {VEHICLE_FILE}",
                )
            if label in found:
                raise table.error(
                    row.line,
                    "customer",
                    f"{shown(label)} stands twice (first in line {found[label].row.line})",
                )
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
                problem = f"{shown(label)} is not in {CUSTOMERS_FILE}" if label else "is empty"
                hint = did_you_mean(label, by_label)
                raise table.error(row.line, "customer", problem + hint)
            rows = by_label[label]
            if rows.first_item_line is None:
                rows.first_item_line = row.line
            quantity = self._quantity(row)
            if quantity:
                rows.item_rows.append(row)
                rows.quantities.append(quantity)
        for rows in self._customers:
            if rows.first_item_line is None:
                raise self._customer_table.error(
                    rows.row.line,
                    "customer",
                    f"{shown(rows.label)} has no row in {ITEMS_FILE}; if it takes no room on the "
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
            for row, quantity in zip(rows.item_rows, rows.quantities, strict=True)
        ]
        return DraftCustomer(
            x=self._customer_number(rows.row, "x"),
            y=self._customer_number(rows.row, "y"),
            weight=self._weight(rows),
            items=items,
            name=rows.label,
            ready=self._customer_number_or_none(rows.row, "ready") or ZERO,
            due=self._customer_number_or_none(rows.row, "due"),
            service=self._customer_number_or_none(rows.row, "service") or ZERO,
        )

    def _weight(self, rows: _CustomerRows) -> Decimal:
        """Return the customer's weight, which either table may give, or both if they agree."""
        stated = self._customer_number_or_none(rows.row, "weight")
        if not any(row.cells.get("weight") for row in rows.item_rows):
            if stated is None:
                raise self._customer_table.error(
                    rows.row.line,
                    "weight",
                    f"customer {shown(rows.label)} has no weight: give it here for the customer, "
                    f'or for every item in a column "weight" of {ITEMS_FILE}',
                )
            return stated
        total = ZERO
        for row, quantity in zip(rows.item_rows, rows.quantities, strict=True):
            if not row.cells["weight"]:
                raise self._item_table.error(
                    row.line,
                    "weight",
                    f"is empty, while other items of customer {shown(rows.label)} have a weight",
                )
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
                f"{ITEMS_FILE} weigh {short(total)} together",
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

    def _customer_number_or_none(self, row: Row, column: str) -> Decimal | None:
        return self._customer_number(row, column) if row.cells.get(column) else None


def write_csv_folder(instance: Instance, path: str | os.PathLike[str]) -> None:
    """Write a CSV folder; reading it back gives the same numbers, names and conventions."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot be created: {reason}", source=source_text(path)) from error
    write_text(folder / VEHICLE_FILE, format_json(_vehicle_content(instance)) + "\n")
    write_text(folder / CUSTOMERS_FILE, _csv_text(_customer_cells(instance)))
    write_text(folder / ITEMS_FILE, _csv_text(_item_cells(instance)))


def _vehicle_content(instance: Instance) -> dict[str, object]:
    units, vehicle = instance.units, instance.vehicle
    content: dict[str, object] = {
        "name": instance.name,
        "width": Decimal(units.length_text(vehicle.width)),
        "length": Decimal(units.length_text(vehicle.length)),
        "capacity": Decimal(units.weight_text(vehicle.capacity)),
        "count": instance.vehicle_count,
    }
    for name in ("length_unit", "weight_unit", "distance_unit"):
        if getattr(units, name):
            content[name] = getattr(units, name)
    content["depot"] = depot_content(instance)
    content["conventions"] = instance.conventions.to_dict()
    return content


def _customer_cells(instance: Instance) -> list[list[str]]:
    units = instance.units
    timed = any(c.ready or c.due is not None or c.service for c in instance.customers)
    rows = [["customer", "x", "y", "weight", *(("ready", "due", "service") if timed else ())]]
    for number, customer in enumerate(instance.customers, start=1):
        row = [
            instance.label(number),
            units.coordinate_text(customer.x),
            units.coordinate_text(customer.y),
            units.weight_text(customer.weight),
        ]
        if timed:
            due = "" if customer.due is None else str(customer.due)
            row += [str(customer.ready), due, str(customer.service)]
        rows.append(row)
    return rows


def _item_cells(instance: Instance) -> list[list[str]]:
    units = instance.units
    named = any(item.name for customer in instance.customers for item in customer.items)
    rows = [["customer", "width", "length", "quantity", *(("name",) if named else ())]]
    for number, customer in enumerate(instance.customers, start=1):
        label = instance.label(number)
        if not customer.items:
            rows.append([label, "", "", "0", *(("",) if named else ())])
        for item, group in itertools.groupby(customer.items):
            rows.append(
                [
                    label,
                    units.length_text(item.width),
                    units.length_text(item.length),
                    str(len(list(group))),
                    *((item.name,) if named else ()),
                ]
            )
    return rows


def _csv_text(rows: list[list[str]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
