"""The search for the optimum: equal to brute force, whichever way it takes to get there."""

from __future__ import annotations

import math
import threading
from dataclasses import replace
from typing import Any

import pytest

from builders import benchmark_folder
from route_enumeration import Enumeration
from search_parts import leave_out_enumeration, leave_out_heuristics, treat_as_large
from seeds import with_seeds
from tailgate.model.errors import InputError
from tailgate.model.instance import (
    Conventions,
    Customer,
    Instance,
    Item,
    Units,
    Vehicle,
)
from tailgate.model.judge import verify
from tailgate.research.generate import generate_instance
from tailgate.solver.loading import read
from tailgate.solver.screening import ScreenedRoutes
from tailgate.solver.screening import screen as screen_module
from tailgate.solver.screening.screen import Screen
from tailgate.solver.search import branching, node_solver
from tailgate.solver.search.result import SolveProgress, SolveResult
from tailgate.solver.search.solver import solve
from tailgate.solver.time_limit import TimeLimit
from tiny_instances import all_conventions, tiny_instance

# Published by Iori, Salazar-Gonzalez and Vigo 2007, and others that were proven twice.
KNOWN_OPTIMA = {
    "0102": 285,
    "0103": 280,
    "0104": 288,
    "0105": 279,
    "0202": 342,
    "0203": 347,
    "0302": 396,
    "0304": 374,
    "0402": 434,
    "0404": 438,
    "1202": 605,
    "1702": 851,
}
MORE_KNOWN_OPTIMA = {"1102": 708, "1902": 774}

# An instance that takes longer is not solved, whatever a loaded machine may say.
PATIENCE_SECONDS = 120


def assert_sound(instance: Instance, result: SolveResult) -> None:
    """See that a result is one: the judge accepts its plan, and its values fit one another."""
    if result.solution is None:
        assert result.objective is None
        return
    assert verify(instance, result.solution) == []
    assert result.objective == pytest.approx(
        sum(instance.route_cost(route.customers) for route in result.routes)
    )


def assert_optimal(instance: Instance, result: SolveResult) -> None:
    """See that a result agrees with brute force."""
    optimum = Enumeration(instance).optimum
    assert_sound(instance, result)
    if optimum is None:
        assert (result.status, result.lower_bound) == ("infeasible", None)
        assert result.explanation
        return
    assert result.status == "optimal"
    assert result.objective == pytest.approx(optimum, rel=1e-6)
    assert result.lower_bound is not None
    assert result.lower_bound <= optimum + 1e-6 * optimum


def solve_tiny(
    conventions: Conventions, time_windows: bool, seeds: range, label: str, **options: Any
) -> int:
    """Solve some instances; return how many nodes that took."""
    nodes = 0
    for seed in seeds:
        name = f"{label}-{conventions}-{time_windows}-{seed}"
        instance = tiny_instance(name, conventions, time_windows=time_windows)
        result = solve(instance, time_limit=PATIENCE_SECONDS, **options)
        assert_optimal(instance, result)
        nodes += result.nodes
    return nodes


