"""A plan as GPX 1.1: a route for every truck, its stops as the points of the route."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import tailgate
from tailgate.report.globe import longitude_and_latitude, refuse_without_globe
from tailgate.report.svg_text import escaped
from tailgate.report.words import NOT_VERIFIED, VERIFIED

if TYPE_CHECKING:
    from tailgate.report.plan import Plan
    from tailgate.report.truck import Truck


def gpx_text(plan: Plan) -> str:
    """Return the document; the order of elements is that of the schema."""
    refuse_without_globe(plan.instance, "GPX")
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" '
        f'creator="Tailgate {escaped(tailgate.__version__)}">',
        f"<metadata>{_element('name', plan.instance.name)}{_element('desc', _verdict(plan))}"
        "</metadata>",
        *(line for truck in plan.trucks for line in _route(plan, truck)),
        "</gpx>",
    ]
    return "\n".join(lines) + "\n"


def _route(plan: Plan, truck: Truck) -> Iterator[str]:
    trip = truck.trip
    facts = [
        f"cost {trip.cost_text}",
        *([f"locked: {truck.locked_text}"] if truck.locked_text else ()),
        *([trip.distance_text] if trip.shows_distance else ()),
        *([trip.hours_text, f"duration {trip.duration_words}"] if trip.is_timed else ()),
        _verdict(plan),
    ]
    yield (
        f"<rte>{_element('name', truck.title)}{_element('desc', '; '.join(facts))}"
        f"<number>{truck.number}</number>"
    )
    depot = plan.instance.depot_name or "depot"
    is_timed = trip.is_timed and trip.timetable is not None
    yield _point(plan, 0, depot, f"leave {trip.departure_text}" if is_timed else "")
    for stop in truck.stops:
        hours = trip.visit_text(stop) if is_timed else ""
        yield _point(
            plan,
            truck.customer_number(stop),
            f"{stop} {truck.label(stop)}",
            hours,
            truck.info_text(stop),
        )
    yield _point(plan, 0, depot, f"back {trip.return_text}" if is_timed else "")
    yield "</rte>"


def _point(plan: Plan, number: int, name: str, comment: str, description: str = "") -> str:
    longitude, latitude = longitude_and_latitude(plan.instance, number)
    # The schema has longitudes below 180; both are the same meridian.
    longitude = "-180" if longitude == "180" else longitude
    return (
        f'<rtept lat="{latitude}" lon="{longitude}">{_element("name", name)}'
        f"{_element('cmt', comment)}{_element('desc', description)}</rtept>"
    )


def _element(name: str, text: str) -> str:
    return f"<{name}>{escaped(text)}</{name}>" if text else ""


def _verdict(plan: Plan) -> str:
    return VERIFIED if plan.verified else NOT_VERIFIED
