"""Limits that strike at every moment: no status, bound or plan rests on work that was cut off.

A clock that counts looks strikes at a given one, in Python and in the compiled core alike. The
first plan is a poor one, so that a proof which rests on unfinished work ends in a wrong optimum.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any

import highspy
import pytest

from route_enumeration import Enumeration
from search_parts import leave_out_enumeration
from seeds import with_seeds
from tailgate import _core
from tailgate.model.instance import Conventions, Instance
from tailgate.model.judge import verify
from tailgate.research.generate import generate_instance
from tailgate.solver.column import columns_of
from tailgate.solver.column_generation import (
    BoundResult,
    ColumnGeneration,
    FirstColumns,
    RootRelaxation,
    Subproblem,
    column_generation,
)
from tailgate.solver.highs import run_highs
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.pricing import Pricer
from tailgate.solver.routing import RouteSearch
from tailgate.solver.screening import make_fleet_screen
from tailgate.solver.screening import screen as screen_module
from tailgate.solver.search import branching, cutting, node_solver
from tailgate.solver.search.finishing import PoolFinish, PoolFinishResult
from tailgate.solver.search.finishing.columns import Columns
from tailgate.solver.search.finishing.integer_programme import choose_columns
from tailgate.solver.search.node import Node
from tailgate.solver.search.result import SolveResult
from tailgate.solver.search.solver import solve
from tailgate.solver.time_limit import TimeLimit
from tiny_instances import tiny_instance

TOLERANCE = 1e-6
NO_LIMIT = TimeLimit()
CONVENTIONS = [
    Conventions.BENCHMARK,
    Conventions.PLANNER,
    Conventions(distance="rounded", fleet="at-most", single_customer_routes="allow", lifo=False),
]


class Striking:
    """Ends the work at a given look, and at every later one."""

    def __init__(self, at: float) -> None:
        self._at = at
        self.looks = 0

    def is_set(self) -> bool:
        """Count the look."""
        self.looks += 1
        return self.looks >= self._at

    @property
    def has_struck(self) -> bool:
        """Whether anybody was sent home."""
        return self.looks >= self._at


def moments(looks: int, count: int, seed: int = 0) -> Iterator[Striking]:
    """Yield clocks that strike at the first looks, and then here and there up to the last."""
    first = range(1, min(looks, count // 3) + 1)
    later = random.Random(seed).choices(range(1, looks + 1), k=count) if looks else []
    for at in sorted({*first, *later}):
        yield Striking(at)


@pytest.fixture
def asked_always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the core ask at every look it takes, and not after a twentieth of a second."""
    set_event = _core.set_cancel_event

    def asked(event: object | None) -> None:
        set_event(event, seconds_between_looks=0.0)

    monkeypatch.setattr(_core, "set_cancel_event", asked)


@pytest.fixture
def poor_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the route search find nothing: a sweep gives the first plan, and it is seldom good."""
    monkeypatch.setattr(RouteSearch, "run", lambda *_, **__: None)


def without_cuts_and_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search branch as much as it can."""
    leave_out_enumeration(monkeypatch)
    monkeypatch.setattr(cutting, "CUT_ROUNDS_AT_ROOT", 0)
    monkeypatch.setattr(cutting, "CUT_ROUNDS_IN_TREE", 0)


def with_late_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an integral solution be proven at the very end of a node only."""
    without_cuts_and_enumeration(monkeypatch)
    monkeypatch.setattr(node_solver, "RELAXATION_PROOF_NODES", 0)
    monkeypatch.setattr(node_solver, "INTEGRAL_PROOF_NODES", 0)
    monkeypatch.setattr(screen_module, "QUICK_CHECK_NODES", 1)


def everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the search as it is."""
    del monkeypatch


PARTS = [everything, leave_out_enumeration, without_cuts_and_enumeration, with_late_proofs]


@cache
def _case(conventions: Conventions, seed: int) -> tuple[Instance, float | None]:
    """Draw an instance, with its optimum by brute force."""
    instance = tiny_instance(f"strikes-{seed}", conventions, time_windows=seed % 3 == 2)
    return instance, Enumeration(instance).optimum


