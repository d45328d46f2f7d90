"""The best plan so far: only valid ones, only better ones, also from files."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from builders import small_instance, small_solution, with_placement, with_route
from market_day import market_day, market_plan
from tailgate.io import write_solution
from tailgate.model.errors import InputError
from tailgate.model.instance import Conventions, Customer, Instance, Item, Units, Vehicle
from tailgate.model.judge import verify
from tailgate.model.solution import Solution, Status
from tailgate.research.generate import generate_instance
from tailgate.solver.column import columns_of
from tailgate.solver.loading import LoadingOracle, LoadingResult, Verdict
from tailgate.solver.routing import RouteSearch
from tailgate.solver.search.incumbent import (
    Incumbent,
    InvalidPlanError,
    solution_without_routes,
    solver_entry,
)
from tailgate.solver.time_limit import TimeLimit

GOOD = ((1, 2), (3, 4))


@pytest.fixture
def instance() -> Instance:
    """Return four customers in a row, any two of which fill a truck."""
    return row_instance()


def row_instance(**changes: Any) -> Instance:
    """Make the row, at 5, 10, 15 and 20 from the depot; the best plan costs 60."""
    arguments: dict[str, Any] = {
        "name": "row",
        "depot": (0, 0),
        "customers": tuple(
            Customer(x=3 * number, y=4 * number, weight=1, items=(Item(10, 10),))
            for number in range(1, 5)
        ),
        "vehicle": Vehicle(width=10, length=20, capacity=9),
        "vehicle_count": 2,
        "conventions": Conventions.BENCHMARK,
    }
    return Instance(**(arguments | changes))


def incumbent(instance: Instance) -> Incumbent:
    """Return an empty one."""
    return Incumbent(instance, LoadingOracle(instance))


def test_the_first_plan_is_taken_and_then_only_better_ones(instance: Instance) -> None:
    """Strictly better: an equal plan is no news, and would be reported as such."""
    best = incumbent(instance)
    assert (best.cost, best.solution("feasible", 0)) == (None, None)
    assert best.offer(columns_of(0, [(1, 3), (2, 4)]))
    assert best.cost == 70
    assert best.offer(columns_of(0, GOOD))
    assert best.cost == 60
    assert not best.offer(columns_of(0, [(2, 1), (4, 3)]))
    assert not best.offer(columns_of(0, [(1, 3), (2, 4)]))
    kept = best.solution("feasible", 0)
    assert kept is not None
    assert tuple(route.customers for route in kept.routes) == GOOD


def test_a_solution_carries_loading_plans_that_the_judge_accepts(instance: Instance) -> None:
    """With whatever is proven about it by then."""
    best = incumbent(instance)
    best.offer(columns_of(0, GOOD))
    solution = best.solution(
        "feasible", 45.5, solver_entry(seed=7, seconds=1.5, options={"screen": "exact"})
    )
    assert solution is not None
    assert verify(instance, solution) == []
    assert all(route.placements for route in solution.routes)
    assert solution.gap == (60 - 45.5) / 60
    assert set(solution.solver) == {"version", "seed", "options", "seconds"}
    assert solution.solver["seed"] == 7
    optimal = best.solution("optimal", 60)
    assert optimal is not None
    assert verify(instance, optimal) == []


@pytest.mark.parametrize("conventions", [Conventions.BENCHMARK, Conventions.PLANNER])
@pytest.mark.parametrize("time_windows", [False, True])
def test_plans_of_the_heuristic_pass_the_judge(
    conventions: Conventions, time_windows: bool
) -> None:
    """Real plans, under both sets of conventions, with windows and without."""
    instance = generate_instance(14, 3, seed=4, time_windows=time_windows, conventions=conventions)
    oracle = LoadingOracle(instance)
    search = RouteSearch(instance, oracle)
    search.run(iterations=2_000)
    assert search.routes is not None
    best = Incumbent(instance, oracle)
    assert best.offer(search.routes)
    assert best.cost == pytest.approx(search.cost)
    solution = best.solution("feasible", 0)
    assert solution is not None
    assert verify(instance, solution) == []


@pytest.mark.parametrize(
    "routes",
    [
        [(1, 2)],
        [(1, 2), (3,), (4,)],
        [(1, 2), (2, 3)],
        [(1, 2), (3,)],
    ],
    ids=["missing", "too many", "twice", "single"],
)
def test_a_plan_that_breaks_a_rule_is_a_bug_and_not_a_plan(
    instance: Instance, routes: list[tuple[int, ...]]
) -> None:
    """Told as what it is, and never shown."""
    best = incumbent(instance)
    with pytest.raises(InvalidPlanError, match=r"judge refuses.*please report"):
        best.offer(columns_of(0, routes))
    assert best.cost is None


def test_a_route_that_cannot_be_loaded_is_a_bug(instance: Instance) -> None:
    """It was offered as proven, and it is not."""
    best = incumbent(instance)
    with pytest.raises(InvalidPlanError, match="1-2-3, whose loading is infeasible"):
        best.offer(columns_of(0, [(1, 2, 3), (4,)]))
    assert best.cost is None


class ForgetfulOracle(LoadingOracle):
    """Never finds a plan in time."""

    def check(self, *_route: Any, **_limits: Any) -> LoadingResult:
        """Say that there was no time."""
        return LoadingResult(Verdict.UNKNOWN, "limit", 0.0, 0, tuple)


def test_where_the_time_is_over_nothing_is_taken(instance: Instance) -> None:
    """A limit is no bug; without one, an unknown is."""
    best = Incumbent(instance, ForgetfulOracle(instance))
    assert not best.offer(columns_of(0, GOOD), time_limit=TimeLimit(0))
    for limit in (None, TimeLimit(), TimeLimit(1000)):
        with pytest.raises(InvalidPlanError, match="unknown"):
            best.offer(columns_of(0, GOOD), time_limit=limit)


def test_real_costs_do_not_depend_on_the_order_of_the_routes() -> None:
    """Otherwise the same plan would now and then be better than itself."""
    instance = generate_instance(12, 2, seed=3, conventions=Conventions.PLANNER)
    oracle = LoadingOracle(instance)
    search = RouteSearch(instance, oracle)
    search.run(iterations=500)
    routes = search.routes
    assert routes is not None
    best = Incumbent(instance, oracle)
    best.offer(routes)
    dice = random.Random(0)
    for _ in range(20):
        dice.shuffle(routes)
        assert not best.offer(routes)


# Warm starts.


def given_solution(instance: Instance, routes: Any = ((1, 3), (2, 4))) -> Solution:
    """Return a solution as another run would have left it."""
    best = incumbent(instance)
    best.offer(columns_of(0, routes))
    solution = best.solution("feasible", 10)
    assert solution is not None
    return solution


def test_a_warm_start_is_never_lost(instance: Instance, tmp_path: Path) -> None:
    """From a file or from memory; only something better takes its place."""
    path = tmp_path / "start.json"
    write_solution(given_solution(instance), path)
    for start in (path, str(path), given_solution(instance)):
        best = incumbent(instance)
        assert best.from_solution(start)
        assert best.cost == 70
        assert not best.offer(columns_of(0, [(1, 4), (2, 3)]))
        assert best.offer(columns_of(0, GOOD))
        assert not best.from_solution(start)
        assert best.cost == 60


def test_the_loading_plans_of_a_warm_start_are_kept(instance: Instance) -> None:
    """Finding them again may take long, and the oracle is not asked."""
    start = given_solution(instance)
    best = Incumbent(instance, ForgetfulOracle(instance))
    assert best.from_solution(start)
    solution = best.solution("feasible", 10)
    assert solution is not None
    assert [route.placements for route in solution.routes] == [
        route.placements for route in start.routes
    ]
    assert verify(instance, solution) == []


def test_a_warm_start_may_have_a_finer_scale() -> None:
    """2.5 is 25 in tenths and 250 in hundredths; another program may have chosen either."""
    instance = small_instance()
    start = small_solution(instance)
    finer = replace(
        start,
        units=Units(length_scale=10),
        routes=tuple(
            replace(
                route,
                area=100 * route.area,
                placements=tuple(
                    replace(p, x=10 * p.x, y=10 * p.y, width=10 * p.width, length=10 * p.length)
                    for p in route.placements
                ),
            )
            for route in start.routes
        ),
    )
    best = incumbent(instance)
    assert best.from_solution(finer)
    solution = best.solution("optimal", 44)
    assert solution is not None
    assert verify(instance, solution) == []


def test_a_warm_start_under_other_conventions_is_priced_anew() -> None:
    """Its routes serve, its cost does not."""
    looser = Conventions.BENCHMARK.overridden({"distance": "exact", "fleet": "at-most"})
    places = ((1, 1), (2, 5), (7, 3), (4, 4))
    customers = tuple(Customer(x, y, 1, (Item(10, 10),)) for x, y in places)
    exact = row_instance(customers=customers, conventions=looser)
    start = given_solution(exact)
    truncated = replace(exact, conventions=Conventions.BENCHMARK)
    best = incumbent(truncated)
    assert best.from_solution(start)
    assert isinstance(best.cost, int)
    assert best.cost != start.objective
    assert best.cost == sum(truncated.route_cost(route.customers) for route in start.routes)


def test_a_warm_start_of_format_1_gets_the_times_and_costs_of_its_instance() -> None:
    """Another program may know solution format 1 alone; what we write states all of it."""
    instance, plan = market_day(), market_plan()
    routes = tuple(
        replace(route, vehicle="", distance=None, parts=None, schedule=None)
        for route in plan.routes
    )
    bare = replace(plan, routes=routes, units=Units())
    assert bare.is_format_1
    best = incumbent(instance)
    assert best.from_solution(bare)
    solution = best.solution("feasible", 190)
    assert solution is not None
    assert (solution.routes, solution.objective) == (plan.routes, plan.objective)
    assert verify(instance, solution) == []


def test_offered_routes_of_format_2_state_their_times_and_costs() -> None:
    """The plan is judged with every number that its file will have."""
    best = incumbent(market_day())
    assert best.offer(columns_of(0, [(1, 2), (3,)]))
    solution = best.solution("feasible", 190)
    assert solution is not None
    assert not solution.is_format_1
    assert [route.schedule for route in solution.routes] == [
        route.schedule for route in market_plan().routes
    ]


def test_a_warm_start_that_the_conventions_of_the_run_forbid_is_refused(
    instance: Instance,
) -> None:
    """It is valid by its own word, and the message names the difference."""
    allowing = replace(instance, conventions=Conventions.PLANNER, vehicle_count=3)
    start = given_solution(allowing, [(1, 2), (3,), (4,)])
    forbidding = replace(allowing, conventions=Conventions.BENCHMARK)
    with pytest.raises(InputError, match=r"under other conventions.*single_customer_route"):
        incumbent(forbidding).from_solution(start)


def test_a_warm_start_that_is_not_valid_is_refused_with_its_violations(tmp_path: Path) -> None:
    """What is wrong, in which file, and how to see all of it."""
    instance = small_instance()
    path = tmp_path / "start.json"
    write_solution(with_placement(small_solution(instance), 0, 1, y=1), path)
    with pytest.raises(InputError) as caught:
        incumbent(instance).from_solution(path)
    assert caught.value.source == str(path)
    for words in ("overlap", "route 1", "verify lists all"):
        assert words in str(caught.value)


@pytest.mark.parametrize(
    ("solution", "words"),
    [
        (small_solution(instance_sha256="0" * 64), "another instance"),
        (with_route(small_solution(), 1, cost=23), "wrong_cost"),
        (small_solution(objective=43, lower_bound=43), "wrong_objective"),
        (
            solution_without_routes(small_instance(), "bound_only", 3),
            "no routes to start from: its status is bound_only",
        ),
    ],
    ids=["instance", "cost", "objective", "empty"],
)
def test_a_warm_start_must_be_what_it_says(solution: Solution, words: str) -> None:
    """A wrong claim is not silently mended: it may be the wrong file."""
    best = incumbent(small_instance())
    with pytest.raises(InputError, match=words):
        best.from_solution(solution)
    assert best.cost is None


def test_what_is_written_without_a_plan_is_valid(instance: Instance) -> None:
    """A file that says that nothing was found, or that there is nothing."""
    cases: tuple[tuple[Status, float | None], ...] = (("bound_only", 12.5), ("infeasible", None))
    for status, bound in cases:
        solution = solution_without_routes(instance, status, bound, seconds=2.0)
        assert verify(instance, solution) == []
