"""Two searches for what is left out: limits, interruptions and gaps hold for both together."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

import tailgate
from tailgate.model.instance import Instance
from tailgate.solver.search import leave_out
from tailgate.solver.search.result import SolveProgress, SolveResult
from tailgate.solver.search.search_run import Request, Start, run_search
from tailgate.solver.search.variant import Variant

SECONDS = 3.0
TOLERATED = 1.5


@pytest.fixture(scope="module")
def crowded() -> Instance:
    """Return orders of which some must stay, too many to be done with in a moment."""
    instance = tailgate.generate_instance(40, 4, seed=3)
    few = replace(instance.vehicles[0], count=instance.vehicle_count - 3)
    return replace(instance, vehicles=(few,))


class InterruptedSearch:
    """Runs searches, of which one is interrupted while it looks for its first routes."""

    def __init__(self, number: int) -> None:
        self._number = number
        self.seconds: list[float] = []

    def __call__(self, variant: Variant, request: Request, start: Start) -> SolveResult:
        """Search."""
        is_hit = len(self.seconds) == self._number - 1
        self.seconds.append(0.0)

        def on_progress(progress: SolveProgress) -> None:
            if is_hit and progress.objective is not None and progress.event != "end":
                raise KeyboardInterrupt

        started = time.monotonic()
        result = run_search(variant, replace(request, on_progress=on_progress), start)
        self.seconds[-1] = time.monotonic() - started
        return result


def assert_is_plan(result: SolveResult) -> None:
    """See that there is a plan of the orders that may be left out."""
    assert result.instance is not None
    assert result.solution is not None
    assert tailgate.verify(result.instance, result.solution) == []
    assert result.least_left_out is not None
    assert result.least_left_out.at_least <= len(result.left_out) == result.least_left_out.left_out


def test_both_searches_together_keep_the_time_limit(crowded: Instance) -> None:
    """The second one has what the first one leaves, and the seconds are counted once."""
    started = time.monotonic()
    seen: list[float] = []
    result = tailgate.solve(
        crowded,
        leave_out="number",
        time_limit=SECONDS,
        on_progress=lambda progress: seen.append(progress.seconds),
    )
    wall = time.monotonic() - started
    assert wall < SECONDS + TOLERATED
    assert result.seconds <= wall
    assert seen == sorted(seen)
    assert sum(result.statistics[f"seconds_{part}"] for part in ("heuristic", "generation")) <= wall
    assert_is_plan(result)


@pytest.mark.parametrize("number", [1, 2])
def test_ctrl_c_ends_both_searches(
    number: int, crowded: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever is interrupted: its plan is returned, and no other search begins."""
    search = InterruptedSearch(number)
    monkeypatch.setattr(leave_out, "run_search", search)
    result = tailgate.solve(crowded, leave_out="number", time_limit=4 * SECONDS)
    assert result.reason == "interrupted"
    assert result.status == "feasible"
    assert_is_plan(result)
    assert search.seconds[-1] < SECONDS


def test_a_search_that_is_cancelled_at_once_has_a_plan_or_none(crowded: Instance) -> None:
    """A bound on what is left out is none on costs."""
    cancel = threading.Event()
    cancel.set()
    result = tailgate.solve(crowded, leave_out="number", cancel=cancel)
    assert result.reason == "interrupted"
    assert not result.lower_bound


def test_a_gap_is_one_of_costs() -> None:
    """What is left out is the least all the same, and the second search is made."""
    instance = tailgate.generate_instance(10, 2, seed=4)
    one = replace(instance, vehicles=(replace(instance.vehicles[0], count=1),))
    exact = tailgate.solve(one, leave_out="number")
    near = tailgate.solve(one, leave_out="number", gap=0.9)
    assert exact.status == "optimal"
    assert exact.left_out
    assert near.least_left_out == exact.least_left_out
    assert near.gap is not None
    assert near.gap <= 0.9
    assert near.objective is not None
    assert near.lower_bound is not None
    assert exact.objective is not None
    assert near.lower_bound <= exact.objective <= near.objective


def test_the_second_search_begins_with_locked_routes() -> None:
    """The plan of the first search keeps them, and is one of the second."""
    instance = tailgate.generate_instance(8, 2, seed=2)
    plan = tailgate.solve(instance).solution
    assert plan is not None
    locked = replace(plan, routes=(replace(plan.routes[0], locked=True), *plan.routes[1:]))
    result = tailgate.solve(instance, leave_out="number", keep=locked)
    assert result.status == "optimal"
    assert plan.routes[0].customers in [route.customers for route in result.routes]
    assert not result.left_out


def test_a_plan_that_leaves_orders_out_is_a_start() -> None:
    """So a run can be continued: it is a plan of the orders that may be left out."""
    instance = tailgate.generate_instance(10, 2, seed=4)
    one = replace(instance, vehicles=(replace(instance.vehicles[0], count=1),))
    first = tailgate.solve(one, leave_out="number")
    again = tailgate.solve(one, leave_out="number", warm_start=first.solution)
    assert again.status == "optimal"
    assert (again.objective, again.left_out) == (first.objective, first.left_out)
