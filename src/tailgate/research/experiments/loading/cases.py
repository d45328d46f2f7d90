"""A loading query as plain numbers: as an instance, and blown up to millimetres."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tailgate.model.instance import Customer, Instance, Item, Vehicle

Size = tuple[int, int]
Stops = Sequence[Sequence[Size]]


def instance_of(width: int, length: int, stops: Stops) -> Instance:
    """Return an instance with one customer per list of (width, length)."""
    return Instance(
        name="loading",
        depot=(0, 0),
        customers=tuple(
            Customer(x=0, y=0, weight=0, items=tuple(Item(*size) for size in sizes))
            for sizes in stops
        ),
        vehicle=Vehicle(width=width, length=length, capacity=1),
        vehicle_count=1,
    )


def stops_of(instance: Instance, route: Sequence[int]) -> list[list[Size]]:
    """Return the items (width, length) of every stop, in visiting order."""
    return [
        [(item.width, item.length) for item in instance.customer(customer).items]
        for customer in route
    ]


def alone(instance: Instance, route: Sequence[int]) -> Instance:
    """Return an instance of a route's loading query alone: its stops, in order, are 1, 2, ..."""
    floor = instance.vehicle
    return Instance(
        name="loading",
        depot=(0, 0),
        customers=tuple(
            Customer(x=0, y=0, weight=0, items=instance.customer(customer).items)
            for customer in route
        ),
        vehicle=Vehicle(width=floor.width, length=floor.length, capacity=1),
        vehicle_count=1,
        conventions=instance.conventions,
    )


def in_millimetres(
    width: int, length: int, stops: Stops, dice: random.Random
) -> tuple[int, int, list[list[Size]]]:
    """Return the same query on a floor of 122 x 340 times the size, in odd numbers.

    Nothing new fits and nothing that fitted stops fitting. A layout is decided by which items fit
    side by side and which behind one another. Items shrink and the floor grows, so old layouts
    still work. Conversely, items that do not fit side by side have a total of at least width + 1
    units, hence 122 * (width + 1) millimetres less what they lost. As a floor gains `extra` and all
    items together lose at most 121 - `extra`, that is still more than 122 * width + `extra`.
    Likewise along the length. On the benchmark's floor of 20 x 40 this gives 2450 x 13600.
    """
    count = max(1, sum(len(sizes) for sizes in stops))
    new_width, shrink_width = _stretched(width, 122, 10, count)
    new_length, shrink_length = _stretched(length, 340, 0, count)
    return (
        new_width,
        new_length,
        [
            [
                (
                    122 * item_width - dice.randint(0, shrink_width),
                    340 * item_length - dice.randint(0, shrink_length),
                )
                for item_width, item_length in sizes
            ]
            for sizes in stops
        ],
    )


def _stretched(floor: int, factor: int, extra: int, count: int) -> tuple[int, int]:
    """Return the new floor and how much each item may lose."""
    return floor * factor + extra, (factor - 1 - extra) // count
