"""Whole instances with items that may be turned, against enumeration with a packing of its own."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import tailgate
from fleet_enumeration import FleetEnumeration
from rich_instances import TRAVEL_KINDS
from route_enumeration import Enumeration
from seeds import with_seeds
from tailgate.model.conventions import TurnConvention
from tailgate.model.instance import Conventions, Customer, Instance, Item, Vehicle
from tailgate.solver.column_generation.root_relaxation import bound
from tailgate.solver.screening import SCREENS
from tailgate.solver.search.result import SolveResult
from turning_instances import turning_fleet_instance, turning_tiny_instance

COUNTS = ("status", "objective", "lower_bound", "nodes", "exact_checks")


def assert_optimal(instance: Instance, screen: str, expected: int | float | None) -> SolveResult:
    """See that a search finds what enumeration does, and that the judge accepts its plan."""
    result = tailgate.solve(instance, screen=screen)
    if expected is None:
        assert result.status == "infeasible", instance
        return result
    assert result.status == "optimal", instance
    assert result.objective == pytest.approx(expected, rel=1e-7, abs=1e-9), instance
    assert result.solution is not None
    assert tailgate.verify(instance, result.solution) == []
    return result


@pytest.mark.parametrize("screen", list(SCREENS))
@pytest.mark.parametrize("lifo", [True, False])
@with_seeds(12, 300)
def test_equal_to_enumeration(screen: str, lifo: bool, seeds: range) -> None:
    """Relaxation and optimum, with items that may be turned beside others that may not."""
    turned = 0
    for seed in seeds:
        conventions = Conventions("rounded", ("at-most", "exactly")[seed % 2], "allow", lifo)
        instance = turning_tiny_instance(seed, conventions, time_windows=seed % 3 == 0)
        expected = Enumeration(instance)
        root = bound(instance, screen=screen)
        if expected.lp_value is None:
            assert root.status == "infeasible", seed
        else:
            assert root.status == "converged", seed
            assert root.lp_value == pytest.approx(expected.lp_value, rel=1e-6, abs=1e-6), seed
        result = assert_optimal(instance, screen, expected.optimum)
        turned += sum(one.turned for route in result.routes for one in route.placements)
    assert turned


@pytest.mark.parametrize("screen", list(SCREENS))
@with_seeds(18, 300)
def test_kinds_with_different_floors_equal_enumeration(screen: str, seeds: range) -> None:
    """An item fits the van turned and the lorry as it is; what one floor holds, a larger one does.

    With roads, hours and money, orders that may be left out and rules, with LIFO and without.
    """
    for seed in seeds:
        instance = turning_fleet_instance(seed, TRAVEL_KINDS[seed % len(TRAVEL_KINDS)], kinds=2)
        assert_optimal(instance, screen, FleetEnumeration(instance).optimum)


@pytest.mark.parametrize("lifo", [True, False])
@with_seeds(8, 200)
def test_to_let_more_items_be_turned_never_costs_more(lifo: bool, seeds: range) -> None:
    """And what nobody may turn has no plan that anything else has not."""
    for seed in seeds:
        instance = turning_tiny_instance(seed, Conventions(lifo=lifo))
        costs = [_cost(instance, turn) for turn in ("none", "as-given", "all")]
        assert costs == sorted(costs, reverse=True), seed


def _cost(instance: Instance, turn: TurnConvention) -> float:
    try:
        objective = tailgate.solve(instance.with_conventions(turn=turn)).objective
    except tailgate.InputError as error:
        # An item that fits turned alone has no plan where it may not be.
        if "would fit turned" not in str(error):
            raise
        return math.inf
    return math.inf if objective is None else objective


@pytest.mark.parametrize("turn", ["none", "all"])
@pytest.mark.parametrize("lifo", [True, False])
@with_seeds(4, 60)
def test_where_nothing_can_be_turned_the_search_is_the_same(
    turn: TurnConvention, lifo: bool, seeds: range
) -> None:
    """Step by step: none may be turned, or all are squares; turning that is not there is free."""
    for seed in seeds:
        instance = turning_tiny_instance(seed, Conventions(lifo=lifo))
        change = _square if turn == "all" else _lying
        plain = replace(
            instance,
            customers=tuple(
                replace(one, items=tuple(map(change, one.items))) for one in instance.customers
            ),
            vehicle=replace(instance.vehicle, width=6, length=6),
            conventions=Conventions(lifo=lifo),
        )
        first, second = (tailgate.solve(one) for one in (plain, plain.with_conventions(turn=turn)))
        assert [getattr(first, name) for name in COUNTS] == [
            getattr(second, name) for name in COUNTS
        ]
        assert [route.customers for route in first.routes] == [
            route.customers for route in second.routes
        ]


def _square(item: Item) -> Item:
    return Item(2, 2, item.name)


def _lying(item: Item) -> Item:
    return Item(max(item.width, item.length), min(item.width, item.length), item.name)


def test_a_pipe_takes_the_truck_in_which_it_can_be_turned() -> None:
    """One vehicle less, and the plan says which item lies turned."""
    pipes = tuple(Customer(x, 0, 1, (Item(4, 1, turn=True),)) for x in (10, 11, 12))
    instance = Instance("pipes", (0, 0), pipes, Vehicle(4, 4, 10), 3)
    plan = tailgate.solve(instance).solution
    assert plan is not None
    assert len(plan.routes) == 1
    narrow = replace(instance, vehicle=Vehicle(3, 4, 10))
    plan = tailgate.solve(narrow).solution
    assert plan is not None
    (route,) = plan.routes
    assert all(placement.turned for placement in route.placements)
    assert all((one.width, one.length) == (1, 4) for one in route.placements)
