"""Why there is no plan: what a person can do something about."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from itertools import combinations

from tailgate.model.instance import Instance
from tailgate.model.units import decimal_text, with_unit
from tailgate.solver.loading import LoadingOracle, Verdict
from tailgate.solver.search.cuts.loads import weight_and_area

QUICK_CHECK_NODES = 1_000
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
    EVERY_WAY_FAILS = "every way fails"


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

    def __str__(self) -> str:
        """Return a sentence for users of Python."""
        return self.sentence({remedy: remedy.value for remedy in Remedy})

    def sentence(self, words: Mapping[Remedy, str]) -> str:
        """Return the reason, and what may help in these words."""
        return f"{self._cause_text}; {', '.join(words[one] for one in self.remedies)} may help"

    @property
    def _cause_text(self) -> str:
        instance, trucks = self.instance, self.instance.vehicle_count
        if self.trucks_needed is not None:
            return (
                f"{self._load_text} take at least {self.trucks_needed} trucks, and there are "
                f"{trucks}"
            )
        if self.cause is Cause.TOO_FEW_CUSTOMERS:
            stops = "two stops" if _shortest_route(instance) == 2 else "one stop"
            return (
                f"each of the {trucks} trucks must have at least {stops}, and there are only "
                f"{instance.n} customers"
            )
        if self.cause is Cause.UNPAIRABLE_CUSTOMER:
            return (
                f"customer {instance.label(self.customers[0])} cannot share a truck with any "
                "other, and routes to a single customer are forbidden"
            )
        return f"every way to share the customers among {trucks} trucks fails"

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
        names = [instance.label(customer) for customer in self.customers]
        shown = ", ".join([*names[:NAMES_SHOWN], *["..."] * (len(names) > NAMES_SHOWN)])
        return f"customers {shown}, of whom no two can share a truck,"


def explain(instance: Instance, oracle: LoadingOracle) -> Infeasibility:
    """Find the simplest reason why an instance that is proven infeasible has no plan."""
    conventions, trucks = instance.conventions, instance.vehicle_count
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
        Remedy.WIDER_TIME_WINDOWS: instance.has_time_windows,
        Remedy.NO_LIFO: conventions.lifo,
    }
    remedies = tuple(remedy for remedy, applies in looser.items() if applies)
    return Infeasibility(Cause.EVERY_WAY_FAILS, remedies, instance)


def _want_of_trucks(instance: Instance, oracle: LoadingOracle) -> Infeasibility | None:
    """Return the sum or the customers that take most trucks, if these are too many."""
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


def _shortest_route(instance: Instance) -> int:
    return 2 if instance.conventions.single_customer_routes == "forbid" else 1


def incompatible_customers(instance: Instance, oracle: LoadingOracle) -> list[int]:
    """Return customers of whom no two can share a truck, as many as a simple search finds."""
    sharing = _Sharing(instance, oracle)
    apart = {number: set[int]() for number in range(1, instance.n + 1)}
    for first, second in combinations(range(1, instance.n + 1), 2):
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
    """Return the customers who can share a truck with nobody."""
    sharing = _Sharing(instance, oracle)
    everybody = range(1, instance.n + 1)
    return [
        one
        for one in everybody
        if not any(sharing.is_possible(one, other) for other in everybody if other != one)
    ]


class _Sharing:
    """Says which two customers may be on one truck, as far as quick checks show."""

    def __init__(self, instance: Instance, oracle: LoadingOracle) -> None:
        self._instance = instance
        self._oracle = oracle
        self._arrivals: dict[int, list[int | float]] = {}
        """By place: when a truck that has served it as early as it can is at all others."""

    def is_possible(self, first: int, second: int) -> bool:
        instance = self._instance
        a, b = instance.customer(first), instance.customer(second)
        if a.weight + b.weight > instance.vehicle.capacity:
            return False
        if not self._is_in_time(first, second) and not self._is_in_time(second, first):
            return False
        result = self._oracle.check((first, second), max_nodes=QUICK_CHECK_NODES)
        return result.verdict is not Verdict.INFEASIBLE

    def _is_in_time(self, first: int, second: int) -> bool:
        """Return whether the second may follow the first in time, directly or by any detour."""
        instance = self._instance
        if instance.is_allowed((first, second)):
            return True
        clock = instance.clock
        if first not in self._arrivals:
            leaves = max(self._arrivals_from_depot[first], clock.ready[first])
            leaves += clock.service[first]
            self._arrivals[first] = clock.earliest_arrivals(first, leaves)
        arrival = self._arrivals[first][second]
        return arrival < math.inf and not clock.is_late(second, arrival)

    @cached_property
    def _arrivals_from_depot(self) -> list[int | float]:
        clock = self._instance.clock
        return clock.earliest_arrivals(0, clock.ready[0])
