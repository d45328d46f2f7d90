"""How long and how far a truck drives, and what it costs, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

from tailgate.model.cost_unit import CostUnit
from tailgate.model.instance import Instance
from tailgate.model.matrix import plain
from tailgate.model.rounding import cost_text, number_text
from tailgate.model.units import with_unit
from tailgate.report.time_words import TimeWords
from tailgate.report.timetable import Timetable

LATE = "LATE"
NO_ROAD = "no road"
CAUSES = ("fixed", "distance", "time")
"""What a tour costs something for."""


class Trip:
    """The tour of one truck."""

    def __init__(
        self,
        instance: Instance,
        customers: Sequence[int],
        cost: int | float | None = None,
        cost_unit: CostUnit | None = None,
    ) -> None:
        """Take the tour of a vehicle of the only kind that the instance has.

        ``cost`` is what a plan states, by default the true one, and ``cost_unit`` that of all
        kinds, by default the instance's.
        """
        self.instance = instance
        self.customers = tuple(customers)
        self.cost = instance.route_cost(customers) if cost is None else cost
        self.cost_unit = CostUnit.of_instance(instance) if cost_unit is None else cost_unit

    @cached_property
    def words(self) -> TimeWords:
        """How times are shown."""
        return TimeWords(self.instance)

    @cached_property
    def timetable(self) -> Timetable | None:
        """The times; nothing where some road does not exist."""
        return Timetable.of(self.instance, self.customers)

    @cached_property
    def is_timed(self) -> bool:
        """Whether times matter in the orders: windows, shifts, how long a stop or a way takes."""
        instance, units, travel = self.instance, self.instance.units, self.instance.travel
        stops_take_time = any(one.ready or one.service for one in instance.customers)
        begins = instance.depot_ready or instance.vehicle.shift_start
        has_hours = units.time_unit or units.clock or instance.vehicle.rates[1]
        ways_take_time = travel.speed is not None or travel.durations is not None
        return bool(
            instance.has_time_windows or stops_take_time or begins or has_hours or ways_take_time
        )

    @property
    def departure_text(self) -> str:
        """When the truck leaves the depot."""
        return NO_ROAD if self.timetable is None else self.words.time(self.timetable.departure)

    @property
    def return_text(self) -> str:
        """When it is back."""
        if self.timetable is None:
            return NO_ROAD
        text = self.words.time(self.timetable.back)
        return f"{text} {LATE}" if self.timetable.is_back_late else text

    @property
    def closing_text(self) -> str:
        """When it must be back: the end of the depot's hours or of the shift, or nothing."""
        due = self.instance.clock.due[0]
        return "" if due == math.inf else self.words.given(self.instance.clock.time(due))

    @property
    def duration_text(self) -> str:
        """How long it is out."""
        return NO_ROAD if self.timetable is None else self.words.duration(self.timetable.duration)

    @property
    def waiting_text(self) -> str:
        """How long it waits."""
        return NO_ROAD if self.timetable is None else self.words.duration(self.timetable.waiting)

    @property
    def hours_text(self) -> str:
        """When it leaves the depot and when it is back."""
        if self.timetable is None:
            return "takes a road that does not exist"
        text = f"leaves at {self.departure_text}, back at {self.return_text}"
        return f"{text} (by {self.closing_text})" if self.closing_text else text

    @property
    def duration_words(self) -> str:
        """How long it is out, and how much of that it waits."""
        if self.timetable is None or not self.timetable.waiting:
            return self.duration_text
        return f"{self.duration_text}, {self.waiting_text} of it waiting"

    def visit_text(self, stop: int) -> str:
        """Return when the truck comes to a stop and leaves it, and when it may come."""
        if self.timetable is None:
            return NO_ROAD
        visit, words = self.timetable.visits[stop - 1], self.words
        customer = self.instance.customer(self.customers[stop - 1])
        parts = [f"arrive {words.time(visit.arrival)}"]
        if visit.is_late:
            parts[0] += f" {LATE}"
        if visit.waiting:
            parts.append(f"wait until {words.time(visit.start)}")
        if customer.service:
            parts.append(f"service {words.duration(customer.service)}")
        parts.append(f"leave {words.time(visit.end)}")
        text, window = ", ".join(parts), words.window(customer.ready, customer.due)
        return f"{text} (open {window})" if window else text

    @property
    def shows_distance(self) -> bool:
        """Whether the way is something else than the cost, and known."""
        return self.instance.roads.has_distances and not self.instance.vehicle.costs_distance_only

    @cached_property
    def distance(self) -> int | float | None:
        """How far it drives; nothing where distances are not known, infinity without a road."""
        if not self.instance.roads.has_distances:
            return None
        distance = self.instance.costs.distance_of(self.customers)
        return plain(distance) if isinstance(distance, Fraction) else distance

    @property
    def distance_text(self) -> str:
        """How far it drives, with the unit."""
        return "" if self.distance is None else self.way_text(self.distance)

    def way_text(self, distance: int | float) -> str:
        """Return a distance with its unit; nobody drives to the hundredth of a metre."""
        if distance == math.inf:
            return NO_ROAD
        return with_unit(self.way_number(distance), self.instance.units.distance_unit)

    def way_number(self, distance: int | float) -> str:
        """Return a distance; where it is what the plan costs, with the digits of costs."""
        if self.instance.vehicle.costs_distance_only:
            return cost_text(distance)
        return number_text(round(distance, 2))

    @property
    def cost_text(self) -> str:
        """What it costs, with the unit."""
        return self.cost_unit.cost_text(self.cost)

    @property
    def has_true_cost(self) -> bool:
        """Whether the tour can be driven, and in time where time costs something."""
        return math.isfinite(self.instance.route_cost(self.customers))

    @property
    def causes(self) -> list[str]:
        """What this kind of vehicle costs something for."""
        vehicle, costs = self.instance.vehicle, self.instance.costs
        costing = (vehicle.fixed_cost > 0, costs.uses_distance, costs.uses_time)
        return [name for name, is_a_cause in zip(CAUSES, costing, strict=True) if is_a_cause]

    @cached_property
    def cost_parts(self) -> dict[str, int | float]:
        """What it costs by cause; empty where there is one cause only, or no true cost."""
        causes = self.causes
        if len(causes) < 2 or not self.has_true_cost:
            return {}
        parts = self.instance.costs.parts(self.customers)
        return {name: getattr(parts, name) for name in causes}

    @property
    def cost_words(self) -> str:
        """What it costs, and for what."""
        parts = ", ".join(
            f"{name} {self.cost_unit.cost_number(amount)}"
            for name, amount in self.cost_parts.items()
        )
        return f"{self.cost_text} ({parts})" if parts else self.cost_text
