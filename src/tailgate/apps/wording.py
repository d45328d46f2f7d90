"""What the solver reports as data, in the words of the terminal and of the page."""

from __future__ import annotations

from dataclasses import replace

from tailgate.solver.search.infeasibility import Remedy
from tailgate.solver.search.result import SolveResult

_FOR_ALL = {
    Remedy.MORE_TRUCKS: "more trucks",
    Remedy.FEWER_TRUCKS: "fewer trucks",
    Remedy.OTHER_NUMBER_OF_TRUCKS: "another number of trucks",
    Remedy.WIDER_TIME_WINDOWS: "wider time windows",
    Remedy.RIDING_APART: Remedy.RIDING_APART.value,
}
TERMINAL = {
    **_FOR_ALL,
    Remedy.FLEET_AT_MOST: "--fleet at-most",
    Remedy.ALLOW_SINGLE_CUSTOMER_ROUTES: "--single-customer-routes allow",
    Remedy.NO_LIFO: "--no-lifo",
    Remedy.TURNING: "--turn",
}
"""Remedies as options of a command."""
PAGE = {
    **_FOR_ALL,
    Remedy.FLEET_AT_MOST: "trucks that may stay at the depot",
    Remedy.ALLOW_SINGLE_CUSTOMER_ROUTES: "routes to a single customer",
    Remedy.NO_LIFO: "unloading in any order",
    Remedy.TURNING: "items that may be turned",
}
"""Remedies for somebody who fills in a form."""


def worded(result: SolveResult, words: dict[Remedy, str]) -> SolveResult:
    """Return a result whose explanation names remedies in these words."""
    if result.infeasibility is None:
        return result
    return replace(result, explanation=result.infeasibility.sentence(words))
