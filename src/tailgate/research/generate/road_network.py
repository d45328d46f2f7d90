"""A random road network, and the distances and durations of the fastest ways through it.

Junctions lie on a shaken grid. Main roads run along every sixth line of it; between them streets
are slow, some are missing and many are one-way, so that ways are detours and differ by direction.
All weights are integers, so that a seed gives the same matrix on every platform.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from tailgate.research.generate.customers import Point
from tailgate.research.generate.random_streams import draw_integer

METRES_PER_UNIT = 400
"""Of the coordinates that customers are drawn in: the region is 40 km wide."""

_UNITS = 100
_BLOCKS = 24
_MAIN_ROAD_EVERY = 6
_SHAKEN_METRES = 500
_MAIN_SPEED = 70
_STREET_SPEEDS = (30, 50)
_LANE_SPEED = 30
_MOST_BENDS_PERCENT = 15
_MISSING_PERCENT = 10
_ONE_WAY_PERCENT = 60
_MOST_TRAFFIC_PERCENT = 60
_MILLISECONDS = 3600
"""Of a metre at one kilometre an hour."""

# A weight is milliseconds and, below them, metres: the fastest way, and of those the shortest.
_METRE_BITS = 24
_NO_WAY = 1 << 60

Weights = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Ways:
    """Metres and milliseconds of the fastest way from each place to each other one."""

    metres: Weights
    milliseconds: Weights

    def with_traffic(self, stream: Generator) -> Ways:
        """Slow every way down by traffic of its own, so that a detour may be faster."""
        percent = 100 + _matrix_of_draws(stream, _MOST_TRAFFIC_PERCENT, self.metres.shape)
        return Ways(self.metres * percent // 100, self.milliseconds * percent // 100)


def closed_ways(places: int, percent: int, stream: Generator) -> npt.NDArray[np.bool_]:
    """Return which ways cannot be driven directly: never one from or to the depot."""
    closed = _matrix_of_draws(stream, 99, (places, places)) < percent
    closed[0, :] = closed[:, 0] = False
    np.fill_diagonal(closed, val=False)
    return closed


def _matrix_of_draws(stream: Generator, high: int, shape: tuple[int, ...]) -> Weights:
    return stream.integers(0, high, size=shape, dtype=np.int64, endpoint=True)


def fastest_ways(places: Sequence[Point], stream: Generator) -> Ways:
    """Draw a road network, and return the ways between places on it."""
    network = _Network(stream)
    accesses = [network.access(place) for place in places]
    weights_from = {junction: network.weights_from(junction) for junction, _ in accesses}
    ends = [junction for junction, _ in accesses]
    between = np.array([weights_from[start][ends] for start in ends])
    lanes = np.array([weight for _, weight in accesses], dtype=np.int64)
    weights = between + lanes[:, None] + lanes[None, :]
    np.fill_diagonal(weights, 0)
    return Ways(weights & ((1 << _METRE_BITS) - 1), weights >> _METRE_BITS)


class _Network:
    """Junctions and streets."""

    def __init__(self, stream: Generator) -> None:
        """Draw the streets; every junction can be reached from every other one."""
        side = _BLOCKS + 1
        extent = _UNITS * METRES_PER_UNIT
        self._junctions = [
            (
                column * extent // _BLOCKS + _shaken(stream),
                row * extent // _BLOCKS + _shaken(stream),
            )
            for row in range(side)
            for column in range(side)
        ]
        self._streets: list[list[tuple[int, int]]] = [[] for _ in self._junctions]
        self._components = list(range(len(self._junctions)))
        pairs = [
            (row * side + column, row * side + column + step, line % _MAIN_ROAD_EVERY == 0)
            for row in range(side)
            for column in range(side)
            for step, line, inside in ((1, row, column < _BLOCKS), (side, column, row < _BLOCKS))
            if inside
        ]
        ranks = [draw_integer(stream, 0, 1 << 32) for _ in pairs]
        # Main roads first, then streets in any order: those that join parts of the network are
        # two-way, so that no place is cut off.
        for _, (start, end, is_main) in sorted(
            zip(ranks, pairs, strict=True), key=lambda one: (not one[1][2], one)
        ):
            self._build(start, end, stream, is_main=is_main)

    def _build(self, start: int, end: int, stream: Generator, *, is_main: bool) -> None:
        bends = draw_integer(stream, 0, _MOST_BENDS_PERCENT)
        speed = _STREET_SPEEDS[draw_integer(stream, 0, len(_STREET_SPEEDS) - 1)]
        fate, direction = draw_integer(stream, 0, 99), draw_integer(stream, 0, 1)
        metres = _metres(self._junctions[start], self._junctions[end]) * (100 + bends) // 100
        weight = _weight(metres, _MAIN_SPEED if is_main else speed)
        is_needed = self._join(start, end)
        if is_main or is_needed or fate >= _MISSING_PERCENT + _ONE_WAY_PERCENT:
            directions = [0, 1]
        else:
            directions = [direction] if fate >= _MISSING_PERCENT else []
        for one in directions:
            self._streets[(start, end)[one]].append(((end, start)[one], weight))

    def _join(self, start: int, end: int) -> bool:
        """Return whether the two junctions were not connected yet, and are now."""
        first, second = self._components[start], self._components[end]
        self._components = [first if one == second else one for one in self._components]
        return first != second

    def access(self, place: Point) -> tuple[int, int]:
        """Return the junction at the end of a place's lane, and the weight of the lane."""
        x, y = (METRES_PER_UNIT * value for value in place)
        metres, number = min(
            (_metres((x, y), junction), number) for number, junction in enumerate(self._junctions)
        )
        return number, _weight(metres, _LANE_SPEED)

    def weights_from(self, start: int) -> Weights:
        """Return the weights of the fastest ways to all junctions, by Dijkstra's algorithm."""
        weights = [_NO_WAY] * len(self._junctions)
        weights[start] = 0
        waiting = [(0, start)]
        while waiting:
            weight, junction = heapq.heappop(waiting)
            if weight > weights[junction]:
                continue
            for other, added in self._streets[junction]:
                if weight + added < weights[other]:
                    weights[other] = weight + added
                    heapq.heappush(waiting, (weight + added, other))
        return np.array(weights, dtype=np.int64)


def _shaken(stream: Generator) -> int:
    return draw_integer(stream, -_SHAKEN_METRES, _SHAKEN_METRES)


def _metres(start: Point, end: Point) -> int:
    return math.isqrt((start[0] - end[0]) ** 2 + (start[1] - end[1]) ** 2)


def _weight(metres: int, speed: int) -> int:
    return (metres * _MILLISECONDS // speed << _METRE_BITS) + metres
