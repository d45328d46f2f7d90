"""What no instance may have: names that confuse, a fleet or roads that do not fit the customers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tailgate.model import validation
from tailgate.model.customer import Customer
from tailgate.model.errors import InputError
from tailgate.model.matrix import plain
from tailgate.model.rounding import number_text
from tailgate.model.rules import Rules
from tailgate.model.units import decimal_text
from tailgate.model.vehicle import Vehicle

if TYPE_CHECKING:
    from tailgate.model.instance import Instance

MAX_STEPS = 2**44
"""Of a distance: any sum over a route stays far below 2**53, so that floats carry it exactly."""
DEPOT_NAMES = frozenset({"0", "depot"})


def with_canonical_names(customers: tuple[Customer, ...]) -> tuple[Customer, ...]:
    """Drop names that only repeat the customer's number, and refuse those that confuse."""
    owners: dict[str, int] = {}
    for number, customer in enumerate(customers, start=1):
        label = customer.name or str(number)
        argument = f"customers[{number - 1}].name"
        if label.casefold() in DEPOT_NAMES:
            raise InputError(
                f"{validation.shown(label)} means the depot, which is not among the customers",
                field=argument,
            )
        if label in owners:
            raise InputError(
                f"customers {owners[label]} and {number} are both called {validation.shown(label)}",
                field=argument,
            )
        owners[label] = number
    numbers = {str(number) for number in range(1, len(customers) + 1)}
    if owners.keys() == numbers and any(label != str(own) for label, own in owners.items()):
        raise InputError(
            f"the customers are named 1 to {len(customers)}, but are not in that order; sort "
            "them by name, so that names and numbers agree",
            field="customers",
        )
    return tuple(
        replace(customer, name="") if customer.name == str(number) else customer
        for number, customer in enumerate(customers, start=1)
    )


def checked_kinds(vehicles: Sequence[Vehicle]) -> tuple[Vehicle, ...]:
    """Return the kinds of vehicles with their rates, having refused names that confuse.

    Where one kind names a rate, a kind that names none costs neither distance nor time.
    """
    if not vehicles:
        raise InputError("must hold at least one kind of vehicle", field="vehicles")
    owners: dict[str, int] = {}
    for index, vehicle in enumerate(vehicles):
        field = f"vehicles[{index}].name"
        if len(vehicles) > 1 and not vehicle.name:
            raise InputError("must be given where there are several kinds", field=field)
        if vehicle.name in owners:
            raise InputError(
                f"{validation.shown(vehicle.name)} is the name of two kinds of vehicles; give "
                "each its own",
                field=field,
            )
        owners[vehicle.name] = index
    if not any(vehicle.count for vehicle in vehicles):
        fields = "vehicle_count" if len(vehicles) == 1 else "vehicles"
        raise InputError("there must be at least one vehicle", field=fields)
    if not any(vehicle.names_rates for vehicle in vehicles):
        return tuple(vehicles)
    return tuple(
        vehicle if vehicle.names_rates else replace(vehicle, cost_per_distance=0)
        for vehicle in vehicles
    )


def check_access(customers: Sequence[Customer], vehicles: Sequence[Vehicle]) -> None:
    """Refuse customers that name kinds of vehicles that there are not."""
    names = {vehicle.name for vehicle in vehicles}
    for index, customer in enumerate(customers):
        for name in customer.vehicles or ():
            if name not in names:
                known = ", ".join(validation.shown(one) for one in sorted(names) if one)
                hint = f"; there are {known}" if known else "; the only kind has no name"
                raise InputError(
                    f"there is no kind of vehicle {validation.shown(name)}"
                    f"{validation.did_you_mean(name, names) or hint}",
                    field=f"customers[{index}].vehicles",
                )


def first_stops_of(
    vehicles: Sequence[Vehicle], numbers: Mapping[str, int], rules: Rules
) -> list[tuple[int, ...]]:
    """Return the first stops of each kind by number, having refused those that cannot be."""
    owners: dict[int, str] = {}
    found = []
    for index, vehicle in enumerate(vehicles):
        field = f"vehicles[{index}].first_stops"
        stops = []
        for label in vehicle.first_stops:
            if label not in numbers:
                hint = validation.did_you_mean(label, numbers)
                raise InputError(
                    f"there is no customer {validation.shown(label)}{hint}", field=field
                )
            number = numbers[label]
            if number in owners:
                raise InputError(f"customer {label} is on {owners[number]} already", field=field)
            owners[number] = vehicle.name or "the only vehicle"
            stops.append(number)
        _refuse_order(stops, vehicle.first_stops, rules, field)
        found.append(tuple(stops))
    return found


def _refuse_order(stops: Sequence[int], labels: Sequence[str], rules: Rules, field: str) -> None:
    for place, (number, label) in enumerate(zip(stops, labels, strict=True)):
        is_early = number in rules.last and place < len(stops) - 1
        if is_early or (number in rules.first and place > 0):
            position = "last" if is_early else "first"
            raise InputError(
                f"customer {label} is stop {place + 1}, but must be the {position}", field=field
            )
        for other in rules.enemies.get(number, frozenset()).intersection(stops[:place]):
            raise InputError(
                f"customers {labels[stops.index(other)]} and {label} must not share a truck",
                field=field,
            )


def check_travel(instance: Instance) -> None:
    """Refuse a matrix over other places or to be rounded, and distances that are not there."""
    travel = instance.travel
    places = instance.n + 1
    if travel.places is not None and travel.places != places:
        field = "durations" if travel.distances is None else "distances"
        raise InputError(
            f"must be over {places} places, the depot and {instance.n} customers, got "
            f"{travel.places}",
            field=f"travel.{field}",
        )
    if travel.metric == "matrix" and instance.conventions.distance != "exact":
        raise InputError(
            'must be "exact" with a matrix: it says how measured distances are rounded, got '
            f'"{instance.conventions.distance}"',
            field="conventions.distance",
        )
    if not instance.roads.has_distances:
        for vehicle in instance.vehicles:
            is_limited = vehicle.max_distance is not None
            if is_limited or vehicle.rates[0]:
                user = "max_distance" if is_limited else "the cost"
                raise InputError(f"must be given: {user} needs them", field="travel.distances")
    step = instance.roads.distance_step
    if not travel.is_plain and step and instance.roads.longest_distance() / step > MAX_STEPS:
        raise InputError(
            f"distances as large as {number_text(float(instance.roads.longest_distance()))} in "
            f"steps of {plain(step)} cannot be added up exactly; use another unit or fewer "
            "decimals",
            field="travel",
        )
    if travel.coordinates == "lat/lon":
        _check_globe(instance)


def _check_globe(instance: Instance) -> None:
    scale = instance.units.coordinate_scale
    points = {"depot": instance.depot}
    points |= {f"customers[{i}]": (one.x, one.y) for i, one in enumerate(instance.customers)}
    for owner, (longitude, latitude) in points.items():
        for name, value, limit in (("lat", latitude, 90), ("lon", longitude, 180)):
            if abs(value) > limit * scale:
                raise InputError(
                    f"must be between -{limit} and {limit}, got {decimal_text(value, scale)}",
                    field=f"{owner}.{name}",
                )
