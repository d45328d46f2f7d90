"""Proofs that so many trucks are not enough, against all ways to divide the customers."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from route_enumeration import Enumeration
from seeds import with_seeds
from tailgate.model.instance import Conventions, Customer, Instance, Item, Vehicle
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.search.cuts import splitting
from tailgate.solver.search.cuts.floor_loads import floor_loads
from tailgate.solver.search.cuts.loads import weight_and_area
from tailgate.solver.search.cuts.splitting import MAX_CUSTOMERS, Splitting
from tailgate.solver.time_limit import TimeLimit
from tiny_instances import tiny_instance

Customers = frozenset[int]


def splitting_of(instance: Instance) -> Splitting:
    """Return what divides the customers of an instance."""
    loads = [*weight_and_area(instance), *floor_loads(instance)]
    return Splitting(LoadingOracle(instance), loads)


@cache
def trucks_for(customers: Customers, routes: frozenset[Customers]) -> int:
    """Return how many trucks it takes; parts of what can be loaded can be loaded."""
    first = min(customers)
    rests = {customers - route for route in routes if first in route}
    return 1 + min(trucks_for(rest, routes) if rest else 0 for rest in rests)


@pytest.mark.parametrize("lifo", [True, False])
@with_seeds(12, 40)
def test_no_proof_asks_for_more_trucks_than_it_takes(lifo: bool, seeds: range) -> None:
    """For all sets of customers of tiny instances; and what is true is mostly proven, too."""
    true = proven = 0
    for seed in seeds:
        instance = tiny_instance(
            f"splitting-{seed}", Conventions(lifo=lifo), time_windows=False, most=7
        )
        routes = frozenset(Enumeration(instance).cheapest)
        divided = splitting_of(instance)
        for size in range(1, instance.n + 1):
            for members in combinations(range(1, instance.n + 1), size):
                customers = frozenset(members)
                needed = trucks_for(customers, routes)
                for trucks in (1, 2, 3):
                    answer = divided.needs_more_than(trucks, customers, TimeLimit())
                    assert needed > trucks or not answer
                    true += needed > trucks
                    proven += answer
    assert true > 12 * len(seeds)
    assert proven > 0.99 * true


def equal_customers(n: int) -> Instance:
    """Return customers with half a floor each, wide or long in turns: these exclude each other."""
    items = (Item(10, 5), Item(5, 10))
    return Instance(
        name="halves",
        depot=(0, 0),
        customers=tuple(Customer(x, 0, 0, (items[x % 2],)) for x in range(1, n + 1)),
        vehicle=Vehicle(width=10, length=10, capacity=1),
        vehicle_count=n,
    )


def test_an_odd_customer_of_each_kind_needs_a_truck_more() -> None:
    """Three wide and three long halves fill three floors by area and take four trucks."""
    instance = equal_customers(6)
    divided = splitting_of(instance)
    everybody = frozenset(range(1, 7))
    assert divided.needs_more_than(3, everybody, TimeLimit())
    assert not divided.needs_more_than(4, everybody, TimeLimit())
    assert divided.needs_more_than(2, frozenset({1, 2, 3, 5}), TimeLimit())
    assert not divided.needs_more_than(2, frozenset({1, 2, 3, 4}), TimeLimit())


def test_what_is_too_large_to_divide_is_not_decided() -> None:
    """The number of ways doubles with every customer."""
    instance = equal_customers(MAX_CUSTOMERS + 1)
    everybody = frozenset(range(1, instance.n + 1))
    assert not splitting_of(instance).needs_more_than(1, everybody, TimeLimit())


def test_a_limit_that_was_reached_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the number of checks nor the time makes infeasible what is unknown."""
    instance = equal_customers(6)
    everybody = frozenset(range(1, 7))
    divided = splitting_of(instance)
    assert not divided.needs_more_than(3, everybody, TimeLimit(0.0))
    with monkeypatch.context() as limited:
        limited.setattr(splitting, "MAX_CHECKS", 0)
        assert not divided.needs_more_than(3, everybody, TimeLimit())
    # And is not remembered as an answer.
    assert divided.needs_more_than(3, everybody, TimeLimit())


def test_a_short_memory_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long search must not fill the machine's memory with what it once looked at."""
    monkeypatch.setattr(splitting, "MAX_REMEMBERED", 1)
    monkeypatch.setattr(splitting, "MAX_CORES", 1)
    divided = splitting_of(equal_customers(6))
    assert divided.needs_more_than(3, frozenset(range(1, 7)), TimeLimit())
    assert not divided.needs_more_than(4, frozenset(range(1, 7)), TimeLimit())
