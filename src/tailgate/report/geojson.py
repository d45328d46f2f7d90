"""A plan as GeoJSON (RFC 7946): depot and stops as points, routes as lines."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING

from tailgate.io.headings import info_heading
from tailgate.report.globe import longitude_and_latitude, refuse_without_globe

if TYPE_CHECKING:
    from tailgate.model.solution import LeftOut
    from tailgate.report.plan import Plan
    from tailgate.report.truck import Truck

_Value = str | int | float | bool | None


def geojson_text(plan: Plan) -> str:
    """Return a feature collection, in which numbers have no exponents."""
    refuse_without_globe(plan.instance, "GeoJSON")
    features = ",\n".join(_features(plan))
    return f'{{"type": "FeatureCollection", "features": [\n{features}\n]}}\n'


def _features(plan: Plan) -> Iterator[str]:
    depot: dict[str, _Value] = {"kind": "depot", "name": plan.instance.depot_name or "depot"}
    yield _feature("Point", _position(plan, 0), depot)
    for truck in plan.trucks:
        numbers = (0, *truck.route.customers, 0)
        line = f"[{', '.join(_position(plan, number) for number in numbers)}]"
        yield _feature("LineString", line, _route(plan, truck))
        for stop in truck.stops:
            where = _position(plan, truck.customer_number(stop))
            yield _feature("Point", where, _stop(plan, truck, stop))
    for order in plan.solution.left_out:
        yield _feature("Point", _position(plan, order.customer), _left_out(plan, order))


def _feature(geometry: str, coordinates: str, properties: Mapping[str, _Value]) -> str:
    stated = ", ".join(
        f"{_text(name)}: {_json(value)}" for name, value in properties.items() if value != ""
    )
    return (
        f'{{"type": "Feature", "geometry": {{"type": "{geometry}", "coordinates": {coordinates}}}, '
        f'"properties": {{{stated}}}}}'
    )


def _position(plan: Plan, number: int) -> str:
    longitude, latitude = longitude_and_latitude(plan.instance, number)
    return f"[{longitude}, {latitude}]"


def _route(plan: Plan, truck: Truck) -> dict[str, _Value]:
    trip, units = truck.trip, plan.instance.units
    table = trip.timetable if trip.is_timed else None
    return {
        "kind": "route",
        "name": truck.title,
        "truck": truck.number,
        "vehicle": truck.kind,
        "locked": truck.locked_text,
        "stops": len(truck.stops),
        "cost": truck.route.cost,
        "cost_unit": trip.cost_unit.name,
        "distance": trip.distance,
        "distance_unit": units.distance_unit,
        "departure": "" if table is None else trip.words.time(table.departure),
        "return": "" if table is None else trip.words.time(table.back),
        "duration": "" if table is None else table.duration,
        "time_unit": "" if table is None else trip.words.unit,
        "verified": plan.verified,
    }


def _stop(plan: Plan, truck: Truck, stop: int) -> dict[str, _Value]:
    trip, number = truck.trip, truck.customer_number(stop)
    customer = plan.instance.customer(number)
    table = trip.timetable if trip.is_timed else None
    visit = None if table is None else table.visits[stop - 1]
    return {
        "kind": "stop",
        "name": truck.label(stop),
        "customer": number,
        "truck": truck.number,
        "stop": stop,
        "arrival": "" if visit is None else trip.words.time(visit.arrival),
        "departure": "" if visit is None else trip.words.time(visit.end),
        "position": truck.position_text(stop),
        "window": trip.words.window(customer.ready, customer.due),
        **{info_heading(name): text for name, text in customer.info},
        "verified": plan.verified,
    }


def _left_out(plan: Plan, order: LeftOut) -> dict[str, _Value]:
    return {
        "kind": "left_out",
        "name": plan.instance.label(order.customer),
        "customer": order.customer,
        "cost": order.cost,
        "cost_unit": plan.instance.cost_unit,
        "reason": order.reason,
        "verified": plan.verified,
    }


def _json(value: _Value) -> str:
    if isinstance(value, float):
        return f"{Decimal(repr(value)):f}" if math.isfinite(value) else "null"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
