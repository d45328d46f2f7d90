"""The oracle against the definition itself, on floors of a few cells."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from brute_force import can_load
from loading_cases import Size, in_millimetres, is_loadable

CASES_PER_SEED = 400


def tiny_truck(dice: random.Random) -> tuple[int, int, list[list[Size]]]:
    """Return a floor of at most 5 x 6 with two to seven items in two to four stops, nearly full."""
    width, length = dice.randint(2, 5), dice.randint(2, 6)
    stops: list[list[Size]] = [[] for _ in range(dice.randint(2, 4))]
    room = width * length
    for _ in range(dice.randint(2, 7)):
        size = (
            dice.randint(1, max(1, width - dice.randint(0, 2))),
            dice.randint(1, max(1, length - dice.randint(0, 3))),
        )
        if size[0] * size[1] <= room:
            dice.choice(stops).append(size)
            room -= size[0] * size[1]
    return width, length, stops


@pytest.mark.parametrize("lifo", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_verdicts_are_those_of_brute_force(seed: int, lifo: bool) -> None:
    """Nothing is closer to the definition than trying every position of every item."""
    dice = random.Random(f"tiny {seed}")
    seen: Counter[bool] = Counter()
    for _ in range(CASES_PER_SEED):
        width, length, stops = tiny_truck(dice)
        expected = can_load(width, length, stops, lifo=lifo)
        seen[expected] += 1
        assert is_loadable(width, length, stops, lifo=lifo) == expected, (width, length, stops)
    # A comparison that only ever sees one answer would prove nothing.
    assert min(seen[True], seen[False]) >= CASES_PER_SEED // 10


def wide_truck(dice: random.Random) -> tuple[int, int, list[list[Size]]]:
    """Return a floor of at most 14 x 8 with four to six sizable items: room for holes and waste."""
    width, length = dice.randint(6, 14), dice.randint(4, 8)
    stops: list[list[Size]] = [[] for _ in range(dice.randint(2, 4))]
    room = width * length
    for _ in range(dice.randint(4, 6)):
        size = (dice.randint(2, width - 2), dice.randint(1, (length + 1) // 2))
        if size[0] * size[1] <= room:
            dice.choice(stops).append(size)
            room -= size[0] * size[1]
    return width, length, stops


Load = tuple[int, int, list[list[Size]]]


def assert_as_brute_force(load: Load, asked: Load, *, lifo: bool) -> None:
    """Ask the oracle for a load, or for the same in other numbers."""
    assert is_loadable(*asked, lifo=lifo) == can_load(*load, lifo=lifo), (load, asked)


@pytest.mark.parametrize("lifo", [True, False])
def test_verdicts_on_wider_floors_are_those_of_brute_force(lifo: bool) -> None:
    """Wrong accounts of waste show only where a row can stay partly empty."""
    dice = random.Random("wide")
    for _ in range(CASES_PER_SEED):
        truck = wide_truck(dice)
        assert_as_brute_force(truck, truck, lifo=lifo)


def test_a_hole_over_floor_that_was_useless_anyway_is_no_waste() -> None:
    """Found by CP-SAT: area that no row can use was counted as lost a second time."""
    stops = [[(9, 1)], [(2, 4)], [(6, 2), (11, 1)], [(7, 3)]]
    assert can_load(14, 6, stops, lifo=True)
    assert is_loadable(14, 6, stops)


@pytest.mark.parametrize("lifo", [True, False])
def test_verdicts_are_those_of_brute_force_in_millimetres(lifo: bool) -> None:
    """The same small queries in large odd numbers take another path through the core."""
    dice = random.Random("tiny millimetres")
    for _ in range(CASES_PER_SEED):
        truck = tiny_truck(dice)
        assert_as_brute_force(truck, in_millimetres(*truck, dice), lifo=lifo)


def test_brute_force_knows_the_rule_of_the_door() -> None:
    """The judge of the oracle is itself tried on cases that are obvious."""
    across, along = (2, 1), (1, 2)
    # A bar across the cab end and one before it.
    assert can_load(2, 2, [[across], [across]], lifo=True)
    # A bar across and one along leave no room for each other.
    assert not can_load(2, 2, [[across], [along]], lifo=False)
    # The first stop's bar must be at the door, and the last stop's two blocks at the cab.
    assert can_load(2, 2, [[across], [(1, 1)], [(1, 1)]], lifo=True)
    # The bar must lie behind one block and before the other: three rows, and there are two.
    assert not can_load(2, 2, [[(1, 1)], [across], [(1, 1)]], lifo=True)
    assert can_load(2, 2, [[(1, 1)], [across], [(1, 1)]], lifo=False)


@pytest.mark.long
@pytest.mark.parametrize("lifo", [True, False])
def test_verdicts_are_those_of_brute_force_on_thousands_of_trucks(lifo: bool) -> None:
    """As above, with the patience of a longer run."""
    dice = random.Random(f"many tiny {lifo}")
    for number in range(10_000):
        width, length, stops = tiny_truck(dice) if number % 2 else wide_truck(dice)
        expected = can_load(width, length, stops, lifo=lifo)
        assert is_loadable(width, length, stops, lifo=lifo) == expected, (width, length, stops)
        blown_up = in_millimetres(width, length, stops, dice)
        assert is_loadable(*blown_up, lifo=lifo) == expected, (width, length, stops, blown_up)
