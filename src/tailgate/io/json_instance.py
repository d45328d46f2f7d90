"""The JSON format of instances, ``tailgate-instance-1``; docs/formats.md describes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path

from tailgate.io.clock_times import TimeReader
from tailgate.io.draft import (
    ZERO,
    Draft,
    DraftCustomer,
    DraftItem,
    DraftUnits,
    DraftVehicle,
    ParsedDraft,
    Place,
    Time,
)
from tailgate.io.text_file import write_text
from tailgate.model.aliases import PathLike
from tailgate.model.conventions import ConventionOverrides, Conventions
from tailgate.model.instance import Customer, Instance
from tailgate.model.json_document import JsonDocument, JsonValue, format_json, path_text
from tailgate.model.json_document import Path as JsonPath
from tailgate.model.limits import MAX_CUSTOMERS, MAX_ITEMS, MAX_ITEMS_PER_CUSTOMER
from tailgate.model.units import MAX_UNIT_CHARACTERS, Units
from tailgate.model.validation import shown, text

INSTANCE_FORMAT = "tailgate-instance-1"

_CLOCK_REFUSAL = (
    'times of a clock are in format 2, so write "format": "tailgate-instance-2" '
    "(docs/howto/format-2.md says what else changes); in format 1 a time is measured in the unit "
    "of the distances"
)

_STEP = re.compile(r"(\w+)|\[(\d+)\]")


def draft_json_text(
    text: str, source: str, file_name: str, overrides: ConventionOverrides
) -> ParsedDraft:
    """Read the text of a JSON instance; ``source`` is what complaints call it."""
    document = JsonDocument(text, source)
    draft = _draft(document.parse(), file_name, overrides)

    def locate(path: str) -> Place:
        return place_in(document, path)

    return ParsedDraft(draft, locate)


def place_in(document: JsonDocument, path: str) -> Place:
    """Return where the value with a path such as ``customers[3].weight`` is in a document."""
    steps: JsonPath = tuple(
        match[1] if match[2] is None else int(match[2]) for match in _STEP.finditer(path)
    )
    return Place(document.source or "", document.line_of(steps), path_text(steps) or None)


def _draft(root: JsonValue, file_name: str, overrides: ConventionOverrides) -> Draft:
    _check_format(root)
    times = TimeReader(refusal=_CLOCK_REFUSAL)
    members = root.members(
        required=("format", "vehicle", "depot", "customers"),
        optional=("name", "units", "conventions"),
    )
    vehicle = members["vehicle"].members(required=("width", "length", "capacity", "count"))
    names: dict[str, JsonValue] = {}
    if "units" in members:
        names = members["units"].members(optional=("length", "weight", "distance"))
    draft = draft_without_customers(
        vehicle,
        members,
        names,
        name=members["name"].string() if "name" in members else file_name,
        overrides=overrides,
        times=times,
    )
    customers = members["customers"].elements(most=MAX_CUSTOMERS)
    entries = 0
    for customer in customers:
        draft.customers.append(_customer(customer, times))
        entries += len(draft.customers[-1].items)
        if entries > MAX_ITEMS:
            customer.fail(f"there are more than {MAX_ITEMS} items", "items")
    return draft


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


def _customer(value: JsonValue, times: TimeReader) -> DraftCustomer:
    members = value.members(
        required=("x", "y", "weight", "items"), optional=("name", "ready", "due", "service")
    )
    return DraftCustomer(
        x=members["x"].decimal(),
        y=members["y"].decimal(),
        weight=members["weight"].decimal(),
        items=[_item(item) for item in members["items"].elements(most=MAX_ITEMS_PER_CUSTOMER)],
        name=members["name"].string() if "name" in members else "",
        ready=moment(members, "ready", times) or ZERO,
        due=moment(members, "due", times, may_be_null=True),
        service=duration(members, "service", times) or ZERO,
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


def draft_without_customers(
    vehicle: Mapping[str, JsonValue],
    members: Mapping[str, JsonValue],
    unit_names: Mapping[str, JsonValue],
    *,
    name: str,
    overrides: ConventionOverrides,
    times: TimeReader,
) -> Draft:
    """Return what both JSON files say about vehicle, depot, units and conventions."""
    depot = members["depot"].members(required=("x", "y"), optional=("ready", "due"))
    units = {quantity: _unit(value) for quantity, value in unit_names.items()}
    return Draft(
        name=name,
        vehicle=DraftVehicle(
            width=vehicle["width"].decimal(),
            length=vehicle["length"].decimal(),
            capacity=vehicle["capacity"].decimal(),
            count=vehicle["count"].integer(low=1, high=MAX_CUSTOMERS),
        ),
        depot_x=depot["x"].decimal(),
        depot_y=depot["y"].decimal(),
        customers=[],
        conventions=read_conventions(members.get("conventions"), overrides),
        depot_ready=moment(depot, "ready", times) or ZERO,
        depot_due=moment(depot, "due", times, may_be_null=True),
        units=DraftUnits(**units),
    )


def _unit(value: JsonValue) -> str:
    with value.placing_errors():
        return text(value.string(), "", max_characters=MAX_UNIT_CHARACTERS)


def read_conventions(value: JsonValue | None, overrides: ConventionOverrides) -> Conventions:
    """Return the planner's conventions, changed by the file's, changed by the caller's."""
    conventions = Conventions.PLANNER
    if value is not None:
        members = value.members(optional=tuple(conventions.to_dict()))
        stated = {
            name: member.boolean() if name == "lifo" else member.string()
            for name, member in members.items()
        }
        with value.placing_errors():
            conventions = Conventions.from_dict(stated)
    return conventions.overridden(overrides)


