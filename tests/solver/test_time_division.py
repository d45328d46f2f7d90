"""How the time is divided between plans and proof."""

from __future__ import annotations

import math
from typing import Any, get_args

import pytest

import tailgate
from tailgate.model.errors import InputError
from tailgate.solver.column_generation import MANY_CUSTOMERS
from tailgate.solver.search.options import Focus
from tailgate.solver.search.time_division import LEAST_SHARE, MOST_SHARE, SHARES, TimeDivision


def test_who_closes_more_of_the_gap_gets_more_time() -> None:
    """A plan cheaper by one is worth as much as a bound higher by one."""
    division = TimeDivision("balanced", MANY_CUSTOMERS)
    division.note_plans(10, before=1000, after=990)
    division.note_proof(10, before=500, after=510)
    assert division.share == pytest.approx(0.5)
    for _ in range(20):
        division.note_plans(10, before=990, after=990)
        division.note_proof(10, before=510, after=520)
    assert division.share == LEAST_SHARE
    for _ in range(20):
        division.note_plans(10, before=990, after=980)
        division.note_proof(10, before=520, after=520)
    assert division.share == MOST_SHARE


def test_without_a_plan_most_of_the_time_goes_into_one() -> None:
    """The first plan is worth more than any bound; afterwards the same rates count."""
    division = TimeDivision("balanced", MANY_CUSTOMERS)
    division.note_proof(10, before=0, after=100)
    division.note_plans(10, before=math.inf, after=math.inf)
    assert division.share == LEAST_SHARE
    division.note_plans(10, before=math.inf, after=900)
    assert division.share == MOST_SHARE


@pytest.mark.parametrize(
    ("focus", "customers"),
    [("plans", 500), ("proof", 500), ("balanced", MANY_CUSTOMERS - 1)],
)
def test_a_division_that_was_asked_for_stays(focus: Focus, customers: int) -> None:
    """So it does with few customers, where the proof is soon over."""
    division = TimeDivision(focus, customers)
    division.note_plans(10, before=1000, after=10)
    division.note_proof(10, before=0, after=1)
    assert division.share == SHARES[focus]


def test_every_focus_ends_with_the_optimum() -> None:
    """It changes the way, not the result; the solution file says what was asked for."""
    instance = tailgate.generate_instance(14, 2, seed=3)
    results = {focus: tailgate.solve(instance, focus=focus) for focus in get_args(Focus)}
    assert {result.status for result in results.values()} == {"optimal"}
    assert len({result.objective for result in results.values()}) == 1
    for focus, result in results.items():
        assert result.solution is not None
        options = result.solution.solver["options"]
        assert isinstance(options, dict)
        assert options["focus"] == focus


def test_a_focus_that_there_is_not_is_refused() -> None:
    """With the argument's name, and what there is."""
    options: dict[str, Any] = {"focus": "speed"}
    with pytest.raises(InputError, match="balanced"):
        tailgate.solve(tailgate.generate_instance(4, 2, seed=1), **options)
