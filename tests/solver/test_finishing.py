"""Finishing a pool against brute force: its best solution, or the proof that there is none."""

from __future__ import annotations

import math
import random
import time
from typing import Literal

import numpy as np
import pytest

from made_up_oracle import Answer, MadeUpOracle
from route_enumeration import Enumeration, Stops
from seeds import with_seeds
from tailgate.model.instance import (
    Conventions,
    Customer,
    Instance,
    Vehicle,
)
from tailgate.solver.column import Column, columns_of
from tailgate.solver.loading import LoadingOracle, Verdict
from tailgate.solver.master import MasterError
from tailgate.solver.pricing import Pricer
from tailgate.solver.search.finishing import PoolFinish, PoolFinishResult, pool_finish
from tailgate.solver.search.finishing.integer_programme import Choice
from tailgate.solver.time_limit import TimeLimit
from tiny_instances import all_conventions, tiny_instance

PATIENCE_SECONDS = 120
TOLERANCE = 1e-6


def full_pool(instance: Instance, pricer: Pricer) -> list[Column]:
    """Return all sets of customers with their cheapest orders, as if anything could be loaded."""
    pricer.set_duals([0.0] * instance.n)
    listed = pricer.enumerate(
        math.inf, max_sets=10**6, max_paths=10**9, time_limit=TimeLimit(PATIENCE_SECONDS)
    )
    assert listed.complete
    return columns_of(0, listed.routes)


def finished(instance: Instance, cutoff: float = math.inf) -> PoolFinishResult:
    """Close over all routes of a tiny instance."""
    pricer = Pricer(instance)
    pool = full_pool(instance, pricer)
    finish = PoolFinish(instance, [LoadingOracle(instance)], [pricer], pool, cutoff=cutoff)
    return finish.run(TimeLimit(PATIENCE_SECONDS))


def assert_is_solution(instance: Instance, result: PoolFinishResult) -> None:
    """See that the routes serve everybody with the fleet, in time, loaded, at the cost stated."""
    assert result.columns is not None
    routes = [column.route for column in result.columns]
    served = sorted(customer for route in routes for customer in route)
    assert served == list(range(1, instance.n + 1))
    trucks = len(routes)
    assert trucks <= instance.vehicle_count
    if instance.conventions.fleet == "exactly":
        assert trucks == instance.vehicle_count
    oracle = LoadingOracle(instance, use_cache=False)
    for route in routes:
        assert oracle.check(route).verdict is Verdict.FEASIBLE
        assert instance.is_allowed(route)
    assert result.cost == instance.costs.total(routes)


def compare_with_enumeration(instance: Instance) -> None:
    """See that it finds what the list of all routes says, for cutoffs of every kind."""
    optimum = Enumeration(instance).optimum
    result = finished(instance)
    assert result.status == "solved", instance.name
    if optimum is None:
        assert result.columns is None, instance.name
        assert result.lower_bound == math.inf, instance.name
        return
    assert_is_solution(instance, result)
    assert result.cost == pytest.approx(optimum, rel=TOLERANCE), instance.name
    assert optimum * (1 - TOLERANCE) - TOLERANCE <= result.lower_bound <= optimum + TOLERANCE
    # The optimum itself is not below a cutoff of the same value; anything above it is.
    at = finished(instance, cutoff=optimum)
    assert (at.status, at.columns) == ("solved", None), instance.name
    assert optimum * (1 - TOLERANCE) - TOLERANCE <= at.lower_bound <= optimum, instance.name
    above = finished(instance, cutoff=optimum + 1)
    assert above.status == "solved", instance.name
    assert above.cost == pytest.approx(optimum, rel=TOLERANCE), instance.name
    below = finished(instance, cutoff=optimum - random.Random(instance.name).choice((1, 3)))
    assert (below.status, below.columns) == ("solved", None), instance.name
    assert below.lower_bound <= optimum


@all_conventions
@with_seeds(4, 156)
def test_equal_to_enumeration(conventions: Conventions, time_windows: bool, seeds: range) -> None:
    """The only proof of an exact method is another one."""
    for seed in seeds:
        name = f"closing-{conventions}-{time_windows}-{seed}"
        compare_with_enumeration(tiny_instance(name, conventions, time_windows=time_windows))


# Ways through the work that tiny instances rarely take by themselves.


