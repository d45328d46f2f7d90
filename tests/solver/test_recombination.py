"""Plans made of known routes: the cheapest there is, and never one that is too expensive."""

from __future__ import annotations

import random

import pytest

from route_enumeration import Enumeration
from seeds import with_seeds
from tailgate.model.instance import Conventions, Instance
from tailgate.solver.column import columns_of
from tailgate.solver.column_generation import first_columns
from tailgate.solver.search import (
    node_solver,
    primal_heuristics,
    recombination,
    time_division,
)
from tailgate.solver.search.recombination import recombine
from tailgate.solver.search.solver import solve
from tailgate.solver.time_limit import TimeLimit
from tiny_instances import all_conventions, tiny_instance

MARGIN = 1e-3


def best_cost(
    instance: Instance, every: Enumeration, dice: random.Random, limit: float
) -> float | None:
    """Return what the plan costs that is made of all routes, under any duals."""
    duals = [dice.uniform(0, 10) for _ in range(instance.n)]
    columns = recombine(
        instance,
        columns_of(0, every.routes),
        duals,
        limit=limit,
        threads=1,
        time_limit=TimeLimit(60),
    )
    if columns is None:
        return None
    routes = [column.route for column in columns]
    served = sorted(customer for route in routes for customer in route)
    assert served == list(range(1, instance.n + 1))
    assert set(routes) <= every.routes.keys()
    return sum(every.routes[route] for route in routes)


@all_conventions
@with_seeds(3, 40)
def test_all_routes_make_the_optimum(
    conventions: Conventions, time_windows: bool, seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With every route at hand the optimum is found, in whatever order they are tried."""
    monkeypatch.setattr(recombination, "SIZES", (7, 10_000))
    for seed in seeds:
        label = f"recombination-{conventions}-{time_windows}-{seed}"
        instance = tiny_instance(label, conventions, time_windows=time_windows, most=6)
        every = Enumeration(instance)
        dice = random.Random(label)
        if every.optimum is None:
            assert best_cost(instance, every, dice, 1e6) is None
            continue
        cost = best_cost(instance, every, dice, every.optimum + MARGIN)
        assert cost == pytest.approx(every.optimum, abs=MARGIN)
        if every.optimum > 1:
            less = 0.1 if conventions.distance == "exact" else 1
            assert best_cost(instance, every, dice, every.optimum - less) is None


def test_no_time_makes_no_plan() -> None:
    """A limit that has passed is kept."""
    instance = tiny_instance("late", Conventions(), time_windows=False)
    columns = columns_of(0, Enumeration(instance).routes)
    duals = [0.0] * instance.n
    found = recombine(instance, columns, duals, limit=1e6, threads=1, time_limit=TimeLimit(0))
    assert found is None


@all_conventions
@with_seeds(1, 20)
def test_plans_get_better_between_rounds_without_harm(
    conventions: Conventions, time_windows: bool, seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where customers are many, plans are looked for during column generation; here always."""
    monkeypatch.setattr(node_solver, "MANY_CUSTOMERS", 0)
    monkeypatch.setattr(primal_heuristics, "LEAST_HEURISTIC_SECONDS", 1e-6)
    monkeypatch.setitem(time_division.SHARES, "balanced", 0.5)
    monkeypatch.setattr(first_columns, "HEURISTIC_ITERATIONS", 1)
    for seed in seeds:
        label = f"rounds-{conventions}-{time_windows}-{seed}"
        instance = tiny_instance(label, conventions, time_windows=time_windows)
        result = solve(instance, time_limit=60)
        optimum = Enumeration(instance).optimum
        if optimum is None:
            assert result.status == "infeasible"
        else:
            assert result.status == "optimal"
            assert result.objective == pytest.approx(optimum)
