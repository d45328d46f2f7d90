"""Gives an instance several kinds of vehicles, orders that may wait, and rules.

Every customer is at home with one kind. Routes that are proven possible serve the customers of each
kind, and the rules are read off these routes, so that the instance is sure to have a solution.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from numpy.random import Generator

from tailgate.model.exact import fraction_of
from tailgate.model.instance import Customer, Instance, Vehicle
from tailgate.model.matrix import plain
from tailgate.research.generate.fleet_options import FleetOptions
from tailgate.research.generate.random_streams import Aspect, draw_integer, random_stream
from tailgate.research.generate.routes import RoutePlan, build_proven_routes


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of vehicles: its name, and its share of what the truck has, in hundredths."""

    name: str
    width: int = 100
    length: int = 100
    capacity: int = 100
    cost: int = 100
    """Of the fixed cost, and of the cost of a unit of distance; a driver costs the same."""


_TRUCK = _Kind("truck")
_SMALL_TRUCK = _Kind("small truck", width=95, length=75, capacity=60, cost=80)
_VAN = _Kind("van", width=75, length=60, capacity=35, cost=60)
_KINDS = {1: (_TRUCK,), 2: (_TRUCK, _VAN), 3: (_TRUCK, _SMALL_TRUCK, _VAN)}

# Before all orders are drawn anew.
_DRAWS_OF_HOMES = 20
# Of the cost of a route to the customer alone, in hundredths.
_LEAVE_OUT_COST = (40, 160)


def with_fleet(
    instance: Instance, options: FleetOptions, *, enough: int, seed: int, attempt: int
) -> Instance | None:
    """Return the same orders with kinds of vehicles, and with what else is asked for.

    ``None`` if no proven routes of two customers or more were found for each kind. A single kind
    needs no fewer vehicles than are ``enough``.
    """
    kinds = _KINDS[options.kinds]
    mixed = instance
    if options.kinds > 1:
        vehicles = tuple(_vehicle(instance.vehicle, kind, instance.n) for kind in kinds)
        mixed = replace(instance, vehicles=vehicles)
    enough = enough if len(kinds) == 1 else 1
    fleet_stream = random_stream(seed, Aspect.FLEET, attempt)
    for _ in range(_DRAWS_OF_HOMES):
        homes = _draw_homes(mixed, fleet_stream)
        plans = _proven_plans(mixed, homes, seed, enough)
        if plans is not None:
            break
    else:
        return None
    customers = mixed.customers
    if options.optional_percent:
        stream = random_stream(seed, Aspect.OPTIONAL_ORDERS, attempt)
        customers = _with_optional_orders(mixed, homes, options.optional_percent, stream)
    if options.rules_percent:
        stream = random_stream(seed, Aspect.RULES, attempt)
        customers = _RuleDrawer(mixed, plans, customers).draw(options.rules_percent, stream)
    vehicles = tuple(
        replace(vehicle, count=len(plan))
        for vehicle, plan in zip(mixed.vehicles, plans, strict=True)
    )
    return replace(mixed, vehicles=vehicles, customers=customers)


def _proven_plans(
    instance: Instance, homes: dict[int, int], seed: int, enough: int
) -> list[RoutePlan] | None:
    """Return routes of each kind for the customers at home there, if all kinds have some."""
    plans: list[RoutePlan] = []
    for kind in range(len(instance.vehicles)):
        at_home = [number for number, home in homes.items() if home == kind]
        view = instance.of_kind(kind)
        plan = build_proven_routes(view, seed=seed, enough=enough, customers=at_home)
        if not plan:
            return None
        plans.append(plan)
    return plans


