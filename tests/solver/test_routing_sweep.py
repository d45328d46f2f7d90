"""The plain first solution: proven, within the rules, or none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tailgate.model.instance import Conventions, Customer, Instance
from tailgate.model.judge import verify
from tailgate.research.generate import generate_instance
from tailgate.solver.column import Column
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.routing.sweep import sweep
from tailgate.solver.search.incumbent import Incumbent
from tailgate.solver.time_limit import TimeLimit

NODES = 300
FREE = Conventions(distance="truncated", fleet="at-most", single_customer_routes="allow", lifo=True)


def city(**changes: Any) -> Instance:
    """Return thirty customers and more trucks than they need."""
    instance = generate_instance(30, 3, seed=1)
    return replace(instance, vehicle_count=30, conventions=replace(FREE, **changes))


def swept(instance: Instance) -> list[Column] | None:
    """Sweep without a limit."""
    return sweep(instance, LoadingOracle(instance), max_nodes=NODES, time_limit=TimeLimit())


@pytest.mark.parametrize("lifo", [True, False])
def test_the_judge_accepts_it(lifo: bool) -> None:
    """Everybody is served once, by routes whose loading is proven."""
    instance = city(lifo=lifo)
    routes = swept(instance)
    assert routes is not None
    assert len(routes) < 30
    incumbent = Incumbent(instance, LoadingOracle(instance))
    assert incumbent.offer(routes, time_limit=TimeLimit())
    solution = incumbent.solution("feasible", 0)
    assert solution is not None
    assert not verify(instance, solution)


def test_time_windows_are_kept() -> None:
    """A truck goes home before it is late."""
    instance = generate_instance(20, 2, seed=3, time_windows=True)
    instance = replace(instance, vehicle_count=20, conventions=FREE)
    routes = swept(instance)
    assert routes is not None
    assert all(instance.is_allowed(route) for _, route in routes)
    assert len(routes) > len(swept(replace(instance, customers=_at_any_time(instance))) or ())


def _at_any_time(instance: Instance) -> tuple[Customer, ...]:
    return tuple(replace(customer, ready=0, due=None) for customer in instance.customers)


def test_rules_of_the_fleet_are_kept_or_there_is_none() -> None:
    """Too few trucks, a number of trucks that it does not hit, a lone customer, no time."""
    instance = city()
    routes = swept(instance)
    assert routes is not None
    count = len(routes)
    assert swept(replace(instance, vehicle_count=count)) == routes
    assert swept(replace(instance, vehicle_count=count - 1)) is None
    exactly = city(fleet="exactly")
    assert swept(exactly) is None
    assert swept(replace(exactly, vehicle_count=count)) == routes
    lone = replace(instance, customers=instance.customers[:1])
    assert swept(lone) == [Column(0, (1,))]
    forbidden = replace(FREE, single_customer_routes="forbid")
    assert swept(replace(lone, conventions=forbidden)) is None
    oracle = LoadingOracle(instance)
    assert sweep(instance, oracle, max_nodes=NODES, time_limit=TimeLimit(0)) is None
