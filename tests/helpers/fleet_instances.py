"""Random tiny instances with several kinds of vehicles, customers that may be left out, and rules.

They are `rich_instances` with more to them: roads, hours and money in every combination, of which
each kind of vehicle has its own. Some instances have no solution.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from rich_instances import TravelKind, all_routes, rich_instance
from tailgate.model.errors import InputError
from tailgate.model.instance import Conventions, Customer, Instance, Vehicle

NAMES = ("lorry", "van", "trailer")
# Rules that contradict each other are refused; then all is drawn again.
_ATTEMPTS = 100


def fleet_instance(
    seed: int | str,
    travel: TravelKind,
    *,
    kinds: int | None = None,
    optional: bool = True,
    rules: bool = True,
    conventions: Conventions | None = None,
    most: int = 5,
) -> Instance:
    """Draw two to five customers, or at most so many, and one to three kinds of vehicles."""
    dice = random.Random(f"fleet {travel} {seed}")
    for attempt in range(_ATTEMPTS):
        base = rich_instance(f"{seed}-{attempt}", travel, conventions=conventions, most=most)
        try:
            vehicles = _vehicles(dice, base, dice.choice((1, 2, 2, 3)) if kinds is None else kinds)
            customers = base.customers
            if optional:
                customers = _with_leave_out_costs(dice, customers)
            if rules:
                customers = _with_rules(dice, customers, vehicles)
            return replace(base, customers=customers, vehicles=vehicles)
        except InputError:
            continue
    raise AssertionError(f"no instance in {_ATTEMPTS} attempts")


def all_fleet_routes(
    instance: Instance, most: int | None = None
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield every order of every set of customers, by every kind of vehicle."""
    for kind in range(len(instance.vehicles)):
        for route in all_routes(instance, most):
            yield kind, route


def _vehicles(dice: random.Random, base: Instance, kinds: int) -> tuple[Vehicle, ...]:
    """Return the vehicle of an instance and others that are like it in some ways."""
    vehicle = replace(base.vehicle, name=NAMES[0])
    if kinds == 1:
        return (vehicle,)
    vehicles = [replace(vehicle, count=dice.choice((1, 1, 2)))]
    vehicles += (_other_kind(dice, vehicle, name) for name in NAMES[1:kinds])
    dice.shuffle(vehicles)
    return tuple(vehicles)


def _other_kind(dice: random.Random, vehicle: Vehicle, name: str) -> Vehicle:
    changes: dict[str, Any] = {"name": name, "count": dice.choice((0, 1, 1, 2))}
    if dice.random() < 0.15:
        # The same in all but its name.
        return replace(vehicle, **changes)
    changes["width"] = vehicle.width + dice.choice((-1, 0, 0, 1, 2))
    changes["length"] = vehicle.length + dice.choice((-1, 0, 0, 2))
    changes["capacity"] = max(1, vehicle.capacity * dice.choice((1, 1, 2, 3)) // 2)
    changes["fixed_cost"] = dice.choice((0, vehicle.fixed_cost, 3, 25))
    for rate in ("cost_per_distance", "cost_per_time"):
        own = getattr(vehicle, rate)
        changes[rate] = own if own is None else own * dice.choice((0.5, 1, 2))
    for limit in ("shift_start", "shift_end", "max_duration", "max_distance", "max_stops"):
        if dice.random() < 0.4:
            changes[limit] = None
    if dice.random() < 0.2:
        changes["max_stops"] = dice.choice((1, 2))
    return replace(vehicle, **changes)


def _with_leave_out_costs(
    dice: random.Random, customers: Sequence[Customer]
) -> tuple[Customer, ...]:
    share = dice.choice((0, 0.4, 0.8, 1))
    return tuple(
        replace(customer, leave_out_cost=dice.choice((0, 4, 12.5, 30, 100)))
        if dice.random() < share
        else customer
        for customer in customers
    )


def _with_rules(
    dice: random.Random, customers: Sequence[Customer], vehicles: Sequence[Vehicle]
) -> tuple[Customer, ...]:
    changes: list[dict[str, Any]] = [{} for _ in customers]
    names = [vehicle.name for vehicle in vehicles]
    labels = [customer.name or str(i) for i, customer in enumerate(customers, start=1)]
    share = dice.choice((0, 0.15, 0.3))
    for (i, own), (_, other) in combinations(enumerate(labels), 2):
        del own
        if dice.random() < share:
            rule = dice.choice(("not_with", "not_with", "together"))
            changes[i][rule] = (*changes[i].get(rule, ()), other)
    for change in changes:
        if len(names) > 1 and dice.random() < share:
            change["vehicles"] = tuple(dice.sample(names, dice.randint(1, len(names) - 1)))
        if dice.random() < share / 2:
            change["position"] = dice.choice(("first", "last"))
    return tuple(replace(one, **change) for one, change in zip(customers, changes, strict=True))
