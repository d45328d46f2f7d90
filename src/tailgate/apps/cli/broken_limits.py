"""Which limits of the vehicle a route breaks: the verdict of ``pack`` is without them."""

from __future__ import annotations

from itertools import pairwise

from tailgate.model.instance import Instance
from tailgate.model.rounding import counted
from tailgate.report.trip import Trip


def has_limits(instance: Instance) -> bool:
    """Return whether routes can break any."""
    vehicle = instance.vehicle
    limits = (vehicle.max_stops, vehicle.max_distance, vehicle.max_duration)
    return instance.has_missing_roads or any(limit is not None for limit in limits)


def broken_limits(trip: Trip) -> list[str]:
    """Return what is too much, each with its limit; late arrivals are not among them."""
    instance, vehicle, customers = trip.instance, trip.instance.vehicle, trip.customers
    names = ("the depot", *map(instance.label, customers), "the depot")
    legs = zip(pairwise((0, *customers, 0)), pairwise(names), strict=True)
    broken = [
        f"there is no road from {start} to {end}"
        for leg, (start, end) in legs
        if instance.roads.duration(*leg) is None
    ]
    if vehicle.max_stops is not None and len(customers) > vehicle.max_stops:
        broken.append(f"{counted(len(customers), 'stop')}, at most {vehicle.max_stops}")
    if broken:
        return broken
    limit = vehicle.max_distance
    if limit is not None and instance.costs.exceeds_distance(customers, limit):
        broken.append(f"{trip.distance_text}, at most {trip.way_text(limit)}")
    limit = vehicle.max_duration
    is_late = instance.schedule(customers) is None
    if limit is not None and not is_late and not instance.clock.keeps(customers):
        broken.append(f"{trip.duration_text}, at most {trip.words.duration(limit)}")
    return broken
