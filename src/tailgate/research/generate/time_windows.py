"""When the customers may be visited: windows around a time at which a truck can be there.

After the paper's appendix "Data Sets": the half-width of a window is normally distributed, its
mean and its standard deviation are shares of the latest return to the depot, and its centre is
uniform between the earliest and the latest time at which the customer can be reached. Horizon
and service time, of which the appendix says nothing, are those of Solomon's first series.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from numpy.random import Generator

from tailgate.research.generate.customers import DEPOTS, Distribution, Point
from tailgate.research.generate.random_streams import draw_integer

MEAN_PERCENTS = (5, 10, 15, 20, 25)
DEVIATION_PERCENTS = (0, 5, 10, 15, 20, 25)

_HORIZONS: dict[Distribution, int] = {"random": 230, "clustered": 1236, "mixed": 240}
_SERVICE_TIMES: dict[Distribution, int] = {"random": 10, "clustered": 90, "mixed": 10}


@dataclass(frozen=True, slots=True)
class TimeWindows:
    """The windows of all customers, the service time at each, and the depot's closing time."""

    depot_due: int
    service: int
    windows: tuple[tuple[int, int], ...]


def draw_time_windows(
    points: Sequence[Point], distribution: Distribution, stream: Generator
) -> TimeWindows:
    """Draw a window for every customer that a truck can reach and return from in time."""
    depot = DEPOTS[distribution]
    horizon = _HORIZONS[distribution]
    service = _SERVICE_TIMES[distribution]
    mean_percent = MEAN_PERCENTS[draw_integer(stream, 0, len(MEAN_PERCENTS) - 1)]
    deviation_percent = DEVIATION_PERCENTS[draw_integer(stream, 0, len(DEVIATION_PERCENTS) - 1)]
    windows = []
    for point in points:
        # Rounded up, so that the window can be kept whichever way distances are rounded.
        travel = _rounded_up_distance(depot, point)
        earliest = travel
        latest = horizon - service - travel
        centre = draw_integer(stream, earliest, latest)
        half_width = _draw_half_width(horizon, mean_percent, deviation_percent, stream)
        windows.append((max(earliest, centre - half_width), min(latest, centre + half_width)))
    return TimeWindows(depot_due=horizon, service=service, windows=tuple(windows))


def _draw_half_width(
    horizon: int, mean_percent: int, deviation_percent: int, stream: Generator
) -> int:
    """Draw from the normal distribution, again if the outcome is not positive."""
    while True:
        share_percent = mean_percent + deviation_percent * _draw_standard_normal(stream)
        half_width = math.floor(horizon * share_percent / 100 + 0.5)
        if half_width >= 1:
            return half_width


def _draw_standard_normal(stream: Generator) -> float:
    """Sum twelve uniform draws: mean 0, deviation 1, and no logarithm to disagree about."""
    steps = 1 << 32
    return sum(draw_integer(stream, 0, steps - 1) for _ in range(12)) / steps - 6


def _rounded_up_distance(start: Point, end: Point) -> int:
    square = (start[0] - end[0]) ** 2 + (start[1] - end[1]) ** 2
    return math.isqrt(square - 1) + 1 if square else 0
