"""Rounded capacity rows: what they count, that they hold, and that they are found."""

from __future__ import annotations

import random
from itertools import combinations

from cut_checks import Plans, cases, draw_fractional, fractional_solutions, rules
from route_enumeration import Stops
from rules import Rule
from seeds import with_seeds
from tailgate.model.instance import Conventions, Customer, Instance, Item, Vehicle
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.search.cuts.capacity import CapacityRows
from tailgate.solver.search.cuts.family import CutQuery
from tailgate.solver.search.cuts.loads import trucks_needed, weight_and_area
from tailgate.solver.search.cuts.set_search import MIN_VIOLATION
from tailgate.solver.time_limit import TimeLimit
from tiny_instances import tiny_instance


def rows_of(instance: Instance) -> CapacityRows:
    """Return the family for an instance."""
    return CapacityRows(instance, LoadingOracle(instance))


def entering(customers: frozenset[int], support: dict[Stops, float]) -> float:
    """Count how often a truck comes into the set from outside."""
    return sum(
        value
        for route, value in support.items()
        for before, stop in zip((0, *route), route, strict=False)
        if stop in customers and before not in customers
    )


def greatest_lack(instance: Instance, support: dict[Stops, float]) -> float:
    """Return how many trucks are missing in the set that lacks most, of all sets."""
    loads = weight_and_area(instance)
    return max(
        trucks_needed(loads, customers) - entering(frozenset(customers), support)
        for size in range(1, instance.n + 1)
        for customers in combinations(range(1, instance.n + 1), size)
    )


@rules
@with_seeds(4, 12)
def test_capacity_rows_keep_every_plan(rule: Rule, seeds: range) -> None:
    """A row that breaks a plan makes a bound that is too high, and nobody notices."""
    for instance, enumeration, dice in cases("capacity", rule, seeds):
        family = rows_of(instance)
        supports = [
            *fractional_solutions(instance, enumeration.routes, dice),
            *(draw_fractional(dice, instance.n) for _ in range(3)),
        ]
        rows = set()
        for support in supports:
            for row in family.separate(CutQuery(support, 100, TimeLimit())):
                assert row.violation(support) > MIN_VIOLATION
                rows.add(row)
        plans = Plans(instance, enumeration.routes)
        for row in rows:
            plans.assert_all_keep(row)


@with_seeds(100, 400)
def test_what_the_solution_lacks_is_found(seeds: range) -> None:
    """The search for sets is a heuristic: on small instances it must not miss much."""
    lacking = missed = 0
    for seed in seeds:
        dice = random.Random(seed)
        instance = tiny_instance(f"lack-{seed}", Conventions.PLANNER, time_windows=False)
        support = draw_fractional(dice, instance.n)
        # Everybody is visited: those left over by a truck of their own.
        for stop in range(1, instance.n + 1):
            left = 1 - sum(value for route, value in support.items() if stop in route)
            if left > 1e-9:
                support[stop,] = support.get((stop,), 0.0) + left
        lack = greatest_lack(instance, support)
        rows = rows_of(instance).separate(CutQuery(support, 100, TimeLimit()))
        if lack <= MIN_VIOLATION + 1e-9:
            assert rows == []
            continue
        lacking += 1
        missed += not rows
    assert lacking > len(seeds) // 8
    assert missed <= 0.01 * lacking


def line_of_customers(n: int, *, weight: int = 4, items: tuple[Item, ...] = ()) -> Instance:
    """Return customers who weigh the same, for trucks of ten."""
    return Instance(
        name="line",
        depot=(0, 0),
        customers=tuple(Customer(x, 0, weight, items) for x in range(1, n + 1)),
        vehicle=Vehicle(width=10, length=10, capacity=10),
        vehicle_count=n,
    )


def test_weight_is_rounded_up() -> None:
    """Three customers of four tenths weigh more than one truck takes, so two must come."""
    instance = line_of_customers(3)
    support: dict[Stops, float] = {(1, 2): 0.5, (2, 3): 0.5, (1, 3): 0.5}
    (row,) = rows_of(instance).separate(CutQuery(support, 10, TimeLimit()))
    assert row.violation(support) == 0.5 * (2 if row.lower > 0 else 1)
    assert row.violation({(1, 2): 1, (3,): 1}) == 0
    # One truck alone would have to carry all of it.
    assert row.violation({(1, 2, 3): 1}) > 0


def test_area_is_rounded_up() -> None:
    """The floor can be too small where the weight is no matter."""
    instance = line_of_customers(3, weight=0, items=(Item(8, 5),))
    support: dict[Stops, float] = {(1, 2): 0.5, (2, 3): 0.5, (1, 3): 0.5}
    assert rows_of(instance).separate(CutQuery(support, 10, TimeLimit()))


def test_a_row_that_is_known_is_not_returned_again() -> None:
    """An LP that is less precise than asked for must not make the search go round in circles."""
    instance = line_of_customers(3)
    support: dict[Stops, float] = {(1, 2): 0.5, (2, 3): 0.5, (1, 3): 0.5}
    family = rows_of(instance)
    rows = family.separate(CutQuery(support, 10, TimeLimit()))
    assert family.separate(CutQuery(support, 10, TimeLimit(), rows)) == []


def test_nothing_is_found_where_nothing_is_wrong() -> None:
    """A plan violates no row, and neither does nothing at all."""
    instance = line_of_customers(6)
    plan: dict[Stops, float] = {(1, 2): 1.0, (3, 4): 1.0, (5, 6): 1.0}
    assert rows_of(instance).separate(CutQuery(plan, 10, TimeLimit())) == []


def test_huge_numbers_do_not_overflow() -> None:
    """Lengths of a billion give areas that no machine word holds the sum of."""
    instance = Instance(
        name="huge",
        depot=(0, 0),
        customers=tuple(Customer(x, 0, 0, (Item(10**9, 4 * 10**8),)) for x in range(1, 30)),
        vehicle=Vehicle(width=10**9, length=10**9, capacity=1),
        vehicle_count=29,
    )
    everybody = frozenset(range(1, 30))
    assert trucks_needed(weight_and_area(instance), everybody) == 12
    support: dict[Stops, float] = {(1, 2): 0.5, (2, 3): 0.5, (1, 3): 0.5}
    assert rows_of(instance).separate(CutQuery(support, 1, TimeLimit()))
