"""Which customers are near each other, without a table over all of them."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from tailgate.model.instance import Instance
from tailgate.model.matrix import NO_ROAD

_FAR = np.iinfo(np.int64).max


class Nearness:
    """Neighbours by the way the crow flies, or by the matrix where there is one."""

    def __init__(self, instance: Instance) -> None:
        """Take the places of an instance."""
        travel = instance.travel
        matrix = travel.durations if travel.distances is None else travel.distances
        self._stored: npt.NDArray[np.int64] | None = None if matrix is None else matrix.stored
        points = [instance.depot, *((one.x, one.y) for one in instance.customers)]
        self._x, self._y = np.array(points, dtype=np.float64).T
        if travel.metric == "great-circle":
            scale = instance.units.coordinate_scale
            self._x = self._x * math.cos(math.radians(instance.depot[1] / scale))

    def nearest(self, customer: int, count: int) -> list[int]:
        """Return the customers nearest to one, itself first."""
        far = self._row(customer)[1:]
        far[customer - 1] = -1
        count = min(count, len(far))
        some = np.argpartition(far, count - 1)[:count]
        order: list[int] = (some[np.argsort(far[some], kind="stable")] + 1).tolist()
        return order

    def around_depot(self) -> list[int]:
        """Return all customers like the hand of a clock; by a matrix each next to the last."""
        if self._stored is not None:
            return self._chain()
        angles = np.arctan2(self._y[1:] - self._y[0], self._x[1:] - self._x[0])
        order: list[int] = (np.argsort(angles, kind="stable") + 1).tolist()
        return order

    def _row(self, place: int) -> npt.NDArray[np.float64]:
        if self._stored is None:
            row: npt.NDArray[np.float64] = (self._x - self._x[place]) ** 2
            row += (self._y - self._y[place]) ** 2
            return row
        there, back = (
            np.where(way == NO_ROAD, _FAR, way)
            for way in (self._stored[place], self._stored[:, place])
        )
        nearer: npt.NDArray[np.float64] = np.minimum(there, back).astype(np.float64)
        return nearer

    def _chain(self) -> list[int]:
        place, order = 0, list[int]()
        is_open = np.ones(len(self._x), dtype=bool)
        is_open[0] = False
        while len(order) < len(self._x) - 1:
            place = int(np.where(is_open, self._row(place), np.inf).argmin())
            is_open[place] = False
            order.append(place)
        return order
