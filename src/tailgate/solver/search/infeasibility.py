"""Why there is no plan: what a person can do something about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import combinations

from tailgate.model.instance import Instance
from tailgate.model.rounding import counted
from tailgate.model.units import decimal_text, with_unit
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.search.covering_floor import covering_oracle
from tailgate.solver.search.cuts.kind_groups import kind_groups
from tailgate.solver.search.cuts.loads import weight_and_area
from tailgate.solver.search.sharing import Sharing

NAMES_SHOWN = 10


class Remedy(Enum):
    """What may help; the value names it as an argument of Python, where it is one."""

    MORE_TRUCKS = "more trucks"
    FEWER_TRUCKS = "fewer trucks"
    OTHER_NUMBER_OF_TRUCKS = "another number of trucks"
    FLEET_AT_MOST = 'fleet="at-most"'
    ALLOW_SINGLE_CUSTOMER_ROUTES = 'single_customer_routes="allow"'
    WIDER_TIME_WINDOWS = "wider time windows"
    NO_LIFO = "lifo=False"
    TURNING = 'turn="all"'
    RIDING_APART = "customers that need not ride together"


class Cause(Enum):
    """Why there is no plan."""

    WEIGHT = "weight"
    AREA = "area"
    INCOMPATIBLE_CUSTOMERS = "incompatible customers"
    """Of whom no two can share a truck, and who are more than there are trucks."""
    TOO_FEW_CUSTOMERS = "too few customers"
    """For trucks that must all leave."""
    UNPAIRABLE_CUSTOMER = "unpairable customer"
    """Who cannot share a truck, where nobody may have one alone."""
    TOO_MANY_FIRST_STOPS = "too many first stops"
    """More customers must be the first of their route than there are trucks."""
    TOO_MANY_LAST_STOPS = "too many last stops"
    FITS_NO_TRUCK_TOGETHER = "fits no truck together"
    """Customers that must ride together, and cannot."""
    EVERY_WAY_FAILS = "every way fails"


_POSITIONS = {Cause.TOO_MANY_FIRST_STOPS: "first", Cause.TOO_MANY_LAST_STOPS: "last"}


@dataclass(frozen=True, slots=True)
class Infeasibility:
    """The simplest reason that can be shown, and what may help."""

    cause: Cause
    remedies: tuple[Remedy, ...]
    instance: Instance = field(repr=False, compare=False)
    trucks_needed: int | None = None
    """At least, where the cause is a want of trucks."""
    customers: tuple[int, ...] = ()
    """Whom the cause concerns, where it does not concern all."""
    kinds: tuple[int, ...] = ()
    """The kinds of vehicles that may serve them, where there are several kinds."""

    def __str__(self) -> str:
        """Return a sentence for users of Python."""
        return self.sentence({remedy: remedy.value for remedy in Remedy})

    def sentence(self, words: Mapping[Remedy, str]) -> str:
        """Return the reason, and what may help in these words."""
        return f"{self._cause_text}; {', '.join(words[one] for one in self.remedies)} may help"

    @property
    def _cause_text(self) -> str:
        instance, trucks = self.instance, self.instance.vehicle_count
        if self.cause in _POSITIONS:
            return (
                f"{len(self.customers)} customers ({self._names_shown}) must each be the "
                f"{_POSITIONS[self.cause]} stop of a truck, and there "
                f"{'is' if trucks == 1 else 'are'} only {trucks}"
            )
        if self.cause is Cause.FITS_NO_TRUCK_TOGETHER:
            return (
                f"customers {self._names_shown} must ride together, and no truck can serve them "
                "together"
            )
        if self.kinds:
            return self._cause_by_kinds
        if self.trucks_needed is not None:
            return (
                f"{self._load_text} take at least {self.trucks_needed} trucks, and there "
                f"{'is' if trucks == 1 else 'are'} {trucks}"
            )
        if self.cause is Cause.TOO_FEW_CUSTOMERS:
            stops = "two stops" if _shortest_route(instance) == 2 else "one stop"
            return (
                f"each of the {trucks} trucks must have at least {stops}, and there "
                f"{'is' if instance.n == 1 else 'are'} only {counted(instance.n, 'customer')}"
            )
        if self.cause is Cause.UNPAIRABLE_CUSTOMER:
            return (
                f"customer {instance.label(self.customers[0])} cannot share a truck with any "
                "other, and routes to a single customer are forbidden"
            )
        if trucks == 1:
            return "every way to serve the customers with the only truck fails"
        return f"every way to share the customers among {trucks} trucks fails"

    @property
    def _cause_by_kinds(self) -> str:
        """The cause where vehicles are of several kinds."""
        instance, units = self.instance, self.instance.units
        vehicles = [instance.vehicles[kind] for kind in self.kinds]
        count = sum(vehicle.count for vehicle in vehicles)
        there_are = "the only vehicle" if count == 1 else f"the {counted(count, 'vehicle')}"
        if len(self.kinds) < sum(vehicle.count > 0 for vehicle in instance.vehicles):
            names = " and ".join(vehicle.name for vehicle in vehicles)
            who = f"only {names} can serve customers {self._names_shown}, and "
            there_are = f"the only {names}" if count == 1 else f"the {count} of {names}"
        else:
            who = ""
        if self.cause is Cause.INCOMPATIBLE_CUSTOMERS:
            whom = "no two of them" if who else f"no two of the customers {self._names_shown}"
            return f"{who}{whom} can share a truck, but {there_are} cannot serve that many"
        if self.cause is Cause.WEIGHT:
            stated = [
                with_unit(units.weight_text(weight), units.weight_unit)
                for weight in (
                    sum(instance.customer(number).weight for number in self.customers),
                    sum(vehicle.count * vehicle.capacity for vehicle in vehicles),
                )
            ]
            needed = "their orders weigh" if who else "the orders weigh"
            return f"{who}{needed} {stated[0]} together, more than the {stated[1]} of {there_are}"
        areas = (
            sum(instance.customer(number).area for number in self.customers),
            sum(vehicle.count * vehicle.area for vehicle in vehicles),
        )
        square_unit = f"{units.length_unit}²" if units.length_unit else ""
        shown = [
            with_unit(decimal_text(area, units.length_scale**2), square_unit) for area in areas
        ]
        needed = "their items cover" if who else "the items cover"
        return f"{who}{needed} {shown[0]}, more than the {shown[1]} of {there_are}"

    @property
    def _names_shown(self) -> str:
        names = [self.instance.label(customer) for customer in self.customers]
        return ", ".join([*names[:NAMES_SHOWN], *["..."] * (len(names) > NAMES_SHOWN)])

    @property
    def _load_text(self) -> str:
        instance, units = self.instance, self.instance.units
        if self.cause is Cause.WEIGHT:
            weight = sum(customer.weight for customer in instance.customers)
            heavy = with_unit(units.weight_text(weight), units.weight_unit)
            return f"orders that weigh {heavy} together"
        if self.cause is Cause.AREA:
            area = sum(customer.area for customer in instance.customers)
            square_unit = f"{units.length_unit}²" if units.length_unit else ""
            covered = with_unit(decimal_text(area, units.length_scale**2), square_unit)
            return f"items of a total area of {covered}"
        return f"customers {self._names_shown}, of whom no two can share a truck,"


def explain(instance: Instance, oracle: LoadingOracle | None = None) -> Infeasibility:
    """Find the simplest reason why an instance that is proven infeasible has no plan.

    What the oracle refuses, the vehicles of all kinds must refuse.
    """
    oracle = covering_oracle(instance) if oracle is None else oracle
    conventions, trucks = instance.conventions, instance.vehicle_count
    for cause, position in _POSITIONS.items():
        stops = instance.rules.first if position == "first" else instance.rules.last
        must = tuple(sorted(stops - instance.optional))
        if len(must) > trucks:
            return Infeasibility(cause, (Remedy.MORE_TRUCKS,), instance, customers=must)
    if (apart := _group_that_fits_no_truck(instance, oracle)) is not None:
        return apart
    if (short := _want_of_trucks(instance, oracle)) is not None:
        return short
    shortest, is_exact = _shortest_route(instance), conventions.fleet == "exactly"
    if is_exact and shortest * trucks > instance.n:
        fewer = (Remedy.FEWER_TRUCKS, Remedy.FLEET_AT_MOST)
        return Infeasibility(Cause.TOO_FEW_CUSTOMERS, fewer, instance)
    if shortest == 2 and (alone := unpairable_customers(instance, oracle)):
        allow = (Remedy.ALLOW_SINGLE_CUSTOMER_ROUTES,)
        return Infeasibility(Cause.UNPAIRABLE_CUSTOMER, allow, instance, customers=tuple(alone))
    looser = {
        Remedy.OTHER_NUMBER_OF_TRUCKS: is_exact,
        Remedy.MORE_TRUCKS: not is_exact,
        Remedy.FLEET_AT_MOST: is_exact,
        Remedy.ALLOW_SINGLE_CUSTOMER_ROUTES: shortest == 2,
    }
    remedies = tuple(remedy for remedy, applies in looser.items() if applies)
    everybody = range(1, instance.n + 1)
    easier = _easier_routes(instance, everybody)
    return Infeasibility(Cause.EVERY_WAY_FAILS, (*remedies, *easier), instance)


def _easier_routes(instance: Instance, customers: Iterable[int]) -> tuple[Remedy, ...]:
    """Return what would let a truck serve more of these customers."""
    looser = {
        Remedy.WIDER_TIME_WINDOWS: instance.has_time_windows,
        Remedy.NO_LIFO: instance.conventions.lifo,
        Remedy.TURNING: any(
            item.width != item.length and not instance.may_turn(item)
            for number in customers
            for item in instance.customer(number).items
        ),
    }
    return tuple(remedy for remedy, applies in looser.items() if applies)


def _group_that_fits_no_truck(instance: Instance, oracle: LoadingOracle) -> Infeasibility | None:
    """Return customers that must be served together, and of whom no truck can serve all."""
    sharing = Sharing(instance, oracle)
    for group in instance.rules.groups:
        if group <= instance.optional or sharing.is_possible_for_all(group):
            continue
        members = tuple(sorted(group))
        remedies = (Remedy.RIDING_APART, *_easier_routes(instance, members))
        return Infeasibility(Cause.FITS_NO_TRUCK_TOGETHER, remedies, instance, customers=members)
    return None


def _want_of_trucks(instance: Instance, oracle: LoadingOracle) -> Infeasibility | None:
    """Return the sum or the customers that take most trucks, if these are too many."""
    if instance.has_kinds or instance.optional:
        return _want_by_kinds(instance, oracle)
    everybody, (weight, area) = range(1, instance.n + 1), weight_and_area(instance)
    clique = incompatible_customers(instance, oracle)
    needed = {
        Cause.WEIGHT: weight.trucks(everybody),
        Cause.AREA: area.trucks(everybody),
        Cause.INCOMPATIBLE_CUSTOMERS: len(clique),
    }
    cause = max(needed, key=lambda cause: needed[cause])
    if needed[cause] <= instance.vehicle_count:
        return None
    customers = tuple(clique) if cause is Cause.INCOMPATIBLE_CUSTOMERS else ()
    return Infeasibility(cause, (Remedy.MORE_TRUCKS,), instance, needed[cause], customers)


def _want_by_kinds(instance: Instance, oracle: LoadingOracle) -> Infeasibility | None:
    """Return customers who must be served, and whose vehicles of all kinds are too few for them."""
    for group in kind_groups(instance):
        members = tuple(sorted(group.customers - instance.optional))
        stops = [instance.customer(number) for number in members]
        vehicles = [instance.vehicles[kind] for kind in group.kinds]
        sums = {
            Cause.WEIGHT: (
                sum(stop.weight for stop in stops),
                sum(vehicle.count * vehicle.capacity for vehicle in vehicles),
            ),
            Cause.AREA: (
                sum(stop.area for stop in stops),
                sum(vehicle.count * vehicle.area for vehicle in vehicles),
            ),
        }
        more = (Remedy.MORE_TRUCKS,)
        for cause, (needed, available) in sums.items():
            if needed > available:
                return Infeasibility(cause, more, instance, None, members, group.kinds)
        clique = tuple(incompatible_customers(instance, oracle, members))
        if len(clique) > sum(vehicle.count for vehicle in vehicles):
            cause = Cause.INCOMPATIBLE_CUSTOMERS
            return Infeasibility(cause, more, instance, None, clique, group.kinds)
    return None


def _shortest_route(instance: Instance) -> int:
    return 2 if instance.conventions.single_customer_routes == "forbid" else 1


def incompatible_customers(
    instance: Instance, oracle: LoadingOracle, among: Sequence[int] | None = None
) -> list[int]:
    """Return customers of whom no two can share a truck, as many as a simple search finds."""
    sharing = Sharing(instance, oracle)
    numbers = range(1, instance.n + 1) if among is None else among
    apart = {number: set[int]() for number in numbers}
    for first, second in combinations(numbers, 2):
        if not sharing.is_possible(first, second):
            apart[first].add(second)
            apart[second].add(first)
    best: list[int] = []
    for start in apart:
        chosen, candidates = [start], set(apart[start])
        while candidates:
            further = max(candidates, key=lambda c: (len(apart[c] & candidates), -c))
            chosen.append(further)
            candidates &= apart[further]
        if len(chosen) > len(best):
            best = sorted(chosen)
    return best


def unpairable_customers(instance: Instance, oracle: LoadingOracle) -> list[int]:
    """Return the customers who must be served, and can share a truck with nobody."""
    sharing = Sharing(instance, oracle)
    everybody = range(1, instance.n + 1)
    return [
        one
        for one in everybody
        if one not in instance.optional
        and not any(sharing.is_possible(one, other) for other in everybody if other != one)
    ]
