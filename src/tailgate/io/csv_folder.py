"""A folder of spreadsheet exports: ``customers.csv``, ``items.csv`` and ``vehicle.json``.

docs/formats.md describes the columns.
"""

from __future__ import annotations

import csv
import io
import itertools
from pathlib import Path

from tailgate.io.clock_times import TimeReader
from tailgate.io.csv_table import DecimalReader, read_table
from tailgate.io.draft import ParsedDraft, Place
from tailgate.io.json_instance_1 import depot_content, draft_without_customers, vehicle_content
from tailgate.io.json_parts import place_in
from tailgate.io.order_tables import (
    CUSTOMER_COLUMNS,
    ITEM_COLUMNS,
    MORE_CUSTOMER_COLUMNS,
    MORE_ITEM_COLUMNS,
    OrderTables,
)
from tailgate.io.text_file import (
    cannot_be_read,
    is_left_behind,
    name_from,
    read_text,
    source_text,
    write_texts,
)
from tailgate.model.aliases import PathLike
from tailgate.model.conventions import ConventionOverrides
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.json_document import JsonDocument, format_json
from tailgate.model.validation import did_you_mean

CUSTOMERS_FILE = "customers.csv"
ITEMS_FILE = "items.csv"
VEHICLE_FILE = "vehicle.json"
_VEHICLE_EXAMPLE = (
    '{"width": 2.45, "length": 7.2, "capacity": 6000, "count": 8, "depot": {"x": 0, "y": 0}}'
)


def draft_csv_folder(path: PathLike, overrides: ConventionOverrides) -> ParsedDraft:
    """Read a CSV folder and remember its lines."""
    _check_folder(path)
    folder = Path(path)
    vehicle_file = folder / VEHICLE_FILE
    vehicle = JsonDocument(read_text(vehicle_file), source_text(vehicle_file))
    customers = read_table(
        folder / CUSTOMERS_FILE, required=CUSTOMER_COLUMNS, optional=MORE_CUSTOMER_COLUMNS
    )
    items = read_table(folder / ITEMS_FILE, required=ITEM_COLUMNS, optional=MORE_ITEM_COLUMNS)
    members = vehicle.parse().members(
        required=("width", "length", "capacity", "count", "depot"),
        optional=("name", "length_unit", "weight_unit", "distance_unit", "conventions"),
    )
    quantities = [name.removesuffix("_unit") for name in members if name.endswith("_unit")]
    times = TimeReader(takes_dates=True)
    tables = OrderTables(
        customers,
        items,
        vehicle=VEHICLE_FILE,
        decimals=DecimalReader(VEHICLE_FILE),
        times=times,
    )
    draft = draft_without_customers(
        members,
        members,
        {quantity: members[f"{quantity}_unit"] for quantity in quantities},
        name=members["name"].string() if "name" in members else name_from(folder, is_folder=True),
        overrides=overrides,
        times=times,
    )
    draft.customers = tables.customers()
    draft.clock = times.clock

    def locate(path: str) -> Place:
        # In this format the vehicle's members are at the root of its file.
        return tables.locate(path) or place_in(vehicle, path.removeprefix("vehicle."))

    return ParsedDraft(draft, locate)


def _check_folder(path: PathLike) -> None:
    try:
        present = sorted(entry.name for entry in Path(path).iterdir())
    except (OSError, ValueError) as error:
        raise cannot_be_read(path, error) from error
    known = (CUSTOMERS_FILE, ITEMS_FILE, VEHICLE_FILE)
    missing = [name for name in known if name not in present]
    if missing:
        hint = did_you_mean(missing[0], (name for name in present if name not in known))
        if missing == [VEHICLE_FILE] and not hint.lower().endswith('.json"?'):
            other = next((name for name in present if _is_vehicle_table(name)), None)
            instead = f" instead of {other}" if other else ""
            hint = f"; write it{instead}: a few lines such as {_VEHICLE_EXAMPLE}"
        if any(map(is_left_behind, present)):
            hint = "; writing it was cut short, so make it again"
        raise InputError(
            f"the folder lacks {' and '.join(missing)} (a CSV folder holds {CUSTOMERS_FILE}, "
            f"{ITEMS_FILE} and {VEHICLE_FILE}){hint}",
            source=source_text(path),
        )


def _is_vehicle_table(name: str) -> bool:
    return Path(name).stem.casefold() in {"vehicle", "vehicles", "truck", "trucks"}


def write_csv_folder(instance: Instance, path: PathLike) -> None:
    """Write a CSV folder; reading it back gives the same numbers, names and conventions.

    Other files in the folder stay. A crash never leaves old and new tables that pass for one.
    """
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot be created: {reason}", source=source_text(path)) from error
    write_texts(
        folder,
        {
            VEHICLE_FILE: format_json(_vehicle_content(instance)) + "\n",
            CUSTOMERS_FILE: _csv_text(customer_cells(instance)),
            ITEMS_FILE: _csv_text(item_cells(instance)),
        },
    )


def _vehicle_content(instance: Instance) -> dict[str, object]:
    content: dict[str, object] = {
        "name": instance.name,
        **vehicle_content(instance),
    }
    for name in ("length_unit", "weight_unit", "distance_unit"):
        if getattr(instance.units, name):
            content[name] = getattr(instance.units, name)
    content["depot"] = depot_content(instance)
    content["conventions"] = instance.conventions.to_dict()
    return content


def customer_cells(instance: Instance) -> list[list[str]]:
    """Return the table of customers, its header row first."""
    units = instance.units
    timed = any(customer.has_times for customer in instance.customers)
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


def item_cells(instance: Instance) -> list[list[str]]:
    """Return the table of items, its header row first."""
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
