"""What a rule costs: the optimum under it beside the optimum without it."""

from __future__ import annotations

from tailgate.research.experiments.optima.pairs import Pair
from tailgate.research.experiments.optima.row import PROVEN
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import DASH, number_text


def price_of(pair: Pair) -> float | None:
    """Return what the first costs more, in percent of the second, if both are proven."""
    if any(row["status"] != "optimal" for row in pair.both):
        return None
    return _percent(*(row["objective"] for row in pair.both))


def price_text(pair: Pair, *, no_plan: str) -> str:
    """Return the price, or between what it lies, or words where only the second has a plan."""
    price, (strict, free) = price_of(pair), pair.both
    if price is not None:
        return f"{price:.2f}"
    if strict["status"] == "infeasible" and free["objective"] is not None:
        return no_plan
    # A price is never negative: every plan under the first rules is one under the second.
    low = _percent(strict["lower_bound"], free["objective"])
    high = _percent(strict["objective"], free["lower_bound"])
    if low is None and high is None:
        return DASH
    above = "..." if high is None else f"{high:.2f}"
    return f"{max(0.0, low or 0.0):.2f} to {above}"


def _percent(cost: float | None, cheaper: float | None) -> float | None:
    if cost is None or cheaper is None or cheaper <= 0:
        return None
    return 100 * (cost - cheaper) / cheaper


def value_text(row: Row) -> str:
    """Return an optimum as it is, otherwise bound and plan, as 300 to 320."""
    if row["status"] in PROVEN:
        return "no plan" if row["objective"] is None else f"{row['objective']:g}"
    return f"{number_text(row['lower_bound'])} to {number_text(row['objective'])}"
