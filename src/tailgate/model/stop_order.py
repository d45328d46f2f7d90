"""Which stop may follow which: positions in a route, and the first stops of a truck under way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tailgate.model.matrix import NO_ROAD
from tailgate.model.roads import Leg, Roads
from tailgate.model.rules import Rules

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class StopOrder:
    """The arcs that rules leave: what must come just before a place, or just after it.

    Parameters
    ----------
    before : mapping of int to int
        The only place from which a vehicle comes to this one.
    after : mapping of int to int
        The only place to which a vehicle goes on from this one.
    """

    before: Mapping[int, int] = field(default_factory=dict)
    after: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, rules: Rules, first_stops: Sequence[int]) -> StopOrder:
        """Return the order that positions and the first stops of a vehicle demand.

        Parameters
        ----------
        rules : Rules
            The rules of the customers.
        first_stops : sequence of int
            The customers with whom every route of the vehicle begins.
        """
        chain = (0, *first_stops)
        before = dict.fromkeys(rules.first, 0) | dict(zip(first_stops, chain, strict=False))
        after = dict.fromkeys(rules.last, 0) | dict(zip(chain, first_stops, strict=False))
        return cls(before, after)

    @property
    def is_free(self) -> bool:
        """Whether any stop may follow any other."""
        return not self.before and not self.after

    def forbids(self, start: int, end: int) -> bool:
        """Return whether no vehicle may go directly from one place to another."""
        if start == end:
            return False
        return self.before.get(end, start) != start or self.after.get(start, end) != end

    def apply(self, table: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return a table by places in which the forbidden arcs are missing."""
        import numpy as np

        forbidden = np.zeros(table.shape, dtype=bool)
        for place, only in self.before.items():
            forbidden[:, place] |= np.arange(len(table)) != only
        for place, only in self.after.items():
            forbidden[place, :] |= np.arange(len(table)) != only
        np.fill_diagonal(forbidden, val=False)
        return np.where(forbidden, _missing(table), table)


class OrderedRoads:
    """The roads of an instance without the arcs that the order of stops forbids."""

    def __init__(self, roads: Roads, order: StopOrder) -> None:
        """Keep both; nothing is computed before it is asked for."""
        self._roads = roads
        self._order = order
        self.distance_step = roads.distance_step
        self.duration_step = roads.duration_step
        self.has_distances = roads.has_distances
        self.is_measured = False
        """An arc may be there and the one back missing."""

    def distance(self, start: int, end: int) -> Leg:
        """Return one distance."""
        return None if self._order.forbids(start, end) else self._roads.distance(start, end)

    def duration(self, start: int, end: int) -> Leg:
        """Return one duration."""
        return None if self._order.forbids(start, end) else self._roads.duration(start, end)

    def distances(self) -> npt.NDArray[Any]:
        """Return all distances, -1 (or infinity, of floats) where there is no road."""
        return self._order.apply(self._roads.distances())

    def durations(self) -> npt.NDArray[Any]:
        """Return all durations, -1 (or infinity, of floats) where there is no road."""
        return self._order.apply(self._roads.durations())

    def longest_distance(self) -> Fraction:
        """Return a distance, in the instance's unit, that no leg exceeds."""
        return self._roads.longest_distance()

    def longest_duration(self) -> Fraction:
        """Return a duration, in the instance's unit, that no leg exceeds."""
        return self._roads.longest_duration()

    def distances_from(self, place: int) -> npt.NDArray[Any]:
        """Return the distances from one place to all, as in `Roads.distances_from`."""
        return self._row(place, self._roads.distances_from(place))

    def distances_to(self, place: int) -> npt.NDArray[Any]:
        """Return the distances from all places to one, as in `Roads.distances_from`."""
        return self._column(place, self._roads.distances_to(place))

    def durations_from(self, place: int) -> npt.NDArray[Any]:
        """Return the durations from one place to all, as in `Roads.distances_from`."""
        return self._row(place, self._roads.durations_from(place))

    def durations_to(self, place: int) -> npt.NDArray[Any]:
        """Return the durations from all places to one, as in `Roads.distances_from`."""
        return self._column(place, self._roads.durations_to(place))

    def _row(self, place: int, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        row = values.copy()
        for other in range(len(row)):
            if self._order.forbids(place, other):
                row[other] = _missing(row)
        return row

    def _column(self, place: int, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        column = values.copy()
        for other in range(len(column)):
            if self._order.forbids(other, place):
                column[other] = _missing(column)
        return column


def _missing(table: npt.NDArray[Any]) -> float:
    return float("inf") if table.dtype.kind == "f" else NO_ROAD
