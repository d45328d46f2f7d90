"""Subset rows: found where they are violated, with the memory they need, and never wrong."""

from __future__ import annotations

import random
from itertools import combinations
from typing import cast

import pytest

from cut_checks import (
    TOLERANCE,
    Plans,
    cases,
    draw_fractional,
    fractional_solutions,
    rules,
    solve_relaxation,
)
from route_enumeration import Stops
from rules import Rule
from seeds import with_seeds
from tailgate.solver.column import columns_of
from tailgate.solver.pricing.subset_row import SubsetRow
from tailgate.solver.search.cuts import subset_rows
from tailgate.solver.search.cuts.subset_rows import Triple, separate, smallest_memory, widen

MIN_VIOLATION = 0.01

# Three pairs, half of each: the smallest fractional solution that no plan comes near.
ODD_CYCLE: dict[Stops, float] = {(1, 2): 0.5, (2, 3): 0.5, (3, 1): 0.5}


def visits_two(members: Triple, route: Stops) -> bool:
    """Say whether the row counts this route when it remembers everything."""
    return len(set(members) & set(route)) >= 2


@rules
@with_seeds(4, 12)
def test_subset_rows_keep_every_plan(rule: Rule, seeds: range) -> None:
    """A row that breaks a plan makes a bound that is too high, and nobody notices."""
    for instance, enumeration, dice in cases("subset-rows", rule, seeds):
        cuts = {
            cut
            for support in fractional_solutions(instance, enumeration.routes, dice)
            for cut in separate(support, instance.n, min_violation=MIN_VIOLATION)
        }
        plans = Plans(instance, enumeration.routes)
        everybody = frozenset(range(1, instance.n + 1))
        for cut in cuts | {SubsetRow(cut.members, everybody) for cut in cuts}:
            plans.assert_all_keep(cut)


@rules
@with_seeds(4, 12)
def test_rounds_of_subset_rows_never_pass_the_optimum(rule: Rule, seeds: range) -> None:
    """Cuts of earlier rounds are widened, and the bound may only rise towards the best plan."""
    for instance, enumeration, _ in cases("subset-rounds", rule, seeds):
        routes, costs = list(enumeration.routes), list(enumeration.routes.values())
        cuts: list[SubsetRow] = []
        value = -1.0
        for _ in range(10):
            solved = solve_relaxation(instance, routes, costs, cuts)
            if solved is None:
                assert enumeration.optimum is None
                break
            assert solved[0] >= value - TOLERANCE
            if enumeration.optimum is not None:
                assert solved[0] <= enumeration.optimum + TOLERANCE
            value, support = solved
            wider = [widen(cut, support, min_violation=MIN_VIOLATION) for cut in cuts]
            new = separate(support, instance.n, min_violation=MIN_VIOLATION, known=cuts)
            if wider == cuts and not new:
                break
            cuts = wider + new


