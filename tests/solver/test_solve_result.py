"""The result of a search: what it says, what it prints, and what it refuses to say."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import small_instance, small_solution
from tailgate.model.conventions import Conventions
from tailgate.model.instance import Customer, Instance, Vehicle
from tailgate.model.rounding import bound_text, cost_text, gap_text
from tailgate.model.solution import Route
from tailgate.model.units import Units
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.search.infeasibility import incompatible_customers
from tailgate.solver.search.result import ContradictoryResultError, SolveProgress, SolveResult
from tailgate.solver.search.solver import solve

KEYS = {
    "status",
    "objective",
    "lower_bound",
    "gap",
    "nodes",
    "seconds",
    "routes",
    "conventions",
    "exact_checks",
}
"""What docs/commands.md promises of ``tailgate solve --json``."""


def result(**changes: Any) -> SolveResult:
    """Return the optimum of the small instance, or what the changes make of it."""
    arguments: dict[str, Any] = {
        "status": "optimal",
        "reason": "proven",
        "lower_bound": 44,
        "nodes": 3,
        "seconds": 1.5,
        "conventions": Conventions.BENCHMARK,
        "exact_checks": 17,
        "solution": small_solution(),
        "statistics": {"seconds_pricing": 0.5, "columns": 9},
    }
    return SolveResult(**(arguments | changes))


def stopped(lower_bound: float, **changes: Any) -> SolveResult:
    """Return what is known of the small instance when the time is over."""
    solution = small_solution(
        status="feasible", lower_bound=lower_bound, gap=(44 - lower_bound) / 44
    )
    return result(
        **{
            "status": "feasible",
            "reason": "time_limit",
            "lower_bound": lower_bound,
            "solution": solution,
        }
        | changes
    )


def test_the_dictionary_has_the_keys_of_the_contract() -> None:
    """Scripts rely on them, and all of it must fit into JSON."""
    content = json.loads(json.dumps(result().to_dict(), allow_nan=False))
    assert set(content) >= KEYS
    assert content["status"] == "optimal"
    assert content["objective"] == content["lower_bound"] == 44
    assert content["gap"] == 0
    assert [route["customers"] for route in content["routes"]] == [[1, 2], [3, 4]]
    assert all(route["placements"] for route in content["routes"])
    assert content["conventions"] == Conventions.BENCHMARK.to_dict()


def test_the_gap_is_relative_to_the_objective() -> None:
    """The definition of the solution file, so that the judge agrees."""
    assert stopped(33).gap == 0.25
    assert result().gap == 0


def test_an_optimum_is_told_in_a_sentence_and_a_table() -> None:
    """``print(result)`` is what most people see of the Python side."""
    assert str(result()).splitlines() == [
        "optimal: proven after 1.5 s and 3 nodes that no plan is cheaper",
        "  objective    44",
        "  lower bound  44",
        "  gap          0 %",
        "  conventions  distance truncated, fleet exactly, single_customer_routes forbid, lifo on",
        "  time         1.5 s",
        "  routes       2",
        "    1-2  cost 20",
        "    3-4  cost 24",
    ]


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("time_limit", "stopped by the time limit"),
        ("node_limit", "stopped by the limit on nodes"),
        ("memory_limit", "stopped for want of memory"),
        ("interrupted", "interrupted"),
        ("gap", "the gap that was asked for is reached"),
        ("undecided", "beyond the memory of the check"),
        ("precision", "differ by less than numbers can tell apart"),
    ],
)
def test_a_search_that_was_stopped_says_why_and_what_holds(reason: Any, words: str) -> None:
    """A bound without the reason why it is no better is half a message."""
    text = stopped(43.123456, reason=reason).headline
    assert text.startswith("feasible: ")
    assert words in text
    assert text.endswith("no plan costs less than 43.1234")


def test_no_plan_is_not_called_infeasible() -> None:
    """That none was found says nothing; only a proof does."""
    unknown = result(status="bound_only", reason="time_limit", lower_bound=0, solution=None)
    assert "that there is none is not proven" in unknown.headline
    assert "no bound above zero" in unknown.headline
    assert (unknown.objective, unknown.gap, unknown.routes) == (None, None, ())
    assert "objective" not in str(unknown)


def test_a_proof_that_there_is_no_plan_is_explained() -> None:
    """Which customers, how many trucks: what can be done about it."""
    none = result(
        status="infeasible", lower_bound=None, solution=None, explanation="3 trucks are needed"
    )
    assert none.headline.endswith("that there is no plan: 3 trucks are needed")
    assert none.to_dict()["explanation"] == "3 trucks are needed"
    assert none.to_dict()["lower_bound"] is None


def test_the_unit_of_distance_is_told() -> None:
    """44 what?"""
    solution = replace(small_solution(), units=Units(distance_unit="km"))
    assert "objective    44 km\n" in str(result(solution=solution))


def test_a_bound_without_a_plan_has_its_unit_too() -> None:
    """No plan, no solution: the unit is the instance's."""
    instance = replace(small_instance(), units=Units(distance_unit="km"))
    unknown = result(
        status="bound_only",
        reason="time_limit",
        lower_bound=41.5,
        solution=None,
        instance=instance,
    )
    assert unknown.headline.endswith("no plan costs less than 41.5000 km")
    assert "lower bound  41.5000 km" in str(unknown)