@pytest.fixture
def without_heuristics(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search find everything by itself."""
    leave_out_heuristics(monkeypatch)


@pytest.fixture
def without_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave nothing but branching to close a gap."""
    leave_out_enumeration(monkeypatch)


@all_conventions
@with_seeds(2, 60)
def test_equals_brute_force(conventions: Conventions, time_windows: bool, seeds: range) -> None:
    """All of the search together finds what brute force finds."""
    solve_tiny(conventions, time_windows, seeds, "whole")


@pytest.fixture
def with_first_duals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat small instances as large ones are treated."""
    treat_as_large(monkeypatch)


@all_conventions
@with_seeds(1, 30)
@pytest.mark.usefixtures("with_first_duals", "without_heuristics")
def test_first_duals_and_smoothing_equal_brute_force(
    conventions: Conventions, time_windows: bool, seeds: range
) -> None:
    """Other duals on the way, the same optimum."""
    solve_tiny(conventions, time_windows, seeds, "prices")


@pytest.mark.usefixtures("with_first_duals")
def test_the_bound_of_first_duals_stays_where_pricing_never_ends(
    middling: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was found before the first node, and holds there."""
    optimum = solve(middling, time_limit=PATIENCE_SECONDS).objective
    nothing = ScreenedRoutes((), complete=False, bound=-math.inf)
    monkeypatch.setattr(Screen, "price_and_screen", lambda *_: nothing)
    result = solve(middling, time_limit=PATIENCE_SECONDS)
    assert result.lower_bound is not None
    assert optimum is not None
    assert 0.5 * optimum <= result.lower_bound <= optimum


@all_conventions
@with_seeds(2, 63)
@pytest.mark.usefixtures("without_heuristics")
def test_enumeration_alone_equals_brute_force(
    conventions: Conventions, time_windows: bool, seeds: range
) -> None:
    """Finishing by enumeration needs no solution to start from."""
    solve_tiny(conventions, time_windows, seeds, "listing", cuts=())


@all_conventions
@with_seeds(1, 60)
@pytest.mark.usefixtures("without_heuristics")
def test_cuts_and_enumeration_equal_brute_force(
    conventions: Conventions, time_windows: bool, seeds: range
) -> None:
    """An enumeration below a bound that cuts have raised misses nothing."""
    solve_tiny(conventions, time_windows, seeds, "many")


@all_conventions
@with_seeds(2, 63)
@pytest.mark.usefixtures("without_heuristics", "without_enumeration")
def test_branching_alone_equals_brute_force(
    conventions: Conventions, time_windows: bool, seeds: range
) -> None:
    """The tree alone gets there."""
    solve_tiny(conventions, time_windows, seeds, "branching", cuts=())


@all_conventions
@with_seeds(2, 63)
@pytest.mark.usefixtures("without_heuristics", "without_enumeration")
def test_cuts_and_branching_equal_brute_force(
    conventions: Conventions, time_windows: bool, seeds: range
) -> None:
    """Cuts cut off nothing that counts, also deep in the tree."""
    solve_tiny(conventions, time_windows, seeds, "cuts")


@pytest.fixture
def with_long_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let columns stay in doubt until there is no other way to go on."""
    monkeypatch.setattr(node_solver, "RELAXATION_PROOF_NODES", 0)
    monkeypatch.setattr(node_solver, "INTEGRAL_PROOF_NODES", 0)
    monkeypatch.setattr(screen_module, "QUICK_CHECK_NODES", 0)
    monkeypatch.setattr(screen_module, "PROOF_EFFORTS", (1, 3, None))
    monkeypatch.setattr(screen_module, "EXPENSIVE_NODES", 1)


@all_conventions
@with_seeds(2, 63)
@pytest.mark.usefixtures("without_heuristics", "without_enumeration", "with_long_proofs")
def test_integral_solutions_in_doubt_equal_brute_force(
    conventions: Conventions, time_windows: bool, seeds: range
) -> None:
    """What is integral is proven at last, one refuted column at a time."""
    solve_tiny(conventions, time_windows, seeds, "doubt")


@pytest.mark.usefixtures("without_heuristics", "without_enumeration")
def test_branching_splits() -> None:
    """The instances of the tests above are not all solved at the root."""
    assert solve_tiny(Conventions(), False, range(40), "splits", cuts=()) > 50


benchmark = pytest.mark.skipif(
    benchmark_folder() is None, reason="the published instances are not there"
)


def published(name: str) -> Instance:
    """Read a published instance."""
    folder = benchmark_folder()
    assert folder is not None
    return read(next(folder.glob(f"**/*{name}*")))


@benchmark
@pytest.mark.parametrize("name", KNOWN_OPTIMA)
def test_known_optima(name: str) -> None:
    """Published optima come out, with a bound that proves them."""
    instance = published(name)
    result = solve(instance, time_limit=PATIENCE_SECONDS)
    assert (result.status, result.objective) == ("optimal", KNOWN_OPTIMA[name])
    assert result.lower_bound == result.objective
    assert_sound(instance, result)


@benchmark
@pytest.mark.long
@pytest.mark.parametrize("name", MORE_KNOWN_OPTIMA)
def test_more_known_optima(name: str) -> None:
    """The same for some that take longer."""
    result = solve(published(name), time_limit=1200)
    assert (result.status, result.objective) == ("optimal", MORE_KNOWN_OPTIMA[name])


# --- Early ends -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def middling() -> Instance:
    """An instance that takes a second."""
    return generate_instance(20, 3, seed=5)


def test_no_time_at_all(middling: Instance) -> None:
    """Without time there is an honest answer all the same."""
    result = solve(middling, time_limit=0)
    assert result.reason == "time_limit"
    assert result.status in ("feasible", "bound_only")
    assert_sound(middling, result)


def test_node_limit(middling: Instance) -> None:
    """A limit on nodes ends the search."""
    result = solve(middling, node_limit=0)
    assert result.reason in ("node_limit", "proven")
    assert_sound(middling, result)


def test_gap_is_enough(middling: Instance) -> None:
    """A gap that is good enough ends the search."""
    result = solve(middling, gap=0.5, time_limit=PATIENCE_SECONDS)
    assert result.status in ("feasible", "optimal")
    assert result.gap is not None
    assert result.gap <= 0.5
    assert_sound(middling, result)


def test_the_gap_is_looked_at_between_rounds(
    middling: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first relaxation may take hours, and its bound is good enough long before its end."""
    rounds = [0]
    price_and_screen = Screen.price_and_screen

    def count(screen: Screen, threshold: float, time_limit: TimeLimit) -> ScreenedRoutes:
        rounds[0] += 1
        return price_and_screen(screen, threshold, time_limit)

    monkeypatch.setattr(Screen, "price_and_screen", count)
    solve(middling, node_limit=1, time_limit=PATIENCE_SECONDS)
    all_rounds, rounds[0] = rounds[0], 0
    result = solve(middling, gap=0.4, time_limit=PATIENCE_SECONDS)
    assert (result.status, result.reason, result.nodes) == ("feasible", "gap", 0)
    assert result.gap is not None
    assert 0 < result.gap <= 0.4
    assert 0 < rounds[0] < all_rounds / 2


def test_a_long_root_reports_its_bound(middling: Instance) -> None:
    """Whoever waits for the first node sees the bound rise, and what is being done."""
    seen: list[SolveProgress] = []
    solve(middling, on_progress=seen.append, time_limit=PATIENCE_SECONDS)
    at_root = [progress for progress in seen if progress.doing == "pricing"]
    assert {progress.event for progress in at_root} == {"root"}
    assert len({progress.lower_bound for progress in at_root}) > 3
    assert all(progress.objective is not None for progress in at_root)


def test_every_new_plan_is_reported_once(middling: Instance) -> None:
    """The page shows a plan as soon as there is one, and needs no more than the callback."""
    seen: list[SolveProgress] = []
    solve(middling, on_progress=seen.append, time_limit=PATIENCE_SECONDS)
    plans = [progress for progress in seen if progress.new_plan is not None]
    costs = [progress.objective for progress in plans if progress.objective is not None]
    assert costs == sorted(set(costs), reverse=True)
    assert [plan.new_plan.objective for plan in plans if plan.new_plan is not None] == costs
    assert costs[-1] == seen[-1].objective


def test_cancel_from_a_callback(middling: Instance) -> None:
    """An event ends the search with the best plan so far."""
    cancel = threading.Event()
    seen: list[SolveProgress] = []

    def on_progress(progress: SolveProgress) -> None:
        seen.append(progress)
        if progress.objective is not None:
            cancel.set()

    result = solve(middling, on_progress=on_progress, cancel=cancel)
    assert seen[-1].event == "end"
    assert result.reason in ("interrupted", "proven")
    assert result.status in ("feasible", "optimal")
    assert_sound(middling, result)


def test_interrupt_returns_the_best(middling: Instance) -> None:
    """Ctrl-C loses nothing."""

    def on_progress(progress: SolveProgress) -> None:
        if progress.objective is not None and progress.event != "end":
            raise KeyboardInterrupt

    result = solve(middling, on_progress=on_progress)
    assert result.reason == "interrupted"
    assert result.status == "feasible"
    assert_sound(middling, result)


def test_progress_only_gets_better(middling: Instance) -> None:
    """Bounds rise and costs fall."""
    seen: list[SolveProgress] = []
    result = solve(middling, on_progress=seen.append, time_limit=PATIENCE_SECONDS)
    bounds = [progress.lower_bound for progress in seen]
    costs = [progress.objective for progress in seen if progress.objective is not None]
    assert bounds == sorted(bounds)
    assert costs == sorted(costs, reverse=True)
    assert result.objective == costs[-1]


def test_same_seed_same_result(middling: Instance) -> None:
    """A seed gives the same result again."""
    first, second = (solve(middling, seed=3, time_limit=PATIENCE_SECONDS) for _ in range(2))
    assert first.status == second.status == "optimal"
    assert first.objective == second.objective


@pytest.mark.parametrize(
    ("option", "value"),
    [("screen", "none"), ("cuts", ("none",)), ("gap", -1), ("time_limit", -1)],
)
def test_bad_options_are_named(option: str, value: Any, middling: Instance) -> None:
    """An option that is wrong is named."""
    with pytest.raises(InputError, match=option):
        solve(middling, **{option: value})


def test_warm_start_is_never_lost(middling: Instance) -> None:
    """Nothing worse than the start comes back."""
    best = solve(middling, time_limit=PATIENCE_SECONDS).solution
    assert best is not None
    result = solve(middling, time_limit=0, warm_start=best)
    assert result.objective == best.objective


# --- Checkpoints ------------------------------------------------------------------------------


@pytest.mark.usefixtures("without_heuristics", "without_enumeration")
def test_resume_after_every_node(tmp_path: object) -> None:
    """Stopping after each node and going on gives the same optimum."""
    folder = str(tmp_path)
    for seed in range(6):
        instance = tiny_instance(f"resume-{seed}", Conventions(), time_windows=False)
        path = f"{folder}/{seed}.checkpoint"
        result = solve(instance, node_limit=1, checkpoint=path, cuts=())
        runs = 1
        while result.reason == "node_limit":
            nodes = result.nodes
            result = solve(instance, node_limit=nodes + 1, resume=path, cuts=())
            assert result.nodes > nodes
            runs += 1
        assert_optimal(instance, result)


def test_too_few_trucks_are_explained(middling: Instance) -> None:
    """What is proven infeasible is explained."""
    poor = replace(middling, vehicle_count=1)
    result = solve(poor, time_limit=PATIENCE_SECONDS)
    assert result.status == "infeasible"
    assert "at least" in result.explanation
    assert "1" in result.explanation


def test_the_reason_speaks_the_planners_words() -> None:
    """Names instead of numbers, and areas in the unit of the floor."""
    crowd = Instance(
        name="crowd",
        depot=(0, 0),
        customers=tuple(
            Customer(x=1, y=1, weight=1, items=(Item(20, 35),), name=name)
            for name in ("Bakery", "Hotel", "School")
        ),
        vehicle=Vehicle(25, 60, 100),
        vehicle_count=2,
        units=Units(length_scale=10, length_unit="m"),
    )
    told = solve(crowd, time_limit=PATIENCE_SECONDS).explanation
    assert told.startswith("customers Bakery, Hotel, School, of whom no two can share a truck")
    half = tuple(replace(customer, items=(Item(20, 18),)) for customer in crowd.customers)
    full = replace(crowd, customers=half, vehicle=Vehicle(20, 36, 100), vehicle_count=1)
    told = solve(full, time_limit=PATIENCE_SECONDS).explanation
    assert told.startswith("items of a total area of 10.8 m² take at least 2 trucks")


def test_a_node_that_numbers_cannot_decide_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that blamed the loading check for it sent people to look in the wrong place."""
    leave_out_heuristics(monkeypatch)
    leave_out_enumeration(monkeypatch)
    monkeypatch.setattr(branching.Trials, "choose", lambda *_: None)
    instance = generate_instance(8, 2, seed=5)
    result = solve(instance, cuts=())
    assert result.reason == "precision"
    assert "differ by less than numbers can tell apart" in result.headline
    assert result.lower_bound is not None
    monkeypatch.undo()
    proven = solve(instance).objective
    assert proven is not None
    assert result.lower_bound <= proven
