"""All families in turns, as the search calls them."""

from __future__ import annotations

import pytest

from cut_checks import TOLERANCE, cases, draw_mixture, rules, solve_relaxation
from seeds import with_seeds
from tailgate.instance import Conventions
from tailgate.loading import LoadingOracle
from tailgate.pricing import SubsetRow
from tailgate.search.cuts import CUTS, Cut, widen
from tailgate.time_limit import TimeLimit

ROUNDS = 8


@rules
@with_seeds(4, 12)
def test_rounds_of_cuts_never_pass_the_optimum(
    conventions: Conventions, time_windows: bool, seeds: range
) -> None:
    """Whatever one family leaves to the next, the bound may only rise towards the best plan."""
    for instance, enumeration, _ in cases(
        "together", conventions, seeds, time_windows=time_windows
    ):
        routes, costs = list(enumeration.routes), list(enumeration.routes.values())
        oracle = LoadingOracle(instance)
        families = [family(instance, oracle) for family in CUTS.values()]
        rows: list[Cut] = []
        value = -1.0
        for _ in range(ROUNDS):
            solved = solve_relaxation(instance, routes, costs, rows)
            if solved is None:
                assert enumeration.optimum is None
                break
            assert solved[0] >= value - TOLERANCE
            if enumeration.optimum is not None:
                assert solved[0] <= enumeration.optimum + TOLERANCE
            value, support = solved
            kept = [widen(row, support) if isinstance(row, SubsetRow) else row for row in rows]
            new: list[Cut] = []
            for family in families:
                found = family.separate(
                    support, max_cuts=20, time_limit=TimeLimit(), known=[*kept, *new]
                )
                assert not set(found) & {*kept, *new}
                new += found
            if kept == rows and not new:
                break
            rows = kept + new


@pytest.mark.parametrize("name", CUTS)
@with_seeds(6, 12)
def test_no_family_returns_more_than_it_is_asked_for(name: str, seeds: range) -> None:
    """The master problem has room for so many rows and no more."""
    conventions = Conventions(lifo=False)
    found = 0
    for instance, _, dice in cases("few", conventions, seeds, time_windows=False):
        family = CUTS[name](instance, LoadingOracle(instance))
        for max_cuts in (0, 1, 1, 3, 3):
            # Routes of any kind, loadable or not: much is violated.
            support = draw_mixture(dice, instance.n)
            cuts = family.separate(support, max_cuts=max_cuts, time_limit=TimeLimit())
            assert len(cuts) <= max_cuts
            found += len(cuts)
    assert found


@pytest.mark.parametrize("name", CUTS)
@with_seeds(6, 12)
def test_the_same_mixture_gives_the_same_rows(name: str, seeds: range) -> None:
    """A run can be repeated; the order of the routes in the master is no matter."""
    for instance, enumeration, dice in cases("same", Conventions(), seeds, time_windows=False):
        support = dict.fromkeys(list(enumeration.routes)[:12], 0.25)
        shuffled = list(support.items())
        dice.shuffle(shuffled)
        first, second = (
            CUTS[name](instance, LoadingOracle(instance)).separate(
                mixture, max_cuts=5, time_limit=TimeLimit()
            )
            for mixture in (support, dict(shuffled))
        )
        assert list(first) == list(second)
