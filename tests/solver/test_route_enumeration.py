"""The yardstick of column generation, measured itself."""

from __future__ import annotations

from itertools import permutations

import pytest

from brute_force import can_load
from loading_cases import stops_of
from route_enumeration import Enumeration
from single_route import solution_of_route
from tailgate.model.instance import Conventions, Customer, Instance, Item, Vehicle
from tailgate.model.judge import ViolationKind, verify
from tiny_instances import tiny_instance

# What the judge may say of a route for reasons of the road; loading is tried out beside it.
ROAD = {
    ViolationKind.SINGLE_CUSTOMER_ROUTE,
    ViolationKind.OVERWEIGHT,
    ViolationKind.TIME_WINDOW,
    ViolationKind.WRONG_COST,
}


def three_friends(vehicle_count: int, conventions: Conventions) -> Instance:
    """Three customers, five away from the depot; any two of them share a truck, but not three.

    Truncated, the pairs cost 5 + 6 + 5 = 16 (the first two) and 5 + 9 + 5 = 19 (twice).
    """
    return Instance(
        name="three friends",
        depot=(0, 0),
        customers=tuple(Customer(x, y, 1, ()) for x, y in ((3, 4), (-3, 4), (0, -5))),
        vehicle=Vehicle(width=1, length=1, capacity=2),
        vehicle_count=vehicle_count,
        conventions=conventions,
    )


@pytest.mark.parametrize(
    ("vehicle_count", "fleet", "single", "lp_value", "optimum"),
    [
        # Half of each pair, 27, takes one truck and a half; no whole pairs serve three.
        (2, "at-most", "forbid", 27, None),
        # More than one truck and a half cannot be used.
        (2, "exactly", "forbid", None, None),
        (1, "at-most", "allow", None, None),
        # The near pair, and the third alone.
        (2, "at-most", "allow", 26, 26),
        (2, "exactly", "allow", 26, 26),
        (3, "exactly", "allow", 30, 30),
    ],
)
def test_three_friends_come_out_as_by_hand(
    vehicle_count: int, fleet: str, single: str, lp_value: float | None, optimum: float | None
) -> None:
    """An example small enough for pencil and paper."""
    conventions = Conventions.from_dict(
        {"distance": "truncated", "fleet": fleet, "single_customer_routes": single}
    )
    enumeration = Enumeration(three_friends(vehicle_count, conventions))
    assert enumeration.lp_value == pytest.approx(lp_value)
    assert enumeration.optimum == optimum


def test_the_order_of_the_stops_decides_about_loading() -> None:
    """A long bar beside two short ones: with LIFO the short stops must be neighbours."""
    conventions = Conventions("truncated", "at-most", "allow", lifo=True)
    instance = Instance(
        name="bars",
        depot=(0, 0),
        customers=(
            Customer(1, 0, 0, (Item(1, 1),)),
            Customer(2, 0, 0, (Item(2, 1),)),
            Customer(3, 0, 0, (Item(1, 1),)),
        ),
        vehicle=Vehicle(width=2, length=2, capacity=1),
        vehicle_count=1,
        conventions=conventions,
    )
    whole = {route for route in Enumeration(instance).routes if len(route) == 3}
    assert whole == {(1, 3, 2), (3, 1, 2), (2, 1, 3), (2, 3, 1)}
    assert Enumeration(instance).lp_value == 6
    unordered = Enumeration(instance.with_conventions(lifo=False))
    assert len([route for route in unordered.routes if len(route) == 3]) == 6


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("time_windows", [False, True], ids=["any time", "windows"])
@pytest.mark.parametrize("lifo", [False, True], ids=["any order", "lifo"])
def test_the_routes_are_those_of_the_judge_and_of_brute_force(
    seed: int, time_windows: bool, lifo: bool
) -> None:
    """Every order of every set, one by one, without anything that follows from anything."""
    distance = ("truncated", "rounded", "exact")[seed % 3]
    single = ("forbid", "allow")[seed % 2]
    conventions = Conventions.from_dict(
        {"distance": distance, "single_customer_routes": single, "lifo": lifo}
    )
    instance = tiny_instance(f"judge-{seed}", conventions, time_windows=time_windows, most=5)
    enumeration = Enumeration(instance)
    for size in range(1, instance.n + 1):
        for route in permutations(range(1, instance.n + 1), size):
            expected = _road_is_clear(instance, route, enumeration.cost(route)) and can_load(
                instance.vehicle.width,
                instance.vehicle.length,
                stops_of(instance, route),
                lifo=lifo,
            )
            assert (route in enumeration.routes) == expected, route


def _road_is_clear(instance: Instance, route: tuple[int, ...], cost: float) -> bool:
    solution = solution_of_route(instance, route, cost)
    kinds = {violation.kind for violation in verify(instance, solution)}
    assert ViolationKind.WRONG_COST not in kinds
    return not kinds & ROAD


def test_no_optimum_is_below_its_relaxation() -> None:
    """Two solvers of one problem check each other."""
    with_gap = without_solution = 0
    for seed in range(40):
        conventions = Conventions(
            fleet=("exactly", "at-most")[seed % 2],
            single_customer_routes=("forbid", "allow")[seed // 2 % 2],
        )
        instance = tiny_instance(f"gap-{seed}", conventions, time_windows=seed % 5 == 0)
        enumeration = Enumeration(instance)
        if enumeration.lp_value is None:
            assert enumeration.optimum is None
            without_solution += 1
        elif enumeration.optimum is not None:
            assert enumeration.lp_value <= enumeration.optimum + 1e-9
            with_gap += enumeration.lp_value < enumeration.optimum - 1e-6
    assert with_gap >= 3
    assert without_solution >= 3
