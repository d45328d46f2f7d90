"""Euclidean distances under the three conventions, computed so that no rounding shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tailgate.model.conventions import DistanceConvention

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Point = tuple[int, int]


def distance_between(
    start: Point, end: Point, scale: int, convention: DistanceConvention
) -> int | float:
    """Return the distance of two points whose coordinates are stored times ``scale``."""
    squared = (start[0] - end[0]) ** 2 + (start[1] - end[1]) ** 2
    # All in integers: a distance of exactly 5 must never become 4 by rounding.
    match convention:
        case "truncated":
            return math.isqrt(squared) // scale
        case "rounded":
            return (math.isqrt(4 * squared) + scale) // (2 * scale)
        case "exact":
            return math.sqrt(squared) / scale


def distances_between(
    points: Sequence[Point], scale: int, convention: DistanceConvention
) -> npt.NDArray[np.int64] | npt.NDArray[np.float64]:
    """Return all distances between points; integers unless the convention is ``exact``."""
    # Imported here, for numpy takes longer to load than all of Tailgate and is needed only here.
    import numpy as np

    x, y = np.array(points, dtype=np.int64).T
    squared = np.subtract.outer(x, x) ** 2
    squared += np.subtract.outer(y, y) ** 2
    return _roots(squared, scale, convention)


def distances_from(
    coordinates: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]],
    place: int,
    scale: int,
    convention: DistanceConvention,
) -> npt.NDArray[np.int64] | npt.NDArray[np.float64]:
    """Return one row of `distances_between`, of points given by all x and all y."""
    x, y = coordinates
    return _roots((x - x[place]) ** 2 + (y - y[place]) ** 2, scale, convention)


def _roots(
    squared: npt.NDArray[np.int64], scale: int, convention: DistanceConvention
) -> npt.NDArray[np.int64] | npt.NDArray[np.float64]:
    import numpy as np

    if convention == "exact":
        exact: npt.NDArray[np.float64] = np.sqrt(squared.astype(np.float64)) / scale
        return exact
    root = np.sqrt(squared.astype(np.float64)).astype(np.int64)
    # The float root may be one off for large coordinates.
    root -= root * root > squared
    root += (root + 1) * (root + 1) <= squared
    if convention == "truncated":
        truncated: npt.NDArray[np.int64] = root // scale
        return truncated
    # isqrt(4 N) without forming 4 N, which could overflow.
    doubled = 2 * root + (squared - root * root > root)
    rounded: npt.NDArray[np.int64] = (doubled + scale) // (2 * scale)
    return rounded
