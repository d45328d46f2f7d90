"""Reading of format ``tailgate-instance-2``; docs/formats.md describes it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import cast, get_args

from tailgate.io import unsupported
from tailgate.io.clock_times import TimeReader
from tailgate.io.draft import ZERO, Draft, DraftCustomer, DraftUnits, DraftVehicle
from tailgate.io.json_parts import (
    CONVENTIONS_2,
    draft_item,
    duration,
    moment,
    place_of,
    read_conventions,
    refuse_fields,
    unit_name,
)
from tailgate.io.json_travel import COORDINATE_FIELDS, CoordinateReader, TravelReader
from tailgate.io.matrix_rows import PlaceNames
from tailgate.model.conventions import ConventionOverrides
from tailgate.model.customer import Position
from tailgate.model.json_document import JsonValue
from tailgate.model.limits import (
    MAX_CUSTOMERS,
    MAX_INFO_CHARACTERS,
    MAX_ITEMS,
    MAX_ITEMS_PER_CUSTOMER,
    MAX_KINDS,
)
from tailgate.model.validation import choice, text

FORMAT_2 = "tailgate-instance-2"

_UNITS = ("length", "weight", "distance", "time", "cost")
_COSTS = ("fixed_cost", "cost_per_distance", "cost_per_time")
_SHIFT = ("shift_start", "shift_end", "max_duration")
_LIMITS = ("max_distance", "max_stops")

_REFUSED_AT_ROOT = {
    **unsupported.ROOT_FIELDS,
    "vehicle": 'is "vehicles": [{...}] in format 2, with the same fields, one for each kind',
}


def draft_format_2(
    root: JsonValue, file_name: str, overrides: ConventionOverrides, folder: Path | None
) -> Draft:
    """Read an instance whose format has been looked at; ``folder`` is where its file is."""
    refuse_fields(root, _REFUSED_AT_ROOT)
    members = root.members(
        required=("format", "depot", "vehicles", "customers"),
        optional=("name", "units", "conventions", "travel"),
    )
    times, coordinates = TimeReader(), CoordinateReader()
    units = DraftUnits()
    if "units" in members:
        names = members["units"].members(optional=_UNITS)
        units = DraftUnits(**{quantity: unit_name(value) for quantity, value in names.items()})
    refuse_fields(members["depot"], unsupported.DEPOT_FIELDS)
    depot = members["depot"].members(optional=("name", *COORDINATE_FIELDS, "ready", "due"))
    depot_name = depot["name"].string() if "name" in depot else ""
    depot_x, depot_y = coordinates.read(members["depot"], depot)
    ready = moment(depot, "ready", times, may_be_null=True)
    due = moment(depot, "due", times, may_be_null=True)
    vehicles = _vehicles(members["vehicles"], times)
    customers = _customers(members["customers"], coordinates, times)
    if "units" in members and "time" in names:
        times.check_unit(units.time, place_of(names["time"]))
    places = PlaceNames([customer.name for customer in customers], depot_name)
    reader = TravelReader(coordinates, places, units, folder)
    travel, distance = reader.read(members.get("travel"), overrides)
    conventions = members.get("conventions")
    if conventions is not None:
        refuse_fields(conventions, {"distance": 'is "rounding" in "travel" in format 2'})
    return Draft(
        name=members["name"].string() if "name" in members else file_name,
        vehicles=vehicles,
        depot_x=depot_x,
        depot_y=depot_y,
        customers=customers,
        conventions=read_conventions(conventions, overrides, CONVENTIONS_2, distance=distance),
        depot_ready=ready or ZERO,
        depot_due=due,
        depot_name=depot_name,
        travel=travel,
        units=units,
        clock=times.clock,
    )


def model_path_2(path: str) -> str:
    """Return what the file calls a field of the model."""
    return "travel.rounding" if path == "conventions.distance" else path


def _vehicles(value: JsonValue, times: TimeReader) -> list[DraftVehicle]:
    kinds = value.elements(most=MAX_KINDS)
    if not kinds:
        value.fail("must hold a kind of vehicles")
    return [_vehicle(kind, times) for kind in kinds]


def _vehicle(kind: JsonValue, times: TimeReader) -> DraftVehicle:
    refuse_fields(kind, unsupported.VEHICLE_FIELDS)
    members = kind.members(
        required=("count", "width", "length", "capacity"),
        optional=("name", *_COSTS, *_SHIFT, *_LIMITS),
    )
    stops = members.get("max_stops")
    return DraftVehicle(
        width=members["width"].decimal(),
        length=members["length"].decimal(),
        capacity=members["capacity"].decimal(),
        count=members["count"].integer(low=0, high=MAX_CUSTOMERS),
        name=members["name"].string() if "name" in members else "",
        fixed_cost=_number(members, "fixed_cost") or ZERO,
        cost_per_distance=_number(members, "cost_per_distance"),
        cost_per_time=_number(members, "cost_per_time"),
        shift_start=moment(members, "shift_start", times, may_be_null=True),
        shift_end=moment(members, "shift_end", times, may_be_null=True),
        max_duration=duration(members, "max_duration", times, may_be_null=True),
        max_distance=_number(members, "max_distance"),
        max_stops=(
            None if stops is None or stops.is_null else stops.integer(low=1, high=MAX_CUSTOMERS)
        ),
    )


def _customers(
    value: JsonValue, coordinates: CoordinateReader, times: TimeReader
) -> list[DraftCustomer]:
    customers = []
    entries = 0
    for customer in value.elements(most=MAX_CUSTOMERS):
        customers.append(_customer(customer, coordinates, times))
        entries += len(customers[-1].items)
        if entries > MAX_ITEMS:
            customer.fail(f"there are more than {MAX_ITEMS} items", "items")
    return customers


def _customer(value: JsonValue, coordinates: CoordinateReader, times: TimeReader) -> DraftCustomer:
    refuse_fields(value, unsupported.CUSTOMER_FIELDS)
    members = value.members(
        required=("weight", "items"),
        optional=(
            *("name", *COORDINATE_FIELDS, "ready", "due", "service", "info"),
            *("leave_out_cost", "vehicles", "not_with", "together", "position"),
        ),
    )
    x, y = coordinates.read(value, members)
    items = []
    for item in members["items"].elements(most=MAX_ITEMS_PER_CUSTOMER):
        refuse_fields(item, unsupported.ITEM_FIELDS)
        parts = item.members(required=("width", "length"), optional=("name", "quantity", "turn"))
        items.append(draft_item(parts))
    return DraftCustomer(
        x=x,
        y=y,
        weight=members["weight"].decimal(),
        items=items,
        name=members["name"].string() if "name" in members else "",
        ready=moment(members, "ready", times, may_be_null=True) or ZERO,
        due=moment(members, "due", times, may_be_null=True),
        service=duration(members, "service", times, may_be_null=True) or ZERO,
        info=_info(members["info"]) if "info" in members else {},
        leave_out_cost=_number(members, "leave_out_cost"),
        vehicles=_names(members, "vehicles", most=MAX_KINDS),
        not_with=_names(members, "not_with", most=MAX_CUSTOMERS) or (),
        together=_names(members, "together", most=MAX_CUSTOMERS) or (),
        position=_position(members),
    )


def _number(members: Mapping[str, JsonValue], name: str) -> Decimal | None:
    member = members.get(name)
    return None if member is None or member.is_null else member.decimal()


def _names(members: Mapping[str, JsonValue], name: str, *, most: int) -> tuple[str, ...] | None:
    """Return a list of names, if it is there."""
    member = members.get(name)
    if member is None or member.is_null:
        return None
    return tuple(element.string() for element in member.elements(most=most))


def _position(members: Mapping[str, JsonValue]) -> Position | None:
    member = members.get("position")
    if member is None or member.is_null:
        return None
    with member.placing_errors():
        return cast(Position, choice(member.string(), "", get_args(Position)))


def _info(value: JsonValue) -> dict[str, str]:
    if not isinstance(value.value, dict):
        value.fail('must be an object of texts, such as {"phone": "0123 4567"}')
    info = {}
    for name, member in value.members(optional=tuple(value.value)).items():
        with member.placing_errors():
            text(name, "")
            info[name] = text(member.string(), "", max_characters=MAX_INFO_CHARACTERS)
    return info
