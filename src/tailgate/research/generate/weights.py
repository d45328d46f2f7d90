"""What the customers' goods weigh."""

from __future__ import annotations

from numpy.random import Generator

from tailgate.research.generate.random_streams import draw_integer

DEFAULT_CAPACITY = 200


def draw_weight(capacity: int, stream: Generator) -> int:
    """Draw between 1/200 and 1/4 of what a truck carries.

    That is 1 to 50 for the usual 200, about an eighth on average as in the benchmark: some eight
    customers fill a truck by weight and five or six by floor, so that both limits play a part.
    """
    lightest = max(1, -(-capacity // 200))
    heaviest = max(lightest, capacity // 4)
    return draw_integer(stream, lightest, heaviest)
