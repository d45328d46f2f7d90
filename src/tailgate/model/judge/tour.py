"""One route on the road: its customers, totals, cost and times."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from tailgate.model.judge.case import Case, texts_apart
from tailgate.model.judge.violation import Finding
from tailgate.model.judge.violation import ViolationKind as Kind
from tailgate.model.solution import Route


def check_tour(case: Case, route: Route) -> Iterator[Finding]:
    """Yield what is wrong with one route, its loading aside."""
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
    if not all(case.exists(number) for number in route.customers):
        return
    yield from _check_totals(case, route)
    yield from _check_times(case, route)


def _check_totals(case: Case, route: Route) -> Iterator[Finding]:
    instance, units = case.instance, case.solution.units
    customers = [instance.customer(number) for number in route.customers]
    weight = sum(customer.weight for customer in customers)
    if weight > instance.vehicle.capacity:
        yield (
            Kind.OVERWEIGHT,
            f"carries {instance.units.weight_text(weight)}, above the capacity "
            f"{instance.units.weight_text(instance.vehicle.capacity)}",
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
    cost = case.cost(route)
    if cost is not None and math.isfinite(route.cost) and not case.same_cost(route.cost, cost):
        stated, true = case.cost_texts(route.cost, cost)
        yield (
            Kind.WRONG_COST,
            f"the cost is stated as {stated}, but the tour has {true} under the convention "
            f"{case.solution.conventions.distance!r}",
            None,
        )


def _check_times(case: Case, route: Route) -> Iterator[Finding]:
    instance = case.instance
    clock = Decimal(instance.depot_ready)
    for start, number in pairwise((0, *route.customers, 0)):
        customer = instance.customer(number) if number else None
        due = customer.due if customer else instance.depot_due
        clock += case.distance(start, number)
        if due is not None and case.is_late(clock, due):
            arrival, limit = texts_apart(clock, due)
            reaches = (
                f"reaches customer {case.label(number)}" if customer else "is back at the depot"
            )
            message = f"{reaches} at {arrival}, after its due time {limit}"
            yield Kind.TIME_WINDOW, message, number or None
        if customer:
            clock = max(clock, Decimal(customer.ready)) + Decimal(customer.service)
