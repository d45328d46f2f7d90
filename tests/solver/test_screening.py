"""The exact screen, with an oracle whose answers are made up."""

from __future__ import annotations

import pytest

from made_up_oracle import Answer, MadeUpOracle, Stops, row
from tailgate.model.instance import Instance
from tailgate.solver.column_generation import bound, first_columns
from tailgate.solver.loading import Verdict
from tailgate.solver.pricing import Pricer
from tailgate.solver.screening import ExactScreen, UndecidedLoadingError
from tailgate.solver.screening.screen import PROOF_EFFORTS, QUICK_CHECK_NODES
from tailgate.solver.time_limit import TimeLimit

NO_LIMIT = TimeLimit()
UNKNOWN, FEASIBLE, INFEASIBLE = Verdict.UNKNOWN, Verdict.FEASIBLE, Verdict.INFEASIBLE


def screen_of(instance: Instance, answer: Answer) -> tuple[ExactScreen, MadeUpOracle]:
    """Return a screen and its oracle."""
    oracle = MadeUpOracle(instance, answer)
    return ExactScreen(Pricer(instance), oracle), oracle


def hard_triples(route: Stops, max_nodes: int | None) -> Verdict:
    """Be at a loss with three customers, whatever the effort."""
    del max_nodes
    return UNKNOWN if len(route) >= 3 else FEASIBLE


# At these duals a truck pays only with all three: orders (1, 2, 3) and (1, 3, 2) at -3, and
# (2, 1, 3) at -1.
TRIPLES_ONLY = [9.0, 9.0, 9.0]
TRIPLES = {(1, 2, 3), (1, 3, 2), (2, 1, 3)}


def test_proven_routes_are_columns() -> None:
    """They are asked about once, with little effort, and the bound is that of pricing."""
    screen, oracle = screen_of(row(3), lambda *_: FEASIBLE)
    screen.pricer.set_duals(TRIPLES_ONLY)
    found = screen.price_and_screen(0.0, NO_LIMIT)
    assert found.complete
    # Those at -3; the one at -1 can wait for other duals.
    assert set(found.columns) >= {(1, 2, 3), (1, 3, 2)}
    assert found.bound == pytest.approx(-3)
    assert oracle.asked == [(route, QUICK_CHECK_NODES) for route in found.columns]
    assert screen.check_columns_in_use(dict.fromkeys(found.columns, 1.0), NO_LIMIT) == ()
    assert len(oracle.asked) == len(found.columns)


def test_nothing_below_the_threshold_is_nothing_to_check() -> None:
    """The loop ends with this answer: it must be complete, with a bound that is no less."""
    screen, oracle = screen_of(row(3), hard_triples)
    screen.pricer.set_duals(TRIPLES_ONLY)
    found = screen.price_and_screen(-3.5, NO_LIMIT)
    assert (found.columns, found.complete) == ((), True)
    assert -3.5 <= found.bound <= -3
    assert oracle.asked == []


def test_refuted_routes_never_come_back() -> None:
    """Their core is forbidden, and nothing is left to price out."""
    screen, oracle = screen_of(row(3), lambda route, _: INFEASIBLE if len(route) > 2 else FEASIBLE)
    screen.pricer.set_duals(TRIPLES_ONLY)
    for _ in range(2):
        found = screen.price_and_screen(0.0, NO_LIMIT)
        assert (found.columns, found.complete) == ((), True)
        # Pairs cost 4 and more: now that triples are refuted, the bound says so.
        assert 0 <= found.bound <= 4
    assert sorted(oracle.asked) == sorted((route, QUICK_CHECK_NODES) for route in TRIPLES)


def test_routes_in_doubt_come_last() -> None:
    """While others pay, an unknown route waits; then it comes in doubt and is not asked again."""
    screen, oracle = screen_of(row(3), hard_triples)
    # Pairs pay now, too, though less than the three together.
    screen.pricer.set_duals([12.0, 12.0, 12.0])
    found = screen.price_and_screen(0.0, NO_LIMIT)
    assert found.complete
    assert found.columns
    assert all(len(route) == 2 for route in found.columns)
    assert found.bound <= -12
    screen.pricer.set_duals(TRIPLES_ONLY)
    found = screen.price_and_screen(0.0, NO_LIMIT)
    assert found.complete
    assert set(found.columns) == TRIPLES
    assert found.bound == pytest.approx(-3)
    questions = [question for question in oracle.asked if len(question[0]) == 3]
    assert sorted(questions) == sorted((route, QUICK_CHECK_NODES) for route in TRIPLES)


def test_a_bound_counts_routes_that_are_deferred() -> None:
    """They may be possible: a bound without them would be none."""
    screen, _ = screen_of(row(3), hard_triples)
    for duals in ([12.0, 12.0, 12.0], [11.9, 12.0, 12.0]):
        screen.pricer.set_duals(duals)
        assert screen.price_and_screen(0.0, NO_LIMIT).bound <= 24 - sum(duals) + 1e-9


def test_a_whole_round_of_refuted_routes_is_not_the_end() -> None:
    """Other orders of the same customers have waited meanwhile, and one of them can be loaded."""

    def answer(route: Stops, max_nodes: int | None) -> Verdict:
        del max_nodes
        if len(route) == 3:
            return UNKNOWN
        return FEASIBLE if route == (1, 2, 4, 3) else INFEASIBLE

    screen, _ = screen_of(row(4), answer)
    # First nobody wants customer 4, and the others stay in doubt.
    screen.pricer.set_duals([9.0, 9.0, 9.0, -100.0])
    assert set(screen.price_and_screen(0.0, NO_LIMIT).columns) == TRIPLES
    # Then only all four together pay; those orders that contain three in doubt come last.
    screen.pricer.set_duals([7.0, 7.0, 7.0, 7.0])
    found = screen.price_and_screen(0.0, NO_LIMIT)
    assert found.complete
    assert found.columns == ((1, 2, 4, 3),)


