"""Where the customers are: pure random, clustered, or half and half."""

from __future__ import annotations

import math
from typing import Literal

from numpy.random import Generator

from tailgate.research.generate.random_streams import draw_integer

Distribution = Literal["random", "clustered", "mixed"]
Point = tuple[int, int]

DISTRIBUTIONS: tuple[Distribution, ...] = ("random", "clustered", "mixed")

# The paper gives the depots of the first two; the third is that of Solomon's mixed series RC,
# from which the other two come as well.
DEPOTS: dict[Distribution, Point] = {
    "random": (35, 35),
    "clustered": (40, 50),
    "mixed": (40, 50),
}

_SMALLEST_CLUSTER = 8
_LARGEST_CLUSTER = 9
# Distances from a cluster's centre are drawn in thousandths, from 3 to 5.
_THOUSANDTHS = 1000


def place_customers(count: int, distribution: Distribution, stream: Generator) -> list[Point]:
    """Draw the whole-numbered coordinates of all customers."""
    if distribution == "random":
        return _scattered(count, stream)
    if distribution == "clustered":
        return _clustered(count, stream)
    clustered_count = count // 2
    return _scattered(count - clustered_count, stream) + _clustered(clustered_count, stream)


def cluster_sizes(count: int) -> list[int]:
    """Split the customers into clusters of 8 or 9; the last is smaller where no such split exists.

    Every number from 56 on is a sum of eights and nines, and so are most smaller ones.
    """
    clusters = -(-count // _LARGEST_CLUSTER)
    nines = count - _SMALLEST_CLUSTER * clusters
    if nines >= 0:
        return [_LARGEST_CLUSTER] * nines + [_SMALLEST_CLUSTER] * (clusters - nines)
    sizes = [_SMALLEST_CLUSTER] * (count // _SMALLEST_CLUSTER)
    remainder = count % _SMALLEST_CLUSTER
    return [*sizes, remainder] if remainder else sizes


def _scattered(count: int, stream: Generator) -> list[Point]:
    return [(draw_integer(stream, 0, 100), draw_integer(stream, 0, 100)) for _ in range(count)]


def _clustered(count: int, stream: Generator) -> list[Point]:
    points: list[Point] = []
    for size in cluster_sizes(count):
        centre = (draw_integer(stream, 10, 90), draw_integer(stream, 10, 90))
        points += [_near(centre, stream) for _ in range(size)]
    return points


def _near(centre: Point, stream: Generator) -> Point:
    """Draw a point at a distance uniform in [3, 5] from the centre, in any direction.

    The direction is that of a point drawn inside a disc, because a sine or cosine may differ in
    its last digit from one platform to the next, and a square root may not.
    """
    distance = draw_integer(stream, 3 * _THOUSANDTHS, 5 * _THOUSANDTHS) / _THOUSANDTHS
    while True:
        east = draw_integer(stream, -_THOUSANDTHS, _THOUSANDTHS)
        north = draw_integer(stream, -_THOUSANDTHS, _THOUSANDTHS)
        square = east * east + north * north
        if 0 < square <= _THOUSANDTHS * _THOUSANDTHS:
            break
    radius = math.sqrt(square)
    return (
        centre[0] + math.floor(distance * east / radius + 0.5),
        centre[1] + math.floor(distance * north / radius + 0.5),
    )
