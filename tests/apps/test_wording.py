"""Remedies: options for a terminal, arguments for Python, plain words for the page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builders import small_instance
from tailgate.apps.wording import PAGE, TERMINAL, worded
from tailgate.solver.search.infeasibility import Cause, Infeasibility, Remedy
from tailgate.solver.search.result import SolveResult

REMEDIES = (Remedy.FLEET_AT_MOST, Remedy.ALLOW_SINGLE_CUSTOMER_ROUTES, Remedy.NO_LIFO)


def infeasible() -> SolveResult:
    """Return the result of a search that has proven that there is no plan."""
    instance = replace(small_instance(), vehicle_count=2)
    why = Infeasibility(Cause.EVERY_WAY_FAILS, REMEDIES, instance)
    return SolveResult(
        status="infeasible",
        reason="proven",
        lower_bound=None,
        nodes=1,
        seconds=1.0,
        conventions=instance.conventions,
        exact_checks=5,
        explanation=str(why),
        infeasibility=why,
    )


@pytest.mark.parametrize("words", [TERMINAL, PAGE])
def test_every_remedy_has_words(words: dict[Remedy, str]) -> None:
    """A new one must not end in a traceback where somebody needs help."""
    assert set(words) == set(Remedy)


def test_each_reader_gets_words_of_his_own() -> None:
    """Nobody types options into a form, nor arguments into a terminal."""
    result = infeasible()
    assert result.explanation.endswith(
        'fails; fleet="at-most", single_customer_routes="allow", lifo=False may help'
    )
    assert worded(result, TERMINAL).headline.endswith(
        "fails; --fleet at-most, --single-customer-routes allow, --no-lifo may help"
    )
    page = worded(result, PAGE).headline
    assert "--" not in page
    assert "=" not in page
