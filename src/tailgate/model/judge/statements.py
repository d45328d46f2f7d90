"""What a route states of itself beyond format 1: its schedule, its length, its costs by cause."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tailgate.model.judge.case import Case
from tailgate.model.judge.journey import Journey
from tailgate.model.judge.numbers import FLOAT_TOLERANCE, NO_TOLERANCE, RELATIVE_TOLERANCE, is_same
from tailgate.model.judge.timetable import Timetable
from tailgate.model.judge.violation import Finding
from tailgate.model.judge.violation import ViolationKind as Kind
from tailgate.model.solution import Route

_DURATION = "duration"

Statement = tuple[str, int | float, int | None]
"""A number that a route states: what it is, the number, and the customer, if any."""


def check_statements(case: Case, route: Route) -> Iterator[Finding]:
    """Yield what a route states wrongly; what it does not state is not missed."""
    stated = [*_distance(route), *_parts(route), *_times(case, route)]
    infinite = [one for one in stated if not math.isfinite(one[1])]
    for name, value, customer in infinite:
        yield Kind.NON_FINITE, f"the {name} is {value}", customer
    journey = case.journey(route)
    if journey is None or infinite:
        return
    yield from _check_distance(case, route, journey)
    yield from _check_parts(case, route, journey)
    if journey.timetable is not None and journey.is_in_time:
        yield from _check_schedule(case, route, journey.timetable)


def _distance(route: Route) -> list[Statement]:
    return [] if route.distance is None else [("distance", route.distance, None)]


def _parts(route: Route) -> list[Statement]:
    parts = route.parts
    if parts is None:
        return []
    return [
        ("fixed cost", parts.fixed, None),
        ("cost of distance", parts.distance, None),
        ("cost of time", parts.time, None),
    ]


def _times(case: Case, route: Route) -> list[Statement]:
    schedule = route.schedule
    if schedule is None:
        return []
    times: list[Statement] = [("departure", schedule.departure, None)]
    for stop in schedule.stops:
        number = stop.customer
        place = f"customer {case.label(number) if case.exists(number) else number}"
        times += [
            (f"arrival at {place}", stop.arrival, number),
            (f"start of service at {place}", stop.start, number),
            (f"end of service at {place}", stop.end, number),
        ]
    return [*times, ("return", schedule.back, None), (_DURATION, schedule.duration, None)]


def _check_distance(case: Case, route: Route, journey: Journey) -> Iterator[Finding]:
    if route.distance is None or journey.missing_roads:
        return
    if journey.distance is None:
        message = "states a distance, but the instance has none: its matrix has durations only"
        yield Kind.WRONG_DISTANCE, message, None
        return
    tolerance = NO_TOLERANCE if case.ways.distances_are_whole else RELATIVE_TOLERANCE
    if not is_same(route.distance, journey.distance, tolerance):
        stated, true = case.distance_texts(route.distance, journey.distance)
        message = f"the distance is stated as {stated}, but the tour has {true}{case.measured}"
        yield Kind.WRONG_DISTANCE, message, None


def _check_parts(case: Case, route: Route, journey: Journey) -> Iterator[Finding]:
    if route.parts is None or journey.parts is None:
        return
    for (name, stated, _), true in zip(_parts(route), journey.parts, strict=True):
        if not is_same(stated, true, journey.tolerance):
            texts = case.cost_texts(stated, true)
            message = f"the {name} is stated as {texts[0]}, but it is {texts[1]}"
            yield Kind.WRONG_COST_PART, message, None


def _check_schedule(case: Case, route: Route, timetable: Timetable) -> Iterator[Finding]:
    schedule = route.schedule
    if schedule is None:
        return
    if tuple(stop.customer for stop in schedule.stops) != route.customers:
        message = "the stops of the schedule are not the customers of the route, in its order"
        yield Kind.WRONG_SCHEDULE, message, None
        return
    stops = [time for stop in timetable.stops for time in (stop.arrival, stop.start, stop.end)]
    right = [timetable.departure, *stops, timetable.back, timetable.duration]
    tolerance = FLOAT_TOLERANCE if timetable.is_exact else RELATIVE_TOLERANCE
    for (name, stated, customer), true in zip(_times(case, route), right, strict=True):
        if not is_same(stated, true, tolerance, beside=timetable.back):
            texts_of = case.duration_texts if name == _DURATION else case.time_texts
            texts = texts_of(stated, true)
            message = (
                f"the {name} is stated as {texts[0]}, but in the schedule of least duration it is "
                f"{texts[1]}"
            )
            yield Kind.WRONG_SCHEDULE, message, customer