@pytest.fixture
def programme_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the relaxation out, so that the mixed-integer solver has all to do."""
    monkeypatch.setattr(PoolFinish, "_tighten", lambda _: "stalled")


@pytest.mark.usefixtures("programme_first")
@pytest.mark.parametrize("time_windows", [False, True])
@pytest.mark.parametrize("conventions", [Conventions.BENCHMARK, Conventions.PLANNER])
@with_seeds(5, 10)
def test_the_programme_alone_is_enough(
    conventions: Conventions, time_windows: bool, seeds: range
) -> None:
    """Where cuts stall at once, everything rests on it: refuted picks are replaced."""
    for seed in seeds:
        compare_with_enumeration(
            tiny_instance(f"programme-{seed}", conventions, time_windows=time_windows)
        )


@pytest.mark.parametrize("conventions", [Conventions.BENCHMARK, Conventions.PLANNER])
@with_seeds(5, 15)
def test_hardly_any_columns_in_the_solver(
    monkeypatch: pytest.MonkeyPatch, conventions: Conventions, seeds: range
) -> None:
    """Large pools are priced by inspection: the result must not depend on how many at a time."""
    for name, value in {
        "ALL_AT_ONCE": 0,
        "FIRST_COLUMNS_PER_CUSTOMER": 1,
        "COLUMNS_PER_ROUND": 2,
        "MOST_COLUMNS": 8,
        "KEPT_COLUMNS": 4,
    }.items():
        monkeypatch.setattr(f"tailgate.solver.search.finishing.pool_lp.{name}", value)
    monkeypatch.setattr(pool_finish, "LOOK_AHEAD", 1)
    monkeypatch.setattr(pool_finish, "MAX_CUTS", 2)
    monkeypatch.setattr(pool_finish, "IDLE_ROUNDS_OF_A_CUT", 1)
    for seed in seeds:
        compare_with_enumeration(tiny_instance(f"few-{seed}", conventions, time_windows=False))


@pytest.mark.parametrize("conventions", [Conventions.BENCHMARK, Conventions.PLANNER])
@with_seeds(4, 8)
def test_a_linear_solver_that_fails_costs_only_time(
    monkeypatch: pytest.MonkeyPatch, conventions: Conventions, seeds: range
) -> None:
    """HiGHS sometimes gives up; the mixed-integer solver then has the whole pool."""

    def fail(*_: object) -> None:
        raise MasterError("HiGHS gave up")

    monkeypatch.setattr("tailgate.solver.search.finishing.pool_lp.run_lp", fail)
    for seed in seeds:
        compare_with_enumeration(tiny_instance(f"no-lp-{seed}", conventions, time_windows=False))


# A street on which everything depends on what an oracle says that makes things up.

UNKNOWN, FEASIBLE, INFEASIBLE = Verdict.UNKNOWN, Verdict.FEASIBLE, Verdict.INFEASIBLE


def street(vehicle_count: int = 6) -> Instance:
    """Six customers 10, 20, ... 60 from the depot: one truck costs 120, and each more adds."""
    return Instance(
        name="street",
        depot=(0, 0),
        customers=tuple(Customer(10 * number, 0, 1, ()) for number in range(1, 7)),
        vehicle=Vehicle(width=1, length=1, capacity=6),
        vehicle_count=vehicle_count,
        conventions=Conventions(distance="truncated"),
    )


def street_finish(
    answer: Answer,
    *,
    cutoff: float = math.inf,
) -> tuple[PoolFinish, MadeUpOracle]:
    """Return a finish over all sets of the street, and its oracle."""
    instance = street()
    oracle, pricer = MadeUpOracle(instance, answer), Pricer(instance)
    finish = PoolFinish(instance, [oracle], [pricer], full_pool(instance, pricer), cutoff=cutoff)
    return finish, oracle


def at_most_three(route: Stops, max_nodes: int | None) -> Verdict:
    """Load three customers, if somebody takes the trouble to find out."""
    if max_nodes is not None and max_nodes < 10_000:
        return UNKNOWN
    return FEASIBLE if len(route) <= 3 else INFEASIBLE


def test_an_unknown_is_optimistic_until_it_matters() -> None:
    """Effort grows only for the columns that a solution wants."""
    finish, oracle = street_finish(at_most_three)
    result = finish.run(TimeLimit(PATIENCE_SECONDS))
    # Four and more customers are refuted one order after the other: 120 + 60 is what remains.
    assert (result.status, result.cost) == ("solved", 180)
    assert result.columns == (Column(0, (1, 2, 3)), Column(0, (4, 5, 6)))
    expensive = {route for route, max_nodes in oracle.asked if max_nodes == 10_000}
    assert {(1, 2, 3), (4, 5, 6)} <= expensive
    assert all(max_nodes is not None for _, max_nodes in oracle.asked)


def test_what_is_deferred_is_not_refuted() -> None:
    """Pricing skips routes in doubt: here they must count."""
    instance = street()
    pricer = Pricer(instance)
    pool = full_pool(instance, pricer)
    pricer.defer((1, 2))
    oracle = MadeUpOracle(instance, lambda *_: FEASIBLE)
    finish = PoolFinish(instance, [oracle], [pricer], pool)
    result = finish.run(TimeLimit(PATIENCE_SECONDS))
    assert (result.status, result.cost) == ("solved", 120)


def test_an_undecided_route_leaves_an_honest_end() -> None:
    """It counts as feasible in the bound and as infeasible in the solution."""

    def never_all(route: Stops, max_nodes: int | None) -> Verdict:
        del max_nodes
        return UNKNOWN if len(route) == 6 else FEASIBLE

    finish, oracle = street_finish(never_all)
    result = finish.run(TimeLimit(PATIENCE_SECONDS))
    assert result.status == "undecided"
    assert result.cost == 140
    assert result.lower_bound == pytest.approx(120)
    assert ((1, 2, 3, 4, 5, 6), None) in oracle.asked


def test_an_undecided_route_that_does_not_matter() -> None:
    """Where another solution costs no more, the best cost is known all the same."""

    def one_order_only(route: Stops, max_nodes: int | None) -> Verdict:
        del max_nodes
        return UNKNOWN if len(route) == 6 else FEASIBLE

    finish, _ = street_finish(one_order_only, cutoff=120)
    result = finish.run(TimeLimit(PATIENCE_SECONDS))
    assert (result.status, result.columns, result.lower_bound) == ("solved", None, 120)


def test_no_route_at_all() -> None:
    """A pool may be empty, or lose all its routes."""
    instance = street()
    empty = PoolFinish(instance, [LoadingOracle(instance)], [Pricer(instance)], [], cutoff=500)
    result = empty.run(TimeLimit(PATIENCE_SECONDS))
    assert (result.status, result.columns, result.lower_bound) == ("solved", None, 500)
    finish, _ = street_finish(lambda *_: INFEASIBLE)
    result = finish.run(TimeLimit(PATIENCE_SECONDS))
    assert (result.status, result.columns, result.lower_bound) == ("solved", None, math.inf)


def test_a_pool_that_serves_not_everybody() -> None:
    """Enumeration below a gap may leave customers out: then nothing is below the cutoff."""
    instance = street()
    for cutoff in (130.0, 10_000.0, math.inf):
        pool = columns_of(0, [(1, 2), (3,)])
        finish = PoolFinish(
            instance, [LoadingOracle(instance)], [Pricer(instance)], pool, cutoff=cutoff
        )
        result = finish.run(TimeLimit(PATIENCE_SECONDS))
        assert (result.status, result.columns, result.lower_bound) == ("solved", None, cutoff)


def test_of_several_orders_the_cheapest_counts() -> None:
    """A pool may name a set twice."""
    instance = street()
    pool = columns_of(0, [(1, 3, 2, 4, 6, 5), (1, 2, 3, 4, 5, 6), (6, 4, 5, 3, 1, 2)])
    finish = PoolFinish(instance, [LoadingOracle(instance)], [Pricer(instance)], pool)
    result = finish.run(TimeLimit(PATIENCE_SECONDS))
    assert (result.status, result.cost) == ("solved", 120)


def test_no_time_at_all() -> None:
    """Zero seconds is a limit like any other."""
    finish, oracle = street_finish(lambda *_: FEASIBLE)
    result = finish.run(TimeLimit(0.0))
    assert (result.status, result.columns) == ("time_limit", None)
    assert 0 <= result.lower_bound <= 120
    assert oracle.asked == []


def test_a_second_run_goes_on() -> None:
    """A caller may give more time later."""
    finish, _ = street_finish(lambda *_: FEASIBLE)
    finish.run(TimeLimit(0.0))
    result = finish.run(TimeLimit(PATIENCE_SECONDS))
    assert (result.status, result.cost) == ("solved", 120)


@pytest.mark.parametrize("seconds", [0.0, 0.002, 0.01, 0.05])
@with_seeds(6, 12)
def test_a_bound_is_valid_whenever_the_time_is_over(seconds: float, seeds: range) -> None:
    """Whatever has been done until then."""
    for seed in seeds:
        instance = tiny_instance(f"time-{seed}", Conventions.BENCHMARK, time_windows=False)
        optimum = Enumeration(instance).optimum
        pricer = Pricer(instance)
        pool = full_pool(instance, pricer)
        finish = PoolFinish(instance, [LoadingOracle(instance)], [pricer], pool)
        started = time.monotonic()
        result = finish.run(TimeLimit(seconds))
        assert time.monotonic() - started < seconds + 1.0
        if optimum is None:
            assert result.columns is None
            continue
        assert result.lower_bound <= optimum
        if result.columns is not None:
            assert_is_solution(instance, result)
            assert result.cost is not None
            assert result.cost >= optimum


@pytest.mark.usefixtures("programme_first")
@pytest.mark.parametrize("status", ["stopped", "failed"])
def test_a_programme_without_an_end_is_given_up(
    monkeypatch: pytest.MonkeyPatch, status: Literal["stopped", "failed"]
) -> None:
    """The caller can branch; the bound is then that of the relaxation."""
    monkeypatch.setattr(
        pool_finish, "choose_columns", lambda *_, **__: Choice(status, np.zeros(0, np.int64))
    )
    finish, _ = street_finish(lambda *_: FEASIBLE)
    result = finish.run(TimeLimit(PATIENCE_SECONDS))
    assert (result.status, result.columns) == ("time_limit", None)
    assert result.lower_bound <= 120


def test_a_large_rest_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many columns for the mixed-integer solver: branching is better."""
    monkeypatch.setattr(pool_finish, "MAX_PROGRAMME_COLUMNS", 5)
    monkeypatch.setattr(PoolFinish, "_tighten", lambda _: "stalled")
    finish, _ = street_finish(lambda *_: FEASIBLE)
    assert finish.run(TimeLimit(PATIENCE_SECONDS)).status == "time_limit"
