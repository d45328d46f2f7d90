"""Costs, bounds and gaps for people, rounded so that they say no more than is proven."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

_DECIMALS = 4
_WIDE = Context(prec=400)


def bound_text(bound: int | float) -> str:
    """Return a lower bound for people; decimals are cut off, never rounded up."""
    return _rounded(bound, ROUND_FLOOR)


def cost_text(cost: int | float) -> str:
    """Return a cost for people; decimals are rounded up, for no plan is cheaper than it is."""
    return _rounded(cost, ROUND_CEILING)


def gap_text(gap: float) -> str:
    """Return a gap in per cent, rounded up: 0 means none at all."""
    if gap == 0:
        return "0 %"
    return f"{Decimal(repr(float(100 * gap))).quantize(Decimal('0.01'), ROUND_CEILING, _WIDE)} %"


def _rounded(value: int | float, rounding: str) -> str:
    if isinstance(value, int):
        return str(value)
    if not math.isfinite(value):
        return str(value)
    # Its shortest decimal, so that 0.1 is not rounded up to 0.1001.
    exact = Decimal(repr(value))
    return str(exact.quantize(Decimal(1).scaleb(-_DECIMALS), rounding, _WIDE))
