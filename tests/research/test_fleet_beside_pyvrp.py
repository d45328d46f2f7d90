"""The model that PyVRP gets: the same problem, and a plan that can be read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.research.experiments.fleet.instances import fleet_instance, without_loading
from tailgate.research.experiments.fleet.pyvrp_model import plan_of_pyvrp
from tailgate.solver.column import views_of
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.routing import RouteSearch

pytest.importorskip("pyvrp")


@pytest.fixture(scope="module")
def instance() -> Instance:
    """Return ten orders for three kinds of vehicles."""
    return fleet_instance(1, 0, quick=True)


def test_both_solvers_minimise_the_same(instance: Instance) -> None:
    """On ten orders both find the optimum, unless they solve different problems."""
    routing = without_loading(instance)
    plan = plan_of_pyvrp(routing, 0.5, seed=1)
    assert plan is not None
    views = views_of(routing)
    assert all(views[kind].is_allowed(route) for kind, route in plan)
    served = {number for _, route in plan for number in route}
    left_out = set(range(1, routing.n + 1)) - served
    assert left_out <= routing.optional
    search = RouteSearch(routing, [LoadingOracle(view) for view in views])
    search.run(iterations=3000)
    assert search.cost == pytest.approx(routing.total_cost(plan, left_out))


def test_areas_and_access_are_told(instance: Instance) -> None:
    """What a routing program can know of a load, it knows."""
    plan = plan_of_pyvrp(instance, 0.5, seed=1, with_areas=True)
    assert plan is not None
    for kind, route in plan:
        assert all(instance.accepts(number, kind) for number in route)
        area = sum(instance.customer(number).area for number in route)
        assert area <= instance.vehicles[kind].area


def test_what_it_does_not_know_is_refused(instance: Instance) -> None:
    """A rule that is lost on the way would make its plan look cheap."""
    first, *others = instance.customers
    ruled = replace(instance, customers=(replace(first, position="first"), *others))
    few_stops = tuple(replace(kind, max_stops=3) for kind in instance.vehicles)
    for one in (ruled, replace(instance, vehicles=few_stops)):
        with pytest.raises(InputError, match="PyVRP does not know"):
            plan_of_pyvrp(one, 0.1, seed=1)
