"""Random small instances with kinds of vehicles, rules, and customers that may be left out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rich_instances import TravelKind, all_routes, rich_instance
from tailgate.model.errors import InputError
from tailgate.model.instance import Conventions, Instance, Vehicle

_ATTEMPTS = 200


def fleet_instance(
    seed: int | str,
    travel: TravelKind,
    *,
    conventions: Conventions | None = None,
    most: int = 5,
) -> Instance:
    """Draw a rich instance, and for it one to three kinds, rules and optional customers."""
    dice = random.Random(f"fleet {travel} {seed}")
    for attempt in range(_ATTEMPTS):
        base = rich_instance(f"{seed} {attempt}", travel, conventions=conventions, most=most)
        vehicles = _kinds(dice, base)
        names = [vehicle.name for vehicle in vehicles]
        customers = tuple(
            replace(customer, **_demands(dice, base, number, names))
            for number, customer in enumerate(base.customers, start=1)
        )
        try:
            return replace(base, customers=customers, vehicles=vehicles)
        except InputError:
            continue
    raise AssertionError


def all_fleet_routes(
    instance: Instance, most: int | None = None
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield every order of every set of customers, by every kind of vehicle."""
    for kind in range(len(instance.vehicles)):
        for route in all_routes(instance, most):
            yield kind, route


def _kinds(dice: random.Random, base: Instance) -> tuple[Vehicle, ...]:
    own = base.vehicle
    kinds = [replace(own, name="own", count=dice.randint(1, own.count))]
    for name in dice.choice(((), ("other",), ("other",), ("other", "third"))):
        changes: dict[str, Any] = {"name": name, "count": dice.choice((0, 1, 1, 2))}
        # Sometimes equal but for its name.
        if dice.random() < 0.8:
            changes["width"] = max(1, own.width - dice.choice((0, 1, 2)))
            changes["length"] = own.length + dice.choice((-1, 0, 1)) * dice.randint(0, 3)
            changes["length"] = max(1, changes["length"])
            changes["capacity"] = max(1, own.capacity * dice.choice((1, 1, 2, 3)) // 2)
            changes["fixed_cost"] = dice.choice((0, own.fixed_cost, 7, 2.5))
            changes["max_stops"] = dice.choice((None, None, 1, 2, 3))
            if base.depot_due is not None:
                changes["shift_end"] = dice.choice((None, base.depot_due))
        kinds.append(replace(own, **changes))
    return tuple(kinds)


def _demands(dice: random.Random, base: Instance, number: int, names: list[str]) -> dict[str, Any]:
    others = [base.label(other) for other in range(1, base.n + 1) if other != number]
    demands: dict[str, Any] = {}
    if dice.random() < 0.4:
        demands["leave_out_cost"] = dice.choice((0, 1, 3.5, 20, 60))
    if dice.random() < 0.2:
        demands["vehicles"] = tuple(dice.sample(names, dice.randint(1, len(names))))
    if dice.random() < 0.2:
        demands["not_with"] = (dice.choice(others),)
    if dice.random() < 0.12:
        demands["together"] = (dice.choice(others),)
    if dice.random() < 0.2:
        demands["position"] = dice.choice(("first", "last"))
    return demands