@pytest.mark.parametrize("seed", range(150))
def test_every_violated_triple_is_found(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shortcut over pairs must not lose any of them."""
    monkeypatch.setattr(subset_rows, "MAX_CUTS_PER_CUSTOMER", 1_000)
    dice = random.Random(seed)
    n = dice.randint(3, 12)
    support = draw_fractional(dice, n)
    violations = {
        triple: sum(x for route, x in support.items() if visits_two(triple, route)) - 1
        for triple in combinations(range(1, n + 1), 3)
    }
    expected = {triple for triple, violation in violations.items() if violation > MIN_VIOLATION}
    cuts = separate(support, n, max_cuts=1_000, min_violation=MIN_VIOLATION)
    assert {cut.members for cut in cuts} == expected
    assert len(cuts) == len(expected)
    found = [violations[cut.members] for cut in cuts]
    assert found == pytest.approx(sorted(found, reverse=True))


@pytest.mark.parametrize("seed", range(150))
def test_the_memory_is_enough_and_none_of_it_can_be_spared(seed: int) -> None:
    """With less the solution at hand is not cut off; with more pricing works harder."""
    dice = random.Random(seed)
    n = dice.randint(3, 12)
    support = draw_fractional(dice, n)
    drawn = sorted(dice.sample(range(1, n + 1), 3))
    for members in (cast(Triple, tuple(drawn)), *(c.members for c in separate(support, n))):
        counted = [route for route in support if visits_two(members, route)]
        memory = smallest_memory(members, support)
        cut = SubsetRow(members, memory)
        assert set(members) <= memory
        assert cut.coefficients(columns_of(0, support)) == [
            int(route in counted) for route in support
        ]
        for customer in memory - set(members):
            less = SubsetRow(members, memory - {customer})
            assert any(less.coefficient(route) == 0 for route in counted)


@pytest.mark.parametrize("seed", range(100))
def test_a_coefficient_is_the_same_in_both_directions(seed: int) -> None:
    """One column stands for a route and its reverse."""
    dice = random.Random(seed)
    members = cast(Triple, tuple(sorted(dice.sample(range(1, 11), 3))))
    cut = SubsetRow(members, frozenset((*members, *dice.sample(range(1, 11), dice.randint(0, 5)))))
    for _ in range(20):
        route = tuple(dice.sample(range(1, 11), dice.randint(1, 10)))
        assert cut.coefficient(route) == cut.coefficient(route[::-1])
        assert cut.coefficient(route) <= int(visits_two(members, route))


def test_the_smallest_example_is_cut_off() -> None:
    """Half of each of three pairs is one and a half routes, and there may be one."""
    assert separate(ODD_CYCLE, 3) == [SubsetRow((1, 2, 3), frozenset({1, 2, 3}))]
    assert separate(ODD_CYCLE, 3, min_violation=0.5) == []
    assert separate({}, 3) == []


def test_a_known_row_is_widened_and_not_found_again() -> None:
    """Two rows on the same customers would burden pricing twice."""
    (cut,) = separate(ODD_CYCLE, 4)
    by_way_of_4: dict[Stops, float] = {(1, 4, 2): 0.5, (2, 3): 0.5, (3, 1): 0.5}
    assert sum(x * cut.coefficient(route) for route, x in by_way_of_4.items()) == 1
    assert separate(by_way_of_4, 4, known=[cut]) == []
    wider = widen(cut, by_way_of_4)
    assert wider == SubsetRow((1, 2, 3), frozenset({1, 2, 3, 4}))
    # What it counts already it goes on counting.
    assert widen(wider, ODD_CYCLE) == wider


def test_a_row_stays_as_it_is_where_no_memory_would_help() -> None:
    """Memory is costly, and what is not violated needs none."""
    cut = SubsetRow((1, 2, 3), frozenset({1, 2, 3}))
    assert widen(cut, {(1, 4, 2): 0.5, (2, 5, 3): 0.5, (1, 3, 4): 0.0}) is cut
    assert widen(cut, ODD_CYCLE) is cut


def test_of_three_members_the_shorter_way_is_remembered() -> None:
    """A route with all three counts once: two of them in a row are enough."""
    support: dict[Stops, float] = {(1, 4, 5, 2, 6, 3): 0.5}
    assert smallest_memory((1, 2, 3), support) == {1, 2, 3, 6}
    # Unless the longer way is remembered anyhow.
    support[1, 5, 4, 2] = 0.5
    assert smallest_memory((1, 2, 3), support) == {1, 2, 3, 4, 5}


def test_the_rows_of_one_round_do_not_all_concern_the_same_customers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Elsewhere there is something to be gained, too."""
    monkeypatch.setattr(subset_rows, "MAX_CUTS_PER_CUSTOMER", 2)
    # More than any relaxation allows, so that every triple is violated.
    everywhere: dict[Stops, float] = dict.fromkeys(combinations(range(1, 8), 2), 0.4)
    cuts = separate(everywhere, 7)
    assert cuts
    for customer in range(1, 8):
        assert sum(customer in cut.members for cut in cuts) <= 2
    assert len(separate(everywhere, 7, max_cuts=1)) == 1
