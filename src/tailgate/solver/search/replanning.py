"""Planning anew from a plan that is there: what is locked stays, and what can be kept is kept.

The plan may be one of other orders: customers are matched by their labels. Who is gone is dropped
from the routes, and who is new is inserted where that costs least.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tailgate.io import read_solution
from tailgate.io.text_file import source_text
from tailgate.model.aliases import PathLike, RoutePath
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.solution import Route, Solution
from tailgate.solver.column import Column, views_of
from tailgate.solver.loading import LoadingOracle, Verdict
from tailgate.solver.search.plan_change import OldRoute, PlanChange, plan_change
from tailgate.solver.search.result import SolveResult
from tailgate.solver.search.variant import Lock, Variant, same, with_locks, without_equal_kinds

KEPT_ROUTE_NODES = 100_000
"""Of the loading check of a route that is kept."""
INSERTION_NODES = 1_000
"""Of the loading check of a route into which somebody is inserted."""


@dataclass(frozen=True, slots=True)
class KeptPlan:
    """A plan that was there before, by the numbers of the instance that is planned anew."""

    instance: Instance
    routes: tuple[OldRoute, ...]
    locks: tuple[tuple[int, Lock], ...]
    """By kind of vehicle."""
    gone: tuple[str, ...]
    """Labels of the customers whom the instance does not have."""

    @property
    def variant(self) -> Variant:
        """The instance with what is locked."""
        base = with_locks(self.instance, self.locks) if self.locks else same(self.instance)
        return without_equal_kinds(base)

    def change(self, solution: Solution) -> PlanChange:
        """Return what a new plan does otherwise."""
        return plan_change(self.routes, self.gone, solution)


def kept_plan(
    instance: Instance, plan: Solution | PathLike, plan_instance: Instance | None = None
) -> KeptPlan:
    """Read a plan that is to be kept, or say why it cannot be."""
    source = None
    if not isinstance(plan, Solution):
        source, plan = source_text(plan), read_solution(plan)
    if plan_instance is None:
        if plan.instance_sha256 != instance.sha256:
            raise InputError(
                "is a plan for other orders; give the instance that it was made for as "
                "keep_instance, so that customers can be matched by their names",
                source=source,
            )
        plan_instance = instance
    elif plan.instance_sha256 != plan_instance.sha256:
        raise InputError("is not a plan of keep_instance", source=source)
    reader = _PlanReader(instance, plan_instance, source)
    routes, locks = [], []
    for number, route in enumerate(plan.routes, start=1):
        routes.append(reader.old_route(route))
        lock = reader.lock(number, route)
        if lock is not None:
            locks.append(lock)
    _refuse_too_many(instance, locks, source)
    return KeptPlan(instance, tuple(routes), tuple(locks), reader.gone)


class _PlanReader:
    """Translates the routes of a plan into the numbers of another instance."""

    def __init__(self, instance: Instance, plan_instance: Instance, source: str | None) -> None:
        self._instance = instance
        self._source = source
        here = {instance.label(number): number for number in range(1, instance.n + 1)}
        labels = {number: plan_instance.label(number) for number in range(1, plan_instance.n + 1)}
        self._numbers = {old: here[label] for old, label in labels.items() if label in here}
        self.gone = tuple(label for label in labels.values() if label not in here)

    def old_route(self, route: Route) -> OldRoute:
        """Return a route without those who are gone."""
        stops = self._stops(route.customers)
        return OldRoute(route.vehicle, stops, lost_stops=len(stops) < len(route.customers))

    def _stops(self, customers: Sequence[int]) -> RoutePath:
        return tuple(self._numbers[stop] for stop in customers if stop in self._numbers)

    def lock(self, number: int, route: Route) -> tuple[int, Lock] | None:
        """Return the kind of vehicle and what it keeps; None if it keeps nothing."""
        kept = route.customers if route.locked else route.customers[: route.locked_stops]
        stops = self._stops(kept)
        if not stops:
            return None
        kind = 0
        if self._instance.has_kinds:
            try:
                kind = self._instance.kind_named(route.vehicle)
            except InputError as error:
                problem = f"route {number} cannot be kept: {error.problem}"
                raise InputError(problem, source=self._source) from error
        view = self._instance.of_kind(kind)
        refused = [stop for stop in stops if not view.accepts(stop, 0)]
        still_can = _is_allowed if route.locked else _may_begin
        if refused or not still_can(view, stops):
            who = f": {view.label(refused[0])} cannot be served by it" if refused else ""
            raise InputError(
                f"route {number} cannot be kept{who or ': it breaks a limit or a rule by now'}; "
                "unlock it",
                source=self._source,
            )
        return kind, Lock(stops, is_whole=route.locked)


def _refuse_too_many(
    instance: Instance, locks: Sequence[tuple[int, Lock]], source: str | None
) -> None:
    for kind, vehicle in enumerate(instance.vehicles):
        kept = sum(one == kind for one, _ in locks)
        if kept > vehicle.count:
            raise InputError(
                f"keeps {kept} routes of {vehicle.name or 'the vehicle'}, of which there "
                f"{'is' if vehicle.count == 1 else 'are'} {vehicle.count}; unlock some",
                source=source,
            )


def first_columns_of(kept: KeptPlan, variant: Variant) -> list[Column]:
    """Return routes of the old plan that hold still, with those who are new where they fit.

    They are a plan of the variant's instance if everybody finds a place.
    """
    return _Repair(variant, kept).columns()


def with_change(result: SolveResult, kept: KeptPlan) -> SolveResult:
    """Return a result that says what its plan does otherwise than the one to keep."""
    if result.solution is None:
        return result
    return replace(result, change=kept.change(result.solution))


class _Repair:
    """Makes a plan out of an old one: quickly, and not the best."""

    def __init__(self, variant: Variant, kept: KeptPlan) -> None:
        self._variant = variant
        self._instance = variant.instance
        self._views = views_of(variant.instance)
        self._oracles = [LoadingOracle(view) for view in self._views]
        self._kept = kept
        self._free = [vehicle.count for vehicle in variant.instance.vehicles]
        self._routes: list[Column] = []

    def columns(self) -> list[Column]:
        """Return the routes."""
        for old in self._kept.routes:
            column = self._kept_column(old)
            if column is not None:
                self._routes.append(column)
                self._free[column.kind] -= 1
        served = {stop for _, route in self._routes for stop in route}
        for customer in range(1, self._instance.n + 1):
            if customer not in served:
                self._insert(customer)
        return self._routes

    def _kept_column(self, old: OldRoute) -> Column | None:
        """Return an old route, if some vehicle can still drive it."""
        if not old.stops:
            return None
        for kind in self._kinds_for(old):
            if self._free[kind] and self._is_feasible(kind, old.stops, KEPT_ROUTE_NODES):
                return Column(kind, old.stops)
        return None

    def _kinds_for(self, old: OldRoute) -> Iterator[int]:
        """Yield the vehicle that is kept for it, then its own kind, then all others."""
        locked = [
            kind
            for kind, lock in self._variant.locks.items()
            if old.stops[: len(lock.stops)] == lock.stops
        ]
        yield from locked
        original = self._variant.original
        if original.has_kinds:
            names = [vehicle.name for vehicle in original.vehicles]
            own = names.index(old.vehicle) if old.vehicle in names else -1
            yield from (k for k, kinds in enumerate(self._variant.kinds) if own in kinds)
        yield from range(len(self._views))

    def _insert(self, customer: int) -> None:
        """Put a customer where that costs least, if it fits anywhere."""
        best: tuple[float, int | None, Column] | None = None
        for index, column in enumerate(self._routes):
            kind, route = column
            before = self._views[kind].route_cost(route)
            for place in range(len(route) + 1):
                longer = (*route[:place], customer, *route[place:])
                best = self._better(best, before, index, Column(kind, longer))
        for kind, free in enumerate(self._free):
            if free:
                best = self._better(best, 0.0, None, Column(kind, (customer,)))
        if best is None:
            return
        _, replaced, column = best
        if replaced is None:
            self._routes.append(column)
            self._free[column.kind] -= 1
        else:
            self._routes[replaced] = column

    def _better(
        self,
        best: tuple[float, int | None, Column] | None,
        before: float,
        index: int | None,
        column: Column,
    ) -> tuple[float, int | None, Column] | None:
        """Return a way to serve a customer, if it is better than the best and can be loaded."""
        kind, route = column
        more = self._views[kind].route_cost(route) - before
        limit = math.inf if best is None else best[0]
        if more < limit and self._is_feasible(kind, route, INSERTION_NODES):
            return more, index, column
        return best

    def _is_feasible(self, kind: int, route: RoutePath, max_nodes: int) -> bool:
        return (
            _is_allowed(self._views[kind], route)
            and self._oracles[kind].check(route, max_nodes=max_nodes).verdict is Verdict.FEASIBLE
        )


def _may_begin(view: Instance, stops: RoutePath) -> bool:
    """Return whether a route may begin with these stops: its later ones lift no rule or weight."""
    rules = view.rules
    return (
        sum(view.customer(stop).weight for stop in stops) <= view.vehicle.capacity
        and rules.first.isdisjoint(stops[1:])
        and rules.last.isdisjoint(stops[:-1])
        and all(rules.enemies.get(stop, frozenset()).isdisjoint(stops) for stop in stops)
    )


def _is_allowed(view: Instance, route: RoutePath) -> bool:
    """Return whether a vehicle may take a route, loading aside."""
    weight = sum(view.customer(stop).weight for stop in route)
    shortest = 2 if view.conventions.single_customer_routes == "forbid" else 1
    return len(route) >= shortest and weight <= view.vehicle.capacity and view.is_allowed(route)
