"""What makes an instance impossible before any search: names, loads and times of one customer."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from tailgate.model import validation
from tailgate.model.customer import Customer
from tailgate.model.errors import InputError
from tailgate.model.matrix import plain
from tailgate.model.roads import shortest_round_trips
from tailgate.model.rounding import number_text
from tailgate.model.units import decimal_text

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


def check_load(instance: Instance, number: int) -> None:
    """Refuse a customer whose own items are too large or too heavy for an empty vehicle."""
    customer, place = instance.customers[number - 1], f"customers[{number - 1}]"
    units, vehicle = instance.units, instance.vehicle
    for index, item in enumerate(customer.items):
        for side in ("width", "length"):
            size, floor = getattr(item, side), getattr(vehicle, side)
            if size > floor:
                raise InputError(
                    f"item {index + 1} of customer {instance.label(number)} has {side} "
                    f"{units.length_text(size)}, more than the vehicle's floor "
                    f"({units.length_text(floor)}); items are not rotated",
                    field=f"{place}.items[{index}].{side}",
                )
    if customer.weight > vehicle.capacity:
        raise InputError(
            f"customer {instance.label(number)} weighs {units.weight_text(customer.weight)}, more "
            f"than the vehicle's capacity {units.weight_text(vehicle.capacity)}",
            field=f"{place}.weight",
        )
    if customer.area > vehicle.area:
        squared = units.length_scale**2
        raise InputError(
            f"the items of customer {instance.label(number)} cover "
            f"{decimal_text(customer.area, squared)}, more than the vehicle's floor area "
            f"{decimal_text(vehicle.area, squared)}",
            field=f"{place}.items",
        )


def check_travel(instance: Instance) -> None:
    """Refuse a matrix over other places or to be rounded, and distances that are not there."""
    travel, vehicle = instance.travel, instance.vehicle
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
    costs = instance.costs
    if not instance.roads.has_distances and (
        costs.uses_distance or vehicle.max_distance is not None
    ):
        user = "max_distance" if vehicle.max_distance is not None else "the cost"
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


def check_limits(instance: Instance) -> None:
    """Refuse customers whom no route reaches, or none within the limits of the vehicle.

    A route that serves a customer takes at least the shortest ways there and back, whatever it
    visits on the way; the direct roads may be longer.
    """
    vehicle, costs, clock = instance.vehicle, instance.costs, instance.clock
    has_limits = vehicle.max_duration is not None or vehicle.max_distance is not None
    if not has_limits and not instance.has_missing_roads:
        return
    numbers = range(1, instance.n + 1)
    suspects = [number for number in numbers if not instance.is_allowed((number,))]
    if not suspects:
        return
    durations = shortest_round_trips(clock.durations())
    for number in suspects:
        if durations[number] == math.inf:
            raise InputError(
                f"customer {instance.label(number)} cannot be reached, or not be left: there is "
                "no road",
                field=f"customers[{number - 1}]",
            )
        least = durations[number] + clock.service[number]
        if clock.exceeds(least):
            shown = clock.time(math.ceil(least) if clock.tick else least)
            raise InputError(
                f"customer {instance.label(number)} is served by a vehicle that is out for "
                f"{number_text(shown)} at least, longer than max_duration "
                f"({number_text(vehicle.max_duration or 0)})",
                field="vehicle.max_duration",
            )
    if vehicle.max_distance is None:
        return
    distances = shortest_round_trips(costs.distance_steps())
    for number in suspects:
        if distances[number] > costs.distance_limit(vehicle.max_distance):
            raise InputError(
                f"customer {instance.label(number)} is {costs.distance_text(distances[number])} "
                "away and back, farther than max_distance "
                f"({number_text(vehicle.max_distance)})",
                field="vehicle.max_distance",
            )


def check_windows(instance: Instance) -> None:
    """Refuse customers who cannot be served in time, neither directly nor by a detour."""
    if not instance.has_time_windows:
        return
    clock, depot_due = instance.clock, instance.clock.due[0]
    numbers = range(1, instance.n + 1)
    suspects = [number for number in numbers if not clock.keeps((number,))]
    if not suspects:
        return
    arrivals = clock.earliest_arrivals(0, clock.ready[0])
    latest = clock.latest_starts()

    def shown_time(ticks: int | float) -> str:
        return instance.units.time_text(clock.time(ticks))

    for number in suspects:
        place = f"customers[{number - 1}]"
        arrival = arrivals[number]
        if arrival == math.inf:
            raise InputError(
                f"customer {instance.label(number)} cannot be reached in time: there is no road, "
                "or only over customers who are closed by then",
                field=place,
            )
        if clock.is_late(number, arrival):
            raise InputError(
                f"customer {instance.label(number)} is due by {shown_time(clock.due[number])}, but "
                f"a vehicle that leaves the depot at {shown_time(clock.ready[0])} arrives at "
                f"{shown_time(arrival)} at the earliest",
                field=f"{place}.due",
            )
        if max(arrival, clock.ready[number]) <= latest[number]:
            continue
        leaves = max(arrival, clock.ready[number]) + clock.service[number]
        back = clock.earliest_arrivals(number, leaves)[0]
        if back == math.inf:
            raise InputError(
                f"no vehicle comes back from customer {instance.label(number)}: there is no road, "
                "or only over customers who are closed by then",
                field=place,
            )
        if not clock.is_late(0, back):
            continue
        # Name what costs most of the time, if it is not the drive itself.
        wait = max(0, clock.ready[number] - arrival)
        cause = "depot_due"
        if instance.depot_due is None or clock.ticks(instance.depot_due) > depot_due:
            cause = "vehicle.shift_end"
        if wait or clock.service[number]:
            cause = f"{place}.ready" if wait > clock.service[number] else f"{place}.service"
        raise InputError(
            f"a vehicle that serves customer {instance.label(number)} is back at "
            f"{shown_time(back)} at the earliest, after the "
            f"{'shift' if cause == 'vehicle.shift_end' else 'depot'}'s due time "
            f"{shown_time(depot_due)}",
            field=cause,
        )
