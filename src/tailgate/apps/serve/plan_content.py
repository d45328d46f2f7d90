"""The trucks of a plan for the page: stops, hours, way, money and load, in words."""

from __future__ import annotations

from collections import Counter

from tailgate.model.cost_unit import CostUnit
from tailgate.model.instance import Instance
from tailgate.model.solution import Route, Solution
from tailgate.report.kind_views import trips_of
from tailgate.report.trip import LATE, NO_ROAD, Trip
from tailgate.report.trip_columns import trip_columns, trip_totals
from tailgate.report.turned_mark import turned_count

Content = dict[str, object]


def plan_content(instance: Instance, solution: Solution) -> Content:
    """Return the trucks of a plan, what there is to say about all of them, and the totals."""
    trips = trips_of(instance, solution.routes)
    columns = trip_columns(trips, solution.objective)
    return {
        "columns": [{"title": column.title, "texts": column.texts} for column in columns],
        "totals": trip_totals(trips, solution.objective),
        "trucks": [_truck(trip, route) for trip, route in zip(trips, solution.routes, strict=True)],
        "kinds": _kinds(instance, solution),
        "left_out": _left_out(instance, solution),
        "unused": max(0, instance.vehicle_count - len(solution.routes)),
    }


def _kinds(instance: Instance, solution: Solution) -> list[str]:
    """Return how many trucks of each kind leave; nothing where there is one kind."""
    if not instance.has_kinds:
        return []
    used = Counter(route.vehicle for route in solution.routes)
    return [f'{used[kind.name]} of {kind.count} "{kind.name}"' for kind in instance.vehicles]


def _left_out(instance: Instance, solution: Solution) -> list[Content]:
    """Return the orders that stay, with what that costs and why."""
    unit = CostUnit.of_instance(instance)
    return [
        {
            "name": instance.label(one.customer),
            "cost": unit.cost_text(one.cost),
            "reason": one.reason,
        }
        for one in solution.left_out
    ]


def _truck(trip: Trip, route: Route) -> Content:
    instance = trip.instance
    units, vehicle = instance.units, instance.vehicle
    return {
        "kind": route.vehicle,
        "locked": route.locked,
        "stops": [instance.label(number) for number in route.customers],
        "visits": [_visit(trip, stop) for stop in range(len(route.customers))],
        "is_timed": trip.is_timed,
        "hours": trip.hours_text if trip.is_timed else "",
        "cost": trip.cost_text,
        "cost_parts": {
            name: trip.cost_unit.cost_text(amount) for name, amount in trip.cost_parts.items()
        },
        "weight": f"{units.weight_text(route.weight)} {units.weight_unit}".rstrip(),
        "weight_share": route.weight / vehicle.capacity,
        "floor_share": route.area / vehicle.area,
        "items": len(route.placements),
        "turned": turned_count(route.placements),
    }


def _visit(trip: Trip, stop: int) -> Content:
    """Return one stop, counted from 0: when the truck may come, comes, waits, serves and leaves."""
    words = trip.words
    customer = trip.instance.customer(trip.customers[stop])
    content: Content = {
        "name": trip.instance.label(trip.customers[stop]),
        "info": [list(pair) for pair in customer.info],
        "window": words.window(customer.ready, customer.due),
        "arrival": NO_ROAD,
        "waiting": "",
        "start": "",
        "service": words.duration(customer.service) if customer.service else "",
        "end": "",
    }
    if trip.timetable is None:
        return content
    visit = trip.timetable.visits[stop]
    arrival = words.time(visit.arrival)
    return content | {
        "arrival": f"{arrival} {LATE}" if visit.is_late else arrival,
        "waiting": words.duration(visit.waiting) if visit.waiting else "",
        "start": words.time(visit.start),
        "end": words.time(visit.end),
    }
