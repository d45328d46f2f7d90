"""Independent random streams, one per aspect of an instance.

Only integers are drawn, and from them only sums, products, quotients and square roots are made,
which IEEE 754 rounds alike everywhere: so a seed gives the same instance on every platform.
"""

from __future__ import annotations

from enum import IntEnum

from numpy.random import PCG64, Generator, SeedSequence


class Aspect(IntEnum):
    """What a stream is for; the number is part of the seed and must never change."""

    CUSTOMERS = 1
    TIME_WINDOWS = 2
    ITEMS = 3
    WEIGHTS = 4
    ROUTES = 5
    STREETS = 6
    TRAFFIC = 7
    CLOSED_ROADS = 8
    OPENING_HOURS = 9
    SERVICE = 10
    FLEET = 11
    OPTIONAL_ORDERS = 12
    RULES = 13


def random_stream(seed: int, aspect: Aspect, attempt: int = 0) -> Generator:
    """Return the stream of one aspect, so that one option never shifts what another one draws."""
    return Generator(PCG64(SeedSequence(entropy=seed, spawn_key=(int(aspect), attempt))))


def draw_integer(stream: Generator, low: int, high: int) -> int:
    """Draw an integer uniformly from low..high, both included."""
    return int(stream.integers(low, high, endpoint=True))
