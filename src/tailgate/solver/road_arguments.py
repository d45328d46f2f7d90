"""Roads, times and limits of an instance, as the compiled searches over routes take them.

Times are in ticks of the instance's clock, costs in its unit of cost. What an instance does not use
is left empty, so that it costs nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tailgate.model.instance import Instance

Table = npt.NDArray[np.float64]
_NOTHING: Table = np.empty(0)


@dataclass(frozen=True)
class RoadArguments:
    """Lists by place, the depot first, and tables by rows; infinite where there is no road."""

    instance: Instance

    @property
    def costs(self) -> Table:
        """What each arc costs, waiting aside."""
        return _as_table(self.instance.costs.arcs)

    @cached_property
    def durations(self) -> Table:
        """The travel times; empty where there is no clock, and where they are the costs."""
        instance = self.instance
        is_cost = instance.travel.is_plain and instance.vehicle.costs_distance_only
        if is_cost or not instance.has_time_windows:
            return _NOTHING
        return _as_table(instance.clock.durations())

    @property
    def ready(self) -> list[float]:
        """When services may begin; the depot's is the earliest departure."""
        return list(self.instance.clock.ready)

    @property
    def due(self) -> list[float]:
        """When services must have begun; the depot's is the latest return."""
        return list(self.instance.clock.due)

    @property
    def service(self) -> list[float]:
        """How long services take."""
        return list(self.instance.clock.service)

    @property
    def time_tolerance(self) -> float:
        """By how much a due time may be missed, relatively."""
        return self.instance.clock.tolerance

    @property
    def waiting_cost(self) -> float:
        """What a tick of waiting costs."""
        costs = self.instance.costs
        return costs.per_tick if costs.waiting_counts else 0.0

    @property
    def max_duration(self) -> float:
        """The longest time from departure to return."""
        return self.instance.clock.max_duration

    @property
    def distances(self) -> Table:
        """The distances; empty where their sum has no limit."""
        if self.instance.vehicle.max_distance is None:
            return _NOTHING
        return _as_table(self.instance.costs.distance_steps())

    @property
    def max_distance(self) -> float:
        """The longest way, in the same steps as the distances."""
        limit = self.instance.vehicle.max_distance
        return math.inf if limit is None else self.instance.costs.distance_limit(limit)

    @property
    def max_stops(self) -> int:
        """The most customers of a route; 0 for any number."""
        return self.instance.vehicle.max_stops or 0


def _as_table(table: npt.NDArray[Any]) -> Table:
    return np.ascontiguousarray(table, dtype=np.float64)
