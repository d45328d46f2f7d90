"""The compiled pricer for one instance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tailgate import _core
from tailgate.instance import Instance
from tailgate.time_limit import TimeLimit

RoutePath = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PricedRoutes:
    """What one call found; costs are reduced by the duals of the customers, not of the fleet."""

    routes: tuple[RoutePath, ...]
    reduced_costs: tuple[float, ...]
    complete: bool
    """False: the search was cut short, and no routes does not mean that there are none."""
    bound: float
    """No route costs less, unless its loading is refuted."""


class Pricer:
    """Finds the cheapest routes under given duals, whose loading is neither refuted nor set aside.

    Exact over elementary routes with weight, floor area and time windows. What it does not know of
    loading it is told: `forbid` what is proven infeasible, `set_aside` what is not known.
    """

    def __init__(self, instance: Instance) -> None:
        conventions = instance.conventions
        ready: list[float] = []
        due: list[float] = []
        service: list[float] = []
        if instance.has_time_windows:
            dues = (instance.depot_due, *(customer.due for customer in instance.customers))
            ready = [instance.depot_ready, *(customer.ready for customer in instance.customers)]
            due = [math.inf if time is None else time for time in dues]
            service = [0, *(customer.service for customer in instance.customers)]
        self._costs = instance.distance_matrix().astype(float).ravel().tolist()
        self._core = _core.Pricer(
            cost=self._costs,
            weight=[0, *(customer.weight for customer in instance.customers)],
            area=[0, *(customer.area for customer in instance.customers)],
            capacity=instance.vehicle.capacity,
            floor_area=instance.vehicle.area,
            ready=ready,
            due=due,
            service=service,
            lifo=conventions.lifo,
            single_customer_routes=conventions.single_customer_routes == "allow",
        )

    def forbid(self, sequence: Sequence[int]) -> None:
        """Rule out all routes with these customers in this order, or in the reverse order."""
        self._core.forbid(list(sequence))

    def set_aside(self, sequence: Sequence[int]) -> None:
        """Pass over such routes until `release_all`."""
        self._core.set_aside(list(sequence))

    def passes_over(self, route: Sequence[int]) -> bool:
        """Tell whether what was forbidden or set aside in the meantime rules this route out."""
        return self._core.passes_over(list(route))

    def release_all(self) -> None:
        """Take all sequences back that were set aside."""
        self._core.release_all()

    @property
    def has_set_aside(self) -> bool:
        """Whether routes are passed over."""
        return self._core.set_aside_count > 0

    def set_duals(self, duals: Sequence[float], *, cost_factor: float = 1.0) -> list[float]:
        """Set the price of a visit to each customer; return it as the pricer rounds it."""
        self._core.set_duals(list(duals), cost_factor)
        return [self._core.rounded_dual(dual) for dual in duals]

    def price(self, threshold: float, *, max_routes: int, time_limit: TimeLimit) -> PricedRoutes:
        """Find the cheapest routes below the threshold."""
        remaining = time_limit.remaining
        answer = self._core.price(threshold, max_routes, -1.0 if remaining is None else remaining)
        return PricedRoutes(
            routes=tuple(tuple(route) for route in answer.routes),
            reduced_costs=tuple(answer.reduced_costs),
            complete=answer.complete,
            bound=answer.bound,
        )

    @property
    def statistics(self) -> dict[str, float]:
        """Counts of calls, labels and paths, and the seconds they took."""
        return self._core.statistics()