def check(instance: Instance, optimum: float | None, result: SolveResult) -> None:
    """See that nothing is claimed that is not so."""
    if result.status == "infeasible":
        assert optimum is None, instance.name
        return
    if optimum is None:
        assert result.status == "bound_only", instance.name
        return
    assert result.lower_bound is not None
    assert result.lower_bound <= optimum + TOLERANCE, instance.name
    assert result.status != "optimal" or result.objective == pytest.approx(optimum), instance.name
    if result.solution is not None:
        assert not verify(instance, result.solution)


@pytest.mark.usefixtures("asked_always", "poor_plans")
@pytest.mark.parametrize("conventions", CONVENTIONS)
@pytest.mark.parametrize("parts", PARTS)
@with_seeds(10, 100)
def test_a_search_that_is_cut_off_claims_nothing(
    parts: Callable[[pytest.MonkeyPatch], None],
    conventions: Conventions,
    seeds: range,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The whole search, struck at its first looks and at others up to the very last one."""
    parts(monkeypatch)
    struck = 0
    for seed in seeds:
        instance, optimum = _case(conventions, seed)
        clock = Striking(math.inf)
        full = solve(instance, cancel=clock)
        check(instance, optimum, full)
        assert full.status == ("infeasible" if optimum is None else "optimal")
        for early in moments(clock.looks, 30, seed):
            check(instance, optimum, solve(instance, cancel=early))
            struck += early.has_struck
    assert struck > 40


@pytest.mark.usefixtures("asked_always", "poor_plans")
@pytest.mark.parametrize("parts", PARTS)
@pytest.mark.parametrize("seed", [3, pytest.param(5, marks=pytest.mark.long)])
def test_a_longer_search_that_is_cut_off_claims_nothing(
    parts: Callable[[pytest.MonkeyPatch], None], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With more customers there are cuts, enumeration, an integer programme and branching."""
    instance = generate_instance(14, 2 + seed % 3, seed=seed)
    optimum = solve(instance).objective
    parts(monkeypatch)
    clock = Striking(math.inf)
    check(instance, optimum, solve(instance, cancel=clock))
    for early in moments(clock.looks, 50, seed):
        check(instance, optimum, solve(instance, cancel=early))


@pytest.mark.usefixtures("poor_plans")
@pytest.mark.parametrize("conventions", CONVENTIONS)
def test_a_limit_in_seconds_that_strikes_anywhere_claims_nothing(
    conventions: Conventions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The core has a clock of its own: it gets what is left, which is next to nothing here."""
    tick = 1e-5
    now = [0.0]

    def ticking() -> float:
        now[0] += tick
        return now[0]

    monkeypatch.setattr(time, "monotonic", ticking)
    for seed in range(4):
        instance, optimum = _case(conventions, seed)
        for looks in (*range(1, 20), *range(20, 400, 25), 1_000, 2_000, 4_000):
            check(instance, optimum, solve(instance, time_limit=looks * tick))


def exact_generation(instance: Instance) -> ColumnGeneration:
    """Return the column generation of a run with default settings."""
    return ColumnGeneration(make_fleet_screen("exact", instance))


def struck_bound(instance: Instance, clock: Striking) -> BoundResult:
    """Generate columns until the clock strikes, in Python or in the core."""
    root = RootRelaxation(exact_generation(instance), TimeLimit(cancel=clock))
    _core.set_cancel_event(clock)
    try:
        return root.run()
    finally:
        _core.set_cancel_event(None)


@pytest.mark.usefixtures("asked_always", "poor_plans")
@pytest.mark.parametrize("conventions", CONVENTIONS[:2])
def test_a_relaxation_that_is_cut_off_has_a_true_bound(
    conventions: Conventions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Converged means that pricing was finished; a bound holds whenever it is named."""
    monkeypatch.setattr(column_generation, "LATE_BOUND_SECONDS", 0.001)
    struck = 0
    for seed in range(2):
        instance = generate_instance(12, 2 + seed, seed=seed).with_conventions(conventions)
        clock = Striking(math.inf)
        full = struck_bound(instance, clock)
        assert full.status == "converged"
        for early in moments(clock.looks, 30, seed):
            result = struck_bound(instance, early)
            struck += early.has_struck
            assert result.status in ("converged", "time_limit")
            assert full.lower_bound is not None
            assert result.lower_bound is not None
            assert result.lower_bound <= full.lower_bound + TOLERANCE
            if result.status == "converged":
                assert result.lower_bound == pytest.approx(full.lower_bound)
    assert struck > 40


@cache
def _pool(conventions: Conventions, seed: int) -> tuple[Instance, Enumeration]:
    instance = tiny_instance(f"pools-{seed}", conventions, time_windows=False)
    listed = Enumeration(instance)
    if listed.optimum is None:
        return _pool(conventions, seed + 1_000)
    return instance, listed


def finish(instance: Instance, optimum: float, clock: Striking) -> PoolFinishResult:
    """Look for the best solution of the pool of all routes until the clock strikes."""
    pricer = Pricer(instance)
    listed = pricer.enumerate(math.inf, max_sets=10_000, max_paths=10**9, time_limit=NO_LIMIT)
    columns = columns_of(0, listed.routes)
    pool = PoolFinish(instance, [LoadingOracle(instance)], [pricer], columns)
    _core.set_cancel_event(clock)
    try:
        result = pool.run(TimeLimit(cancel=clock))
    finally:
        _core.set_cancel_event(None)
    assert result.lower_bound <= optimum + TOLERANCE
    assert result.status != "solved" or result.cost == pytest.approx(optimum)
    return result


@pytest.mark.usefixtures("asked_always")
@pytest.mark.parametrize("conventions", CONVENTIONS)
@with_seeds(12, 60)
def test_a_finish_that_is_cut_off_has_solved_nothing(
    conventions: Conventions, seeds: range
) -> None:
    """Finishing by enumeration, on pools whose best solution is known."""
    struck = 0
    for seed in seeds:
        instance, listed = _pool(conventions, seed)
        assert listed.optimum is not None

        clock = Striking(math.inf)
        assert finish(instance, listed.optimum, clock).status == "solved"
        for early in moments(clock.looks, 20, seed):
            finish(instance, listed.optimum, early)
            struck += early.has_struck
    assert struck > 30


@pytest.mark.parametrize("conventions", CONVENTIONS)
def test_an_integer_programme_that_is_cut_off_proves_nothing(conventions: Conventions) -> None:
    """HiGHS itself, with limits from nothing to plenty, on pools with and without a solution."""
    answers = set()
    for seed in range(4):
        instance, listed = _pool(conventions, seed)
        optimum = listed.optimum
        assert optimum is not None
        for share in (0.0, *(2.0**-power for power in range(20, 2, -1))):
            for limit, is_solvable in ((optimum, True), (optimum - 1, False)):
                columns = Columns(instance, columns_of(0, listed.routes))
                choice = choose_columns(
                    instance, columns, limit=limit, threads=1, time_limit=TimeLimit(share)
                )
                answers.add(choice.status)
                assert choice.status != ("infeasible" if is_solvable else "optimal")
                if choice.status == "optimal":
                    cost = sum(float(columns.costs[column]) for column in choice.columns)
                    assert cost == pytest.approx(optimum)
    assert "stopped" in answers


@pytest.mark.usefixtures("asked_always", "poor_plans")
def test_a_trial_of_branching_that_is_cut_off_raises_no_bound_too_far() -> None:
    """Every plan keeps one of two decisions: the weaker of their bounds is not above the best."""
    struck = 0
    for seed in range(40):
        instance, optimum = _case(Conventions.BENCHMARK, seed)
        if optimum is None:
            continue
        for looks in (math.inf, 1, 2, 3, 5, 8, 13, 21, 34, 55):
            generation = exact_generation(instance)
            FirstColumns(generation, NO_LIMIT).find()
            relaxation = generation.solve(Subproblem(), NO_LIMIT)
            if relaxation.outcome != "converged":
                continue
            assert relaxation.solution is not None
            clock = Striking(looks)
            _core.set_cancel_event(clock)
            try:
                trials = branching.Trials(
                    generation,
                    Node(lower_bound=relaxation.lower_bound),
                    (),
                    cutoff=math.inf,
                    seconds_per_trial=10,
                    proof_limit=None,
                    time_limit=TimeLimit(cancel=clock),
                )
                chosen = trials.choose(relaxation.solution.support)
            finally:
                _core.set_cancel_event(None)
            if chosen is None:
                break
            assert min(chosen.lower_bounds) <= optimum + TOLERANCE
            struck += clock.has_struck
    assert struck > 10


# --- The rule itself ------------------------------------------------------------------------------


def unreliable(status: highspy.HighsModelStatus, seconds: float) -> Any:
    """Return a solver that takes its time, and then names a status as if it had finished."""
    spent = [0.0]
    return SimpleNamespace(
        setOptionValue=lambda *_: None,
        run=lambda: spent.append(seconds),
        getRunTime=lambda: sum(spent),
        getModelStatus=lambda: status,
    )


FINAL = [
    highspy.HighsModelStatus.kOptimal,
    highspy.HighsModelStatus.kInfeasible,
    highspy.HighsModelStatus.kUnbounded,
]


@pytest.mark.parametrize("status", FINAL)
def test_a_status_counts_only_if_no_limit_has_struck(status: highspy.HighsModelStatus) -> None:
    """Whatever HiGHS calls it: its own limit, ours, and the wish of another thread."""
    assert run_highs(unreliable(status, 1.0), TimeLimit(100)) == status
    assert run_highs(unreliable(status, 1e9), TimeLimit()) == status
    assert run_highs(unreliable(status, 200.0), TimeLimit(100)) is None
    assert run_highs(unreliable(status, 0.0), TimeLimit(0)) is None
    event = Striking(2)
    assert run_highs(unreliable(status, 0.0), TimeLimit(cancel=event)) is None


@pytest.mark.parametrize(
    "status", [highspy.HighsModelStatus.kTimeLimit, highspy.HighsModelStatus.kInterrupt]
)
def test_a_solver_that_says_it_was_cut_off_is_believed(status: highspy.HighsModelStatus) -> None:
    """Its own clock may be ahead of ours."""
    assert run_highs(unreliable(status, 1.0), TimeLimit(100)) is None


def test_a_programme_struck_in_presolve_is_not_infeasible(monkeypatch: pytest.MonkeyPatch) -> None:
    """The finish would take it for the proof that no better plan is left."""
    instance, listed = _pool(Conventions.BENCHMARK, 0)
    assert listed.optimum is not None
    monkeypatch.setattr(
        highspy.Highs,
        "getModelStatus",
        lambda _: highspy.HighsModelStatus.kInfeasible,
    )
    columns = Columns(instance, columns_of(0, listed.routes))
    limit = TimeLimit(1e-9)
    time.sleep(0.001)
    choice = choose_columns(instance, columns, limit=listed.optimum, threads=1, time_limit=limit)
    assert choice.status == "stopped"


class ClaimingCore:
    """Claims to have finished everything, whatever the limit."""

    def price(self, *_: object) -> SimpleNamespace:
        """Claim that no route improves the solution."""
        return SimpleNamespace(routes=[], reduced_costs=[], complete=True, bound=0.0)

    def price_more(self, *_: object) -> SimpleNamespace:
        """Claim that no other route improves it."""
        return self.price()

    def enumerate_sets(self, *_: object) -> tuple[list[list[int]], bool]:
        """Claim that there is no route."""
        return [], True

    def cheapest_order(self, *_: object) -> list[int]:
        """Claim that there is no order."""
        return []


def test_a_core_that_claims_too_much_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pricing, enumeration and cheapest order count only while the limit has not struck."""
    instance = tiny_instance(1, Conventions.PLANNER, time_windows=False)
    pricer, over = Pricer(instance), TimeLimit(0)
    monkeypatch.setattr(pricer, "_core", ClaimingCore())
    assert pricer.price(0.0, max_routes=1, time_limit=NO_LIMIT).complete
    assert not pricer.price(0.0, max_routes=1, time_limit=over).complete
    assert pricer.price_more(max_routes=1, time_limit=NO_LIMIT).complete
    assert not pricer.price_more(max_routes=1, time_limit=over).complete
    assert pricer.enumerate(0.0, max_sets=1, max_paths=1, time_limit=NO_LIMIT).complete
    assert not pricer.enumerate(0.0, max_sets=1, max_paths=1, time_limit=over).complete
    assert pricer.cheapest_order([1], time_limit=NO_LIMIT) is None
    with pytest.raises(TimeoutError):
        pricer.cheapest_order([1], time_limit=over)
