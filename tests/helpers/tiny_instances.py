"""Random instances small enough for full enumeration, with everything that can be different."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import product
from typing import Any, get_args

import pytest

from tailgate.model.instance import (
    Conventions,
    Customer,
    DistanceConvention,
    FleetConvention,
    Instance,
    Item,
    SingleCustomerConvention,
    Units,
    Vehicle,
)

Size = tuple[int, int]

FLOORS: Sequence[Size] = ((4, 6), (5, 5), (6, 4), (4, 5), (4, 4))
# Of a city block's size: ties between routes are common, and truncation bends triangles.
LARGEST_COORDINATE = 12

CONVENTIONS = [
    (Conventions(distance, fleet, single, lifo), time_windows)
    for distance, fleet, single, lifo, time_windows in product(
        get_args(DistanceConvention),
        get_args(FleetConvention),
        get_args(SingleCustomerConvention),
        (True, False),
        (False, True),
    )
]


def _name(conventions: Conventions, time_windows: bool) -> str:
    rules = (conventions.distance, conventions.fleet, conventions.single_customer_routes)
    lifo = "lifo" if conventions.lifo else "any_order"
    return "-".join((*rules, lifo, "windows" if time_windows else "any_time"))


all_conventions = pytest.mark.parametrize(
    ("conventions", "time_windows"),
    [pytest.param(*rules, id=_name(*rules)) for rules in CONVENTIONS],
)


def tiny_instance(
    seed: int | str, conventions: Conventions, *, time_windows: bool, most: int = 8
) -> Instance:
    """Draw up to eight customers; some instances have no solution."""
    dice = random.Random(seed)
    n = min(most, dice.choice((1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 7, 8, 8)))
    width, length = dice.choice(FLOORS)
    coordinate_scale = dice.choice((1, 1, 10))
    depot = _point(dice, coordinate_scale)
    # Weight binds in some instances and not at all in others.
    capacity = dice.choice((10, 20, 38_000))
    vehicle = Vehicle(width=width, length=length, capacity=capacity)
    places = [_point(dice, coordinate_scale) for _ in range(n)]
    orders = [random_items(dice, width, length) for _ in range(n)]
    weights = [dice.randint(0, min(capacity // 2, 9_000)) for _ in range(n)]
    if dice.random() < 0.2:
        # A visit that takes neither floor nor weight: nothing but the road limits such stops.
        orders[-1], weights[-1] = [], 0
    filled = sum(item_width * item_length for sizes in orders for item_width, item_length in sizes)
    fewest = max(1, -(-filled // vehicle.area), -(-sum(weights) // capacity))
    times = (
        _times(dice, depot, places, coordinate_scale) if time_windows else _harmless_times(dice, n)
    )
    return Instance(
        name=f"tiny-{seed}",
        depot=depot,
        customers=tuple(
            Customer(x, y, weight, tuple(Item(*size) for size in sizes), **time)
            for (x, y), weight, sizes, time in zip(
                places, weights, orders, times["customers"], strict=True
            )
        ),
        vehicle=vehicle,
        vehicle_count=min(n, fewest + dice.choice((0, 0, 1, 1, 2))),
        conventions=conventions,
        units=Units(coordinate_scale=coordinate_scale),
        depot_ready=times["depot_ready"],
        depot_due=times["depot_due"],
    )


def _point(dice: random.Random, scale: int) -> tuple[int, int]:
    largest = LARGEST_COORDINATE * scale
    return dice.randint(0, largest), dice.randint(0, largest)


def random_items(dice: random.Random, width: int, length: int) -> list[Size]:
    """Draw up to half a floor: two to four customers share a truck, and their order matters."""
    sizes: list[Size] = []
    for _ in range(dice.choice((0, 1, 1, 1, 2, 2, 2, 3))):
        size = dice.choice(
            (
                (dice.randint(1, 2), dice.randint(length // 2, length - 1)),
                (dice.randint(width // 2, width - 1), dice.randint(1, 2)),
                (dice.randint(2, width // 2), dice.randint(2, length // 2)),
            )
        )
        area = sum(item_width * item_length for item_width, item_length in sizes)
        if area + size[0] * size[1] <= width * length // 2:
            sizes.append(size)
    return sizes


def _harmless_times(dice: random.Random, n: int) -> dict[str, Any]:
    """Draw times that cannot make anybody late."""
    return {
        "depot_ready": dice.choice((0, 5)),
        "depot_due": None,
        "customers": [
            {"ready": dice.choice((0, 9)), "service": dice.choice((0, 2.5))} for _ in range(n)
        ],
    }


def _times(
    dice: random.Random, depot: tuple[int, int], places: Sequence[tuple[int, int]], scale: int
) -> dict[str, Any]:
    """Draw windows that a vehicle for one customer alone can keep, whatever the convention."""
    depot_ready = dice.choice((0, 0, 3))
    latest_return = 0.0
    customers: list[dict[str, Any]] = []
    for place in places:
        travel = math.ceil(math.dist(depot, place) / scale)
        ready = dice.choice((0, dice.randint(0, 40)))
        service = dice.choice((0, 1, 2.5))
        begin = max(depot_ready + travel, ready)
        # Some windows are but a moment, and some customers have none.
        due = None if dice.random() < 0.3 else begin + dice.choice((0, 1.5, 5, 10, 20))
        latest_return = max(latest_return, begin + service + travel)
        customers.append({"ready": ready, "due": due, "service": service})
    has_due = any(time["due"] is not None for time in customers)
    depot_due = (
        None if has_due and dice.random() < 0.3 else latest_return + dice.choice((0, 2, 10, 30))
    )
    return {"depot_ready": depot_ready, "depot_due": depot_due, "customers": customers}
