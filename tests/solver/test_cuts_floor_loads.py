"""Loads from the shape of the items: what lies on one floor never exceeds them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cut_checks import cases, rules
from rules import Rule
from seeds import with_seeds
from tailgate.model.instance import Customer, Instance, Item, Vehicle
from tailgate.research.generate import generate_instance
from tailgate.solver.search.cuts.floor_loads import (
    MAX_FLOOR_LOADS,
    Scaling,
    counted_in,
    floor_loads,
    rounded,
    scalings,
    unchanged,
    without_small,
)

ROOMS = (1, 2, 3, 5, 8, 11, 12)


def all_scalings(room: int) -> list[Scaling]:
    """Return every function with every parameter that it may have."""
    return [
        unchanged(room),
        *(without_small(room, smallest) for smallest in range(1, room // 2 + 1)),
        *(counted_in(room, unit) for unit in range(1, room // 2 + 1)),
        *(rounded(room, parts) for parts in range(1, room + 2)),
    ]


def fillings(room: int, largest: int) -> Iterator[tuple[int, ...]]:
    """Yield all lists of sizes, the largest first, that fit side by side."""
    yield ()
    for size in range(1, min(room, largest) + 1):
        for rest in fillings(room - size, size):
            yield (size, *rest)


@pytest.mark.parametrize("room", ROOMS)
def test_what_fits_side_by_side_still_does(room: int) -> None:
    """The definition of a dual feasible function, for every list of sizes."""
    for scaling in all_scalings(room):
        assert scaling.scale(room) == scaling.full
        for sizes in fillings(room, room):
            assert sum(map(scaling.scale, sizes)) <= scaling.full


@pytest.mark.parametrize("room", ROOMS)
def test_only_functions_of_that_kind_are_chosen(room: int) -> None:
    """A parameter out of its range would make a function that is not feasible."""
    for sizes in fillings(2 * room, room):
        for scaling in scalings(sizes, room):
            assert scaling.room == room
            for fitting in fillings(room, room):
                if set(fitting) <= set(sizes):
                    assert sum(map(scaling.scale, fitting)) <= scaling.full
        if room > 5:
            break


@rules
@with_seeds(4, 12)
def test_no_route_carries_more_than_a_load_allows(rule: Rule, seeds: range) -> None:
    """Against all routes, whose loading was found by brute force."""
    for instance, enumeration, _ in cases("floor", rule, seeds):
        for load in floor_loads(instance):
            for customers in enumeration.cheapest:
                assert load.trucks(customers) <= 1


def alike(items: tuple[Item, ...], n: int) -> Instance:
    """Return customers with the same items, for a floor of 10 by 20."""
    return Instance(
        name="alike",
        depot=(0, 0),
        customers=tuple(Customer(x, 0, 0, items) for x in range(1, n + 1)),
        vehicle=Vehicle(width=10, length=20, capacity=1),
        vehicle_count=n,
    )


@pytest.mark.parametrize(
    ("item", "trucks"),
    [
        # Wider than half: one behind the other, two to a truck.
        (Item(6, 9), 3),
        # Longer than half: side by side, two to a truck.
        (Item(4, 11), 3),
        # Both: alone.
        (Item(6, 11), 6),
        # A little more than a third of the width, and half of the length: two by two.
        (Item(4, 10), 2),
    ],
)
def test_large_items_need_more_trucks_than_their_area(item: Item, trucks: int) -> None:
    """Half of the floor stays empty beside such items, and the area does not say so."""
    instance = alike((item,), 6)
    everybody = range(1, 7)
    assert max(load.trucks(everybody) for load in floor_loads(instance)) == trucks


def test_items_that_fill_the_floor_have_no_load_but_their_area() -> None:
    """What the area says already is not said again."""
    assert floor_loads(alike((Item(5, 10),), 8)) == []
    assert floor_loads(alike((), 3)) == []


def test_the_loads_are_few_whatever_the_items() -> None:
    """Nothing may cost time per unit of length or per size of an item."""
    instance = generate_instance(50, 5, seed=1)
    assert 0 < len(floor_loads(instance)) <= MAX_FLOOR_LOADS
    huge = alike(tuple(Item(size, size) for size in range(1, 7)), 2)
    assert len(floor_loads(huge)) <= MAX_FLOOR_LOADS
