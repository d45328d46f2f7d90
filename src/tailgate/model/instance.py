"""The problem: items, customers, vehicles, and the instance that holds them together.

Everything here is immutable and checked in the constructor; a complaint names the argument.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
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
from tailgate.model.fleet import Fleet, OneKind, kinds_of
from tailgate.model.instance_checks import (
    check_access,
    check_travel,
    first_stops_of,
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
from tailgate.model.obstacles import Obstacles, obstacles_of, told_together
from tailgate.model.plan_costs import PlanCosts
from tailgate.model.roads import Roads
from tailgate.model.rules import Rules
from tailgate.model.schedule import Schedule
from tailgate.model.stop_order import OrderedRoads, StopOrder
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

_PLAIN_UNITS = Units()


@dataclass(init=False, frozen=True, slots=True, repr=False, weakref_slot=True)
class Instance(NotebookDisplay, Fleet, OneKind):
    """A whole problem: the depot, the customers, and vehicles of one or several kinds.

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
    vehicle : Vehicle, optional
        What every vehicle is like; several kinds are given as ``vehicles`` instead.
    vehicle_count : int, optional
        How many vehicles there are; by default ``vehicle.count``.
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
    vehicles : tuple of Vehicle, optional
        The kinds of vehicles, each with its count. Of one kind, ``vehicle`` and ``vehicle_count``
        take the place where they are given, as in `dataclasses.replace`; a vehicle that says no
        count, or 1, then changes nothing about how many there are.

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
    vehicles: tuple[Vehicle, ...]
    conventions: Conventions
    units: Units
    depot_ready: int | float
    depot_due: int | float | None
    travel: Travel
    depot_name: str
    rules: Rules = field(init=False, compare=False)
    _obstacles: tuple[Obstacles, ...] = field(init=False, compare=False)
    _stop_order: StopOrder | None = field(init=False, compare=False)
    _views: tuple[Instance, ...] = field(init=False, compare=False)
    _content_sha256: str | None = field(init=False, compare=False)
    _optional: frozenset[int] | None = field(init=False, compare=False)
    _is_format_1: bool | None = field(init=False, compare=False)
    _roads: Roads | None = field(init=False, compare=False)
    _clock: Clock | None = field(init=False, compare=False)
    _costs: RouteCosts | None = field(init=False, compare=False)
    _plan_costs: PlanCosts | None = field(init=False, compare=False)

    def __init__(
        self,
        name: str,
        depot: tuple[int, int],
        customers: tuple[Customer, ...],
        vehicle: Vehicle | None = None,
        vehicle_count: int | None = None,
        conventions: Conventions = Conventions.PLANNER,
        units: Units = _PLAIN_UNITS,
        depot_ready: int | float = 0,
        depot_due: int | float | None = None,
        travel: Travel = STRAIGHT_LINES,
        depot_name: str = "",
        *,
        vehicles: Sequence[Vehicle] | None = None,
    ) -> None:
        """Refuse an instance in which some customer can never be served, but must be."""
        given = {
            "name": name,
            "depot": depot,
            "customers": customers,
            "conventions": conventions,
            "units": units,
            "depot_ready": depot_ready,
            "depot_due": depot_due,
            "travel": travel,
            "depot_name": depot_name,
        }
        for one in fields(self):
            object.__setattr__(self, one.name, given.get(one.name))
        self._check_fields()
        object.__setattr__(self, "vehicles", kinds_of(vehicle, vehicle_count, vehicles))
        object.__setattr__(self, "rules", Rules.of(self.customers))
        check_access(self.customers, self.vehicles)
        check_travel(self)
        self._look_at_kinds()

    def _check_fields(self) -> None:
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
        validation.expect(self.conventions, Conventions, "conventions")
        validation.expect(self.units, Units, "units")
        validation.expect(self.travel, Travel, "travel")
        validation.text(self.depot_name, "depot_name")
        validation.store_window(self, "depot_ready", "depot_due", high=MAX_TIME)
        object.__setattr__(self, "customers", with_canonical_names(customers))

    def _look_at_kinds(self) -> None:
        """Find out whom each kind can serve, and refuse customers whom none can."""
        numbers: dict[str, int] = {}
        if any(vehicle.first_stops for vehicle in self.vehicles):
            numbers = {self.label(number): number for number in range(1, self.n + 1)}
        first_stops = first_stops_of(self.vehicles, numbers, self.rules)
        if self.has_kinds:
            views = tuple(self._view(vehicle) for vehicle in self.vehicles)
            object.__setattr__(self, "_views", views)
        else:
            views = (self,)
            object.__setattr__(self, "_views", ())
        obstacles = []
        for kind, view in enumerate(views):
            order = StopOrder.of(self.rules, first_stops[kind])
            object.__setattr__(view, "_stop_order", None if order.is_free else order)
            elsewhere = {
                number: self.vehicles[other].name
                for other, stops in enumerate(first_stops)
                for number in stops
                if other != kind
            }
            place = f"vehicles[{kind}]" if self.has_kinds else "vehicle"
            obstacles.append(obstacles_of(view, place, elsewhere))
            object.__setattr__(view, "_obstacles", (obstacles[-1],))
        object.__setattr__(self, "_obstacles", tuple(obstacles))
        self._refuse_hopeless_customers()

    def _view(self, vehicle: Vehicle) -> Instance:
        """Return the same customers with one kind of vehicle, unchecked."""
        view = object.__new__(Instance)
        for one in fields(self):
            value = None if one.name.startswith("_") else getattr(self, one.name)
            object.__setattr__(view, one.name, value)
        object.__setattr__(view, "vehicles", (vehicle,))
        object.__setattr__(view, "_roads", self.roads)
        object.__setattr__(view, "_views", ())
        return view

    def _refuse_hopeless_customers(self) -> None:
        if not all(self._obstacles):
            return
        optional = self.optional
        for number, obstacle in self._obstacles[0].items():
            if number in optional or not self.is_hopeless(number):
                continue
            if not self.has_kinds:
                raise InputError(obstacle.problem, field=obstacle.field)
            found = {obstacles[number].field for obstacles in self._obstacles}
            raise InputError(
                f"customer {self.label(number)} {self.why_hopeless(number)}; correct it, or state "
                "what it costs to leave it out (leave_out_cost)",
                field=found.pop() if len(found) == 1 else f"customers[{number - 1}]",
            )

    def of_kind(self, kind: int) -> Instance:
        """Return the same customers with one kind of vehicle alone; itself if there is but one.

        Its clock, costs and schedules are those of that kind, with the positions that customers
        demand as missing arcs. It may hold customers whom the kind cannot serve: see `accepts`.

        Parameters
        ----------
        kind : int
            The index of the kind among ``vehicles``.
        """
        if not 0 <= kind < len(self.vehicles):
            raise IndexError(f"kinds are numbered 0 to {len(self.vehicles) - 1}, got {kind}")
        return self._views[kind] if self._views else self

    @property
    def interchangeable_kinds(self) -> tuple[tuple[int, ...], ...]:
        """The kinds, those together that differ in nothing but their name and count."""
        classes: dict[object, list[int]] = {}
        for kind, vehicle in enumerate(self.vehicles):
            per_distance, per_time = vehicle.rates
            nameless = replace(
                vehicle,
                name="",
                count=min(vehicle.count, 1),
                cost_per_distance=per_distance,
                cost_per_time=per_time,
            )
            # A customer may be kept from one kind by its own list, and from another one by that
            # of somebody who rides with it: to one kind in their place nobody would object.
            refused = frozenset(
                number
                for number in self.rules.partners
                if vehicle.name not in (self.customers[number - 1].vehicles or (vehicle.name,))
            )
            key = (nameless, refused, frozenset(self._obstacles[kind]))
            classes.setdefault(key, []).append(kind)
        return tuple(map(tuple, classes.values()))

    def accepts(self, number: int, kind: int) -> bool:
        """Return whether a vehicle of some kind may serve a customer, as far as that is plain.

        The customer accepts the kind, and its items and its times suit such a vehicle, each by
        itself; so do those of the customers that ride with it. Whether the items can be loaded
        together is for the loading check.

        Parameters
        ----------
        number : int
            The customer's number, 1..n.
        kind : int
            The index of the kind among ``vehicles``.
        """
        self.customer(number)
        return number not in self._obstacles[kind]

    def is_hopeless(self, number: int) -> bool:
        """Return whether no vehicle accepts a customer.

        Parameters
        ----------
        number : int
            The customer's number, 1..n.
        """
        return all(number in obstacles for obstacles in self._obstacles)

    def why_hopeless(self, number: int) -> str:
        """Return why no vehicle can serve a customer, as a predicate; empty if one may.

        Parameters
        ----------
        number : int
            The customer's number, 1..n.
        """
        if not self.is_hopeless(number):
            return ""
        names = [vehicle.name for vehicle in self.vehicles]
        return told_together(names, [obstacles[number] for obstacles in self._obstacles])

    @property
    def optional(self) -> frozenset[int]:
        """The customers that may be left out: each has its cost, as have all that ride with it."""
        optional = self._optional
        if optional is None:
            optional = self._find_optional()
            object.__setattr__(self, "_optional", optional)
        return optional

    def _find_optional(self) -> frozenset[int]:
        costed = {
            number
            for number, customer in enumerate(self.customers, start=1)
            if customer.leave_out_cost is not None
        }
        alone = frozenset[int]()
        return frozenset(one for one in costed if self.rules.partners.get(one, alone) <= costed)

    def leave_out_cost(self, number: int) -> int | float:
        """Return what it costs not to serve a customer that may be left out.

        Parameters
        ----------
        number : int
            The customer's number, 1..n.
        """
        cost = self.customer(number).leave_out_cost
        if cost is None:
            raise InputError(
                f"customer {self.label(number)} must be served: it has no cost of leaving it out",
                field="leave_out_cost",
            )
        return cost

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
        leg = self.roads.duration(self._checked(start), self._checked(end))
        step = self.roads.duration_step
        if leg is None:
            return math.inf
        return leg if step is None or step == 1 else plain(int(leg) * step)

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
            clock = Clock(self, self._ordered_roads)
            object.__setattr__(self, "_clock", clock)
        return clock

    @property
    def costs(self) -> RouteCosts:
        """What its routes cost."""
        costs = self._costs
        if costs is None:
            costs = RouteCosts(self, self._ordered_roads, self.clock)
            object.__setattr__(self, "_costs", costs)
        return costs

    @property
    def _ordered_roads(self) -> Roads | OrderedRoads:
        order = self._stop_order
        return self.roads if order is None else OrderedRoads(self.roads, order)

    @property
    def _costs_of_plans(self) -> PlanCosts:
        costs = self._plan_costs
        if costs is None:
            costs = PlanCosts(self)
            object.__setattr__(self, "_plan_costs", costs)
        return costs

    @property
    def cost_step(self) -> Fraction | None:
        """What all costs of plans are multiples of; ``None`` where there is no such number."""
        return self._costs_of_plans.step

    def total_cost(
        self, routes: Iterable[tuple[int, Sequence[int]]], left_out: Iterable[int] = ()
    ) -> int | float:
        """Return what a plan costs.

        Parameters
        ----------
        routes : iterable of (int, sequence of int)
            The routes, each with the index of its kind of vehicle.
        left_out : iterable of int
            The numbers of the customers that are not served.
        """
        return self._costs_of_plans.total(routes, left_out)

    def route_cost(self, route: Sequence[int]) -> int | float:
        """Return what the tour from the depot through the customers and back costs.

        Infinity if it cannot be driven, or if its duration costs something and it is late.

        Parameters
        ----------
        route : sequence of int
            Customer numbers in the order of the visits.
        """
        most = len(self.customers)
        for number in route:
            if not 0 <= number <= most:
                raise self._no_such_customer(number)
        return self.costs.cost(route)

    def is_allowed(self, route: Sequence[int]) -> bool:
        """Return whether a vehicle may take this route, its load aside.

        It can be driven, keeps every due time, waiting where it is early, has neither too many
        stops nor too long a way or duration, and keeps the rules of its customers.

        Parameters
        ----------
        route : sequence of int
            Customer numbers in the order of the visits.
        """
        if self._views:
            raise self._several_kinds()
        obstacles = self._obstacles[0]
        if obstacles and not obstacles.keys().isdisjoint(route):
            return False
        if not self.rules.is_empty and not self.rules.allows(route):
            return False
        return self.is_within_limits(route)

    @property
    def allows_every_route(self) -> bool:
        """Whether `is_allowed` of all routes, for there is nothing that they could break."""
        vehicle = self.vehicle
        return (
            not self._obstacles[0]
            and self.rules.is_empty
            and vehicle.max_stops is None
            and vehicle.max_distance is None
            and not self.clock.is_limited
            and not self.has_missing_roads
        )

    def is_within_limits(self, route: Sequence[int]) -> bool:
        """Return whether a vehicle can drive a route in time and within its limits.

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
        if not self.clock.is_limited:
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
        return any(view.clock.is_limited for view in self._views or (self,))

    @property
    def has_missing_roads(self) -> bool:
        """Whether some pair of places cannot be driven directly."""
        if any(view._stop_order is not None for view in self._views or (self,)):
            return True
        return any(
            matrix is not None and matrix.has_missing_roads
            for matrix in (self.travel.distances, self.travel.durations)
        )

    @property
    def is_symmetric(self) -> bool:
        """Whether every route may be driven backwards at the same cost."""
        matrices = (self.travel.distances, self.travel.durations)
        has_order = any(view._stop_order is not None for view in self._views or (self,))
        return not (self.has_time_windows or has_order) and all(
            matrix is None or matrix.is_symmetric for matrix in matrices
        )

    def may_turn(self, item: Item) -> bool:
        """Return whether an item may be turned by a quarter: it says so, or the conventions do.

        Parameters
        ----------
        item : Item
            One of the instance's items.
        """
        rule = self.conventions.turn
        return item.turn if rule == "as-given" else rule == "all"

    @property
    def has_turning(self) -> bool:
        """Whether some item may be turned."""
        return any(self.may_turn(item) for customer in self.customers for item in customer.items)

    @property
    def cost_unit(self) -> str:
        """The name of the unit of costs, where the instance names it."""
        units = self.units
        if all(vehicle.costs_distance_only for vehicle in self.vehicles):
            return units.cost_unit or units.distance_unit
        return units.cost_unit

    @property
    def is_format_1(self) -> bool:
        """Whether instance format 1 can say all of it."""
        is_format_1 = self._is_format_1
        if is_format_1 is None:
            units = self.units
            # Looked at for every route of a plan, so found out only once.
            is_format_1 = (
                self.travel.is_plain
                and not self.has_kinds
                and self.vehicle.is_plain
                and not (units.time_unit or units.cost_unit or units.clock or self.depot_name)
                and self.conventions.turn == "as-given"
                and all(customer.is_format_1 for customer in self.customers)
            )
            object.__setattr__(self, "_is_format_1", is_format_1)
        return is_format_1

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
        units = self.units
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
        kinds = ", ".join(
            f"{f'{vehicle.count} {vehicle.name} ' if self.has_kinds else ''}of "
            f"{units.length_text(vehicle.width)} x "
            f"{with_unit(units.length_text(vehicle.length), units.length_unit)} and "
            f"{with_unit(units.weight_text(vehicle.capacity), units.weight_unit)}"
            for vehicle in self.vehicles
        )
        return f"Instance({self.name!r}: {counts}{':' if self.has_kinds else ''} {kinds}; {rules})"


def _point(depot: tuple[int, int]) -> Point:
    if not isinstance(depot, Sequence) or isinstance(depot, (str, bytes)) or len(depot) != 2:
        raise validation.refused(depot, "depot", "be a pair (x, y)")
    limits = {"low": -MAX_COORDINATE, "high": MAX_COORDINATE}
    x, y = (
        validation.integer(value, f"depot.{axis}", **limits, remedy=DECIMALS_REMEDY)
        for axis, value in zip("xy", depot, strict=True)
    )
    return x, y
