"""The problem: items, customers, vehicle, and the instance that holds them together.

Everything here is immutable and checked in the constructor; a complaint names the argument.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar, Unpack

from tailgate import validation
from tailgate.conventions import (
    ConventionOverrides,
    Conventions,
    DistanceConvention,
    FleetConvention,
    SingleCustomerConvention,
)
from tailgate.errors import InputError
from tailgate.notebooks import InNotebooks
from tailgate.units import Units, decimal_text

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "MAX_COORDINATE",
    "MAX_CUSTOMERS",
    "MAX_ITEMS",
    "MAX_ITEMS_PER_CUSTOMER",
    "MAX_LENGTH",
    "MAX_TIME",
    "MAX_WEIGHT",
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

# Stored integers stay below these, so that one floor's area and one squared distance fit 64 bits.
MAX_LENGTH = 10**9
MAX_WEIGHT = 10**15
MAX_COORDINATE = 10**9
MAX_TIME = 10**12
MAX_CUSTOMERS = 100_000
MAX_ITEMS_PER_CUSTOMER = 1_000
MAX_ITEMS = 200_000

DEPOT_NAMES = frozenset({"0", "depot"})
# Travel times of the exact convention are rounded floats: a window may be missed by this much.
TIME_TOLERANCE = 1e-9

_Part = TypeVar("_Part")
_DECIMALS_REMEDY = "; store decimals as integers and say so with Units(...)"


@dataclass(frozen=True, slots=True)
class Item:
    """One rectangle on the floor; it is neither rotated nor stacked.

    ``width`` runs across the vehicle (x), ``length`` along it (y), in stored integers.
    """

    width: int
    length: int
    name: str = ""

    def __post_init__(self) -> None:
        """Refuse sizes below one and labels that no file can carry."""
        for side in ("width", "length"):
            checked = validation.integer(
                getattr(self, side), side, low=1, high=MAX_LENGTH, remedy=_DECIMALS_REMEDY
            )
            object.__setattr__(self, side, checked)
        validation.text(self.name, "name")

    @property
    def area(self) -> int:
        """Floor area, in squared stored lengths."""
        return self.width * self.length


@dataclass(frozen=True, slots=True)
class Customer:
    """A stop: where it is, what it weighs, what lies on the floor for it, and when it is open.

    ``weight`` is the total of all its items. Service begins between ``ready`` and ``due`` (``None``
    for no limit), after waiting if need be, and takes ``service``; times are in units of distance.
    """

    x: int
    y: int
    weight: int
    items: tuple[Item, ...]
    name: str = ""
    ready: int | float = 0
    due: int | float | None = None
    service: int | float = 0

    def __post_init__(self) -> None:
        """Refuse what no customer can be, whatever the vehicle."""
        for axis in ("x", "y"):
            checked = validation.integer(
                getattr(self, axis),
                axis,
                low=-MAX_COORDINATE,
                high=MAX_COORDINATE,
                remedy=_DECIMALS_REMEDY,
            )
            object.__setattr__(self, axis, checked)
        weight = validation.integer(
            self.weight, "weight", low=0, high=MAX_WEIGHT, remedy=_DECIMALS_REMEDY
        )
        object.__setattr__(self, "weight", weight)
        items = _tuple_of(self.items, Item, "items")
        if len(items) > MAX_ITEMS_PER_CUSTOMER:
            raise InputError(
                f"must be at most {MAX_ITEMS_PER_CUSTOMER} items, got {len(items)}", field="items"
            )
        object.__setattr__(self, "items", items)
        validation.text(self.name, "name")
        ready, due = _window(self.ready, self.due, "ready", "due")
        object.__setattr__(self, "ready", ready)
        object.__setattr__(self, "due", due)
        service = validation.number(self.service, "service", low=0, high=MAX_TIME)
        object.__setattr__(self, "service", service)

    @property
    def area(self) -> int:
        """Floor area of all items, in squared stored lengths."""
        return sum(item.area for item in self.items)


@dataclass(frozen=True, slots=True)
class Vehicle:
    """One truck: floor ``width`` (x) by ``length`` (y, the door at y = length), and its payload."""

    width: int
    length: int
    capacity: int

    def __post_init__(self) -> None:
        """Refuse an empty floor or no capacity at all."""
        limits = {"width": (1, MAX_LENGTH), "length": (1, MAX_LENGTH), "capacity": (1, MAX_WEIGHT)}
        for argument, (low, high) in limits.items():
            checked = validation.integer(
                getattr(self, argument), argument, low=low, high=high, remedy=_DECIMALS_REMEDY
            )
            object.__setattr__(self, argument, checked)

    @property
    def area(self) -> int:
        """Floor area, in squared stored lengths."""
        return self.width * self.length


@dataclass(frozen=True, slots=True, repr=False, weakref_slot=True)
class Instance(InNotebooks):
    """A whole problem: the depot (number 0), customers 1..n, and identical vehicles.

    All lengths, weights and coordinates are integers; ``units`` says what they mean. Distances and
    costs are in the file's unit of distance, under ``conventions.distance``.

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
        customers = _tuple_of(self.customers, Customer, "customers")
        if not customers:
            raise InputError("must hold at least one customer", field="customers")
        if len(customers) > MAX_CUSTOMERS:
            raise InputError(
                f"must be at most {MAX_CUSTOMERS} customers, got {len(customers)}",
                field="customers",
            )
        items = sum(len(customer.items) for customer in customers)
        if items > MAX_ITEMS:
            raise InputError(
                f"must have at most {MAX_ITEMS} items together, got {items}", field="customers"
            )
        _expect(self.vehicle, Vehicle, "vehicle")
        _expect(self.conventions, Conventions, "conventions")
        _expect(self.units, Units, "units")
        count = validation.integer(self.vehicle_count, "vehicle_count", low=1, high=MAX_CUSTOMERS)
        object.__setattr__(self, "vehicle_count", count)
        ready, due = _window(self.depot_ready, self.depot_due, "depot_ready", "depot_due")
        object.__setattr__(self, "depot_ready", ready)
        object.__setattr__(self, "depot_due", due)
        object.__setattr__(self, "customers", _with_canonical_names(customers))
        for number in range(1, len(customers) + 1):
            self._check_load(number)
            self._check_window(number)

    def _check_load(self, number: int) -> None:
        customer, place = self.customers[number - 1], f"customers[{number - 1}]"
        units, vehicle = self.units, self.vehicle
        for index, item in enumerate(customer.items):
            for side in ("width", "length"):
                size, room = getattr(item, side), getattr(vehicle, side)
                if size > room:
                    raise InputError(
                        f"item {index + 1} of customer {self.label(number)} has {side} "
                        f"{units.length_text(size)}, more than the vehicle's floor "
                        f"({units.length_text(room)}); items are not rotated",
                        field=f"{place}.items[{index}].{side}",
                    )
        if customer.weight > vehicle.capacity:
            raise InputError(
                f"customer {self.label(number)} weighs {units.weight_text(customer.weight)}, more "
                f"than the vehicle's capacity {units.weight_text(vehicle.capacity)}",
                field=f"{place}.weight",
            )
        if customer.area > vehicle.area:
            squared = units.length_scale**2
            raise InputError(
                f"the items of customer {self.label(number)} cover "
                f"{decimal_text(customer.area, squared)}, more than the vehicle's floor area "
                f"{decimal_text(vehicle.area, squared)}",
                field=f"{place}.items",
            )

    def _check_window(self, number: int) -> None:
        customer, place = self.customers[number - 1], f"customers[{number - 1}]"
        if customer.due is None and self.depot_due is None:
            return
        travel = self.distance(0, number)
        arrival = self.depot_ready + travel
        if customer.due is not None and _later(arrival, customer.due):
            raise InputError(
                f"customer {self.label(number)} is due by {customer.due}, but a vehicle that "
                f"leaves the depot at {self.depot_ready} arrives at {arrival} at the earliest",
                field=f"{place}.due",
            )
        back = max(arrival, customer.ready) + customer.service + travel
        if self.depot_due is not None and _later(back, self.depot_due):
            # Name what costs most of the time, if it is not the way itself.
            wait = max(0, customer.ready - arrival)
            cause = "depot_due"
            if wait or customer.service:
                cause = f"{place}.ready" if wait > customer.service else f"{place}.service"
            raise InputError(
                f"a vehicle that serves only customer {self.label(number)} is back at {back} at "
                f"the earliest, after the depot's due time {self.depot_due}",
                field=cause,
            )

    @property
    def n(self) -> int:
        """Number of customers."""
        return len(self.customers)

    def customer(self, number: int) -> Customer:
        """Return customer 1..n."""
        if not 1 <= number <= len(self.customers):
            raise IndexError(f"customers are numbered 1 to {len(self.customers)}, got {number}")
        return self.customers[number - 1]

    def label(self, number: int) -> str:
        """Return what people call the customer: its name, or its number if it has none."""
        return self.customer(number).name or str(number)

    def number_of(self, label: str) -> int:
        """Return the number of the customer that people call ``label``."""
        for number, customer in enumerate(self.customers, start=1):
            if (customer.name or str(number)) == label:
                return number
        hint = validation.did_you_mean(label, (self.label(i) for i in range(1, self.n + 1)))
        raise InputError(f"there is no customer {validation.shown(label)}{hint}")

    def distance(self, start: int, end: int) -> int | float:
        """Return the distance between two of the numbers 0..n, under the stated convention."""
        start_x, start_y = self._point_of(start)
        end_x, end_y = self._point_of(end)
        squared = (start_x - end_x) ** 2 + (start_y - end_y) ** 2
        scale = self.units.coordinate_scale
        # All in integers: a distance of exactly 5 must never become 4 by rounding.
        match self.conventions.distance:
            case "truncated":
                return math.isqrt(squared) // scale
            case "rounded":
                return (math.isqrt(4 * squared) + scale) // (2 * scale)
            case "exact":
                return math.sqrt(squared) / scale

    def _point_of(self, number: int) -> tuple[int, int]:
        if number == 0:
            return self.depot
        customer = self.customer(number)
        return customer.x, customer.y

    def distance_matrix(self) -> npt.NDArray[np.int64] | npt.NDArray[np.float64]:
        """Return all distances between 0..n; integers unless the convention is ``exact``."""
        # Loaded here, for numpy takes longer to load than all of Tailgate and is needed only here.
        import numpy as np

        points = np.array([self.depot, *((c.x, c.y) for c in self.customers)], dtype=np.int64)
        difference = points[:, None, :] - points[None, :, :]
        squared = (difference**2).sum(axis=2)
        scale = self.units.coordinate_scale
        if self.conventions.distance == "exact":
            exact: npt.NDArray[np.float64] = np.sqrt(squared.astype(np.float64)) / scale
            return exact
        root = np.sqrt(squared.astype(np.float64)).astype(np.int64)
        # The float root may be one off for large coordinates.
        root -= root * root > squared
        root += (root + 1) * (root + 1) <= squared
        if self.conventions.distance == "truncated":
            truncated: npt.NDArray[np.int64] = root // scale
            return truncated
        # isqrt(4 N) without forming 4 N, which could overflow.
        doubled = 2 * root + (squared - root * root > root)
        rounded: npt.NDArray[np.int64] = (doubled + scale) // (2 * scale)
        return rounded

    def route_cost(self, route: Sequence[int]) -> int | float:
        """Return the length of the tour depot, customers of ``route`` in order, depot."""
        cost: int | float = 0
        position = 0
        for number in (*route, 0):
            cost += self.distance(position, number)
            position = number
        return cost

    def is_in_time(self, route: Sequence[int]) -> bool:
        """Tell whether a truck on this route keeps every due time, waiting where it is early."""
        if not self.has_time_windows:
            return True
        clock, position = self.depot_ready, 0
        for number in route:
            customer = self.customer(number)
            clock += self.distance(position, number)
            if customer.due is not None and _later(clock, customer.due):
                return False
            clock = max(clock, customer.ready) + customer.service
            position = number
        return self.depot_due is None or not _later(
            clock + self.distance(position, 0), self.depot_due
        )

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
        if self._content_sha256 is None:
            content = json.dumps(self._canonical(), separators=(",", ":"))
            digest = hashlib.sha256(content.encode("ascii")).hexdigest()
            object.__setattr__(self, "_content_sha256", digest)
        assert self._content_sha256 is not None
        return self._content_sha256

    def _canonical(self) -> list[object]:
        units, vehicle = self.units, self.vehicle
        return [
            "tailgate-instance-1",
            [
                units.length_text(vehicle.width),
                units.length_text(vehicle.length),
                units.weight_text(vehicle.capacity),
                self.vehicle_count,
            ],
            [
                *(units.coordinate_text(value) for value in self.depot),
                self.depot_ready,
                self.depot_due,
            ],
            [
                [
                    units.coordinate_text(customer.x),
                    units.coordinate_text(customer.y),
                    units.weight_text(customer.weight),
                    customer.ready,
                    customer.due,
                    customer.service,
                    [
                        [units.length_text(item.width), units.length_text(item.length)]
                        for item in customer.items
                    ],
                ]
                for customer in self.customers
            ],
        ]

    def with_conventions(
        self, conventions: Conventions | None = None, **overrides: Unpack[ConventionOverrides]
    ) -> Instance:
        """Return the same instance under other conventions: a whole set, or single ones."""
        base = self.conventions if conventions is None else conventions
        return replace(self, conventions=base.overridden(overrides))

    def __repr__(self) -> str:
        """Say what one wants to see at a prompt, instead of a thousand items."""
        units, vehicle = self.units, self.vehicle
        items = sum(len(customer.items) for customer in self.customers)
        length_unit = f" {units.length_unit}" if units.length_unit else ""
        weight_unit = f" {units.weight_unit}" if units.weight_unit else ""
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
            f"{units.length_text(vehicle.length)}{length_unit} and "
            f"{units.weight_text(vehicle.capacity)}{weight_unit}; {rules})"
        )


