"""What carries the items: a truck with a rectangular floor."""

from __future__ import annotations

from dataclasses import dataclass

from tailgate.model import validation
from tailgate.model.errors import InputError
from tailgate.model.limits import (
    DECIMALS_REMEDY,
    MAX_COORDINATE,
    MAX_COST,
    MAX_CUSTOMERS,
    MAX_LENGTH,
    MAX_TIME,
    MAX_WEIGHT,
)
from tailgate.model.rounding import number_text


@dataclass(frozen=True, slots=True)
class Vehicle:
    """One kind of truck: its floor, its payload, what it costs and how long it may be out.

    Times and durations are in the instance's unit of time.

    Parameters
    ----------
    width : int
        Width of the floor (x), in stored integers.
    length : int
        Length of the floor (y), in stored integers; the door is at y = length.
    capacity : int
        Weight that it may carry, in stored integers.
    name : str
        What people call it.
    fixed_cost : int or float
        For each vehicle that leaves.
    cost_per_distance : int or float, optional
        For each unit of distance. If neither this nor ``cost_per_time`` is given it is 1, so that
        a plain instance costs its distance; otherwise what is not given is 0.
    cost_per_time : int or float, optional
        For each unit of time between departure and return, with service and waiting.
    shift_start : int or float, optional
        It leaves at this time or later.
    shift_end : int or float, optional
        It is back by then.
    max_duration : int or float, optional
        The longest time from departure to return.
    max_distance : int or float, optional
        The longest way.
    max_stops : int, optional
        The most customers on one route.
    count : int
        How many vehicles of this kind there are.
    first_stops : tuple of str
        Labels of the customers with whom every vehicle of this kind begins, in this order: a truck
        that is under way.
    """

    width: int
    length: int
    capacity: int
    name: str = ""
    fixed_cost: int | float = 0
    cost_per_distance: int | float | None = None
    cost_per_time: int | float | None = None
    shift_start: int | float | None = None
    shift_end: int | float | None = None
    max_duration: int | float | None = None
    max_distance: int | float | None = None
    max_stops: int | None = None
    count: int = 1
    first_stops: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse an empty floor or no capacity at all."""
        validation.store_integers(
            self, "width", "length", low=1, high=MAX_LENGTH, remedy=DECIMALS_REMEDY
        )
        validation.store_integers(self, "capacity", low=1, high=MAX_WEIGHT, remedy=DECIMALS_REMEDY)
        validation.text(self.name, "name")
        for field in ("fixed_cost", "cost_per_distance", "cost_per_time"):
            self._store_number(field, high=MAX_COST)
        for field in ("shift_start", "shift_end", "max_duration"):
            self._store_number(field, high=MAX_TIME)
        self._store_number("max_distance", high=MAX_COORDINATE)
        if self.max_stops is not None:
            validation.store_integers(self, "max_stops", low=1, high=MAX_CUSTOMERS)
        validation.store_integers(self, "count", low=0, high=MAX_CUSTOMERS)
        validation.store_labels(self, "first_stops")
        if self.first_stops and self.count > 1:
            raise InputError(
                f"must be 1 where there are first_stops: no two vehicles serve the same customers, "
                f"got {self.count}",
                field="count",
            )
        start, end = self.shift_start, self.shift_end
        if start is not None and end is not None and end < start:
            raise InputError(
                f"must not be before shift_start ({number_text(start)}), got {number_text(end)}",
                field="shift_end",
            )

    def _store_number(self, field: str, *, high: int) -> None:
        value = getattr(self, field)
        if value is not None:
            object.__setattr__(self, field, validation.number(value, field, low=0, high=high))

    @property
    def rates(self) -> tuple[int | float, int | float]:
        """What a unit of distance and a unit of time cost."""
        if not self.names_rates:
            return 1, 0
        return self.cost_per_distance or 0, self.cost_per_time or 0

    @property
    def costs_distance_only(self) -> bool:
        """Whether a route costs its distance, and nothing else."""
        return self.rates == (1, 0) and not self.fixed_cost

    @property
    def is_plain(self) -> bool:
        """Whether it is what format 1 knows: a floor and a payload."""
        return self == Vehicle(self.width, self.length, self.capacity, count=self.count)

    @property
    def is_plain_but_for_its_name(self) -> bool:
        """Whether format 1 knows all of it that matters to a plan."""
        limits = (self.shift_start, self.shift_end, self.max_duration, self.max_distance)
        is_limited = any(limit is not None for limit in (*limits, self.max_stops))
        return self.costs_distance_only and not is_limited and not self.first_stops

    @property
    def names_rates(self) -> bool:
        """Whether it says what a unit of distance or of time costs."""
        return self.cost_per_distance is not None or self.cost_per_time is not None

    @property
    def area(self) -> int:
        """Floor area, in squared stored lengths."""
        return self.width * self.length
