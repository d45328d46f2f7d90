"""The JSON format of instances, ``tailgate-instance-1``; docs/formats.md describes it."""

from __future__ import annotations

import os
import re
from decimal import Decimal
from pathlib import Path
from typing import Unpack

from tailgate.conventions import ConventionOverrides, Conventions
from tailgate.errors import InputError
from tailgate.formats.draft import ZERO, Draft, DraftCustomer, Drafted, DraftItem, Place
from tailgate.instance import (
    MAX_CUSTOMERS,
    MAX_ITEMS,
    MAX_ITEMS_PER_CUSTOMER,
    Customer,
    Instance,
    Item,
)
from tailgate.json_document import JsonDocument, JsonValue, format_json, path_text
from tailgate.json_document import Path as JsonPath
from tailgate.text_file import name_from, read_text, source_text, write_text
from tailgate.units import MAX_UNIT_CHARACTERS
from tailgate.validation import shown, text

INSTANCE_FORMAT = "tailgate-instance-1"

_STEP = re.compile(r"(\w+)|\[(\d+)\]")


def read_json(path: str | os.PathLike[str], **overrides: Unpack[ConventionOverrides]) -> Instance:
    """Read a JSON instance; conventions given here go before those in the file."""
    return draft_json(path, overrides).assembled().instance


def draft_json(path: str | os.PathLike[str], overrides: ConventionOverrides) -> Drafted:
    """Read a JSON instance and keep the way back to its lines."""
    return draft_json_text(read_text(path), source_text(path), name_from(path), overrides)


def draft_json_text(
    text: str, source: str, file_name: str, overrides: ConventionOverrides
) -> Drafted:
    """Read the text of a JSON instance; ``source`` is what complaints call it."""
    document = JsonDocument(text, source)
    draft = _draft(document.parse(), file_name, overrides)

    def locate(path: str) -> Place:
        return place_in(document, path)

    return Drafted(draft, locate)


def place_in(document: JsonDocument, path: str) -> Place:
    """Return where the value with a path such as ``customers[3].weight`` stands in a document."""
    steps: JsonPath = tuple(
        match[1] if match[2] is None else int(match[2]) for match in _STEP.finditer(path)
    )
    return Place(document.source or "", document.line_of(steps), path_text(steps) or None)


def _draft(root: JsonValue, file_name: str, overrides: ConventionOverrides) -> Draft:
    _check_format(root)
    members = root.members(
        required=("format", "vehicle", "depot", "customers"),
        optional=("name", "units", "conventions"),
    )
    vehicle = members["vehicle"].members(required=("width", "length", "capacity", "count"))
    depot = read_depot(members["depot"])
    unit_names: dict[str, str] = {}
    if "units" in members:
        units = members["units"].members(optional=("length", "weight", "distance"))
        unit_names = {name: read_unit(member) for name, member in units.items()}
    customers = members["customers"].elements(most=MAX_CUSTOMERS)
    drafted, entries = [], 0
    for customer in customers:
        drafted.append(_customer(customer))
        entries += len(drafted[-1].items)
        if entries > MAX_ITEMS:
            customer.fail(f"there are more than {MAX_ITEMS} items", "items")
    return Draft(
        name=members["name"].string() if "name" in members else file_name,
        width=vehicle["width"].decimal(),
        length=vehicle["length"].decimal(),
        capacity=vehicle["capacity"].decimal(),
        vehicle_count=vehicle["count"].integer(low=1, high=MAX_CUSTOMERS),
        depot_x=depot["x"],
        depot_y=depot["y"],
        depot_ready=depot.get("ready", ZERO),
        depot_due=depot.get("due"),
        customers=drafted,
        conventions=read_conventions(members.get("conventions"), overrides),
        length_unit=unit_names.get("length", ""),
        weight_unit=unit_names.get("weight", ""),
        distance_unit=unit_names.get("distance", ""),
    )


def _check_format(root: JsonValue) -> None:
    """Tell a file of another kind from an instance with a mistake in it."""
    stated = root.value.get("format") if isinstance(root.value, dict) else None
    if stated == INSTANCE_FORMAT:
        return
    source = root.document.source or ""
    if isinstance(root.value, dict) and stated is None and Path(source).name == "vehicle.json":
        root.fail("this is part of a CSV folder; give the folder instead of the file")
    if isinstance(stated, str) and stated.startswith("tailgate-solution"):
        root.fail("this is a solution, not an instance", "format")
    if stated is None:
        root.fail(f'is not an instance: it must be an object with "format": "{INSTANCE_FORMAT}"')
    root.fail(f'must be "{INSTANCE_FORMAT}", got {shown(stated)}', "format")


