"""What customers demand of the route that serves them: its vehicle, its company, their place."""

from __future__ import annotations

from collections.abc import Iterator

from tailgate.model.judge.case import Case
from tailgate.model.judge.violation import Finding
from tailgate.model.judge.violation import ViolationKind as Kind
from tailgate.model.solution import Route


def check_demands(case: Case, route: Route) -> Iterator[Finding]:
    """Yield the demands that a route does not meet."""
    yield from _check_access(case, route)
    yield from _check_company(case, route)
    yield from _check_positions(case, route)
    yield from _check_first_stops(case, route)


def _check_access(case: Case, route: Route) -> Iterator[Finding]:
    vehicle = case.vehicle_of(route)
    for number in filter(case.exists, route.customers):
        accepted = case.instance.customer(number).vehicles
        if vehicle is not None and accepted is not None and vehicle.name not in accepted:
            message = (
                f"customer {case.label(number)} accepts {', '.join(accepted)}, but not "
                f"{vehicle.name}"
            )
            yield Kind.ACCESS, message, number


def _check_company(case: Case, route: Route) -> Iterator[Finding]:
    stops = set(route.customers)
    named: set[frozenset[int]] = set()
    for number in filter(case.exists, route.customers):
        for label in case.instance.customer(number).not_with:
            other = case.numbers[label]
            pair = frozenset((number, other))
            if other in stops and pair not in named:
                named.add(pair)
                message = (
                    f"customers {case.label(number)} and {case.label(other)} must not share a truck"
                )
                yield Kind.NOT_WITH, message, number


def _check_positions(case: Case, route: Route) -> Iterator[Finding]:
    count = len(route.customers)
    for stop, number in enumerate(route.customers, start=1):
        position = case.instance.customer(number).position if case.exists(number) else None
        if position is not None and stop != {"first": 1, "last": count}[position]:
            message = f"customer {case.label(number)} must be {position}, but is stop {stop}"
            yield Kind.POSITION, f"{message} of {count}", number


def _check_first_stops(case: Case, route: Route) -> Iterator[Finding]:
    vehicle = case.vehicle_of(route)
    for kind in case.instance.vehicles:
        first = tuple(case.numbers[label] for label in kind.first_stops)
        if kind is vehicle:
            if route.customers[: len(first)] != first:
                message = f"does not begin with {', '.join(kind.first_stops)}"
                yield Kind.FIRST_STOPS, message, None
        elif vehicle is not None:
            for number in first:
                if number in route.customers:
                    message = f"customer {case.label(number)} is on {kind.name}, which is under way"
                    yield Kind.FIRST_STOPS, message, number
