"""One route on the road: its customers, totals, hours and limits."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

from tailgate.model.instance import Vehicle
from tailgate.model.judge.case import Case
from tailgate.model.judge.journey import Journey
from tailgate.model.judge.numbers import as_written, is_above, is_same
from tailgate.model.judge.timetable import Lateness
from tailgate.model.judge.violation import Finding
from tailgate.model.judge.violation import ViolationKind as Kind
from tailgate.model.solution import Route


def check_tour(case: Case, route: Route) -> Iterator[Finding]:
    """Yield what is wrong with one route, its loading and what it states of its times aside."""
    if not route.customers:
        yield Kind.EMPTY_ROUTE, "visits nobody", None
    if len(route.customers) == 1 and case.solution.conventions.single_customer_routes == "forbid":
        message = "visits one customer only, which the conventions forbid"
        yield Kind.SINGLE_CUSTOMER_ROUTE, message, route.customers[0]
    for number, times in Counter(route.customers).items():
        if not case.exists(number):
            message = f"there is no customer {number} (they are numbered 1 to {case.instance.n})"
            yield Kind.UNKNOWN_CUSTOMER, message, number
        elif times > 1:
            message = f"customer {case.label(number)} is visited {times} times"
            yield Kind.VISITED_TWICE, message, number
    if not math.isfinite(route.cost):
        yield Kind.NON_FINITE, f"the cost is {route.cost}", None
    yield from _check_vehicle(case, route)
    yield from _check_lock(route)
    journey = case.journey(route)
    if journey is not None:
        yield from _check_totals(case, route, journey.vehicle)
        yield from _check_cost(case, route, journey)
        yield from _check_roads(case, journey)
        yield from _check_limits(case, journey)


def _check_vehicle(case: Case, route: Route) -> Iterator[Finding]:
    vehicle = case.vehicle_of(route)
    if vehicle is None:
        known = ", ".join(repr(kind.name) for kind in case.instance.vehicles)
        named = f"names the vehicle {route.vehicle!r}" if route.vehicle else "names no vehicle"
        yield Kind.WRONG_VEHICLE, f"{named}, but those of the instance are {known}", None
        return
    if route.vehicle and route.vehicle != vehicle.name:
        known = f"is called {vehicle.name!r}" if vehicle.name else "has no name"
        message = f"names the vehicle {route.vehicle!r}, but that of the instance {known}"
        yield Kind.WRONG_VEHICLE, message, None
    stops = len(route.customers)
    if vehicle.max_stops is not None and stops > vehicle.max_stops:
        message = f"visits {stops} customers, more than the {vehicle.max_stops} of max_stops"
        yield Kind.MAX_STOPS, message, None


def _check_lock(route: Route) -> Iterator[Finding]:
    stops = len(route.customers)
    if route.locked_stops > stops:
        message = f"locks its first {route.locked_stops} stops, but has {stops}"
        yield Kind.WRONG_LOCK, message, None


def _check_totals(case: Case, route: Route, vehicle: Vehicle) -> Iterator[Finding]:
    instance, units = case.instance, case.solution.units
    customers = [instance.customer(number) for number in route.customers]
    weight = sum(customer.weight for customer in customers)
    if weight > vehicle.capacity:
        yield (
            Kind.OVERWEIGHT,
            f"carries {instance.units.weight_text(weight)}, above the capacity "
            f"{instance.units.weight_text(vehicle.capacity)}",
            None,
        )
    if weight * units.weight_scale != route.weight * instance.units.weight_scale:
        yield (
            Kind.WRONG_WEIGHT,
            f"the weight is stated as {units.weight_text(route.weight)}, but the customers' "
            f"add up to {instance.units.weight_text(weight)}",
            None,
        )
    area = sum(item.width * item.length for customer in customers for item in customer.items)
    if area * case.instance_factor**2 != route.area * case.solution_factor**2:
        # Exact: the factors are powers of ten.
        stated_so = Decimal(area * case.instance_factor**2) / case.solution_factor**2
        message = f"the area is stated as {route.area}, but the items' add up to {stated_so:f}"
        yield Kind.WRONG_AREA, message, None


def _check_cost(case: Case, route: Route, journey: Journey) -> Iterator[Finding]:
    if journey.cost is None or not math.isfinite(route.cost):
        return
    if not is_same(route.cost, journey.cost, journey.tolerance):
        stated, true = case.cost_texts(route.cost, journey.cost)
        message = f"the cost is stated as {stated}, but the tour has {true}{case.measured}"
        yield Kind.WRONG_COST, message, None


def _check_roads(case: Case, journey: Journey) -> Iterator[Finding]:
    for start, end in journey.missing_roads:
        message = f"there is no road from {case.place(start)} to {case.place(end)}"
        yield Kind.NO_ROAD, message, end or start or None


def _check_limits(case: Case, journey: Journey) -> Iterator[Finding]:
    vehicle, timetable = journey.vehicle, journey.timetable
    if vehicle.max_distance is not None and journey.distance is not None:
        limit = as_written(vehicle.max_distance)
        if is_above(journey.distance, limit, exact=case.ways.distances_are_exact):
            distance, most = case.distance_texts(journey.distance, limit)
            yield Kind.MAX_DISTANCE, f"is {distance} long, more than max_distance {most}", None
    if timetable is None:
        return
    for lateness in timetable.lateness:
        yield _late(case, lateness, vehicle)
    if vehicle.max_duration is not None and not timetable.lateness:
        limit = as_written(vehicle.max_duration)
        if is_above(timetable.duration, limit, exact=timetable.is_exact):
            duration, most = case.duration_texts(timetable.duration, limit)
            message = f"takes {duration} at the least, more than max_duration {most}"
            yield Kind.MAX_DURATION, message, None


def _late(case: Case, lateness: Lateness, vehicle: Vehicle) -> Finding:
    arrival, due = case.time_texts(lateness.arrival, lateness.due)
    if lateness.place:
        message = f"reaches {case.place(lateness.place)} at {arrival}, after its due time {due}"
        return Kind.TIME_WINDOW, message, lateness.place
    instance, shift_end = case.instance, vehicle.shift_end
    if shift_end is None or (instance.depot_due is not None and instance.depot_due <= shift_end):
        message = f"is back at the depot at {arrival}, after its due time {due}"
        return Kind.TIME_WINDOW, message, None
    return Kind.SHIFT, f"is back at the depot at {arrival}, after its shift ends at {due}", None