def moment(
    members: Mapping[str, JsonValue], name: str, times: TimeReader, *, may_be_null: bool = False
) -> Time | None:
    """Return a time of day, if it is there."""
    given = _number_or_text(members.get(name), may_be_null=may_be_null)
    return None if given is None else times.moment(given, place_of(members[name]))


def duration(
    members: Mapping[str, JsonValue], name: str, times: TimeReader, *, may_be_null: bool = False
) -> Time | None:
    """Return how long something takes, if it is there."""
    given = _number_or_text(members.get(name), may_be_null=may_be_null)
    return None if given is None else times.duration(given, place_of(members[name]))


def _number_or_text(value: JsonValue | None, *, may_be_null: bool) -> Decimal | str | None:
    if value is None or (may_be_null and value.is_null):
        return None
    return value.value if isinstance(value.value, str) else value.decimal()


def place_of(value: JsonValue) -> Callable[[], Place]:
    """Return what finds the place of a value, which takes a while."""
    document, path = value.document, value.path
    return lambda: Place(document.source or "", document.line_of(path), path_text(path) or None)


def write_json(instance: Instance, path: PathLike) -> None:
    """Write a JSON instance; reading it back gives the same numbers, names and conventions."""
    write_text(path, json_instance_text(instance))


def json_instance_text(instance: Instance) -> str:
    """Return the text of a JSON instance."""
    return format_json(_content(instance)) + "\n"


def _content(instance: Instance) -> dict[str, object]:
    units = instance.units
    names = _stated(
        {
            "length": units.length_unit,
            "weight": units.weight_unit,
            "distance": units.distance_unit,
        }
    )
    return {
        "format": INSTANCE_FORMAT,
        "name": instance.name,
        **({"units": names} if names else {}),
        "conventions": instance.conventions.to_dict(),
        "vehicle": vehicle_content(instance),
        "depot": depot_content(instance),
        "customers": [_customer_content(units, customer) for customer in instance.customers],
    }


def vehicle_content(instance: Instance) -> dict[str, object]:
    """Return the vehicle as both JSON files write it."""
    units, vehicle = instance.units, instance.vehicle
    return {
        "width": Decimal(units.length_text(vehicle.width)),
        "length": Decimal(units.length_text(vehicle.length)),
        "capacity": Decimal(units.weight_text(vehicle.capacity)),
        "count": instance.vehicle_count,
    }


def depot_content(instance: Instance) -> dict[str, object]:
    """Return the depot as both JSON files write it."""
    x, y = (Decimal(instance.units.coordinate_text(value)) for value in instance.depot)
    return {"x": x, "y": y, **_stated({"ready": instance.depot_ready, "due": instance.depot_due})}


def _customer_content(units: Units, customer: Customer) -> dict[str, object]:
    times = {"ready": customer.ready, "due": customer.due, "service": customer.service}
    return {
        **_stated({"name": customer.name}),
        "x": Decimal(units.coordinate_text(customer.x)),
        "y": Decimal(units.coordinate_text(customer.y)),
        "weight": Decimal(units.weight_text(customer.weight)),
        **_stated(times),
        "items": [
            {
                "width": Decimal(units.length_text(item.width)),
                "length": Decimal(units.length_text(item.length)),
                **_stated({"name": item.name}),
            }
            for item in customer.items
        ],
    }


def _stated(members: Mapping[str, object]) -> dict[str, object]:
    """Leave out what a file need not say: an empty name, a time of 0 unless it is a due time."""
    return {
        name: value
        for name, value in members.items()
        if value or (name == "due" and value is not None)
    }
