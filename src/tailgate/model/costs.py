"""What a route costs: fixed, by distance, and by the time from departure to return."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

from tailgate.model import validation
from tailgate.model.clock import TIME_TOLERANCE
from tailgate.model.exact import fraction_of
from tailgate.model.limits import MOST_PLACES_IN_TABLES
from tailgate.model.matrix import NO_ROAD, plain
from tailgate.model.rounding import number_text

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from tailgate.model.clock import Clock
    from tailgate.model.instance import Instance
    from tailgate.model.roads import Roads
    from tailgate.model.stop_order import OrderedRoads

_FLOAT_ROUNDING = 2.0**-53
# Of a step: a sum of floats that is off by more could be taken for another cost.
_STEP_ROUNDING = 5e-7

Money = Fraction | float
"""Exact where distances are exact."""


@dataclass(frozen=True, slots=True)
class CostParts:
    """What a route costs, by cause.

    Parameters
    ----------
    fixed : int or float
        For using the vehicle at all.
    distance : int or float
        For the way.
    time : int or float
        For the time from departure to return.
    """

    fixed: int | float
    distance: int | float
    time: int | float

    def __post_init__(self) -> None:
        """Refuse what is not a number."""
        validation.store_numbers(self, "fixed", "distance", "time")


class RouteCosts:
    """The costs of an instance's routes."""

    def __init__(self, instance: Instance, roads: Roads | OrderedRoads, clock: Clock) -> None:
        """Prepare; nothing is computed before it is asked for."""
        vehicle = instance.vehicle
        self._roads = roads
        self._clock = clock
        self._vehicles = instance.vehicle_count
        self._is_plain = instance.travel.is_plain and vehicle.costs_distance_only
        self._fixed = fraction_of(vehicle.fixed_cost)
        self._per_distance, self._per_time = map(fraction_of, vehicle.rates)

    @property
    def per_tick(self) -> float:
        """What a tick of the clock costs."""
        tick = self._clock.tick
        return float(self._per_time if tick is None else self._per_time * tick)

    @property
    def uses_time(self) -> bool:
        """Whether the duration of a route costs something."""
        return self._per_time > 0

    @property
    def uses_distance(self) -> bool:
        """Whether distances cost something."""
        return self._per_distance > 0

    def distance_of(self, route: Sequence[int]) -> Money:
        """Return the length of the tour; infinity if there is no road somewhere."""
        total = sum(self._legs(route))
        if total == math.inf:
            return total
        step = self._roads.distance_step
        return float(total) if step is None else total * step

    def length(self, route: Sequence[int]) -> int | float | None:
        """Return the length of the tour as a plain number; ``None`` where it has none."""
        distance = self.distance_of(route)
        if not self._roads.has_distances or distance == math.inf:
            return None
        return _number(distance)

    def _legs(self, route: Sequence[int]) -> list[int | float]:
        legs = map(self._roads.distance, (0, *route), (*route, 0))
        return [math.inf if leg is None else leg for leg in legs]

    def is_drivable(self, route: Sequence[int]) -> bool:
        """Return whether there is a road for every leg."""
        legs = pairwise((0, *route, 0))
        return all(self._roads.duration(start, end) is not None for start, end in legs)

    def exceeds_distance(self, route: Sequence[int], limit: int | float) -> bool:
        """Return whether a tour is longer than a limit; floats have the tolerance of times."""
        distance = self.distance_of(route)
        if isinstance(distance, Fraction):
            return distance > fraction_of(limit)
        return distance - limit > TIME_TOLERANCE * max(1, limit)

    def distance_steps(self) -> npt.NDArray[np.float64]:
        """Return all distances in steps, or in their unit where they have none."""
        return self._in_steps(self._roads.distances())

    def _in_steps(self, stored: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        import numpy as np

        distances = stored.astype(np.float64)
        if self._roads.distance_step is not None:
            distances[distances == NO_ROAD] = np.inf
        return distances

    def distance_text(self, steps: float) -> str:
        """Return a sum of `distance_steps` in the instance's unit."""
        step = self._roads.distance_step
        return number_text(steps if step is None else plain(int(steps) * step))

    def distance_limit(self, limit: int | float) -> float:
        """Return the largest sum of `distance_steps` within a limit, with the grace of floats."""
        step = self._roads.distance_step
        if step is None:
            return limit + TIME_TOLERANCE * max(1, limit)
        return math.floor(fraction_of(limit) / step)

    def duration_of(self, route: Sequence[int]) -> Money:
        """Return the least duration in the instance's unit; infinity if the route is late."""
        duration = self._clock.least_duration(route)
        if duration is None:
            return math.inf
        tick = self._clock.tick
        return float(duration) if tick is None else int(duration) * tick

    def exact(self, route: Sequence[int]) -> Money:
        """Return what a route costs; infinity if it cannot be driven or would be late."""
        cost: Money = self._fixed
        if self._per_distance:
            distance = self.distance_of(route)
            if distance == math.inf:
                return math.inf
            cost += self._per_distance * distance
        if self._per_time:
            duration = self.duration_of(route)
            if duration == math.inf:
                return math.inf
            cost += self._per_time * duration
        return cost

    @property
    def waiting_counts(self) -> bool:
        """Whether a route may cost more than its arcs."""
        return self.uses_time and self._clock.is_limited

    @cached_property
    def largest_arc(self) -> float:
        """The largest cost of an arc that can be driven."""
        arcs = self.arcs
        return float(arcs[arcs < math.inf].max(initial=0.0))

    @property
    def largest_waiting(self) -> float:
        """No route waits for more than this: it waits for nothing unless something is due."""
        if not self.waiting_counts:
            return 0.0
        times = (time for time in (*self._clock.ready, *self._clock.due) if time < math.inf)
        return self.per_tick * max(times)

    def round_trips(self) -> list[float]:
        """Return what each customer alone costs without waiting; the most where there is no road.

        Penalties begin there. It is no bound: roads need not obey the triangle inequality.
        """
        import numpy as np

        arcs = self.arcs
        trips = arcs[0, 1:] + arcs[1:, 0]
        known: list[float] = np.where(trips < math.inf, trips, 2.0 * self.largest_arc).tolist()
        return known

    def without_waiting(self, walk: Sequence[int]) -> float:
        """Return the sum of the arcs of a walk, which may come to a customer more than once."""
        arcs = self.arcs
        return float(sum(arcs[start, end] for start, end in pairwise((0, *walk, 0))))

    def cost(self, route: Sequence[int]) -> int | float:
        """Return what a route costs, as a plain number."""
        if self._is_plain:
            return sum(self._legs(route))
        return _number(self.exact(route))

    def of_routes(self, routes: Sequence[Sequence[int]]) -> npt.NDArray[np.float64]:
        """Return what each of many routes costs, added up from stop to stop as the judge does."""
        import numpy as np

        if self.waiting_counts:
            return np.array([self.cost(route) for route in routes], dtype=np.float64)
        lengths = np.fromiter(map(len, routes), np.int64, len(routes))
        # Waiting at the depot costs nothing.
        stops = np.zeros((len(routes), int(lengths.max(initial=0)) + 2), np.int64)
        visited = np.arange(stops.shape[1] - 2) < lengths[:, None]
        stops[:, 1:-1][visited] = np.fromiter(chain.from_iterable(routes), np.int64)
        costs, arcs = np.zeros(len(routes)), self.arcs
        for position in range(stops.shape[1] - 1):
            costs += arcs[stops[:, position], stops[:, position + 1]]
        return costs

    def total(self, routes: Iterable[Sequence[int]]) -> int | float:
        """Return what routes cost together, whatever their order."""
        if self.step is None:
            return math.fsum(map(self.cost, routes))
        if self._is_plain:
            return sum(map(self.cost, routes))
        return _number(sum((self.exact(route) for route in routes), Fraction(0)))

    def parts(self, route: Sequence[int]) -> CostParts:
        """Return what a route costs, by cause."""
        distance = self._per_distance * self.distance_of(route) if self._per_distance else 0
        time = self._per_time * self.duration_of(route) if self._per_time else 0
        return CostParts(_number(self._fixed), _number(distance), _number(time))

    @cached_property
    def arcs(self) -> npt.NDArray[np.float64]:
        """What each arc costs: a route costs the sum of its arcs, and its waiting.

        The time of service belongs to the arc that leads to it, and half of the fixed cost to
        each arc at the depot: so roads that are the same both ways cost the same both ways, but
        for the service, which is therefore split between the arcs at the customer, too.
        """
        import numpy as np

        if self._is_plain:
            return self.distance_steps()
        distances = self.distance_steps() if self._per_distance else None
        costs = self._cost_of(distances, self._clock.durations(), self._halves[:, None])
        if self._fixed:
            costs[0, :] += float(self._fixed / 2)
            costs[:, 0] += float(self._fixed / 2)
        np.fill_diagonal(costs, 0.0)
        return costs

    def arcs_from(self, place: int) -> npt.NDArray[np.float64]:
        """Return what the arcs from one place to all cost, without a table of all."""
        durations = None if self._is_plain else self._clock.durations_from(place)
        return self._arcs_at(place, self._roads.distances_from, durations)

    def arcs_to(self, place: int) -> npt.NDArray[np.float64]:
        """Return what the arcs from all places to one cost, without a table of all."""
        durations = None if self._is_plain else self._clock.durations_to(place)
        return self._arcs_at(place, self._roads.distances_to, durations)

    def _arcs_at(
        self,
        place: int,
        distances_at: Callable[[int], npt.NDArray[Any]],
        durations: npt.NDArray[np.float64] | None,
    ) -> npt.NDArray[np.float64]:
        distances = self._in_steps(distances_at(place)) if self._needs_distances else None
        if durations is None:
            assert distances is not None
            return distances
        costs = self._cost_of(distances, durations, self._halves[place])
        if self._fixed:
            costs += float(self._fixed / 2) if place == 0 else 0.0
            costs[0] += float(self._fixed / 2)
        costs[place] = 0.0
        return costs

    @property
    def _needs_distances(self) -> bool:
        return self._is_plain or bool(self._per_distance)

    @cached_property
    def _halves(self) -> npt.NDArray[np.float64]:
        """Half of the service at each place."""
        import numpy as np

        return np.array(self._clock.service, dtype=np.float64) / 2

    def _cost_of(
        self,
        distances: npt.NDArray[np.float64] | None,
        durations: npt.NDArray[np.float64],
        halves: npt.NDArray[np.float64] | np.float64,
    ) -> npt.NDArray[np.float64]:
        """Return what arcs cost, the fixed cost aside; the halves are of the services there."""
        import numpy as np

        costs = np.zeros(durations.shape)
        if distances is not None:
            rate = self._per_distance * (self._roads.distance_step or 1)
            costs += distances * rate.numerator / rate.denominator
        if self._per_time:
            # The sum of the halves first: so it is the same in both directions.
            costs += (durations + (halves + self._halves)) * self.per_tick
        costs[np.isinf(durations)] = np.inf
        return costs

    @property
    def is_same_both_ways(self) -> bool:
        """Whether each arc costs as much as the one back."""
        return self._roads.is_measured

    @property
    def arc_limit(self) -> float:
        """No arc that can be driven costs more; of many places it is found without a table."""
        if self._places <= MOST_PLACES_IN_TABLES:
            return self.largest_arc
        if self._is_plain:
            step = self._roads.distance_step or 1
            return math.ceil(self._roads.longest_distance() / step) + 1.0
        distance = self._roads.longest_distance() if self._per_distance else 0
        service = max(self._clock.service) * self.per_tick
        time = self._per_time * self._roads.longest_duration()
        return float(self._fixed + self._per_distance * distance + time) + service

    @property
    def _places(self) -> int:
        return len(self._clock.ready)

    @cached_property
    def step(self) -> Fraction | None:
        """What all costs of routes are multiples of; ``None`` where there is no such number."""
        if self._is_plain:
            return self.exact_step
        return usable_step([self.exact_step], self._places + self._vehicles, self.arc_limit)

    @property
    def exact_step(self) -> Fraction | None:
        """What all costs are multiples of, however fine that is; 0 where nothing costs."""
        roads = self._roads
        if self._is_plain:
            return None if roads.distance_step is None else Fraction(1)
        parts = [self._fixed]
        if self._per_distance:
            if roads.distance_step is None:
                return None
            parts.append(self._per_distance * roads.distance_step)
        if self._per_time:
            if self._clock.tick is None:
                return None
            parts.append(self._per_time * self._clock.tick)
        return common_step(parts)


def common_step(parts: Iterable[Fraction]) -> Fraction:
    """Return the largest number of which all parts are multiples; 0 if they are all 0."""
    step = Fraction(0)
    for part in parts:
        denominator = math.lcm(step.denominator, part.denominator)
        step = Fraction(math.gcd(int(step * denominator), int(part * denominator)), denominator)
    return step


def usable_step(steps: Iterable[Fraction | None], terms: int, largest: float) -> Fraction | None:
    """Return the common step, unless a sum of so many floats cannot tell two costs apart."""
    known = []
    for step in steps:
        if step is None:
            return None
        known.append(step)
    common = common_step(known)
    finest = _FLOAT_ROUNDING * terms * terms * largest
    return common if common and float(common) * _STEP_ROUNDING > finest else None


def _number(value: Money | int) -> int | float:
    return plain(value) if isinstance(value, Fraction) else value
