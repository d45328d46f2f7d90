"""All families in turns, as the search calls them."""

from __future__ import annotations

import pytest

from cut_checks import TOLERANCE, cases, draw_fractional, rules, solve_relaxation
from rules import Rule
from seeds import with_seeds
from tailgate.model.instance import Conventions
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.pricing import SubsetRow
from tailgate.solver.search.cuts import CUTS, Cut, widen
from tailgate.solver.search.cuts.family import CutQuery
from tailgate.solver.time_limit import TimeLimit

ROUNDS = 8


@rules
@with_seeds(4, 12)
def test_rounds_of_cuts_never_pass_the_optimum(rule: Rule, seeds: range) -> None:
    """Whatever one family leaves to the next, the bound may only rise towards the best plan."""
    for instance, enumeration, _ in cases("together", rule, seeds):
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
                found = family.separate(CutQuery(support, 20, TimeLimit(), [*kept, *new]))
                assert not set(found) & {*kept, *new}
                new += found
            if kept == rows and not new:
                break
            rows = kept + new


@pytest.mark.parametrize("name", CUTS)
@with_seeds(6, 12)
def test_no_family_returns_more_than_it_is_asked_for(name: str, seeds: range) -> None:
    """The master problem has room for so many rows and no more."""
    found = 0
    for instance, _, dice in cases("few", Rule(Conventions(lifo=False), False), seeds):
        family = CUTS[name](instance, LoadingOracle(instance))
        for max_cuts in (0, 1, 1, 3, 3):
            # Routes of any kind, loadable or not: much is violated.
            support = draw_fractional(dice, instance.n)
            cuts = family.separate(CutQuery(support, max_cuts, TimeLimit()))
            assert len(cuts) <= max_cuts
            found += len(cuts)
    assert found


@pytest.mark.parametrize("name", CUTS)
@with_seeds(6, 12)
def test_the_same_solution_gives_the_same_rows(name: str, seeds: range) -> None:
    """A run can be repeated; the order of the routes in the master is no matter."""
    for instance, enumeration, dice in cases("same", Rule(Conventions(), False), seeds):
        support = dict.fromkeys(list(enumeration.routes)[:12], 0.25)
        shuffled = list(support.items())
        dice.shuffle(shuffled)
        first, second = (
            CUTS[name](instance, LoadingOracle(instance)).separate(CutQuery(found, 5, TimeLimit()))
            for found in (support, dict(shuffled))
        )
        assert list(first) == list(second)
