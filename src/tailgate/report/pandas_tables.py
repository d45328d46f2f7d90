"""Tables for whoever calculates on: instances, plans and results as pandas frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tailgate.io.headings import info_heading
from tailgate.model import validation
from tailgate.model.errors import InputError, TailgateError
from tailgate.model.instance import Instance
from tailgate.model.solution import Placement, Route, Solution
from tailgate.model.units import Units
from tailgate.report.customer_columns import AXES, info_names
from tailgate.report.plan import Plan
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
_PLACEMENT = ("load_step", "stop_index", "customer", "item", *_SIZE)
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
                *map(info_heading, info),
            )
            item = ("customer", "customer_name", "item", "name", "width", "length")
            return {
                "customers": (customer, lambda: _customers(thing)),
                "items": (item, lambda: _items(thing)),
            }
        case Plan():
            return _plan_tables(thing)
        case Solution():
            return _solution_tables(thing.routes, thing.units)
        case SolveResult():
            units = Units() if thing.solution is None else thing.solution.units
            return {**_solution_tables(thing.routes, units), **_statistics(thing.statistics)}
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
    units, info = instance.units, info_names(instance)
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
            *(said.get(name) for name in info),
        )


def _items(instance: Instance) -> Rows:
    scale = instance.units.length_scale
    for number, customer in enumerate(instance.customers, start=1):
        for index, item in enumerate(customer.items, start=1):
            size = (item.width / scale, item.length / scale)
            yield (number, customer.name, index, item.name, *size)


def _solution_tables(routes: tuple[Route, ...], units: Units) -> dict[str, Table]:
    return {
        "routes": (_ROUTE, lambda: _routes(routes, units)),
        "placements": (
            ("truck", *_PLACEMENT),
            lambda: (
                (number, *row)
                for number, route in enumerate(routes, start=1)
                for row in _placements(route.placements, units)
            ),
        ),
    }


def _routes(routes: tuple[Route, ...], units: Units) -> Rows:
    for number, route in enumerate(routes, start=1):
        weight, area = route.weight / units.weight_scale, route.area / units.length_scale**2
        yield (number, route.customers, len(route.customers), route.cost, weight, area)


def _placements(placements: tuple[Placement, ...], units: Units) -> Rows:
    for placement in sorted(placements, key=lambda one: one.load_step):
        lengths = (placement.width, placement.length, placement.y, placement.x)
        yield (
            placement.load_step,
            placement.stop_index,
            placement.customer,
            placement.item,
            *(length / units.length_scale for length in lengths),
        )


def _plan_tables(plan: Plan) -> dict[str, Table]:
    routes = tuple(truck.route for truck in plan.trucks)
    names = ("customer_name", "item_name")
    return {
        "loading": (("truck", *_PLACEMENT, *names), lambda: _loading(plan)),
        "routes": ((*_ROUTE, *_TRIP), lambda: _trips(plan, routes)),
        "stops": ((*_STOP, *map(info_heading, info_names(plan.instance))), lambda: _stops(plan)),
        "legs": (("truck", "leg", "from", "to", "distance", *_LOAD), lambda: _legs(plan)),
    }


def _trips(plan: Plan, routes: tuple[Route, ...]) -> Rows:
    for truck, row in zip(plan.trucks, _routes(routes, plan.instance.units), strict=True):
        table, times = truck.trip.timetable, _NO_TIMES
        if table is not None:
            times = (table.departure, table.back, table.duration, table.waiting)
        parts = plan.instance.costs.parts(truck.route.customers)
        yield (*row, *times, truck.trip.distance, parts.fixed, parts.distance, parts.time)


def _stops(plan: Plan) -> Rows:
    info = info_names(plan.instance)
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
