"""How the effort grows with something: a fitted power of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import correlation, linear_regression


@dataclass(frozen=True, slots=True)
class PowerFit:
    """``quantity = factor * customers ** exponent``, by least squares on logarithms."""

    exponent: float
    factor: float
    r_squared: float


def fit_power(points: Sequence[tuple[float, float]]) -> PowerFit | None:
    """Fit a power of x, or return None where fewer than two different sizes are known."""
    logarithms = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    sizes, values = [x for x, _ in logarithms], [y for _, y in logarithms]
    if len(set(sizes)) < 2:
        return None
    exponent, intercept = linear_regression(sizes, values)
    r_squared = correlation(sizes, values) ** 2 if len(set(values)) > 1 else 1.0
    return PowerFit(exponent, math.exp(intercept), r_squared)
