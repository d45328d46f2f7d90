"""How places become points of a map, on a plane and on the globe."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tailgate.model.distances import Point
from tailgate.model.instance import Instance

_LONGEST_SIDE = 480.0
_SHORTEST_SIDE = 200.0
# Names need room at the sides.
_SIDE_MARGIN, _TOP_MARGIN = 90.0, 26.0
# At the poles all longitudes are one.
_LEAST_SHRINKING = 0.01


@dataclass(frozen=True, slots=True)
class MapView:
    """Where a place lies in the picture: east is right, north is up.

    On the globe a degree of longitude is as long as one of latitude times ``shrinking``, the cosine
    of the latitude in the middle of the map. Where the date line runs through the map, its western
    side, which begins at ``turn``, goes on beyond the eastern one.
    """

    left: float
    north: float
    pixels_per_unit: float
    width: float
    height: float
    shrinking: float = 1.0
    turn: int = 0

    @classmethod
    def of(cls, instance: Instance) -> MapView:
        """Fit all places of the instance into the picture, at one scale in both directions."""
        points = [instance.depot, *((c.x, c.y) for c in instance.customers)]
        shrinking, turn = _globe(instance, points)
        places = [(_eastward(x, turn) * shrinking, y) for x, y in points]
        west, east = min(x for x, _ in places), max(x for x, _ in places)
        south, north = min(y for _, y in places), max(y for _, y in places)
        scale = _LONGEST_SIDE / max(east - west, north - south, 1)
        width = max((east - west) * scale, _SHORTEST_SIDE)
        height = max((north - south) * scale, _SHORTEST_SIDE)
        # In the middle, where all places lie on one line.
        left = west - (width / scale - (east - west)) / 2
        top = north + (height / scale - (north - south)) / 2
        size = width + 2 * _SIDE_MARGIN, height + 2 * _TOP_MARGIN
        return cls(left, top, scale, *size, shrinking, turn)

    def point(self, x: int, y: int) -> tuple[float, float]:
        """Return where a place lies in the picture."""
        scale, across = self.pixels_per_unit, _eastward(x, self.turn) * self.shrinking
        return _SIDE_MARGIN + (across - self.left) * scale, _TOP_MARGIN + (self.north - y) * scale


def _globe(instance: Instance, points: Sequence[Point]) -> tuple[float, int]:
    """Return how much longitudes shrink, and a full turn where the date line lies between."""
    if instance.travel.coordinates != "lat/lon":
        return 1.0, 0
    scale = instance.units.coordinate_scale
    longitudes, latitudes = [x for x, _ in points], [y for _, y in points]
    middle = (min(latitudes) + max(latitudes)) / 2 / scale
    crosses = max(longitudes) - min(longitudes) > 180 * scale
    return max(math.cos(math.radians(middle)), _LEAST_SHRINKING), 360 * scale * crosses


def _eastward(x: int, turn: int) -> int:
    return x + turn if x < 0 else x
