"""Rows of fleets: every plan keeps them, whoever drives and whoever is left out."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest

from cut_checks import draw_fractional
from fleet_enumeration import FleetEnumeration
from fleet_instances import fleet_instance
from rich_instances import TravelKind
from route_enumeration import Stops
from seeds import with_seeds
from tailgate.model.aliases import RoutePath
from tailgate.model.instance import Customer, Instance, Item, Vehicle
from tailgate.solver.master.edge_row import EdgeRow
from tailgate.solver.search.covering_floor import covering_oracle
from tailgate.solver.search.cuts import CUTS, Cut, CutQuery
from tailgate.solver.search.cuts.kind_groups import kind_groups
from tailgate.solver.search.cuts.least_left_out import LeastLeftOut
from tailgate.solver.search.cuts.loads import trucks_needed, weight_and_area
from tailgate.solver.time_limit import TimeLimit

TRAVEL: tuple[TravelKind, ...] = ("lines", "matrices", "durations")


class Extremes(FleetEnumeration):
    """All plans of an instance, valued by what their routes add to a row."""

    def __init__(self, instance: Instance, routes: Mapping[tuple[int, Stops], float]) -> None:
        customers = (
            one if one.leave_out_cost is None else replace(one, leave_out_cost=0)
            for one in instance.customers
        )
        super().__init__(replace(instance, customers=tuple(customers)))
        self.__dict__["routes"] = routes


def assert_all_keep(instance: Instance, plans: FleetEnumeration, row: Cut) -> None:
    """See that no plan breaks the row."""
    for sign, limit in ((-1.0, row.upper), (1.0, -row.lower)):
        values = {key: sign * row.coefficient(key[1]) for key in plans.routes}
        least = Extremes(instance, values).optimum
        if least is not None:
            assert -least <= limit + 1e-6, (instance.name, row)


@pytest.mark.parametrize("name", CUTS)
@pytest.mark.parametrize("travel", TRAVEL)
@with_seeds(25, 300)
def test_rows_keep_every_plan(name: str, travel: TravelKind, seeds: range) -> None:
    """Whatever fractional solution they are found for."""
    for seed in seeds:
        instance = fleet_instance(f"rows-{name}-{seed}", travel, most=6)
        plans = FleetEnumeration(instance)
        family = CUTS[name](instance, covering_oracle(instance))
        dice = random.Random(seed)
        for _ in range(4):
            support = draw_fractional(dice, instance.n)
            for row in family.separate(CutQuery(support, 20, TimeLimit())):
                assert_all_keep(instance, plans, row)


def two_kinds(*customers: Customer) -> Instance:
    """Return an instance with a van and a lorry of four times its size."""
    return Instance(
        name="two kinds",
        depot=(0, 0),
        customers=customers,
        vehicles=(
            Vehicle(2, 4, 10, name="van", count=4),
            Vehicle(4, 8, 40, name="lorry", count=2),
        ),
    )


def test_the_largest_vehicle_that_may_come_counts() -> None:
    """Three orders fill a lorry in part, and two vans where only vans may come."""
    anybody = Customer(1, 0, 5, (Item(2, 2),))
    loads = weight_and_area(two_kinds(*[anybody] * 3))
    assert trucks_needed(loads, [1, 2, 3]) == 1
    van = replace(anybody, vehicles=("van",))
    instance = two_kinds(van, van, van, anybody)
    loads = weight_and_area(instance)
    assert trucks_needed(loads, [1, 2, 3]) == 2
    everybody, vans = kind_groups(instance)
    assert everybody.customers == {1, 2, 3, 4}
    assert (vans.customers, vans.capacity, vans.area) == (frozenset({1, 2, 3}), 10, 8)


def test_a_customer_left_out_needs_no_truck() -> None:
    """The row is over the edges inside the set, and holds whoever is left out."""
    orders = [Customer(1, 0, 30, (Item(2, 2),), leave_out_cost=5)] * 3
    instance = two_kinds(*orders)
    family = CUTS["capacity"](instance, covering_oracle(instance))
    (row, *_) = family.separate(CutQuery({(1, 2, 3): 0.5, (1, 2): 0.5}, 20, TimeLimit()))
    assert isinstance(row, EdgeRow)
    assert row.lower == float("-inf")
    # Two of the three are left out: no truck with two of them comes.
    assert row.coefficient((1,)) <= row.upper


def test_who_fits_no_truck_alone_saves_no_more_than_one() -> None:
    """Left out, as it must be, it leaves room for the two others in one truck."""
    small = Customer(1, 0, 1, (Item(5, 5),))
    instance = Instance(
        name="one is too much",
        depot=(0, 0),
        customers=(Customer(1, 0, 1, (Item(6, 6), Item(6, 6)), leave_out_cost=5), small, small),
        vehicle=Vehicle(10, 10, 10),
        vehicle_count=3,
    )
    plans = FleetEnumeration(instance)
    assert plans.optimum == 7
    family = CUTS["k-path"](instance, covering_oracle(instance))
    supports: tuple[dict[RoutePath, float], ...] = (
        {(2, 3): 1.0},
        {(2, 3): 0.5, (2,): 0.5, (3,): 0.5},
    )
    for support in supports:
        for row in family.separate(CutQuery(support, 20, TimeLimit())):
            assert_all_keep(instance, plans, row)


def test_the_least_that_is_left_out_is_a_row() -> None:
    """It is returned where a fractional solution leaves out less, and only once."""
    family = LeastLeftOut({1: 1.0, 2: 1.0, 3: 1.0}, 1.0)
    query = CutQuery({(1, 2): 1.0, (3,): 0.5}, 5, TimeLimit())
    (row,) = family.separate(query)
    assert (row.lower, dict(row.left_out)) == (1.0, {1: 1.0, 2: 1.0, 3: 1.0})
    assert family.separate(replace(query, known=[row])) == []
    assert family.separate(CutQuery({(1, 2): 1.0}, 5, TimeLimit())) == []


def test_what_does_not_fit_the_covering_floor_fits_no_vehicle() -> None:
    """A wide short floor and a long narrow one have a larger one around them."""
    instance = Instance(
        name="crossed",
        depot=(0, 0),
        customers=(Customer(1, 0, 1, (Item(1, 1),)),) * 2,
        vehicles=(Vehicle(8, 2, 10, name="wide"), Vehicle(2, 8, 10, name="long")),
    )
    vehicle = covering_oracle(instance).instance.vehicle
    assert (vehicle.width, vehicle.length) == (8, 8)
