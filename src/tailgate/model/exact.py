"""Numbers as they were written: a float stands for the shortest decimal that reads as it."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction


def fraction_of(number: int | float) -> Fraction:
    """Return a number exactly as a person would write it.

    >>> fraction_of(0.1)
    Fraction(1, 10)
    """
    return Fraction(number) if isinstance(number, int) else Fraction(Decimal(repr(number)))
