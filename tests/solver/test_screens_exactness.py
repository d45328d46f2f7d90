"""Whatever a network says, bounds and proven optima stay what they are."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from adversarial_predictors import ADVERSARIES, PredictorMaker, true
from network_reference import random_tensors, write_weights
from route_enumeration import Enumeration
from search_parts import leave_out_enumeration, leave_out_heuristics
from tailgate.model.instance import (
    Instance,
)
from tailgate.model.judge import verify
from tailgate.research.generate import generate_instance
from tailgate.solver.column_generation import BoundResult, FirstColumns, bound, first_columns
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.screening import SCREENS, LazyScreen, NeuralScreen
from tailgate.solver.screening import screen as screen_module
from tailgate.solver.search.solver import solve
from tiny_instances import CONVENTIONS, tiny_instance

# Two solvers of one linear program.
TOLERANCE = 1e-6
BOUND_TOLERANCE = 1e-4
# An instance that takes longer is not solved, whatever a loaded machine may say.
PATIENCE_SECONDS = 120

INSTANCES, MANY_INSTANCES = 10, 1_000
SOLVED_INSTANCES, MANY_SOLVED_INSTANCES = 4, 200

ScreenClass = type[NeuralScreen | LazyScreen]

each_adversary = pytest.mark.parametrize("adversary", ADVERSARIES)
each_screen = pytest.mark.parametrize("screen", [NeuralScreen, LazyScreen])


@contextmanager
def screened(screen: ScreenClass, maker: PredictorMaker) -> Iterator[str]:
    """Offer a screen with a predictor of our own; yield its name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(
            SCREENS,
            "adversarial",
            lambda pricer, oracle: screen(pricer, oracle, maker(oracle.instance)),
        )
        yield "adversarial"


def sampled_instances(label: str, count: int) -> Iterator[Instance]:
    """Draw tiny instances, the conventions in turn."""
    order = CONVENTIONS.copy()
    random.Random(label).shuffle(order)
    for number in range(count):
        conventions, time_windows = order[number % len(order)]
        yield tiny_instance(f"{label}-{number}", conventions, time_windows=time_windows)


