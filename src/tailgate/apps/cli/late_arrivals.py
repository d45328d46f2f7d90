"""Which due times a route misses: the verdict of ``pack`` is without them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tailgate.model.instance import Instance
from tailgate.model.units import Units


@dataclass(frozen=True, slots=True)
class LateArrival:
    """A customer whom a truck reaches too late; ``customer`` is ``None`` for the depot."""

    customer: int | None
    label: str
    arrives: int | float
    due: int | float
    units: Units

    def to_dict(self) -> dict[str, object]:
        """Return it for machines."""
        return {"customer": self.customer, "arrives": self.arrives, "due": self.due}

    def __str__(self) -> str:
        """Return it for people."""
        what = "is back at the depot" if self.customer is None else f"reaches {self.label}"
        arrives, due = map(self.units.time_text, (self.arrives, self.due))
        return f"{what} at {arrives}, due {due}"


def late_arrivals(instance: Instance, customers: Sequence[int]) -> list[LateArrival]:
    """Return every due time that a truck misses which leaves as early as it may."""
    if not instance.has_time_windows:
        return []
    clock = instance.clock
    late: list[LateArrival] = []
    now = clock.ready[0]
    for start, place in pairwise((0, *customers, 0)):
        now += clock.duration(start, place)
        if now == math.inf:
            return late
        if clock.is_late(place, now):
            label = instance.label(place) if place else ""
            times = clock.time(now), clock.time(clock.due[place])
            late.append(LateArrival(place or None, label, *times, instance.units))
        now = max(now, clock.ready[place]) + clock.service[place]
    return late


def late_text(late: Sequence[LateArrival]) -> str:
    """Return all of them in one line."""
    return "; ".join(map(str, late))