def doubtful_screen(answer: Answer) -> tuple[ExactScreen, MadeUpOracle]:
    """Return a screen that has let all three orders of the triple in, in doubt."""
    screen, oracle = screen_of(
        row(3), lambda route, nodes: UNKNOWN if nodes == QUICK_CHECK_NODES else answer(route, nodes)
    )
    screen.pricer.set_duals(TRIPLES_ONLY)
    assert set(screen.price_and_screen(0.0, NO_LIMIT).columns) == TRIPLES
    oracle.asked.clear()
    return screen, oracle


def test_a_doubtful_column_in_use_is_proven_with_growing_effort() -> None:
    """Others are left alone, and what is proven is not asked about again."""
    screen, oracle = doubtful_screen(
        lambda _, nodes: FEASIBLE if nodes is None or nodes >= 10_000 else UNKNOWN
    )
    support = {(1, 2, 3): 0.5, (1, 2): 0.5}
    assert screen.check_columns_in_use(support, NO_LIMIT) == ()
    assert oracle.asked == [((1, 2, 3), 2_000), ((1, 2, 3), 10_000)]
    assert screen.check_columns_in_use(support, NO_LIMIT) == ()
    assert len(oracle.asked) == 2


def test_a_doubtful_column_in_use_is_refuted_and_forbidden() -> None:
    """It must leave the master problem, and pricing must not bring it back."""
    screen, oracle = doubtful_screen(
        lambda route, _: INFEASIBLE if route == (1, 3, 2) else FEASIBLE
    )
    assert screen.check_columns_in_use({(1, 2, 3): 0.6, (1, 3, 2): 0.4}, NO_LIMIT) == ((1, 3, 2),)
    # The one that is used more comes first.
    assert oracle.asked == [((1, 2, 3), 2_000), ((1, 3, 2), 2_000)]
    assert screen.pricer.skips((1, 3, 2))
    assert not screen.pricer.skips((2, 1, 3))
    assert (1, 3, 2) not in screen.price_and_screen(0.0, NO_LIMIT).columns


def test_effort_that_was_not_enough_is_not_spent_again() -> None:
    """A refuted column ends the round; what stayed unknown goes on from there the next time."""
    screen, oracle = doubtful_screen(
        lambda route, nodes: (
            INFEASIBLE if route == (1, 3, 2) else FEASIBLE if nodes == 10_000 else UNKNOWN
        )
    )
    assert screen.check_columns_in_use({(1, 2, 3): 0.6, (1, 3, 2): 0.4}, NO_LIMIT) == ((1, 3, 2),)
    oracle.asked.clear()
    assert screen.check_columns_in_use({(1, 2, 3): 1.0}, NO_LIMIT) == ()
    assert oracle.asked == [((1, 2, 3), 10_000)]


def test_an_unknown_without_limit_is_an_error() -> None:
    """To take it for a yes or for a no would both be wrong."""
    screen, oracle = doubtful_screen(lambda *_: UNKNOWN)
    with pytest.raises(UndecidedLoadingError, match="1, 2, 3"):
        screen.check_columns_in_use({(1, 2, 3): 1.0}, NO_LIMIT)
    assert oracle.asked == [((1, 2, 3), nodes) for nodes in PROOF_EFFORTS]


def test_no_time_means_no_claim() -> None:
    """A search that was cut short has found nothing, which is not that there is nothing."""
    over = TimeLimit(0)
    for answer in (lambda *_: FEASIBLE, lambda *_: INFEASIBLE, hard_triples):
        screen, oracle = screen_of(row(3), answer)
        screen.pricer.set_duals(TRIPLES_ONLY)
        found = screen.price_and_screen(0.0, over)
        assert (found.columns, found.complete) == ((), False)
        assert found.bound <= -3 + 1e-9
        assert len(oracle.asked) <= 1
    screen, oracle = doubtful_screen(lambda *_: UNKNOWN)
    assert screen.check_columns_in_use({(1, 2, 3): 1.0}, over) == ()
    assert len(oracle.asked) == 1


# The whole run.


@pytest.mark.parametrize(
    ("answer", "status", "value"),
    [
        pytest.param(lambda *_: FEASIBLE, "converged", 24, id="all can be loaded"),
        pytest.param(
            lambda route, nodes: UNKNOWN if len(route) > 2 and nodes is not None else FEASIBLE,
            "converged",
            24,
            id="proven in the end",
        ),
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
        pytest.param(hard_triples, "undecided", 24, id="undecided"),
    ],
)
def test_a_run_ends_as_the_oracle_lets_it(
    answer: Answer, status: str, value: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Doubt is settled or told; the bound is valid for whatever is true."""
    monkeypatch.setattr(
        "tailgate.solver.screening.LoadingOracle",
        lambda instance: MadeUpOracle(instance, answer),
    )
    # It asks the compiled oracle, whose answers are not made up.
    monkeypatch.setattr(first_columns, "HEURISTIC_ATTEMPTS", 0)
    result = bound(row(3), time_limit=60)
    assert result.status == status
    assert result.lower_bound is not None
    assert result.lower_bound <= value + 1e-6
    if status == "converged":
        assert result.lp_value == pytest.approx(value)
        assert result.lower_bound == pytest.approx(value)
