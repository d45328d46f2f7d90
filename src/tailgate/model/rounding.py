"""Numbers for people; costs, bounds and gaps say no more than is proven."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

_DECIMALS = 4
_PLAIN_DECIMALS = 6
_WIDE = Context(prec=400)


def bound_text(bound: int | float, *, decimals: int | None = None) -> str:
    """Return a lower bound for people; decimals are cut off, never rounded up.

    With ``decimals`` it is an amount: always so many of them, and commas between thousands.
    """
    return _rounded(bound, ROUND_FLOOR, decimals)


def cost_text(cost: int | float, *, decimals: int | None = None) -> str:
    """Return a cost for people; decimals are rounded up, for no plan is cheaper than it is.

    >>> cost_text(1234.5), cost_text(1234.501, decimals=2)
    ('1234.5000', '1,234.51')
    """
    return _rounded(cost, ROUND_CEILING, decimals)


def gap_text(gap: float) -> str:
    """Return a gap in per cent, rounded up: 0 means none at all."""
    if gap == 0:
        return "0 %"
    return f"{Decimal(repr(float(100 * gap))).quantize(Decimal('0.01'), ROUND_CEILING, _WIDE)} %"


def number_text(number: int | float) -> str:
    """Return a time or another plain number: no digits that are mere rounding, no exponent.

    >>> number_text(0.1 + 0.2)
    '0.3'
    """
    if isinstance(number, int) or not math.isfinite(number):
        return str(number)
    text = f"{number:.{_PLAIN_DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def counted(count: int, noun: str) -> str:
    """Return a number of things: "1 route", "1,200 routes"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _rounded(value: int | float, rounding: str, decimals: int | None) -> str:
    if not math.isfinite(value) or (decimals is None and isinstance(value, int)):
        return str(value)
    # Its shortest decimal, so that 0.1 is not rounded up to 0.1001.
    exact = Decimal(repr(value))
    step = Decimal(1).scaleb(-(_DECIMALS if decimals is None else decimals))
    rounded = exact.quantize(step, rounding, _WIDE)
    return str(rounded) if decimals is None else f"{rounded:,}"