@pytest.fixture
def without_heuristic(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave all routes to pricing and the screen."""
    monkeypatch.setattr(first_columns, "HEURISTIC_ATTEMPTS", 0)
    monkeypatch.setattr(FirstColumns, "_forbid_pairs", lambda _: None)


@pytest.fixture
def with_little_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a quick check decide next to nothing, so that tiny routes are in doubt."""
    monkeypatch.setattr(screen_module, "QUICK_CHECK_NODES", 0)
    monkeypatch.setattr(screen_module, "PROOF_EFFORTS", (1, 2, None))
    monkeypatch.setattr(screen_module, "COLUMNS_PER_ROUND", 2)
    monkeypatch.setattr(screen_module, "DOUBTFUL_COLUMNS_PER_ROUND", 2)
    monkeypatch.setattr(screen_module, "ROUTES_PER_PRICING", 6)


# The root relaxation.


def assert_is_relaxation(instance: Instance, result: BoundResult) -> None:
    """See that a result is what the list of all routes says."""
    expected = Enumeration(instance)
    if expected.lp_value is None:
        assert (result.status, result.lp_value) == ("infeasible", None), instance.name
        return
    assert result.status == "converged", instance.name
    assert result.lp_value == pytest.approx(expected.lp_value, rel=TOLERANCE, abs=TOLERANCE)
    assert result.lower_bound == pytest.approx(
        expected.lp_value, rel=BOUND_TOLERANCE, abs=BOUND_TOLERANCE
    )
    if expected.optimum is not None:
        assert result.lower_bound is not None
        assert result.lower_bound <= expected.optimum * (1 + TOLERANCE)
    # In particular they can be loaded.
    assert {route for route, _ in result.support} <= expected.routes.keys()


def bound_tiny(screen: ScreenClass, adversary: str, count: int) -> None:
    """Compare many bounds with full enumeration."""
    with screened(screen, ADVERSARIES[adversary]) as name:
        for instance in sampled_instances(f"{screen.__name__}-{adversary}", count):
            result = bound(instance, screen=name, time_limit=PATIENCE_SECONDS)
            assert_is_relaxation(instance, result)


@each_screen
@each_adversary
@pytest.mark.usefixtures("without_heuristic")
def test_the_relaxation_is_the_same_whatever_is_predicted(
    screen: ScreenClass, adversary: str
) -> None:
    """All routes of tiny instances are known: what a prediction has lost or let in would show."""
    bound_tiny(screen, adversary, INSTANCES)


@each_screen
@each_adversary
@pytest.mark.usefixtures("without_heuristic", "with_little_effort")
def test_the_relaxation_is_the_same_with_routes_in_doubt(
    screen: ScreenClass, adversary: str
) -> None:
    """The same where a quick check decides nothing and the rounds are small."""
    bound_tiny(screen, adversary, INSTANCES)


@pytest.mark.long
@each_screen
@each_adversary
@pytest.mark.parametrize("little_effort", [False, True])
@pytest.mark.usefixtures("without_heuristic")
def test_the_relaxation_is_the_same_on_many(
    screen: ScreenClass,
    adversary: str,
    little_effort: bool,
    request: pytest.FixtureRequest,
) -> None:
    """The same on thousands of instances."""
    if little_effort:
        request.getfixturevalue("with_little_effort")
    bound_tiny(screen, adversary, MANY_INSTANCES)


GENERATED = {
    "class 2": generate_instance(13, 2, seed=3),
    "class 3 with windows": generate_instance(12, 3, seed=4, time_windows=True),
    "class 4": generate_instance(11, 4, seed=5),
}


@each_screen
@each_adversary
@pytest.mark.parametrize("label", GENERATED)
def test_generated_instances_have_the_same_relaxation(
    screen: ScreenClass, adversary: str, label: str
) -> None:
    """Of a size that cannot be enumerated, where cores and routes in doubt are ordinary."""
    instance = GENERATED[label]
    expected = exact_value(label)
    with screened(screen, ADVERSARIES[adversary]) as name:
        result = bound(instance, screen=name, time_limit=PATIENCE_SECONDS)
    assert result.status == "converged"
    assert result.lp_value == pytest.approx(expected, rel=TOLERANCE)
    assert result.lower_bound == pytest.approx(expected, rel=BOUND_TOLERANCE)
    oracle = LoadingOracle(instance)
    assert all(oracle.check(route).verdict == "feasible" for route, _ in result.support)


@cache
def exact_value(label: str) -> float:
    """Return the LP value of the exact screen."""
    result = bound(GENERATED[label], time_limit=PATIENCE_SECONDS)
    assert result.status == "converged"
    assert result.lp_value is not None
    return result.lp_value


# The proven optimum.


@pytest.fixture
def search_by_itself(without_heuristic: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave nothing but pricing, cuts and branching to find and prove an optimum."""
    del without_heuristic
    leave_out_heuristics(monkeypatch)
    leave_out_enumeration(monkeypatch)


def solve_tiny(screen: ScreenClass, adversary: str, count: int) -> None:
    """Compare many optima with brute force."""
    with screened(screen, ADVERSARIES[adversary]) as name:
        for instance in sampled_instances(f"solve-{screen.__name__}-{adversary}", count):
            assert_is_optimum(instance, name)


def assert_is_optimum(instance: Instance, screen: str) -> None:
    """See that a solution is what brute force says."""
    optimum = Enumeration(instance).optimum
    result = solve(instance, screen=screen, time_limit=PATIENCE_SECONDS)
    if optimum is None:
        assert (result.status, result.objective) == ("infeasible", None), instance.name
        return
    assert result.status == "optimal", instance.name
    assert result.objective == pytest.approx(optimum, rel=TOLERANCE)
    assert result.lower_bound is not None
    assert result.lower_bound <= optimum * (1 + TOLERANCE)
    assert result.solution is not None
    assert verify(instance, result.solution) == []


@each_screen
@each_adversary
@pytest.mark.usefixtures("search_by_itself")
def test_the_optimum_is_the_same_whatever_is_predicted(screen: ScreenClass, adversary: str) -> None:
    """In every node of the tree, where columns in doubt are inherited from other nodes."""
    solve_tiny(screen, adversary, SOLVED_INSTANCES)


@each_screen
@each_adversary
@pytest.mark.usefixtures("search_by_itself", "with_little_effort")
def test_the_optimum_is_the_same_with_routes_in_doubt(screen: ScreenClass, adversary: str) -> None:
    """The same where a quick check decides nothing."""
    solve_tiny(screen, adversary, SOLVED_INSTANCES)


@pytest.mark.long
@each_screen
@each_adversary
@pytest.mark.parametrize("little_effort", [False, True])
@pytest.mark.usefixtures("search_by_itself")
def test_the_optimum_is_the_same_on_many(
    screen: ScreenClass,
    adversary: str,
    little_effort: bool,
    request: pytest.FixtureRequest,
) -> None:
    """The same on thousands of instances."""
    if little_effort:
        request.getfixturevalue("with_little_effort")
    solve_tiny(screen, adversary, MANY_SOLVED_INSTANCES)


@each_screen
@pytest.mark.parametrize("adversary", ["always_yes", "inverted"])
def test_a_generated_instance_has_the_same_optimum(screen: ScreenClass, adversary: str) -> None:
    """With everything that the search has."""
    label = "class 3 with windows"
    instance = GENERATED[label]
    with screened(screen, ADVERSARIES[adversary]) as name:
        result = solve(instance, screen=name, time_limit=PATIENCE_SECONDS)
    assert (result.status, result.objective) == ("optimal", exact_optimum(label))
    assert result.solution is not None
    assert verify(instance, result.solution) == []


@cache
def exact_optimum(label: str) -> float | None:
    """Return the optimum that the exact screen finds."""
    result = solve(GENERATED[label], time_limit=PATIENCE_SECONDS)
    assert result.status == "optimal"
    return result.objective


# Networks that the core asks itself, in the route search and for infeasible cores.


@pytest.mark.parametrize("head_bias", [-100.0, 100.0, 0.0])
def test_the_core_may_ask_any_network(head_bias: float, tmp_path: Path) -> None:
    """One that always says no, one that always says yes, and one that says anything."""
    tensors = random_tensors(5, scale=2.0)
    tensors["head.2.bias"][:] = head_bias
    weights = write_weights(tmp_path / "weights.safetensors", tensors)
    for instance in sampled_instances(f"core-{head_bias}", INSTANCES):
        result = bound(instance, screen="lazy", weights=weights, time_limit=PATIENCE_SECONDS)
        assert_is_relaxation(instance, result)
    for instance in GENERATED.values():
        exact = bound(instance, time_limit=PATIENCE_SECONDS)
        result = bound(instance, screen="lazy", weights=weights, time_limit=PATIENCE_SECONDS)
        assert result.lp_value == pytest.approx(exact.lp_value, rel=TOLERANCE)
        again = bound(instance, screen="lazy", weights=weights, time_limit=PATIENCE_SECONDS)
        assert (again.iterations, again.exact_checks) == (result.iterations, result.exact_checks)


# That the tests above have something to show.


@pytest.mark.parametrize(
    ("screen", "adversary", "counter"),
    [
        (NeuralScreen, "always_yes", "false_positive_cuts"),
        (NeuralScreen, "always_yes", "checks_saved"),
        (NeuralScreen, "always_no", "false_negatives"),
        (LazyScreen, "always_no", "false_negatives"),
        (LazyScreen, "always_no", "checks_saved"),
        (LazyScreen, "always_yes", "false_positives"),
    ],
)
@pytest.mark.usefixtures("without_heuristic")
def test_wrong_predictions_are_met_and_counted(
    screen: ScreenClass, adversary: str, counter: str
) -> None:
    """Columns are let in wrongly and kept out wrongly."""
    with screened(screen, ADVERSARIES[adversary]) as name:
        result = bound(GENERATED["class 2"], screen=name, time_limit=PATIENCE_SECONDS)
    assert result.statistics[f"screen_{counter}"] > 0
    assert result.network_calls == result.statistics["screen_network_calls"] > 0
    assert result.false_positive_cuts == result.statistics["screen_false_positive_cuts"]


@each_screen
@pytest.mark.usefixtures("without_heuristic")
def test_right_predictions_are_not_counted_as_wrong(
    screen: ScreenClass,
) -> None:
    """A network that is always right makes no cut, and saves checks."""
    with screened(screen, true) as name:
        result = bound(GENERATED["class 2"], screen=name, time_limit=PATIENCE_SECONDS)
    exact = bound(GENERATED["class 2"], time_limit=PATIENCE_SECONDS)
    assert result.lp_value == pytest.approx(exact.lp_value, rel=TOLERANCE)
    statistics = result.statistics
    assert statistics["screen_false_positives"] == statistics["screen_false_negatives"] == 0
    assert result.false_positive_cuts == 0
    assert statistics["screen_checks_saved"] > 0
