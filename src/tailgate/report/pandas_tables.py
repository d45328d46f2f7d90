"""Tables for whoever calculates on: instances, plans and results as pandas frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from tailgate import validation
from tailgate.column_generation import BoundResult
from tailgate.errors import InputError, TailgateError
from tailgate.instance import Instance
from tailgate.loading import LoadingResult
from tailgate.report.plan import Plan
from tailgate.search.result import SolveResult
from tailgate.solution import Placement, Route, Solution
from tailgate.units import Units

if TYPE_CHECKING:
    import pandas as pd

Row = Mapping[str, object]
Rows = Iterable[Row]


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


Table = tuple[tuple[str, ...], Callable[[], Rows]]


def tables_of(thing: object) -> dict[str, Table]:
    """Return what makes each table that a thing has, by name."""
    match thing:
        case Instance():
            return {
                "customers": (_CUSTOMER, lambda: _customers(thing)),
                "items": (_ITEM, lambda: _items(thing)),
            }
        case Plan():
            return _plan_tables(thing)
        case Solution():
            return _solution_tables(thing.routes, thing.units)
        case SolveResult():
            units = Units() if thing.solution is None else thing.solution.units
            statistics = thing.statistics
            return {
                **_solution_tables(thing.routes, units),
                "statistics": (_STATISTIC, lambda: _pairs(statistics)),
            }
        case BoundResult():
            statistics = thing.statistics
            return {
                "support": (_SUPPORT, lambda: _support(thing)),
                "statistics": (_STATISTIC, lambda: _pairs(statistics)),
            }
        case LoadingResult():
            units = Units() if thing.instance is None else thing.instance.units
            return {"placements": (_PLACEMENT, lambda: _placements(thing.placements, units))}
    raise InputError(f"there are no tables of {type(thing).__name__}", field="table")


_CUSTOMER = (
    "number",
    "name",
    "x",
    "y",
    "weight",
    "items",
    "area",
    "ready",
    "due",
    "service",
)
_ITEM = ("customer", "customer_name", "item", "name", "width", "length")
_ROUTE = ("truck", "customers", "stops", "cost", "weight", "area")
_PLACEMENT = (
    "load_step",
    "stop_index",
    "customer",
    "item",
    "width",
    "length",
    "from_cab",
    "from_left_wall",
)
_NAMES = ("customer_name", "item_name")
_LEG = (
    "truck",
    "leg",
    "from",
    "to",
    "distance",
    "items_on_board",
    "weight_on_board",
    "leaves",
    "arrives",
)
_SUPPORT = ("customers", "value")
_STATISTIC = ("name", "value")


def _customers(instance: Instance) -> Iterator[Row]:
    units = instance.units
    for number, customer in enumerate(instance.customers, start=1):
        yield {
            "number": number,
            "name": customer.name,
            "x": customer.x / units.coordinate_scale,
            "y": customer.y / units.coordinate_scale,
            "weight": customer.weight / units.weight_scale,
            "items": len(customer.items),
            "area": customer.area / units.length_scale**2,
            "ready": customer.ready,
            "due": customer.due,
            "service": customer.service,
        }


def _items(instance: Instance) -> Iterator[Row]:
    scale = instance.units.length_scale
    for number, customer in enumerate(instance.customers, start=1):
        for index, item in enumerate(customer.items, start=1):
            yield {
                "customer": number,
                "customer_name": customer.name,
                "item": index,
                "name": item.name,
                "width": item.width / scale,
                "length": item.length / scale,
            }


def _solution_tables(routes: tuple[Route, ...], units: Units) -> dict[str, Table]:
    return {
        "routes": (_ROUTE, lambda: _routes(routes, units)),
        "placements": (("truck", *_PLACEMENT), lambda: _trucks(routes, units)),
    }


def _routes(routes: tuple[Route, ...], units: Units) -> Iterator[Row]:
    for number, route in enumerate(routes, start=1):
        yield {
            "truck": number,
            "customers": route.customers,
            "stops": len(route.customers),
            "cost": route.cost,
            "weight": route.weight / units.weight_scale,
            "area": route.area / units.length_scale**2,
        }


def _trucks(routes: tuple[Route, ...], units: Units) -> Iterator[Row]:
    for number, route in enumerate(routes, start=1):
        for row in _placements(route.placements, units):
            yield {"truck": number, **row}


def _placements(placements: tuple[Placement, ...], units: Units) -> Iterator[Row]:
    scale = units.length_scale
    for placement in sorted(placements, key=lambda one: one.load_step):
        yield {
            "load_step": placement.load_step,
            "stop_index": placement.stop_index,
            "customer": placement.customer,
            "item": placement.item,
            "width": placement.width / scale,
            "length": placement.length / scale,
            "from_cab": placement.y / scale,
            "from_left_wall": placement.x / scale,
        }


def _plan_tables(plan: Plan) -> dict[str, Table]:
    routes = tuple(truck.route for truck in plan.trucks)
    return {
        "loading": (("truck", *_PLACEMENT, *_NAMES), lambda: _loading(plan)),
        "routes": (_ROUTE, lambda: _routes(routes, plan.instance.units)),
        "legs": (_LEG, lambda: _legs(plan)),
    }


def _loading(plan: Plan) -> Iterator[Row]:
    for truck in plan.trucks:
        rows = _placements(truck.route.placements, plan.instance.units)
        for placement, row in zip(truck.loading_order, rows, strict=True):
            yield {
                "truck": truck.number,
                **row,
                "customer_name": plan.instance.label(placement.customer),
                "item_name": truck.item_text(placement),
            }


def _legs(plan: Plan) -> Iterator[Row]:
    scale = plan.instance.units.weight_scale
    for truck in plan.trucks:
        for number, leg in enumerate(truck.legs, start=1):
            yield dict(
                zip(
                    _LEG,
                    (
                        truck.number,
                        number,
                        leg.start,
                        leg.end,
                        leg.distance,
                        leg.items,
                        leg.weight / scale,
                        leg.leaves,
                        leg.arrives,
                    ),
                    strict=True,
                )
            )


def _support(result: BoundResult) -> Iterator[Row]:
    for customers, value in result.support:
        yield {"customers": customers, "value": value}


def _pairs(values: Mapping[str, float]) -> Iterator[Row]:
    for name, value in values.items():
        yield {"name": name, "value": value}
