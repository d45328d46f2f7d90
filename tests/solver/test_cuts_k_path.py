"""k-path rows: numbers of trucks that follow from loading, and never one too many."""

from __future__ import annotations

from itertools import combinations

from cut_checks import Plans, cases, draw_fractional, fractional_solutions, rules
from route_enumeration import Stops
from rules import Rule
from seeds import with_seeds
from tailgate.model.instance import Conventions, Customer, Instance, Item, Vehicle
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.search.cuts.capacity import CapacityRows
from tailgate.solver.search.cuts.family import CutQuery
from tailgate.solver.search.cuts.k_path import KPathRows, clique_loads
from tailgate.solver.search.cuts.set_search import MIN_VIOLATION
from tailgate.solver.time_limit import TimeLimit


def rows_of(instance: Instance) -> KPathRows:
    """Return the family for an instance."""
    return KPathRows(instance, LoadingOracle(instance))


@rules
@with_seeds(4, 12)
def test_k_path_rows_keep_every_plan(rule: Rule, seeds: range) -> None:
    """A row that breaks a plan makes a bound that is too high, and nobody notices."""
    for instance, enumeration, dice in cases("k-path", rule, seeds):
        family = rows_of(instance)
        rows = set()
        for support in (
            *fractional_solutions(instance, enumeration.routes, dice),
            *(draw_fractional(dice, instance.n) for _ in range(3)),
        ):
            for row in family.separate(CutQuery(support, 100, TimeLimit())):
                assert row.violation(support) > MIN_VIOLATION
                rows.add(row)
        plans = Plans(instance, enumeration.routes)
        for row in rows:
            plans.assert_all_keep(row)


def customers_with(*items: Item, lifo: bool = True) -> Instance:
    """Return customers with one item each, for a floor of 10 by 10, whatever they weigh."""
    return Instance(
        name="items",
        depot=(0, 0),
        customers=tuple(Customer(x, 0, 0, (item,)) for x, item in enumerate(items, 1)),
        vehicle=Vehicle(width=10, length=10, capacity=1),
        vehicle_count=len(items),
        conventions=Conventions(lifo=lifo),
    )


PAIRS_OF_THREE: dict[Stops, float] = {(1, 2): 0.5, (2, 3): 0.5, (1, 3): 0.5}


def assert_is_cut_off(instance: Instance, support: dict[Stops, float]) -> None:
    """See that only loading, not the sums of weight and area, shows what is wrong."""
    limit = TimeLimit()
    capacity = CapacityRows(instance, LoadingOracle(instance))
    assert capacity.separate(CutQuery(support, 10, limit)) == []
    rows = rows_of(instance).separate(CutQuery(support, 10, limit))
    assert rows
    assert rows[0].violation(support) > MIN_VIOLATION
    # They are in the master problem then.
    assert rows_of(instance).separate(CutQuery(support, 10, limit, rows)) == []


def test_wide_items_stand_one_behind_the_other() -> None:
    """Three times four of ten in length are too much, though there is room beside them."""
    assert_is_cut_off(customers_with(*3 * [Item(6, 4)]), PAIRS_OF_THREE)


def test_long_items_stand_side_by_side() -> None:
    """The same across the floor."""
    assert_is_cut_off(customers_with(*3 * [Item(4, 6)]), PAIRS_OF_THREE)


def test_a_set_that_does_not_fit_needs_two_trucks() -> None:
    """Four items lie around a hole of four by four, and there is no other way to lay them."""
    around = [Item(7, 3), Item(3, 7), Item(7, 3), Item(3, 7)]
    support: dict[Stops, float] = {
        (1, 2, 3, 4): 0.5,
        (1, 2, 3, 5): 0.25,
        (4, 5): 0.25,
        (1, 2, 4, 5): 0.25,
        (3, 5): 0.25,
    }
    assert_is_cut_off(customers_with(*around, Item(5, 3), lifo=False), support)
    fitting = rows_of(customers_with(*around, Item(4, 4), lifo=False))
    assert fitting.separate(CutQuery(support, 10, TimeLimit())) == []


def test_no_clique_has_two_customers_who_may_share_a_truck() -> None:
    """A load of one truck each is only true of customers who are all apart."""
    apart = [(1, 2), (1, 3), (2, 3), (3, 4), (4, 5), (5, 6), (4, 6), (4, 7)]
    loads = clique_loads(7, apart)
    cliques = [[stop for stop, amount in enumerate(load.amounts) if amount] for load in loads]
    assert sorted(cliques) == [[1, 2, 3], [4, 5, 6]]
    for load, clique in zip(loads, cliques, strict=True):
        assert load.capacity == 1
        assert all(pair in apart for pair in combinations(clique, 2))
        assert load.trucks(range(1, 8)) == 3


def test_attempts_end_when_the_time_is_over() -> None:
    """Rows are a help, and the time limit is a promise."""
    instance = customers_with(*3 * [Item(6, 4)])
    expired = TimeLimit(0.0)
    # Loads need no time to speak of, and what is not asked is not assumed.
    for row in rows_of(instance).separate(CutQuery(PAIRS_OF_THREE, 10, expired)):
        assert row.violation({(1, 2): 1.0, (3,): 1.0}) <= 0