def _vehicle(truck: Vehicle, kind: _Kind, count: int) -> Vehicle:
    per_distance, per_time = truck.rates

    def share(cost: int | float) -> int | float:
        return plain(fraction_of(cost) * Fraction(kind.cost, 100))

    return replace(
        truck,
        name=kind.name,
        width=truck.width * kind.width // 100,
        length=truck.length * kind.length // 100,
        capacity=max(1, truck.capacity * kind.capacity // 100),
        fixed_cost=share(truck.fixed_cost),
        cost_per_distance=share(per_distance),
        cost_per_time=per_time or None,
        count=count,
    )


def _draw_homes(instance: Instance, stream: Generator) -> dict[int, int]:
    """Return by customer the kind that serves it: any that accepts it, the first one most often."""
    homes = {}
    for number in range(1, instance.n + 1):
        accepted = [k for k in range(len(instance.vehicles)) if instance.accepts(number, k)]
        # One draw for each customer, so that none shifts the draws of the next.
        drawn = draw_integer(stream, 0, 59)
        homes[number] = accepted[0]
        if len(accepted) > 1 and drawn >= 30:
            homes[number] = accepted[1 + drawn % (len(accepted) - 1)]
    return homes


def _with_optional_orders(
    instance: Instance, homes: dict[int, int], percent: int, stream: Generator
) -> tuple[Customer, ...]:
    """Return the customers, some of whom may be left out for about what a route to them costs."""
    customers = []
    for number, customer in enumerate(instance.customers, start=1):
        is_optional = draw_integer(stream, 0, 99) < percent
        share = draw_integer(stream, *_LEAVE_OUT_COST)
        cost = instance.of_kind(homes[number]).route_cost((number,))
        if is_optional and math.isfinite(cost):
            customer = replace(customer, leave_out_cost=max(1, math.floor(cost * share / 100)))
        customers.append(customer)
    return tuple(customers)


class _RuleDrawer:
    """Draws rules that the routes of a plan keep."""

    def __init__(
        self, instance: Instance, plans: list[RoutePlan], customers: tuple[Customer, ...]
    ) -> None:
        self._instance = instance
        self._customers = list(customers)
        self._routes = [(kind, route) for kind, plan in enumerate(plans) for route in plan]
        self._route_of = {
            number: index for index, (_, route) in enumerate(self._routes) for number in route
        }
        self._grouped: set[int] = set()

    def draw(self, percent: int, stream: Generator) -> tuple[Customer, ...]:
        """Give so many of a hundred customers a rule, each of some sort that is possible for it."""
        sorts: tuple[Callable[[int, int], bool], ...] = (
            *(self._name_kinds, self._keep_apart, self._put_together, self._place),
        )
        for number in range(1, self._instance.n + 1):
            has_rule = draw_integer(stream, 0, 99) < percent
            first, choice = draw_integer(stream, 0, len(sorts) - 1), draw_integer(stream, 0, 10**6)
            if has_rule:
                # The next sort, where the first is not possible.
                any(sorts[(first + step) % len(sorts)](number, choice) for step in range(4))
        return tuple(self._customers)

    def _name_kinds(self, number: int, choice: int) -> bool:
        """Let the customer's own kind come, or also one that is smaller."""
        vehicles, (home, _) = self._instance.vehicles, self._routes[self._route_of[number]]
        if len(vehicles) == 1:
            return False
        named = {home, max(home, choice % len(vehicles))}
        if len(named) == len(vehicles):
            named = {home}
        names = tuple(vehicles[kind].name for kind in sorted(named))
        self._customers[number - 1] = replace(self._customers[number - 1], vehicles=names)
        return True

    def _keep_apart(self, number: int, choice: int) -> bool:
        """Name a customer of another route."""
        own = self._route_of[number]
        others = [other for other, route in self._route_of.items() if route != own]
        if not others:
            return False
        label = self._instance.label(sorted(others)[choice % len(others)])
        self._customers[number - 1] = replace(self._customers[number - 1], not_with=(label,))
        return True

    def _put_together(self, number: int, choice: int) -> bool:
        """Name a customer of the same route; groups stay pairs."""
        _, route = self._routes[self._route_of[number]]
        others = [one for one in route if one != number and one not in self._grouped]
        if not others or number in self._grouped:
            return False
        other = others[choice % len(others)]
        self._grouped |= {number, other}
        # All or none of a group are left out, so that each may be, or none.
        pair = [self._customers[one - 1] for one in (number, other)]
        if any(one.leave_out_cost is None for one in pair):
            for one in (number, other):
                self._customers[one - 1] = replace(self._customers[one - 1], leave_out_cost=None)
        label = self._instance.label(other)
        self._customers[number - 1] = replace(self._customers[number - 1], together=(label,))
        return True

    def _place(self, number: int, _: int) -> bool:
        """Keep the customer at the beginning or end of its route, if it is there."""
        route = self._routes[self._route_of[number]][1]
        if number == route[0]:
            self._customers[number - 1] = replace(self._customers[number - 1], position="first")
        elif number == route[-1]:
            self._customers[number - 1] = replace(self._customers[number - 1], position="last")
        else:
            return False
        return True
