"""Format ``tailgate-instance-1``: straight lines, and times that are measured in distance."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from tailgate.io.clock_times import TimeReader
from tailgate.io.draft import ZERO, Draft, DraftCustomer, DraftItem, DraftUnits, DraftVehicle
from tailgate.io.json_parts import (
    CONVENTIONS_1,
    draft_item,
    duration,
    item_contents,
    moment,
    read_conventions,
    refuse_fields,
    stated,
    unit_name,
)
from tailgate.model.conventions import ConventionOverrides
from tailgate.model.instance import Customer, Instance
from tailgate.model.json_document import JsonValue
from tailgate.model.limits import MAX_CUSTOMERS, MAX_ITEMS, MAX_ITEMS_PER_CUSTOMER
from tailgate.model.units import Units

FORMAT_1 = "tailgate-instance-1"

_REMEDY = 'so write "format": "tailgate-instance-2" (docs/howto/format-2.md says what else changes)'
_CLOCK_REFUSAL = (
    f"times of a clock are in format 2, {_REMEDY}; in format 1 a time is measured in the unit of "
    "the distances"
)
_REFUSED = {"turn": f"items that may be turned are in format 2, {_REMEDY}"}


def draft_format_1(root: JsonValue, file_name: str, overrides: ConventionOverrides) -> Draft:
    """Read an instance whose format has been looked at."""
    times = TimeReader(refusal=_CLOCK_REFUSAL)
    members = root.members(
        required=("format", "vehicle", "depot", "customers"),
        optional=("name", "units", "conventions"),
    )
    if "conventions" in members:
        refuse_fields(members["conventions"], _REFUSED)
    vehicle = members["vehicle"].members(required=("width", "length", "capacity", "count"))
    names: dict[str, JsonValue] = {}
    if "units" in members:
        names = members["units"].members(optional=("length", "weight", "distance"))
    draft = _draft_without_customers(
        vehicle,
        members,
        names,
        name=members["name"].string() if "name" in members else file_name,
        overrides=overrides,
        times=times,
    )
    entries = 0
    for customer in members["customers"].elements(most=MAX_CUSTOMERS):
        draft.customers.append(_customer(customer, times))
        entries += len(draft.customers[-1].items)
        if entries > MAX_ITEMS:
            customer.fail(f"there are more than {MAX_ITEMS} items", "items")
    return draft


def _draft_without_customers(
    vehicle: Mapping[str, JsonValue],
    members: Mapping[str, JsonValue],
    unit_names: Mapping[str, JsonValue],
    *,
    name: str,
    overrides: ConventionOverrides,
    times: TimeReader,
) -> Draft:
    """Return what the file says about vehicle, depot, units and conventions."""
    depot = members["depot"].members(required=("x", "y"), optional=("ready", "due"))
    return Draft(
        name=name,
        vehicles=[
            DraftVehicle(
                width=vehicle["width"].decimal(),
                length=vehicle["length"].decimal(),
                capacity=vehicle["capacity"].decimal(),
                count=vehicle["count"].integer(low=1, high=MAX_CUSTOMERS),
            )
        ],
        depot_x=depot["x"].decimal(),
        depot_y=depot["y"].decimal(),
        customers=[],
        conventions=read_conventions(members.get("conventions"), overrides, CONVENTIONS_1),
        depot_ready=moment(depot, "ready", times) or ZERO,
        depot_due=moment(depot, "due", times, may_be_null=True),
        units=DraftUnits(**{quantity: unit_name(value) for quantity, value in unit_names.items()}),
    )


def model_path_1(path: str) -> str:
    """Return what the file calls a field of the model."""
    return path.replace("vehicles[0]", "vehicle", 1)


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
    refuse_fields(value, _REFUSED)
    return draft_item(value.members(required=("width", "length"), optional=("name", "quantity")))


def content_1(instance: Instance) -> dict[str, object]:
    """Return an instance as the file has it."""
    units = instance.units
    names = stated(
        {
            "length": units.length_unit,
            "weight": units.weight_unit,
            "distance": units.distance_unit,
        }
    )
    return {
        "format": FORMAT_1,
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
    return {"x": x, "y": y, **stated({"ready": instance.depot_ready, "due": instance.depot_due})}


def _customer_content(units: Units, customer: Customer) -> dict[str, object]:
    times = {"ready": customer.ready, "due": customer.due, "service": customer.service}
    return {
        **stated({"name": customer.name}),
        "x": Decimal(units.coordinate_text(customer.x)),
        "y": Decimal(units.coordinate_text(customer.y)),
        "weight": Decimal(units.weight_text(customer.weight)),
        **stated(times),
        "items": item_contents(units, customer.items),
    }
