"""Instances of more customers than tables are made for: plans part by part, limits that hold."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace

import psutil
import pytest

import tailgate
from fleet_enumeration import FleetEnumeration
from fleet_instances import fleet_instance
from rich_instances import TravelKind, all_travel_kinds
from seeds import with_seeds
from tailgate.model.conventions import FleetConvention
from tailgate.model.instance import Instance
from tailgate.solver.routing import search_by_parts
from tailgate.solver.routing.search_by_parts import SearchByParts
from tailgate.solver.search import large_instance
from tailgate.solver.search.result import SolveProgress
from tailgate.solver.time_limit import TimeLimit

NO_LIMIT = TimeLimit()
MANY = 5_000
SECONDS_FOR_MANY = 4.0
"""Of a processor, for what a limit of one second leaves to do; tables alone took 30."""
MEGABYTES_FOR_MANY = 150
"""One table of so many customers has 200."""


@pytest.fixture
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat small instances as large ones, in parts of three customers."""
    monkeypatch.setattr(large_instance, "MOST_PLACES_IN_TABLES", 1)
    monkeypatch.setattr(search_by_parts, "PART_CUSTOMERS", 3)


def many_customers(count: int) -> Instance:
    """Return an instance whose orders are those of a generated one, at other places."""
    base, dice = tailgate.generate_instance(60, 2, seed=1), random.Random(count)
    customers = tuple(
        replace(dice.choice(base.customers), x=dice.randrange(10_000), y=dice.randrange(10_000))
        for _ in range(count)
    )
    return replace(
        base.with_conventions(fleet="at-most", single_customer_routes="allow"),
        customers=customers,
        vehicle_count=count // 3,
    )


@all_travel_kinds
@with_seeds(8, 200)
@pytest.mark.usefixtures("everything_is_large")
def test_the_exact_search_follows_and_finds_the_optimum(travel: TravelKind, seeds: range) -> None:
    """A plan made part by part is where it begins; whatever it is, the optimum is the same."""
    for seed in seeds:
        instance = fleet_instance(f"large-{seed}", travel)
        expected = FleetEnumeration(instance).optimum
        result = tailgate.solve(instance)
        if expected is None:
            assert result.status == "infeasible", instance.name
            continue
        assert result.status == "optimal", instance.name
        assert result.objective == pytest.approx(expected, rel=1e-7, abs=1e-9), instance.name


@all_travel_kinds
@with_seeds(8, 200)
@pytest.mark.usefixtures("everything_is_large")
def test_without_room_for_tables_there_are_a_plan_and_a_bound(
    travel: TravelKind, seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both hold, and the reason is the lack of memory; no plan is claimed where there is none."""
    monkeypatch.setattr(large_instance, "BYTES_PER_ARC", 1e18)
    found = 0
    for seed in seeds:
        instance = fleet_instance(f"room-{seed}", travel)
        expected = FleetEnumeration(instance).optimum
        result = tailgate.solve(instance)
        if result.solution is None:
            assert result.status in ("bound_only", "infeasible")
            continue
        found += 1
        assert expected is not None
        assert tailgate.verify(instance, result.solution) == []
        assert result.reason in ("memory_limit", "proven")
        assert result.lower_bound is not None
        assert result.lower_bound <= expected + 1e-9 * max(1, expected)
        assert result.objective is not None
        assert result.objective >= expected - 1e-7 * max(1, expected)
    assert found > 0


@pytest.mark.parametrize("fleet", ["exactly", "at-most"])
def test_parts_make_a_whole_plan(fleet: FleetConvention, monkeypatch: pytest.MonkeyPatch) -> None:
    """The vehicles are shared out among the parts, so that everybody finds a place."""
    monkeypatch.setattr(search_by_parts, "PART_CUSTOMERS", 20)
    instance = tailgate.generate_instance(50, 2, seed=3).with_conventions(fleet=fleet)
    search = SearchByParts(instance, seed=1)
    for _ in range(40):
        search.step(NO_LIMIT)
        if search.is_whole:
            break
    assert search.is_whole
    first = instance.total_cost(search.columns)
    for _ in range(5):
        search.step(NO_LIMIT)
    assert search.is_whole
    assert instance.total_cost(search.columns) < first


def test_parts_are_the_same_for_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a limit of time nothing depends on the clock."""
    monkeypatch.setattr(search_by_parts, "PART_CUSTOMERS", 8)
    instance = tailgate.generate_instance(24, 3, seed=2)
    plans = []
    for _ in range(2):
        search = SearchByParts(instance, seed=5)
        for _ in range(5):
            search.step(NO_LIMIT)
        plans.append(search.columns)
    assert plans[0] == plans[1]


def test_a_short_limit_holds_with_many_orders() -> None:
    """Nothing is made that grows with their square before somebody looks at the clock."""
    instance = many_customers(MANY)
    memory = psutil.Process().memory_info().rss
    spent = time.process_time()
    result = tailgate.solve(instance, time_limit=1.0)
    assert time.process_time() - spent < SECONDS_FOR_MANY
    assert psutil.Process().memory_info().rss - memory < 1e6 * MEGABYTES_FOR_MANY
    assert result.reason == "time_limit"
    if result.solution is not None:
        assert tailgate.verify(instance, result.solution) == []


def test_many_orders_get_a_plan_and_a_bound() -> None:
    """More than a thousand, in a few seconds; the search then ends when it is told to."""
    instance, told = many_customers(1_010), threading.Event()

    def on_progress(progress: SolveProgress) -> None:
        if progress.objective is not None:
            told.set()

    result = tailgate.solve(instance, on_progress=on_progress, cancel=told)
    assert result.reason == "interrupted"
    assert result.solution is not None
    assert tailgate.verify(instance, result.solution) == []
    assert result.lower_bound is not None
    assert result.objective is not None
    assert 0 < result.lower_bound < result.objective


@pytest.mark.usefixtures("everything_is_large")
def test_a_plan_to_begin_with_is_never_lost() -> None:
    """Nothing worse is returned, with hardly any time as with none."""
    instance = tailgate.generate_instance(12, 2, seed=4)
    plan = tailgate.solve(instance, time_limit=60).solution
    assert plan is not None
    for seconds in (0, 0.1):
        result = tailgate.solve(instance, warm_start=plan, time_limit=seconds)
        assert result.objective is not None
        assert plan.objective is not None
        assert result.objective <= plan.objective