def test_a_long_list_of_routes_is_cut_short() -> None:
    """A hundred lines would push the rest off the screen."""
    routes = tuple(Route((number,), 1, 1, 1) for number in range(1, 45))
    text = str(result(solution=replace(small_solution(), routes=routes)))
    assert text.endswith("and 32 more")


def test_a_bound_that_is_whole_becomes_an_integer() -> None:
    """44.0 is a float's way to say 44, and integer costs are integers everywhere."""
    assert isinstance(result(lower_bound=44.0).lower_bound, int)


@pytest.mark.parametrize(
    "changes",
    [
        {"lower_bound": 43},
        {"lower_bound": 45},
        {"lower_bound": float("nan")},
        {"reason": "time_limit"},
        {"solution": None},
        {"status": "feasible", "reason": "gap"},
        {"status": "infeasible", "solution": None},
        {"status": "infeasible", "lower_bound": None},
        {"status": "bound_only", "reason": "gap", "solution": None, "lower_bound": None},
        {"conventions": Conventions.PLANNER},
        {"status": "perfect"},
        {"solution": small_solution(lower_bound=43)},
        {"solution": small_solution(objective=None)},
    ],
)
def test_a_result_that_contradicts_itself_is_refused(changes: dict[str, Any]) -> None:
    """A wrong status is the worst that can happen: better no result, and a bug report."""
    with pytest.raises(ContradictoryResultError, match="please report"):
        result(**changes)


def test_a_large_whole_cost_leaves_no_room_for_a_gap() -> None:
    """Relatively 1 in ten millions is nothing, and yet another plan may be cheaper."""
    routes = (Route((1,), 10**7, 1, 1),)
    solution = small_solution(objective=10**7, lower_bound=10**7 - 1, routes=routes)
    with pytest.raises(ContradictoryResultError, match="does not prove"):
        result(lower_bound=10**7 - 1, solution=solution)


def test_real_costs_may_differ_by_rounding() -> None:
    """Sums of roots carry the error of a float."""
    conventions = small_instance().conventions.overridden({"distance": "exact"})
    bound = 44 - 1e-8
    solution = small_solution(conventions=conventions, lower_bound=bound)
    assert result(conventions=conventions, lower_bound=bound, solution=solution).gap == (
        pytest.approx(0, abs=1e-9)
    )


@given(st.floats(0, 1e12) | st.integers(0, 10**15))
def test_numbers_are_never_rounded_in_our_favour(value: float) -> None:
    """A bound is shown at most as high as it is, a cost at least."""
    assert Decimal(bound_text(value)) <= Decimal(repr(value)) <= Decimal(cost_text(value))
    assert Decimal(cost_text(value)) - Decimal(bound_text(value)) <= Decimal("0.0001")


def test_short_decimals_are_shown_as_they_are() -> None:
    """0.1 is a float a little above it, which must not make 0.1001 of it."""
    assert (cost_text(0.1), bound_text(0.1), cost_text(605)) == ("0.1000", "0.1000", "605")
    assert (bound_text(604.99999), cost_text(604.00001)) == ("604.9999", "604.0001")


def test_only_no_gap_at_all_is_shown_as_none() -> None:
    """0.00 % would look like a proof."""
    assert (gap_text(0), gap_text(1e-9), gap_text(0.25)) == ("0 %", "0.01 %", "25.00 %")


def test_progress_knows_its_gap() -> None:
    """Where there is no plan there is no gap, either."""
    progress = SolveProgress(
        seconds=1.0,
        nodes=0,
        open_nodes=1,
        lower_bound=75.0,
        objective=None,
        columns=0,
        exact_checks=0,
        doing="pricing",
        event="root",
    )
    assert progress.gap is None
    assert replace(progress, objective=100).gap == 0.25


def test_customers_who_share_a_truck_by_a_detour_are_not_called_incompatible() -> None:
    """The direct way is late, the way over the third customer is not: 1, 4 and 7 instead of 8."""
    customers = (
        Customer(0, 1, 1, (), due=1),
        Customer(5, 6, 1, (), due=7),
        Customer(3, 3, 1, ()),
    )
    instance = Instance(
        name="detour",
        vehicle=Vehicle(4, 6, 30),
        vehicle_count=1,
        depot=(0, 0),
        customers=customers,
        conventions=Conventions(distance="truncated"),
    )
    assert not instance.is_allowed((1, 2))
    assert instance.is_allowed((1, 3, 2))
    assert len(incompatible_customers(instance, LoadingOracle(instance))) < 2
    assert solve(instance).status == "optimal"
