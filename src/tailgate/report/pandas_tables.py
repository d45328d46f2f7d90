"""Tables for whoever calculates on: instances, plans and results as pandas frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tailgate.io.headings import info_heading
from tailgate.model import validation
from tailgate.model.errors import InputError, TailgateError
from tailgate.model.instance import Instance
from tailgate.model.solution import LeftOut, Placement, Route, Solution
from tailgate.model.units import Units
from tailgate.report.customer_columns import AXES, info_names
from tailgate.report.kind_use import kind_uses
from tailgate.report.order_rules import rule_columns
from tailgate.report.plan import Plan
from tailgate.report.trip import CAUSES
from tailgate.report.trip_columns import part_totals
from tailgate.solver.column_generation import BoundResult
from tailgate.solver.loading import LoadingResult
from tailgate.solver.search.result import SolveResult

if TYPE_CHECKING:
    import pandas as pd

Rows = Iterable[Sequence[object]]
Table = tuple[tuple[str, ...], Callable[[], Rows]]
"""The columns, and what makes the rows."""

_ROUTE = ("truck", "customers", "stops", "cost", "weight", "area")
_TRIP_TIMES = ("departure", "return", "duration", "waiting")
_TRIP = (*_TRIP_TIMES, "distance", "fixed_cost", "distance_cost", "time_cost")
_VISIT = ("arrival", "start", "end", "waiting", "ready", "due", "service")
_STOP = ("truck", "stop", "customer", "customer_name", *_VISIT)
_NO_TIMES: tuple[float | None, ...] = (None,) * 4
"""Of a route that takes a road which does not exist."""
_SIZE = ("width", "length", "from_cab", "from_left_wall")
_PLACEMENT = ("load_step", "stop_index", "customer", "item", *_SIZE, "turned")
_LEFT_OUT = ("customer", "cost", "reason")
_FLEET_COSTS = ("cost", *(f"{name}_cost" for name in CAUSES))
_FLEET = ("vehicle", "count", "used", "stops", "duration", "waiting", "distance", *_FLEET_COSTS)
_COSTS = ("fixed_cost", "cost_per_distance", "cost_per_time")
_LIMITS = ("shift_start", "shift_end", "max_duration", "max_distance", "max_stops")
_TERMS = (*_COSTS, *_LIMITS)
_VEHICLE = ("name", "count", "width", "length", "capacity", *_TERMS)
_LOAD = ("items_on_board", "weight_on_board", "leaves", "arrives")


def table_of(thing: object, name: str | None) -> pd.DataFrame:
    """Return one table of a result; the first one, if no name is given."""
    tables = tables_of(thing)
    chosen = next(iter(tables)) if name is None else name
    if chosen not in tables:
        hint = validation.did_you_mean(chosen, tables)
        raise InputError(
            f"there is no table {validation.shown(chosen)} (known here: {', '.join(tables)}){hint}",
            field="table",
        )
    try:
        import pandas
    except ImportError as error:
        raise TailgateError(
            "tables need pandas, which is not installed: pip install 'tailgate[pandas]'"
        ) from error
    columns, rows = tables[chosen]
    return pandas.DataFrame(list(rows()), columns=list(columns))


def tables_of(thing: object) -> dict[str, Table]:
    """Return what makes each table that a thing has, by name."""
    match thing:
        case Instance():
            times = ("ready", "due", "service")
            axes, info = AXES[thing.travel.coordinates], info_names(thing)
            customer = (
                "number",
                "name",
                *axes,
                "weight",
                "items",
                "area",
                *times,
                *(rule.name for rule in rule_columns(thing)),
                *map(info_heading, info),
            )
            item = ("customer", "customer_name", "item", "name", "width", "length", "turn")
            return {
                "customers": (customer, lambda: _customers(thing)),
                "items": (item, lambda: _items(thing)),
                "vehicles": (_VEHICLE, lambda: _vehicles(thing)),
            }
        case Plan():
            return _plan_tables(thing)
        case Solution():
            return _solution_tables(thing.routes, thing.units, thing.left_out)
        case SolveResult():
            if thing.solution is None:
                tables = _solution_tables((), Units(), ())
            else:
                tables = tables_of(thing.solution)
            return {**tables, **_statistics(thing.statistics)}
        case BoundResult():
            support = ("customers", "value"), lambda: thing.support
            return {"support": support, **_statistics(thing.statistics)}
        case LoadingResult():
            units = Units() if thing.instance is None else thing.instance.units
            return {"placements": (_PLACEMENT, lambda: _placements(thing.placements, units))}
    raise InputError(f"there are no tables of {type(thing).__name__}", field="table")


def _statistics(values: Mapping[str, float]) -> dict[str, Table]:
    return {"statistics": (("name", "value"), values.items)}


def _customers(instance: Instance) -> Rows:
    units, info, rules = instance.units, info_names(instance), rule_columns(instance)
    axes = AXES[instance.travel.coordinates].values()
    for number, customer in enumerate(instance.customers, start=1):
        said = dict(customer.info)
        yield (
            number,
            customer.name,
            *(getattr(customer, axis) / units.coordinate_scale for axis in axes),
            customer.weight / units.weight_scale,
            len(customer.items),
            customer.area / units.length_scale**2,
            customer.ready,
            customer.due,
            customer.service,
            *(rule.value(customer) for rule in rules),
            *(said.get(name) for name in info),
        )


def _items(instance: Instance) -> Rows:
    scale = instance.units.length_scale
    for number, customer in enumerate(instance.customers, start=1):
        for index, item in enumerate(customer.items, start=1):
            size = (item.width / scale, item.length / scale)
            yield (number, customer.name, index, item.name, *size, instance.may_turn(item))


def _vehicles(instance: Instance) -> Rows:
    units = instance.units
    for vehicle in instance.vehicles:
        size = (vehicle.width / units.length_scale, vehicle.length / units.length_scale)
        load = (*size, vehicle.capacity / units.weight_scale)
        yield (vehicle.name, vehicle.count, *load, *(getattr(vehicle, name) for name in _TERMS))


def _left_out(left_out: tuple[LeftOut, ...]) -> Rows:
    return ((order.customer, order.cost, order.reason) for order in left_out)


def _solution_tables(
    routes: tuple[Route, ...], units: Units, left_out: tuple[LeftOut, ...]
) -> dict[str, Table]:
    fleet = _fleet_columns(routes)
    return {
        "routes": ((*_ROUTE, *fleet), lambda: _routes(routes, units, fleet)),
        "placements": (
            ("truck", *_PLACEMENT),
            lambda: (
                (number, *row)
                for number, route in enumerate(routes, start=1)
                for row in _placements(route.placements, units)
            ),
        ),
        "left_out": (_LEFT_OUT, lambda: _left_out(left_out)),
    }


def _fleet_columns(routes: tuple[Route, ...]) -> tuple[str, ...]:
    """Return what routes say about vehicles, as far as it tells them apart."""
    locks = any(route.locked or route.locked_stops for route in routes)
    kinds = len({route.vehicle for route in routes}) > 1
    return (*(("vehicle",) if kinds else ()), *(("locked", "locked_stops") if locks else ()))


def _routes(routes: tuple[Route, ...], units: Units, fleet: tuple[str, ...]) -> Rows:
    for number, route in enumerate(routes, start=1):
        weight, area = route.weight / units.weight_scale, route.area / units.length_scale**2
        stops = len(route.customers)
        said = (getattr(route, name) for name in fleet)
        yield (number, route.customers, stops, route.cost, weight, area, *said)


def _placements(placements: tuple[Placement, ...], units: Units) -> Rows:
    for placement in sorted(placements, key=lambda one: one.load_step):
        lengths = (placement.width, placement.length, placement.y, placement.x)
        yield (
            placement.load_step,
            placement.stop_index,
            placement.customer,
            placement.item,
            *(length / units.length_scale for length in lengths),
            placement.turned,
        )


def _plan_tables(plan: Plan) -> dict[str, Table]:
    routes = tuple(truck.route for truck in plan.trucks)
    names = ("customer_name", "item_name")
    fleet = _fleet_columns(routes)
    if plan.instance.has_kinds and "vehicle" not in fleet:
        fleet = ("vehicle", *fleet)
    rules = (rule.name for rule in rule_columns(plan.instance))
    info = map(info_heading, info_names(plan.instance))
    return {
        "loading": (("truck", *_PLACEMENT, *names), lambda: _loading(plan)),
        "routes": ((*_ROUTE, *fleet, *_TRIP), lambda: _trips(plan, routes, fleet)),
        "stops": ((*_STOP, *rules, *info), lambda: _stops(plan)),
        "legs": (("truck", "leg", "from", "to", "distance", *_LOAD), lambda: _legs(plan)),
        "fleet": (_FLEET, lambda: _fleet(plan)),
        "left_out": (
            ("customer", "customer_name", *_LEFT_OUT[1:]),
            lambda: _named_left_out(plan),
        ),
    }


def _named_left_out(plan: Plan) -> Rows:
    for order in plan.solution.left_out:
        name = plan.instance.label(order.customer)
        yield (order.customer, name, order.cost, order.reason)


def _fleet(plan: Plan) -> Rows:
    for use in kind_uses(plan):
        parts = part_totals(use.trips)
        yield (
            *(use.vehicle.name, use.vehicle.count, len(use.trucks), use.stops),
            *(use.duration, use.waiting, use.distance, use.cost),
            *(parts.get(name, 0) for name in CAUSES),
        )


def _trips(plan: Plan, routes: tuple[Route, ...], fleet: tuple[str, ...]) -> Rows:
    rows = _routes(routes, plan.instance.units, fleet)
    for truck, row in zip(plan.trucks, rows, strict=True):
        table, times = truck.trip.timetable, _NO_TIMES
        if table is not None:
            times = (table.departure, table.back, table.duration, table.waiting)
        parts = truck.instance.costs.parts(truck.route.customers)
        yield (*row, *times, truck.trip.distance, parts.fixed, parts.distance, parts.time)


def _stops(plan: Plan) -> Rows:
    info, rules = info_names(plan.instance), rule_columns(plan.instance)
    for truck in plan.trucks:
        for stop in truck.stops:
            number, table = truck.customer_number(stop), truck.trip.timetable
            customer, times = plan.instance.customer(number), _NO_TIMES
            if table is not None:
                visit = table.visits[stop - 1]
                times = (visit.arrival, visit.start, visit.end, visit.waiting)
            yield (
                *(truck.number, stop, number, truck.label(stop), *times),
                *(customer.ready, customer.due, customer.service),
                *(rule.value(customer) for rule in rules),
                *(dict(customer.info).get(name) for name in info),
            )


def _loading(plan: Plan) -> Rows:
    for truck in plan.trucks:
        rows = _placements(truck.route.placements, plan.instance.units)
        for placement, row in zip(truck.loading_order, rows, strict=True):
            customer = plan.instance.label(placement.customer)
            yield (truck.number, *row, customer, truck.item_text(placement))


def _legs(plan: Plan) -> Rows:
    scale = plan.instance.units.weight_scale
    for truck in plan.trucks:
        for number, leg in enumerate(truck.legs, start=1):
            way = (leg.start, leg.end, leg.distance)
            load = (leg.items, leg.weight / scale, leg.leaves, leg.arrives)
            yield (truck.number, number, *way, *load)