def _customer(value: JsonValue) -> DraftCustomer:
    members = value.members(
        required=("x", "y", "weight", "items"), optional=("name", "ready", "due", "service")
    )
    return DraftCustomer(
        x=members["x"].decimal(),
        y=members["y"].decimal(),
        weight=members["weight"].decimal(),
        items=[_item(item) for item in members["items"].elements(most=MAX_ITEMS_PER_CUSTOMER)],
        name=members["name"].string() if "name" in members else "",
        ready=members["ready"].decimal() if "ready" in members else ZERO,
        due=_decimal_or_null(members["due"]) if "due" in members else None,
        service=members["service"].decimal() if "service" in members else ZERO,
    )


def _item(value: JsonValue) -> DraftItem:
    members = value.members(required=("width", "length"), optional=("name", "quantity"))
    return DraftItem(
        width=members["width"].decimal(),
        length=members["length"].decimal(),
        quantity=(
            members["quantity"].integer(low=1, high=MAX_ITEMS_PER_CUSTOMER)
            if "quantity" in members
            else 1
        ),
        name=members["name"].string() if "name" in members else "",
    )


def read_depot(value: JsonValue) -> dict[str, Decimal]:
    """Return the members of a depot; a missing or null due time is left out."""
    members = value.members(required=("x", "y"), optional=("ready", "due"))
    return {
        name: member.decimal()
        for name, member in members.items()
        if not (name == "due" and member.is_null)
    }


def read_unit(value: JsonValue) -> str:
    """Return the name of a unit."""
    try:
        return text(value.string(), "unit", max_characters=MAX_UNIT_CHARACTERS)
    except InputError as error:
        value.fail(error.problem)


def read_conventions(value: JsonValue | None, overrides: ConventionOverrides) -> Conventions:
    """Return the planner's conventions, changed by the file's, changed by the caller's."""
    conventions = Conventions.PLANNER
    if value is not None:
        members = value.members(optional=tuple(conventions.to_dict()))
        stated = {
            name: member.boolean() if name == "lifo" else member.string()
            for name, member in members.items()
        }
        try:
            conventions = Conventions.from_dict(stated)
        except InputError as error:
            value.fail(error.problem, *((error.field,) if error.field else ()))
    return conventions.overridden(overrides)


def _decimal_or_null(value: JsonValue) -> Decimal | None:
    return None if value.is_null else value.decimal()


def write_json(instance: Instance, path: str | os.PathLike[str]) -> None:
    """Write a JSON instance; reading it back gives the same numbers, names and conventions."""
    write_text(path, json_instance_text(instance))


def json_instance_text(instance: Instance) -> str:
    """Return the text of a JSON instance."""
    return format_json(_content(instance)) + "\n"


def _content(instance: Instance) -> dict[str, object]:
    units, vehicle = instance.units, instance.vehicle
    named = {
        "length": units.length_unit,
        "weight": units.weight_unit,
        "distance": units.distance_unit,
    }
    unit_names = {quantity: name for quantity, name in named.items() if name}
    return {
        "format": INSTANCE_FORMAT,
        "name": instance.name,
        **({"units": unit_names} if unit_names else {}),
        "conventions": instance.conventions.to_dict(),
        "vehicle": {
            "width": Decimal(units.length_text(vehicle.width)),
            "length": Decimal(units.length_text(vehicle.length)),
            "capacity": Decimal(units.weight_text(vehicle.capacity)),
            "count": instance.vehicle_count,
        },
        "depot": depot_content(instance),
        "customers": [_customer_content(instance, customer) for customer in instance.customers],
    }


def depot_content(instance: Instance) -> dict[str, object]:
    """Return the depot as both JSON files write it."""
    x, y = instance.depot
    content: dict[str, object] = {
        "x": Decimal(instance.units.coordinate_text(x)),
        "y": Decimal(instance.units.coordinate_text(y)),
    }
    if instance.depot_ready:
        content["ready"] = instance.depot_ready
    if instance.depot_due is not None:
        content["due"] = instance.depot_due
    return content


def _customer_content(instance: Instance, customer: Customer) -> dict[str, object]:
    units = instance.units
    content: dict[str, object] = {"name": customer.name} if customer.name else {}
    content["x"] = Decimal(units.coordinate_text(customer.x))
    content["y"] = Decimal(units.coordinate_text(customer.y))
    content["weight"] = Decimal(units.weight_text(customer.weight))
    if customer.ready:
        content["ready"] = customer.ready
    if customer.due is not None:
        content["due"] = customer.due
    if customer.service:
        content["service"] = customer.service
    content["items"] = [_item_content(instance, item) for item in customer.items]
    return content


def _item_content(instance: Instance, item: Item) -> dict[str, object]:
    content: dict[str, object] = {
        "width": Decimal(instance.units.length_text(item.width)),
        "length": Decimal(instance.units.length_text(item.length)),
    }
    if item.name:
        content["name"] = item.name
    return content