def _expect(value: object, kind: type, argument: str) -> None:
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise InputError(
            f"must be {article} {kind.__name__}, got {validation.shown(value)}", field=argument
        )


def _tuple_of(values: Iterable[_Part], kind: type[_Part], argument: str) -> tuple[_Part, ...]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise InputError(
            f"must be a sequence of {kind.__name__} objects, got {validation.shown(values)}",
            field=argument,
        )
    collected = tuple(values)
    for index, value in enumerate(collected):
        _expect(value, kind, f"{argument}[{index}]")
    return collected


def _point(depot: tuple[int, int]) -> tuple[int, int]:
    if not isinstance(depot, Sequence) or isinstance(depot, (str, bytes)) or len(depot) != 2:
        raise InputError(f"must be a pair (x, y), got {validation.shown(depot)}", field="depot")
    x, y = (
        validation.integer(
            value,
            f"depot.{axis}",
            low=-MAX_COORDINATE,
            high=MAX_COORDINATE,
            remedy=_DECIMALS_REMEDY,
        )
        for axis, value in zip("xy", depot, strict=True)
    )
    return x, y


def _window(
    ready: object, due: object, ready_argument: str, due_argument: str
) -> tuple[int | float, int | float | None]:
    earliest = validation.number(ready, ready_argument, low=0, high=MAX_TIME)
    if due is None:
        return earliest, None
    latest = validation.number(due, due_argument, low=0, high=MAX_TIME)
    if latest < earliest:
        raise InputError(
            f"must not be before {ready_argument} ({earliest}), got {latest}", field=due_argument
        )
    return earliest, latest


def _later(arrival: int | float, due: int | float) -> bool:
    return arrival - due > TIME_TOLERANCE * max(1, abs(due))


def _with_canonical_names(customers: tuple[Customer, ...]) -> tuple[Customer, ...]:
    """Drop names that only repeat the customer's number, and refuse those that confuse."""
    owners: dict[str, int] = {}
    for number, customer in enumerate(customers, start=1):
        label = customer.name or str(number)
        argument = f"customers[{number - 1}].name"
        if label.casefold() in DEPOT_NAMES:
            raise InputError(
                f"{validation.shown(label)} means the depot, which is not among the customers",
                field=argument,
            )
        if label in owners:
            raise InputError(
                f"customers {owners[label]} and {number} are both called {validation.shown(label)}",
                field=argument,
            )
        owners[label] = number
    numbers = {str(number) for number in range(1, len(customers) + 1)}
    if owners.keys() == numbers and any(label != str(own) for label, own in owners.items()):
        raise InputError(
            f"the customers are named 1 to {len(customers)}, but do not stand in that order; sort "
            "them by name, so that names and numbers agree",
            field="customers",
        )
    return tuple(
        replace(customer, name="") if customer.name == str(number) else customer
        for number, customer in enumerate(customers, start=1)
    )
