"""Medians with confidence intervals: by the bootstrap, with a seed, so that they come out again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

RESAMPLES = 2_000
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure, and where it may lie."""

    middle: float
    low: float
    high: float

    def text(self, decimals: int = 2, *, unit: str = "") -> str:
        """Return "1.23 [1.10, 1.40]"; without an interval where it has no width."""
        middle, low, high = (
            f"{value:,.{decimals}f}" for value in (self.middle, self.low, self.high)
        )
        spread = "" if low == high == middle else f" [{low}, {high}]"
        return f"{middle}{unit}{spread}"


def median_interval(values: Sequence[float], *, seed: int = 0) -> Interval:
    """Return the median of one group of measurements."""
    return sum_of_medians([values], seed=seed)


def sum_of_medians(groups: Sequence[Sequence[float]], *, seed: int = 0) -> Interval:
    """Return the sum of the groups' medians, such as the total seconds of all instances.

    Each group, the repetitions of one thing, is resampled on its own.
    """
    stream = np.random.default_rng(seed)
    middle = 0.0
    resampled = np.zeros(RESAMPLES)
    for group in groups:
        values = np.asarray(group, dtype=np.float64)
        middle += float(np.median(values))
        chosen = stream.integers(len(values), size=(RESAMPLES, len(values)))
        resampled += np.median(values[chosen], axis=1)
    low, high = np.quantile(resampled, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Interval(middle, float(low), float(high))
