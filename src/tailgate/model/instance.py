"""The problem: items, customers, vehicle, and the instance that holds them together.

Everything here is immutable and checked in the constructor; a complaint names the argument.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Unpack

from tailgate.model import validation
from tailgate.model.clock import Clock
from tailgate.model.conventions import (
    ConventionOverrides,
    Conventions,
    DistanceConvention,
    FleetConvention,
    SingleCustomerConvention,
)
from tailgate.model.costs import RouteCosts
from tailgate.model.customer import Customer
from tailgate.model.distances import Point
from tailgate.model.errors import InputError
from tailgate.model.fingerprint import sha256_of
from tailgate.model.instance_checks import (
    check_limits,
    check_load,
    check_travel,
    check_windows,
    with_canonical_names,
)
from tailgate.model.item import Item
from tailgate.model.limits import (
    DECIMALS_REMEDY,
    MAX_COORDINATE,
    MAX_CUSTOMERS,
    MAX_ITEMS,
    MAX_TIME,
)
from tailgate.model.matrix import NO_ROAD, plain
from tailgate.model.notebook_display import NotebookDisplay
from tailgate.model.roads import Roads
from tailgate.model.schedule import Schedule
from tailgate.model.travel import STRAIGHT_LINES, Travel
from tailgate.model.units import Units, with_unit
from tailgate.model.vehicle import Vehicle

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "ConventionOverrides",
    "Conventions",
    "Customer",
    "DistanceConvention",
    "FleetConvention",
    "Instance",
    "Item",
    "SingleCustomerConvention",
    "Travel",
    "Units",
    "Vehicle",
]


@dataclass(frozen=True, slots=True, repr=False, weakref_slot=True)
class Instance(NotebookDisplay):
    """A whole problem: the depot, the customers, and identical vehicles.

    All lengths, weights and coordinates are integers; ``units`` says what they mean. Distances are
    in the file's unit of distance, rounded as ``conventions.distance`` says; times and costs are in
    their units. Places on the globe have their longitude as x and their latitude as y.

    Parameters
    ----------
    name : str
        What people call it.
    depot : tuple of int
        Coordinates (x, y) of the depot, which is number 0.
    customers : tuple of Customer
        Customers 1..n.
    vehicle : Vehicle
        What every vehicle is like.
    vehicle_count : int
        How many vehicles there are.
    conventions : Conventions
        How distances are measured, how many vehicles leave, and what a route may be.
    units : Units
        What the stored integers mean.
    depot_ready : int or float
        When vehicles may leave, in units of time; in format 1 time is measured in distance.
    depot_due : int or float, optional
        When they must be back; ``None`` for no limit.
    travel : Travel
        Distances and durations; by default straight lines between coordinates.
    depot_name : str
        What people call the depot.

    Examples
    --------
    >>> from tailgate import Customer, Instance, Item, Vehicle
    >>> instance = Instance(
    ...     name="two stops",
    ...     depot=(0, 0),
    ...     customers=(
    ...         Customer(x=3, y=4, weight=120, items=(Item(80, 120),), name="Bakery"),
    ...         Customer(x=6, y=8, weight=300, items=(Item(120, 100),), name="Hotel"),
    ...     ),
    ...     vehicle=Vehicle(width=240, length=600, capacity=1000),
    ...     vehicle_count=1,
    ... )
    >>> instance.route_cost([1, 2]), instance.label(2)
    (20.0, 'Hotel')
    """

    name: str
    depot: tuple[int, int]
    customers: tuple[Customer, ...]
    vehicle: Vehicle
    vehicle_count: int
    conventions: Conventions = Conventions.PLANNER
    units: Units = field(default_factory=Units)
    depot_ready: int | float = 0
    depot_due: int | float | None = None
    travel: Travel = STRAIGHT_LINES
    depot_name: str = ""
    _content_sha256: str | None = field(default=None, init=False, compare=False)
    _roads: Roads | None = field(default=None, init=False, compare=False)
    _clock: Clock | None = field(default=None, init=False, compare=False)
    _costs: RouteCosts | None = field(default=None, init=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse an instance in which some customer alone can never be served."""
        validation.text(self.name, "name")
        object.__setattr__(self, "depot", _point(self.depot))
        customers = validation.tuple_of(self.customers, Customer, "customers")
        items = sum(len(customer.items) for customer in customers)
        problem = ""
        if not customers:
            problem = "must hold at least one customer"
        elif len(customers) > MAX_CUSTOMERS:
            problem = f"must be at most {MAX_CUSTOMERS} customers, got {len(customers)}"
        elif items > MAX_ITEMS:
            problem = f"must have at most {MAX_ITEMS} items together, got {items}"
        if problem:
            raise InputError(problem, field="customers")
        validation.expect(self.vehicle, Vehicle, "vehicle")
        validation.expect(self.conventions, Conventions, "conventions")
        validation.expect(self.units, Units, "units")
        validation.store_integers(self, "vehicle_count", low=1, high=MAX_CUSTOMERS)
        validation.expect(self.travel, Travel, "travel")
        validation.text(self.depot_name, "depot_name")
        validation.store_window(self, "depot_ready", "depot_due", high=MAX_TIME)
        object.__setattr__(self, "customers", with_canonical_names(customers))
        for number in range(1, len(customers) + 1):
            check_load(self, number)
        check_travel(self)
        check_windows(self)
        check_limits(self)

    @property
    def n(self) -> int:
        """Number of customers."""
        return len(self.customers)

    def customer(self, number: int) -> Customer:
        """Return customer 1..n.

        Parameters
        ----------
        number : int
            The customer's number, 1..n.
        """
        if not 1 <= number <= len(self.customers):
            raise self._no_such_customer(number)
        return self.customers[number - 1]

    def _no_such_customer(self, number: int) -> IndexError:
        return IndexError(f"customers are numbered 1 to {len(self.customers)}, got {number}")

    def label(self, number: int) -> str:
        """Return what people call the customer: its name, or its number if it has none.

        Parameters
        ----------
        number : int
            The customer's number, 1..n.
        """
        return self.customer(number).name or str(number)

    def number_of(self, label: str) -> int:
        """Return the number of the customer that people call ``label``.

        Parameters
        ----------
        label : str
            A customer's name, or its number if it has none.
        """
        for number, customer in enumerate(self.customers, start=1):
            if (customer.name or str(number)) == label:
                return number
        hint = validation.did_you_mean(label, (self.label(i) for i in range(1, self.n + 1)))
        raise InputError(f"there is no customer {validation.shown(label)}{hint}")

    def distance(self, start: int, end: int) -> int | float:
        """Return the distance from one place to another; infinity where there is no road.

        Parameters
        ----------
        start : int
            0 for the depot, or a customer's number.
        end : int
            0 for the depot, or a customer's number.
        """
        leg = self.roads.distance(self._checked(start), self._checked(end))
        step = self.roads.distance_step
        if leg is None:
            return math.inf
        return leg if step is None or step == 1 else plain(int(leg) * step)

    def duration(self, start: int, end: int) -> int | float:
        """Return how long the way from one place to another takes; infinity without a road.

        Parameters
        ----------
        start : int
            0 for the depot, or a customer's number.
        end : int
            0 for the depot, or a customer's number.
        """
        ticks = self.clock.duration(self._checked(start), self._checked(end))
        return ticks if ticks == math.inf else self.clock.time(ticks)

    def _checked(self, number: int) -> int:
        if not 0 <= number <= len(self.customers):
            raise self._no_such_customer(number)
        return number

    def distance_matrix(self) -> npt.NDArray[np.int64] | npt.NDArray[np.float64]:
        """Return all distances between 0..n; infinity where there is no road.

        Integers if they are rounded or truncated to whole units.
        """
        import numpy as np

        table, step = self.roads.distances(), self.roads.distance_step
        if step is None or (step == 1 and self.travel.metric != "matrix"):
            return table
        real: npt.NDArray[np.float64] = table * float(step.numerator) / float(step.denominator)
        return np.where(table == NO_ROAD, np.inf, real)

    @property
    def roads(self) -> Roads:
        """The distances and durations between its places."""
        roads = self._roads
        if roads is None:
            points = [self.depot, *((customer.x, customer.y) for customer in self.customers)]
            roads = Roads(self.travel, points, self.units, self.conventions.distance)
            object.__setattr__(self, "_roads", roads)
        return roads

    @property
    def clock(self) -> Clock:
        """Its times, and the schedules of routes."""
        clock = self._clock
        if clock is None:
            clock = Clock(self, self.roads)
            object.__setattr__(self, "_clock", clock)
        return clock

    @property
    def costs(self) -> RouteCosts:
        """What its routes cost."""
        costs = self._costs
        if costs is None:
            costs = RouteCosts(self, self.roads, self.clock)
            object.__setattr__(self, "_costs", costs)
        return costs

    def route_cost(self, route: Sequence[int]) -> int | float:
        """Return what the tour from the depot through the customers and back costs.

        Infinity if it cannot be driven, or if its duration costs something and it is late.

        Parameters
        ----------
        route : sequence of int
            Customer numbers in the order of the visits.
        """
        for number in route:
            self._checked(number)
        return self.costs.cost(route)

    def is_allowed(self, route: Sequence[int]) -> bool:
        """Return whether a vehicle may take this route, its load aside.

        It can be driven, keeps every due time, waiting where it is early, and has neither too many
        stops nor too long a way or duration.

        Parameters
        ----------
        route : sequence of int
            Customer numbers in the order of the visits.
        """
        vehicle = self.vehicle
        if vehicle.max_stops is not None and len(route) > vehicle.max_stops:
            return False
        limit = vehicle.max_distance
        if limit is not None and self.costs.exceeds_distance(route, limit):
            return False
        if not self.has_time_windows:
            return not self.has_missing_roads or self.costs.is_drivable(route)
        return self.clock.keeps(route)

    def schedule(self, route: Sequence[int]) -> Schedule | None:
        """Return the schedule of least duration, of those the one that leaves earliest.

        ``None`` if a due time cannot be kept or there is no road.

        Parameters
        ----------
        route : sequence of int
            Customer numbers in the order of the visits.
        """
        return self.clock.schedule(route)

    @property
    def has_time_windows(self) -> bool:
        """Whether a route can be late or too long."""
        return self.clock.is_limited

    @property
    def has_missing_roads(self) -> bool:
        """Whether some pair of places cannot be driven directly."""
        return any(
            matrix is not None and matrix.has_missing_roads
            for matrix in (self.travel.distances, self.travel.durations)
        )

    @property
    def is_symmetric(self) -> bool:
        """Whether every route may be driven backwards at the same cost."""
        matrices = (self.travel.distances, self.travel.durations)
        return not self.has_time_windows and all(
            matrix is None or matrix.is_symmetric for matrix in matrices
        )

    @property
    def cost_unit(self) -> str:
        """The name of the unit of costs, where the instance names it."""
        units = self.units
        if self.vehicle.costs_distance_only:
            return units.cost_unit or units.distance_unit
        return units.cost_unit

    @property
    def is_format_1(self) -> bool:
        """Whether instance format 1 can say all of it."""
        units = self.units
        return (
            self.travel.is_plain
            and self.vehicle.is_plain
            and not (units.time_unit or units.cost_unit or units.clock or self.depot_name)
            and not any(customer.info for customer in self.customers)
        )

    @property
    def sha256(self) -> str:
        """Fingerprint of the content in real units.

        The same for every file format and scale, and independent of all names, of the unit's names
        and of the conventions.
        """
        digest = self._content_sha256
        if digest is None:
            digest = sha256_of(self)
            object.__setattr__(self, "_content_sha256", digest)
        return digest

    def with_conventions(
        self, conventions: Conventions | None = None, **overrides: Unpack[ConventionOverrides]
    ) -> Instance:
        """Return the same instance under other conventions.

        Parameters
        ----------
        conventions : Conventions, optional
            A whole set; by default the instance's own.
        **overrides : str or bool
            Single conventions that go before those.
        """
        base = self.conventions if conventions is None else conventions
        return replace(self, conventions=base.overridden(overrides))

    def __repr__(self) -> str:
        """Say what one wants to see at a prompt, instead of a thousand items."""
        units, vehicle = self.units, self.vehicle
        items = sum(len(customer.items) for customer in self.customers)
        rules = ", ".join(f"{key}={value}" for key, value in self.conventions.to_dict().items())
        counts = ", ".join(
            f"{count} {noun}" if count == 1 else f"{count} {noun}s"
            for count, noun in (
                (self.n, "customer"),
                (items, "item"),
                (self.vehicle_count, "vehicle"),
            )
        )
        return (
            f"Instance({self.name!r}: {counts} of {units.length_text(vehicle.width)} x "
            f"{with_unit(units.length_text(vehicle.length), units.length_unit)} and "
            f"{with_unit(units.weight_text(vehicle.capacity), units.weight_unit)}; {rules})"
        )


def _point(depot: tuple[int, int]) -> Point:
    if not isinstance(depot, Sequence) or isinstance(depot, (str, bytes)) or len(depot) != 2:
        raise validation.refused(depot, "depot", "be a pair (x, y)")
    limits = {"low": -MAX_COORDINATE, "high": MAX_COORDINATE}
    x, y = (
        validation.integer(value, f"depot.{axis}", **limits, remedy=DECIMALS_REMEDY)
        for axis, value in zip("xy", depot, strict=True)
    )
    return x, y
