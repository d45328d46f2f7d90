"""The neural and the lazy screen, with predictions and loading answers that are made up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from adversarial_predictors import MadeUpPredictor
from made_up_oracle import Answer, MadeUpOracle, Stops, row
from network_reference import random_tensors, write_weights
from tailgate.apps.cli.main import main
from tailgate.io import write_json
from tailgate.model.errors import InputError
from tailgate.research.generate import generate_instance
from tailgate.solver.column_generation import bound, first_columns
from tailgate.solver.loading import LoadingOracle, Verdict
from tailgate.solver.network import Predictor
from tailgate.solver.network import weights as weights_module
from tailgate.solver.pricing import Pricer
from tailgate.solver.screening import (
    SCREENS,
    ExactScreen,
    LazyScreen,
    NeuralScreen,
    UndecidedLoadingError,
    lazy,
    make_screen,
)
from tailgate.solver.screening.screen import PROOF_EFFORTS, QUICK_CHECK_NODES
from tailgate.solver.search.solver import solve
from tailgate.solver.time_limit import TimeLimit

NO_LIMIT = TimeLimit()
UNKNOWN, FEASIBLE, INFEASIBLE = Verdict.UNKNOWN, Verdict.FEASIBLE, Verdict.INFEASIBLE

# At these duals a truck pays only with all three: orders (1, 2, 3) and (1, 3, 2) at -3, and
# (2, 1, 3) at -1.
TRIPLES_ONLY = [9.0, 9.0, 9.0]
TRIPLES = {(1, 2, 3), (1, 3, 2), (2, 1, 3)}
Prediction = Callable[[Stops], bool]


def yes(_: Stops) -> bool:
    """Predict feasible."""
    return True


def no(_: Stops) -> bool:
    """Predict infeasible."""
    return False


def neural(answer: Answer, prediction: Prediction) -> tuple[NeuralScreen, MadeUpOracle]:
    """Return a screen at duals where only triples pay, and its oracle."""
    oracle = MadeUpOracle(row(3), answer)
    screen = NeuralScreen(Pricer(row(3)), oracle, MadeUpPredictor(prediction))
    screen.pricer.set_duals(TRIPLES_ONLY)
    return screen, oracle


def lazy_screen(answer: Answer, prediction: Prediction) -> tuple[LazyScreen, MadeUpOracle]:
    """Return a screen at duals where only triples pay, and its oracle."""
    oracle = MadeUpOracle(row(3), answer)
    screen = LazyScreen(Pricer(row(3)), oracle, MadeUpPredictor(prediction))
    screen.pricer.set_duals(TRIPLES_ONLY)
    return screen, oracle


# As in the paper.


def test_predicted_feasible_routes_enter_without_a_check() -> None:
    """That is what the paper saves."""
    screen, oracle = neural(lambda *_: INFEASIBLE, yes)
    found = screen.price_and_screen(0.0, NO_LIMIT)
    assert found.complete
    assert set(found.columns) >= {(1, 2, 3), (1, 3, 2)}
    assert found.bound == pytest.approx(-3)
    assert oracle.asked == []
    assert screen.statistics["checks_saved"] == len(found.columns)


def test_columns_on_the_networks_word_are_proven_when_they_are_used() -> None:
    """From a quick check on, with growing effort; what is not used is not proven."""
    screen, oracle = neural(
        lambda _, nodes: FEASIBLE if nodes is None or nodes >= 2_000 else UNKNOWN, yes
    )
    screen.price_and_screen(0.0, NO_LIMIT)
    support = {(1, 2, 3): 0.5, (1, 2): 0.5}
    assert screen.check_columns_in_use(support, NO_LIMIT) == ()
    assert oracle.asked == [((1, 2, 3), QUICK_CHECK_NODES), ((1, 2, 3), PROOF_EFFORTS[0])]
    assert screen.check_columns_in_use(support, NO_LIMIT) == ()
    assert len(oracle.asked) == 2
    assert (screen.false_positive_cuts, screen.statistics["false_positives"]) == (0, 0)


def test_a_false_positive_is_cut_off_and_never_comes_back() -> None:
    """It leaves the master problem, and pricing must not find it again."""
    screen, _ = neural(lambda route, _: INFEASIBLE if route == (1, 3, 2) else FEASIBLE, yes)
    screen.price_and_screen(0.0, NO_LIMIT)
    assert screen.check_columns_in_use({(1, 2, 3): 0.6, (1, 3, 2): 0.4}, NO_LIMIT) == ((1, 3, 2),)
    assert screen.pricer.skips((1, 3, 2))
    assert (1, 3, 2) not in screen.price_and_screen(0.0, NO_LIMIT).columns
    assert (screen.false_positive_cuts, screen.statistics["false_positives"]) == (1, 1)


def test_predicted_infeasible_routes_are_checked() -> None:
    """False negatives are repaired at once, and counted."""
    screen, oracle = neural(lambda *_: FEASIBLE, no)
    found = screen.price_and_screen(0.0, NO_LIMIT)
    assert set(found.columns) >= {(1, 2, 3), (1, 3, 2)}
    assert oracle.asked == [(route, QUICK_CHECK_NODES) for route in found.columns]
    assert screen.check_columns_in_use(dict.fromkeys(found.columns, 1.0), NO_LIMIT) == ()
    assert screen.statistics["false_negatives"] == len(found.columns)
    assert screen.statistics["checks_saved"] == 0


def test_with_a_network_that_refuses_all_the_neural_screen_is_the_exact_one() -> None:
    """Question by question."""

    def answer(route: Stops, nodes: int | None) -> Verdict:
        if len(route) < 3:
            return FEASIBLE
        return UNKNOWN if nodes == QUICK_CHECK_NODES else INFEASIBLE

    screen, oracle = neural(answer, no)
    exact_oracle = MadeUpOracle(row(3), answer)
    exact = ExactScreen(Pricer(row(3)), exact_oracle)
    for duals in (TRIPLES_ONLY, [12.0, 12.0, 12.0], TRIPLES_ONLY):
        for each in (screen, exact):
            each.pricer.set_duals(duals)
        columns = screen.price_and_screen(0.0, NO_LIMIT).columns
        assert columns == exact.price_and_screen(0.0, NO_LIMIT).columns
        support = dict.fromkeys(columns, 0.5)
        assert screen.check_columns_in_use(support, NO_LIMIT) == exact.check_columns_in_use(
            support, NO_LIMIT
        )
    assert oracle.asked == exact_oracle.asked


# Ours.


def test_predicted_infeasible_routes_wait_for_the_others() -> None:
    """While others pay they are not even looked at; then they are, and not deferred again."""
    screen, oracle = lazy_screen(lambda *_: FEASIBLE, lambda route: len(route) < 3)
    screen.pricer.set_duals([12.0, 12.0, 12.0])
    found = screen.price_and_screen(0.0, NO_LIMIT)
    assert found.complete
    assert found.columns
    assert all(len(route) == 2 for route in found.columns)
    # The bound counts them all the same.
    assert found.bound <= -12
    assert all(len(route) == 2 for route, _ in oracle.asked)
    assert screen.statistics["checks_saved"] > 0
    screen.pricer.set_duals(TRIPLES_ONLY)
    found = screen.price_and_screen(0.0, NO_LIMIT)
    assert found.complete
    assert set(found.columns) == TRIPLES
    assert screen.statistics["false_negatives"] == len(TRIPLES)
    assert screen.statistics["checks_saved"] == 0


def test_nothing_left_means_that_all_was_looked_at() -> None:
    """The loop ends with this answer: every postponed route must be refuted then."""
    screen, oracle = lazy_screen(lambda *_: INFEASIBLE, no)
    for _ in range(2):
        found = screen.price_and_screen(0.0, NO_LIMIT)
        assert (found.columns, found.complete) == ((), True)
        assert 0 <= found.bound <= 4
    assert sorted(oracle.asked) == sorted((route, QUICK_CHECK_NODES) for route in TRIPLES)


def test_predicted_feasible_routes_are_checked_quickly() -> None:
    """An infeasible column spoils the duals, and a quick check is cheap."""
    screen, oracle = lazy_screen(
        lambda route, _: INFEASIBLE if route == (1, 3, 2) else FEASIBLE, yes
    )
    found = screen.price_and_screen(0.0, NO_LIMIT)
    assert (1, 2, 3) in found.columns
    assert (1, 3, 2) not in found.columns
    assert all(nodes == QUICK_CHECK_NODES for _, nodes in oracle.asked)
    assert screen.statistics["false_positives"] == 1
    assert screen.false_positive_cuts == 0


def test_the_network_is_believed_where_a_quick_check_does_not_decide() -> None:
    """The column enters in doubt, and is proven when it is used."""
    screen, oracle = lazy_screen(
        lambda _, nodes: UNKNOWN if nodes == QUICK_CHECK_NODES else INFEASIBLE, yes
    )
    found = screen.price_and_screen(0.0, NO_LIMIT)
    assert set(found.columns) >= {(1, 2, 3), (1, 3, 2)}
    oracle.asked.clear()
    assert screen.check_columns_in_use({(1, 2, 3): 1.0}, NO_LIMIT) == ((1, 2, 3),)
    assert oracle.asked == [((1, 2, 3), PROOF_EFFORTS[0])]
    assert screen.false_positive_cuts == 1


@pytest.mark.usefixtures("random_network")
def test_only_a_clear_no_postpones() -> None:
    """The network's threshold is for the neural screen; both get it from the network or not."""
    instance = generate_instance(5, 2, seed=1)
    for weights in (None, "default"):
        for name, expected in (("neural", 0.5), ("lazy", lazy.LIKELY)):
            screen = make_screen(name, Pricer(instance), LoadingOracle(instance), weights=weights)
            assert isinstance(screen, NeuralScreen | LazyScreen)
            assert isinstance(screen.predictor, Predictor)
            assert screen.predictor.threshold == expected


