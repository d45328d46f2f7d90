"""When a vehicle is where: windows, shifts, and the schedule of least duration of a route.

Times are integers of a common tick, so that sums are exact and nothing needs a tolerance. Only
where durations are unrounded distances are they floats, compared with a tolerance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tailgate.model.errors import InputError
from tailgate.model.exact import fraction_of
from tailgate.model.matrix import NO_ROAD, plain
from tailgate.model.schedule import Schedule, StopTimes

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from tailgate.model.instance import Instance
    from tailgate.model.roads import Roads
    from tailgate.model.stop_order import OrderedRoads

TIME_TOLERANCE = 1e-9
"""Travel times that are rounded floats: a due time may be missed by this much, relatively."""
# Any sum over a route stays far below 2**53, so that floats carry it exactly.
_MAX_TICKS = 2**44

Ticks = int | float


class Clock:
    """The times of an instance in ticks, by place; the depot is 0.

    ``tick`` is what one is worth in the instance's unit of time; ``None`` where times are floats
    in that unit.
    """

    def __init__(self, instance: Instance, roads: Roads | OrderedRoads) -> None:
        """Prepare; durations are computed when they are asked for."""
        self._roads = roads
        vehicle, customers = instance.vehicle, instance.customers
        starts = [instance.depot_ready]
        ends = [instance.depot_due]
        if vehicle.shift_start is not None:
            starts.append(vehicle.shift_start)
        ends.append(vehicle.shift_end)
        stated = [end for end in ends if end is not None]
        due: list[int | float | None] = [min(stated) if stated else None]
        due += [customer.due for customer in customers]
        ready = [max(starts), *(customer.ready for customer in customers)]
        service = [0, *(customer.service for customer in customers)]
        limit = vehicle.max_duration
        self.tick = self._common_tick(instance, [*ready, *due, *service, limit])
        self.ready = [self.ticks(time) for time in ready]
        self.due = [math.inf if time is None else self.ticks(time) for time in due]
        self.service = [self.ticks(time) for time in service]
        self.max_duration = math.inf if limit is None else self.ticks(limit)
        self.tolerance = TIME_TOLERANCE if self.tick is None else 0.0
        self.is_limited = math.isfinite(self.max_duration) or any(map(math.isfinite, self.due))
        """Whether some route can be late or too long."""
        self._step: int | float = 1
        if self.tick is not None:
            assert roads.duration_step is not None
            self._step = int(roads.duration_step / self.tick)

    def _common_tick(
        self, instance: Instance, times: Sequence[int | float | None]
    ) -> Fraction | None:
        """Return the largest tick of which all times and durations are multiples."""
        step = self._roads.duration_step
        if step is None or instance.travel.is_plain:
            return None
        numerator, denominator = step.numerator, step.denominator
        largest: Fraction = max(step, self._roads.longest_duration())
        for time in times:
            if time:
                exact = fraction_of(time)
                largest = max(largest, exact)
                numerator = math.gcd(numerator * exact.denominator, exact.numerator * denominator)
                denominator *= exact.denominator
                divisor = math.gcd(numerator, denominator)
                numerator, denominator = numerator // divisor, denominator // divisor
        tick = Fraction(numerator, denominator)
        if largest / tick > _MAX_TICKS:
            raise InputError(
                f"times as large as {plain(largest)} and as fine as {plain(tick)} cannot be added "
                "up exactly; use fewer decimal places, and look at speed and detour",
                field="customers",
            )
        return tick

    def ticks(self, time: int | float) -> Ticks:
        """Return a time of the instance in ticks."""
        return time if self.tick is None else int(fraction_of(time) / self.tick)

    def time(self, ticks: Ticks) -> int | float:
        """Return ticks as a time in the instance's unit."""
        return ticks if self.tick is None else plain(int(ticks) * self.tick)

    def duration(self, start: int, end: int) -> Ticks:
        """Return how long the way from one place to another takes; infinity without a road."""
        leg = self._roads.duration(start, end)
        return math.inf if leg is None else leg * self._step

    def durations(self) -> npt.NDArray[np.float64]:
        """Return all durations; infinity where there is no road."""
        return self._ticks_of(self._roads.durations())

    def durations_from(self, place: int) -> npt.NDArray[np.float64]:
        """Return the durations from one place to all; infinity where there is no road."""
        return self._ticks_of(self._roads.durations_from(place))

    def durations_to(self, place: int) -> npt.NDArray[np.float64]:
        """Return the durations from all places to one; infinity where there is no road."""
        return self._ticks_of(self._roads.durations_to(place))

    def is_late(self, place: int, arrival: Ticks) -> bool:
        """Return whether an arrival is after the due time of its place."""
        due = self.due[place]
        return arrival > due and arrival - due > self.tolerance * max(1, abs(due))

    def least_duration(self, route: Sequence[int]) -> Ticks | None:
        """Return the least duration of a route, ``None`` if some due time cannot be kept."""
        times = self._earliest(route)
        if times is None:
            return None
        return times[-1] - self._latest_departure(route, times[-1])

    def keeps(self, route: Sequence[int]) -> bool:
        """Return whether a route can be driven, in time, and within the longest duration."""
        if not math.isfinite(self.max_duration):
            return self._earliest(route) is not None
        duration = self.least_duration(route)
        return duration is not None and not self.exceeds(duration)

    def exceeds(self, duration: Ticks) -> bool:
        """Return whether a duration is longer than a vehicle may be out."""
        return duration - self.max_duration > self.tolerance * max(1, self.max_duration)

    def _earliest(self, route: Sequence[int]) -> list[Ticks] | None:
        """Return when services begin and the vehicle is back, leaving as early as it may."""
        clock = self.ready[0]
        times = []
        for start, place in pairwise((0, *route, 0)):
            clock += self.duration(start, place)
            if self.is_late(place, clock) or clock == math.inf:
                return None
            if place:
                clock = max(clock, self.ready[place])
                times.append(clock)
                clock += self.service[place]
        times.append(clock)
        return times

    def _latest_departure(self, route: Sequence[int], back: Ticks) -> Ticks:
        """Return the latest departure with which the vehicle can still be back by some time."""
        latest, following = back, 0
        for place in reversed(route):
            latest = latest - self.duration(place, following) - self.service[place]
            latest = min(latest, self.due[place])
            following = place
        # In floats the way back may be longer than the way there by its rounding.
        return max(self.ready[0], latest - self.duration(0, following))

    def schedule(self, route: Sequence[int]) -> Schedule | None:
        """Return the schedule of least duration, of those the one that leaves earliest.

        Whoever delays the return can delay the departure by no more. So the earliest return that
        is possible, with the latest departure for it, has the least duration; and of all schedules
        that last as long it leaves earliest. ``None`` if a due time cannot be kept.
        """
        times = self._earliest(route)
        if times is None:
            return None
        departure = clock = self._latest_departure(route, times[-1])
        stops = []
        for start, place in pairwise((0, *route)):
            arrival = clock + self.duration(start, place)
            begin = max(arrival, self.ready[place])
            clock = begin + self.service[place]
            stops.append(StopTimes(place, *map(self.time, (arrival, begin, clock))))
        back = clock + self.duration(route[-1], 0) if route else clock
        return Schedule(
            departure=self.time(departure),
            stops=tuple(stops),
            back=self.time(back),
            duration=self.time(back - departure),
        )

    def earliest_arrivals(self, start: int, leaving: Ticks) -> list[Ticks]:
        """Return when a vehicle that leaves a place can be at 0..n at the earliest, by any route.

        Roads need not obey the triangle inequality: a detour over other customers can be faster
        than the direct drive. No chain goes on from a customer whom it reaches late, and every
        chain ends at the depot. Loads do not count, so this is a bound. As waiting is allowed,
        arriving earlier is never worse, and the labels of Dijkstra's algorithm are exact.
        """
        import numpy as np

        arrivals = np.full(len(self.ready), np.inf)
        is_open = np.ones(len(self.ready), dtype=bool)
        is_open[[0, start]] = False
        clock, place = leaving, start
        while True:
            reached = is_open.copy()
            # A chain from the depot does not end there at once.
            reached[0] = start != 0
            coming = clock + self.durations_from(place)
            arrivals[reached] = np.minimum(arrivals, coming)[reached]
            while is_open.any():
                place = int(np.where(is_open, arrivals, np.inf).argmin())
                if not is_open[place] or arrivals[place] == np.inf:
                    return self._as_ticks(arrivals)
                is_open[place] = False
                if not self.is_late(place, arrivals[place]):
                    clock = max(float(arrivals[place]), self.ready[place]) + self.service[place]
                    break
            else:
                return self._as_ticks(arrivals)

    def latest_starts(self) -> list[Ticks]:
        """Return when service must begin at 1..n so that the depot's due time can still be kept.

        By any way back, over other customers if that is faster, as in `earliest_arrivals`; minus
        infinity where there is none. The first entry is the depot's due time.
        """
        import numpy as np

        ready, due = np.array(self.ready, dtype=np.float64), np.array(self.due)
        service = np.array(self.service, dtype=np.float64)
        starts = np.full(len(ready), -np.inf)
        starts[0] = due[0]
        is_open = np.ones(len(ready), dtype=bool)
        while True:
            place = int(np.where(is_open, starts, -np.inf).argmax())
            if not is_open[place] or starts[place] == -np.inf:
                return self._as_ticks(starts)
            is_open[place] = False
            if place and starts[place] < ready[place]:
                continue
            durations = self.durations_to(place)
            before = np.where(durations < np.inf, starts[place], -np.inf) - service
            before[durations < np.inf] -= durations[durations < np.inf]
            starts[is_open] = np.maximum(starts, np.minimum(before, due))[is_open]

    def _ticks_of(self, durations: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Return durations of the roads in ticks; infinity where there is no road."""
        import numpy as np

        return np.where(durations == NO_ROAD, np.inf, durations * float(self._step))

    def _as_ticks(self, times: npt.NDArray[np.float64]) -> list[Ticks]:
        values: list[float] = times.tolist()
        if self.tick is None:
            return list(values)
        return [int(value) if math.isfinite(value) else value for value in values]
