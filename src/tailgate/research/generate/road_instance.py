"""Puts an instance on a road network: places on the globe, a matrix, hours, shifts and costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from tailgate.model.exact import fraction_of
from tailgate.model.instance import Customer, Instance, Units, Vehicle
from tailgate.model.matrix import NO_ROAD, Matrix, plain
from tailgate.model.travel import Travel
from tailgate.research.generate.customers import Point
from tailgate.research.generate.random_streams import Aspect, random_stream
from tailgate.research.generate.road_network import closed_ways, fastest_ways
from tailgate.research.generate.road_options import RoadOptions
from tailgate.research.generate.working_day import (
    DAY_BEGINS,
    DAY_ENDS,
    Hours,
    draw_hours,
    draw_service,
)

_TENTHS = Fraction(1, 10)
_METRES = 100
_MILLISECONDS = 6_000
"""Of a tenth of a kilometre, and of a tenth of a minute."""

# The middle of the region, and the degrees of one unit of the coordinates (400 m) there.
_DEGREES = 10**5
_MIDDLE_UNIT = 50
_MIDDLE_LONGITUDE, _MIDDLE_LATITUDE = 485_000, 4_575_000
_LONGITUDE_PER_UNIT, _LATITUDE_PER_UNIT = 515, 360


def on_roads(
    instance: Instance, options: RoadOptions, *, time_windows: bool, seed: int, attempt: int
) -> Instance | None:
    """Return the same orders on a road network, in kilometres and minutes.

    ``None`` if a customer is too far away for a shift.
    """
    places = [instance.depot, *((one.x, one.y) for one in instance.customers)]
    travel = _draw_travel(places, options, seed, attempt)
    has_hours = time_windows or options.shift_hours is not None
    vehicle = _vehicle(instance.vehicle, options)
    customers = _draw_customers(instance, travel, seed, attempt, time_windows=time_windows)
    if not _are_in_reach(customers, travel, vehicle):
        return None
    return replace(
        instance,
        depot=_on_globe(instance.depot),
        customers=customers,
        vehicle=vehicle,
        units=Units(
            coordinate_scale=_DEGREES,
            distance_unit="km",
            time_unit="min",
            cost_unit="" if options.costs is None else "EUR",
            clock=has_hours,
        ),
        depot_ready=DAY_BEGINS if has_hours else 0,
        depot_due=DAY_ENDS if has_hours else None,
        travel=travel,
    )


def _draw_travel(places: list[Point], options: RoadOptions, seed: int, attempt: int) -> Travel:
    """Return the matrices; minutes are rounded up, which keeps the triangle inequality."""
    ways = fastest_ways(places, random_stream(seed, Aspect.STREETS, attempt))
    if not options.keeps_triangle:
        ways = ways.with_traffic(random_stream(seed, Aspect.TRAFFIC, attempt))
    distances = (ways.metres + _METRES // 2) // _METRES
    durations = -(-ways.milliseconds // _MILLISECONDS)
    if options.closed_percent:
        stream = random_stream(seed, Aspect.CLOSED_ROADS, attempt)
        closed = closed_ways(len(places), options.closed_percent, stream)
        distances, durations = (np.where(closed, NO_ROAD, one) for one in (distances, durations))
    return Travel(
        "matrix",
        "lat/lon",
        distances=Matrix(distances, _TENTHS),
        durations=Matrix(durations, _TENTHS),
    )


def _draw_customers(
    instance: Instance, travel: Travel, seed: int, attempt: int, *, time_windows: bool
) -> tuple[Customer, ...]:
    service_stream = random_stream(seed, Aspect.SERVICE, attempt)
    hours_stream = random_stream(seed, Aspect.OPENING_HOURS, attempt)
    assert travel.durations is not None
    minutes = -(-travel.durations.stored // 10)
    customers = []
    for number, customer in enumerate(instance.customers, start=1):
        service, hours = draw_service(service_stream), Hours()
        if time_windows:
            there, back = int(minutes[0, number]), int(minutes[number, 0])
            hours = draw_hours(there, back, service, hours_stream)
        x, y = _on_globe((customer.x, customer.y))
        customers.append(
            replace(customer, x=x, y=y, service=service, ready=hours.ready, due=hours.due)
        )
    return tuple(customers)


def _are_in_reach(customers: Sequence[Customer], travel: Travel, vehicle: Vehicle) -> bool:
    """Return whether a vehicle can serve each customer alone within its longest duration."""
    assert travel.durations is not None
    tenths, limit = travel.durations.stored, vehicle.max_duration
    return limit is None or all(
        int(tenths[0, number] + tenths[number, 0]) + 10 * customer.service <= 10 * limit
        for number, customer in enumerate(customers, start=1)
    )


def _vehicle(vehicle: Vehicle, options: RoadOptions) -> Vehicle:
    if options.shift_hours is not None:
        vehicle = replace(
            vehicle,
            shift_start=DAY_BEGINS,
            shift_end=DAY_ENDS,
            max_duration=plain(60 * fraction_of(options.shift_hours)),
        )
    if options.costs is not None:
        fixed, per_distance, per_time = options.costs
        vehicle = replace(
            vehicle, fixed_cost=fixed, cost_per_distance=per_distance, cost_per_time=per_time
        )
    return vehicle


def _on_globe(point: Point) -> Point:
    """Return longitude and latitude in hundred-thousandths of a degree."""
    x, y = point
    return (
        _MIDDLE_LONGITUDE + _LONGITUDE_PER_UNIT * (x - _MIDDLE_UNIT),
        _MIDDLE_LATITUDE + _LATITUDE_PER_UNIT * (y - _MIDDLE_UNIT),
    )
