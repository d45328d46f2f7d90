"""Numbers of the judge: fractions, so that sums are exact, and how much a statement may differ."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

# Roots, and costs that are no integers, carry the rounding of a long float sum.
RELATIVE_TOLERANCE = Fraction(1, 10**9)
# Exact times are stated as floats, which hold some fifteen digits.
FLOAT_TOLERANCE = Fraction(1, 10**14)
NO_TOLERANCE = Fraction(0)

# Of costs and times in a message; more where two numbers would read alike.
_DECIMALS = (6, 12, 24)


def as_written(number: int | float) -> Fraction:
    """Return a number as people write it: 0.1 is a tenth."""
    return Fraction(number) if isinstance(number, int) else Fraction(str(number))


def is_above(value: Fraction, limit: Fraction, *, exact: bool) -> bool:
    """Return whether a value is above a limit, and by more than its rounding if it is rounded."""
    tolerance = NO_TOLERANCE if exact else RELATIVE_TOLERANCE
    return value - limit > tolerance * max(Fraction(1), limit)


def is_same(
    stated: int | float, true: Fraction, tolerance: Fraction, *, beside: Fraction | None = None
) -> bool:
    """Return whether a stated number is the true one, but for its rounding.

    A difference of large numbers is as rough as they are: then they are to be named ``beside`` it.
    """
    largest = max(Fraction(1), abs(true if beside is None else beside))
    return abs(Fraction(stated) - true) <= tolerance * largest


def texts_apart(*numbers: Fraction | float) -> list[str]:
    """Return costs or times without the dust of a sum; two that differ do not read alike."""
    texts: list[str] = []
    for places in _DECIMALS:
        texts = [f"{_decimal(number):.{places}f}" for number in numbers]
        texts = [text.rstrip("0").rstrip(".") for text in texts]
        if len(set(texts)) == len(texts):
            break
    return texts


def _decimal(number: Fraction | float) -> Decimal:
    if isinstance(number, Fraction):
        return Decimal(number.numerator) / number.denominator
    return Decimal(number)
