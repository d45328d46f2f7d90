"""The angle between two places on a sphere, in decimals.

Solvers use floats and the haversine formula. Here places are vectors of length 1, and the angle is
2 arctan(|a - b| / |a + b|), which is accurate for places next to each other and for opposite ones
(Kahan, How futile are mindless assessments of roundoff in floating-point computation?, 2006).
"""

from __future__ import annotations

from decimal import Decimal, getcontext

PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")

Vector = tuple[Decimal, Decimal, Decimal]

# The smaller the angle, the shorter the series of the arctangent.
_HALVINGS = 5
_PARTS = Decimal(1 << _HALVINGS)


def on_the_sphere(latitude: Decimal, longitude: Decimal) -> Vector:
    """Return the place with this latitude and longitude in degrees as a vector of length 1."""
    up, around = latitude * PI / 180, longitude * PI / 180
    level = _cosine(up)
    return level * _cosine(around), level * _sine(around), _sine(up)


def angle_between(start: Vector, end: Vector) -> Decimal:
    """Return the angle between two vectors of length 1, in radians."""
    apart = _length(*(a - b for a, b in zip(start, end, strict=True)))
    together = _length(*(a + b for a, b in zip(start, end, strict=True)))
    if apart > together:
        return PI - 2 * _arctangent(together / apart)
    return 2 * _arctangent(apart / together)


def _length(*parts: Decimal) -> Decimal:
    return sum((part * part for part in parts), Decimal(0)).sqrt()


def _sine(angle: Decimal) -> Decimal:
    return _series(angle, angle, first=2)


def _cosine(angle: Decimal) -> Decimal:
    return _series(Decimal(1), angle, first=1)


def _series(term: Decimal, angle: Decimal, first: int) -> Decimal:
    """Add up every second term of the exponential series, with alternating signs."""
    total, square, factor = term, angle * angle, first
    smallest = _smallest()
    while abs(term) > smallest:
        term *= -square / (factor * (factor + 1))
        total += term
        factor += 2
    return total


def _arctangent(ratio: Decimal) -> Decimal:
    """Return the arctangent of a ratio between 0 and 1."""
    for _ in range(_HALVINGS):
        ratio = ratio / (1 + (1 + ratio * ratio).sqrt())
    total, power, square, divisor = Decimal(0), ratio, ratio * ratio, 1
    smallest = _smallest()
    while abs(power) > smallest * ratio:
        total += power / divisor
        power *= -square
        divisor += 2
    return _PARTS * total


def _smallest() -> Decimal:
    return Decimal(1).scaleb(-getcontext().prec)
