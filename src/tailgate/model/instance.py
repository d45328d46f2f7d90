"""The problem: items, customers, vehicle, and the instance that holds them together.

Everything here is immutable and checked in the constructor; a complaint names the argument.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Unpack

from tailgate.model import validation
from tailgate.model.conventions import (
    ConventionOverrides,
    Conventions,
    DistanceConvention,
    FleetConvention,
    SingleCustomerConvention,
)
from tailgate.model.customer import Customer
from tailgate.model.distances import Point, distance_between, distances_between
from tailgate.model.errors import InputError
from tailgate.model.fingerprint import sha256_of
from tailgate.model.instance_checks import check_load, check_windows, with_canonical_names
from tailgate.model.item import Item
from tailgate.model.limits import (
    DECIMALS_REMEDY,
    MAX_COORDINATE,
    MAX_CUSTOMERS,
    MAX_ITEMS,
    MAX_TIME,
)
from tailgate.model.notebook_display import NotebookDisplay
from tailgate.model.units import Units, with_unit
from tailgate.model.vehicle import Vehicle

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "TIME_TOLERANCE",
    "ConventionOverrides",
    "Conventions",
    "Customer",
    "DistanceConvention",
    "FleetConvention",
    "Instance",
    "Item",
    "SingleCustomerConvention",
    "Units",
    "Vehicle",
]

# Travel times of the exact convention are rounded floats: a window may be missed by this much.
TIME_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True, repr=False, weakref_slot=True)
class Instance(NotebookDisplay):
    """A whole problem: the depot, the customers, and identical vehicles.

    All lengths, weights and coordinates are integers; ``units`` says what they mean. Distances and
    costs are in the file's unit of distance, under ``conventions.distance``.

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
        When vehicles may leave, in units of distance.
    depot_due : int or float, optional
        When they must be back; ``None`` for no limit.

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
    _content_sha256: str | None = field(default=None, init=False, compare=False)

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
        validation.store_window(self, "depot_ready", "depot_due", high=MAX_TIME)
        object.__setattr__(self, "customers", with_canonical_names(customers))
        for number in range(1, len(customers) + 1):
            check_load(self, number)
        check_windows(self)

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
        """Return the distance between two places, under the stated convention.

        Parameters
        ----------
        start : int
            0 for the depot, or a customer's number.
        end : int
            0 for the depot, or a customer's number.
        """
        return distance_between(
            self._point_of(start),
            self._point_of(end),
            self.units.coordinate_scale,
            self.conventions.distance,
        )

    def _point_of(self, number: int) -> Point:
        if number == 0:
            return self.depot
        if 1 <= number <= len(self.customers):
            customer = self.customers[number - 1]
            return customer.x, customer.y
        raise self._no_such_customer(number)

    def distance_matrix(self) -> npt.NDArray[np.int64] | npt.NDArray[np.float64]:
        """Return all distances between 0..n; integers unless the convention is ``exact``."""
        points = [self.depot, *((customer.x, customer.y) for customer in self.customers)]
        return distances_between(points, self.units.coordinate_scale, self.conventions.distance)

    def route_cost(self, route: Sequence[int]) -> int | float:
        """Return the length of the tour from the depot through the customers and back.

        Parameters
        ----------
        route : sequence of int
            Customer numbers in the order of the visits.
        """
        cost: int | float = 0
        position = 0
        for number in (*route, 0):
            cost += self.distance(position, number)
            position = number
        return cost

    def is_in_time(self, route: Sequence[int]) -> bool:
        """Return whether a truck on this route keeps every due time, waiting where it is early.

        Parameters
        ----------
        route : sequence of int
            Customer numbers in the order of the visits.
        """
        if not self.has_time_windows:
            return True
        clock, position = self.depot_ready, 0
        for number in route:
            customer = self.customer(number)
            clock += self.distance(position, number)
            if self.is_late(number, clock):
                return False
            clock = max(clock, customer.ready) + customer.service
            position = number
        return not self.is_late(0, clock + self.distance(position, 0))

    def is_late(self, number: int, arrival: int | float) -> bool:
        """Return whether an arrival is after the due time of its place.

        Parameters
        ----------
        number : int
            0 for the depot, or a customer's number.
        arrival : int or float
            When the truck arrives.
        """
        due = self.customer(number).due if number else self.depot_due
        return due is not None and arrival - due > TIME_TOLERANCE * max(1, abs(due))

    def earliest_arrivals(self, start: int, leaving: int | float) -> list[int | float]:
        """Return when a truck that leaves a place can be at 0..n at the earliest, by any route.

        Rounded distances break the triangle inequality: a detour over other customers can be faster
        than the direct drive. No chain goes on from a customer whom it reaches late, and every
        chain ends at the depot. Loads do not count, so this is a bound. As waiting is allowed,
        arriving earlier is never worse, and the labels of Dijkstra's algorithm are exact.

        Parameters
        ----------
        start : int
            0 for the depot, or a customer's number.
        leaving : int or float
            When the truck leaves it.
        """
        arrivals: list[int | float] = [math.inf] * (self.n + 1)
        waiting = set(range(1, self.n + 1)) - {start}
        clock, place = leaving, start
        while True:
            for other in waiting if start == 0 else waiting | {0}:
                arrivals[other] = min(arrivals[other], clock + self.distance(place, other))
            while waiting:
                place = min(waiting, key=arrivals.__getitem__)
                waiting.remove(place)
                if not self.is_late(place, arrivals[place]):
                    customer = self.customer(place)
                    clock = max(arrivals[place], customer.ready) + customer.service
                    break
            else:
                return arrivals

    @property
    def has_time_windows(self) -> bool:
        """Whether any due time can make a route late."""
        return self.depot_due is not None or any(c.due is not None for c in self.customers)

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
