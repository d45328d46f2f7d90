"""Numbers as they were meant: a float stands for the number that a person would write for it."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction


def fraction_of(number: int | float) -> Fraction:
    """Return a number exactly as a person would write it: as a decimal, or in sixtieths.

    Twenty seconds are a third of a minute, which no decimal can say; the float that is nearest to
    a whole number of sixtieths stands for it.

    >>> fraction_of(0.1), fraction_of(20 / 60)
    (Fraction(1, 10), Fraction(1, 3))
    """
    if isinstance(number, int):
        return Fraction(number)
    sixtieths = round(60 * number)
    if sixtieths / 60 == number:
        return Fraction(sixtieths, 60)
    return Fraction(Decimal(repr(number)))