def test_a_network_that_refuses_without_end_is_doubted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuting a route rules out many others, postponing it does not."""
    monkeypatch.setattr(lazy, "POSTPONED_PER_ROUND", 1)
    screen, oracle = lazy_screen(lambda *_: FEASIBLE, no)
    found = screen.price_and_screen(0.0, NO_LIMIT)
    assert found.columns
    assert len(oracle.asked) == len(found.columns)
    assert screen.statistics["checks_saved"] == 1


def test_nothing_waits_where_a_refusal_is_cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made-up refusals take no nodes: after some of them every route is checked quickly."""
    monkeypatch.setattr(lazy, "MIN_QUICK_CHECKS", 2)
    screen, oracle = lazy_screen(lambda *_: INFEASIBLE, no)
    assert screen.price_and_screen(0.0, NO_LIMIT).columns == ()
    assert len(oracle.asked) == len(TRIPLES)
    screen.pricer.set_duals([12.0, 12.0, 12.0])
    saved = screen.statistics["checks_saved"]
    assert screen.price_and_screen(0.0, NO_LIMIT).columns == ()
    assert len(oracle.asked) > len(TRIPLES)
    assert screen.statistics["checks_saved"] == saved


@pytest.mark.usefixtures("random_network")
@pytest.mark.parametrize("sure", [0.0, 1.1])
def test_only_a_sure_network_is_believed_where_a_quick_check_does_not_decide(
    sure: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the route waits as in the exact screen, for its proof may take long."""
    monkeypatch.setattr(lazy, "SURE", sure)
    monkeypatch.setattr(lazy.LazyScreen, "threshold", 0.0)
    oracle = MadeUpOracle(row(3), lambda route, _: UNKNOWN if len(route) == 3 else FEASIBLE)
    screen = LazyScreen(Pricer(row(3)), oracle)
    screen.pricer.set_duals([12.0, 12.0, 12.0])
    found = screen.price_and_screen(0.0, NO_LIMIT)
    assert any(len(route) == 3 for route in found.columns) == (sure == 0.0)


# Both.


@pytest.mark.parametrize("make", [neural, lazy_screen])
def test_a_network_that_changes_its_mind_does_no_harm(
    make: Callable[[Answer, Prediction], tuple[NeuralScreen | LazyScreen, MadeUpOracle]],
) -> None:
    """It is asked once about a route, so that counts add up."""
    screen, _ = make(lambda *_: FEASIBLE, yes)
    screen.price_and_screen(0.0, NO_LIMIT)
    calls = screen.network_calls
    screen.price_and_screen(0.0, NO_LIMIT)
    statistics = screen.statistics
    assert statistics["predicted_feasible"] + statistics["predicted_infeasible"] == (
        screen.network_calls
    )
    assert calls == screen.network_calls


@pytest.mark.parametrize("make", [neural, lazy_screen])
@pytest.mark.parametrize("prediction", [yes, no])
def test_an_unknown_without_limit_is_an_error(
    make: Callable[[Answer, Prediction], tuple[NeuralScreen | LazyScreen, MadeUpOracle]],
    prediction: Prediction,
) -> None:
    """The network's word is no proof, and no refutation."""
    screen, _ = make(lambda *_: UNKNOWN, prediction)
    columns = screen.price_and_screen(0.0, NO_LIMIT).columns
    assert (1, 2, 3) in columns
    with pytest.raises(UndecidedLoadingError, match="1, 2, 3"):
        screen.check_columns_in_use({(1, 2, 3): 1.0}, NO_LIMIT)


@pytest.mark.parametrize("make", [neural, lazy_screen])
@pytest.mark.parametrize("prediction", [yes, no])
def test_no_time_means_no_claim(
    make: Callable[[Answer, Prediction], tuple[NeuralScreen | LazyScreen, MadeUpOracle]],
    prediction: Prediction,
) -> None:
    """A search that was cut short has found nothing, which is not that there is nothing."""
    screen, _ = make(lambda *_: FEASIBLE, prediction)
    found = screen.price_and_screen(0.0, TimeLimit(0))
    assert (found.columns, found.complete) == ((), False)


# From the outside.


def test_screens_are_known_by_name() -> None:
    """The command line offers what is here."""
    assert set(SCREENS) == {"exact", "neural", "lazy"}


@pytest.fixture
def random_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the package come with a network of random weights."""
    monkeypatch.setattr(weights_module, "_FOLDER", tmp_path)
    write_weights(tmp_path / "default.safetensors", random_tensors(0))


@pytest.mark.parametrize("screen", ["neural", "lazy"])
@pytest.mark.usefixtures("random_network")
def test_calls_and_seconds_of_the_network_are_told(screen: str) -> None:
    """And the parts of the time still add up."""
    instance = generate_instance(12, 3, seed=1)
    result = bound(instance, screen=screen, time_limit=60)
    exact = bound(instance, time_limit=60)
    assert result.lp_value == pytest.approx(exact.lp_value)
    assert result.network_calls > 0
    assert result.seconds["network"] > 0
    parts = [seconds for name, seconds in result.seconds.items() if name != "total"]
    assert sum(parts) <= result.seconds["total"] + 0.05
    assert (exact.network_calls, exact.seconds["network"]) == (0, 0)


@pytest.mark.parametrize("screen", ["neural", "lazy"])
@pytest.mark.usefixtures("random_network")
def test_the_search_takes_these_screens(screen: str) -> None:
    """The optimum is the same."""
    instance = generate_instance(9, 2, seed=1)
    result = solve(instance, screen=screen, time_limit=60)
    assert result.status == "optimal"
    assert result.objective == solve(instance, time_limit=60).objective


@pytest.mark.usefixtures("random_network")
def test_the_command_line_takes_these_screens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a line about the network."""
    path = tmp_path / "instance.json"
    write_json(generate_instance(9, 3, seed=1), path)
    for screen in ("neural", "lazy"):
        assert main(["bound", str(path), "--screen", screen]) == 0
        assert "network" in capsys.readouterr().out
        assert main(["solve", str(path), "--screen", screen]) == 0
        capsys.readouterr()


@pytest.mark.parametrize("screen", ["neural", "lazy"])
def test_without_weights_the_remedy_is_named(
    screen: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The exact screen is there on request, and never instead."""
    monkeypatch.setattr(weights_module, "_FOLDER", tmp_path)
    instance = generate_instance(5, 2, seed=1)
    for run in (bound, solve):
        with pytest.raises(InputError, match=r"network 'default'.*screen `exact`"):
            run(instance, screen=screen)
    path = tmp_path / "instance.json"
    write_json(instance, path)
    for command in ("bound", "solve"):
        assert main([command, str(path), "--screen", screen]) != 0
        assert "exact" in capsys.readouterr().err


def test_weights_of_ones_own_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a network in the package, and by the command line too."""
    monkeypatch.setattr(weights_module, "_FOLDER", tmp_path / "nothing")
    path = write_weights(tmp_path / "own.safetensors", random_tensors(0))
    instance = generate_instance(6, 2, seed=1)
    result = bound(instance, screen="neural", weights=path)
    assert result.network_calls > 0
    assert solve(instance, screen="lazy", weights=path).status == "optimal"
    file = tmp_path / "instance.json"
    write_json(instance, file)
    for command in ("bound", "solve"):
        arguments = [command, str(file), "--screen", "neural", "--weights", str(path)]
        assert main(arguments) == 0
    capsys.readouterr()
    assert main(["bound", str(file), "--screen", "lazy", "--weights", str(file)]) != 0
    assert "no file of network weights" in capsys.readouterr().err


def test_weights_for_the_exact_screen_are_a_mistake(tmp_path: Path) -> None:
    """Whoever names a network expects that it is asked."""
    path = write_weights(tmp_path / "own.safetensors", random_tensors(0))
    for run in (bound, solve):
        with pytest.raises(InputError, match=r"weights: the screen exact asks no network"):
            run(generate_instance(5, 2, seed=1), weights=path)


def test_a_damaged_network_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before any work is done with it."""
    monkeypatch.setattr(weights_module, "_FOLDER", tmp_path)
    path = write_weights(tmp_path / "default.safetensors", random_tensors(0))
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(InputError, match="checksum"):
        bound(generate_instance(5, 2, seed=1), screen="neural")


@pytest.mark.parametrize("screen", [NeuralScreen, LazyScreen])
@pytest.mark.parametrize("prediction", [yes, no])
@pytest.mark.parametrize(
    ("answer", "status", "value"),
    [
        pytest.param(
            lambda route, nodes: (
                FEASIBLE
                if len(route) < 3
                else UNKNOWN
                if nodes is not None and nodes < 10_000
                else INFEASIBLE
            ),
            "converged",
            # Half of every pair: 22 + 24 + 24.
            35,
            id="refuted in the end",
        ),
        pytest.param(
            lambda route, _: UNKNOWN if len(route) >= 3 else FEASIBLE,
            "undecided",
            24,
            id="undecided",
        ),
    ],
)
def test_a_run_ends_as_the_oracle_lets_it(
    screen: type[NeuralScreen | LazyScreen],
    prediction: Prediction,
    answer: Answer,
    status: str,
    value: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Doubt is settled or told, whatever the network says."""

    def make(pricer: Pricer, oracle: LoadingOracle) -> NeuralScreen | LazyScreen:
        return screen(pricer, oracle, MadeUpPredictor(prediction))

    monkeypatch.setitem(SCREENS, "made up", make)
    monkeypatch.setattr(
        "tailgate.solver.screening.LoadingOracle",
        lambda instance: MadeUpOracle(instance, answer),
    )
    # It asks the compiled oracle, whose answers are not made up.
    monkeypatch.setattr(first_columns, "HEURISTIC_ATTEMPTS", 0)
    result = bound(row(3), screen="made up", time_limit=60)
    assert result.status == status
    assert result.lower_bound is not None
    assert result.lower_bound <= value + 1e-6
    if status == "converged":
        assert result.lp_value == pytest.approx(value)
