"""Why orders are left out: what is proven, and what stands in their way in the plan."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from tailgate.model.cost_unit import CostUnit
from tailgate.model.instance import Instance
from tailgate.model.obstacles import listed
from tailgate.model.solution import LeftOut, Solution
from tailgate.solver.column import Column, views_of
from tailgate.solver.loading import LoadingOracle, Verdict
from tailgate.solver.search.covering_floor import covering_oracle
from tailgate.solver.search.result import LeastLeftOutBound, SolveResult
from tailgate.solver.search.sharing import QUICK_CHECK_NODES, Sharing
from tailgate.solver.search.variant import kind_of

MOST_ORDERS = 500
"""Of inserting orders that ride together into a route."""


def with_reasons(result: SolveResult) -> SolveResult:
    """Return a result whose orders left out have their reasons."""
    solution, instance = result.solution, result.instance
    if solution is None or instance is None or not solution.left_out:
        return result
    reasons = _Reasons(instance, solution, result.status == "optimal", result.least_left_out)
    named = tuple(replace(one, reason=reasons.of(one)) for one in solution.left_out)
    return replace(result, solution=replace(solution, left_out=named))


class _Reasons:
    def __init__(
        self,
        instance: Instance,
        solution: Solution,
        is_optimal: bool,
        least: LeastLeftOutBound | None,
    ) -> None:
        self._instance = instance
        self._views = views_of(instance)
        self._oracles: dict[int, LoadingOracle] = {}
        self._sharing = Sharing(instance, covering_oracle(instance))
        self._columns = [
            Column(kind_of(instance, route), route.customers) for route in solution.routes
        ]
        self._is_optimal = is_optimal
        self._least = least

    def of(self, order: LeftOut) -> str:
        """Return a sentence without its subject and its full stop."""
        instance, number = self._instance, order.customer
        if instance.is_hopeless(number):
            return instance.why_hopeless(number)
        others = instance.rules.partners.get(number, frozenset()) - {number}
        if others and not self._sharing.is_possible_for_all({number, *others}):
            names = listed(map(instance.label, sorted(others)))
            return f"rides together with {names}, and no truck can serve them together"
        what = self._what_is_proven(order)
        kinds = [kind for kind in range(len(self._views)) if instance.accepts(number, kind)]
        where = self._what_is_full(number, kinds)
        return "; ".join(part for part in (what, where) if part)

    def _what_is_proven(self, order: LeftOut) -> str:
        count = self._instance.vehicle_count
        trucks = "the one truck there is" if count == 1 else f"the {count} trucks there are"
        least, unit = self._least, CostUnit.of_instance(self._instance)
        if least is None:
            cost = unit.cost_text(order.cost)
            if self._is_optimal:
                return f"no plan that serves it is cheaper: to leave it out costs {cost}"
            return f"no cheaper plan that serves it was found: to leave it out costs {cost}"
        if not least.at_least:
            return "no plan that leaves out less was found"
        if least.by == "cost":
            return f"with {trucks}, orders worth {unit.cost_text(least.at_least)} or more stay"
        orders = "order stays" if least.at_least == 1 else "orders stay"
        return f"with {trucks}, at least {least.at_least} {orders}"

    def _what_is_full(self, number: int, kinds: Sequence[int]) -> str:
        """Return what stands in the way of one order more, where it is one thing everywhere."""
        instance = self._instance
        used = [column for column in self._columns if column.kind in kinds]
        vehicles = sum(instance.vehicles[kind].count for kind in kinds)
        if len(used) < vehicles or not used:
            return ""
        obstacles = {self._obstacle(number, column) for column in used}
        if len(obstacles) != 1:
            return ""
        (obstacle,) = obstacles
        if not obstacle:
            return ""
        if len(kinds) == sum(vehicle.count > 0 for vehicle in instance.vehicles):
            return f"in every truck of this plan, {obstacle}"
        names = " or ".join(instance.vehicles[kind].name for kind in kinds)
        return f"only {names} may come, and in this plan {obstacle}"

    def _obstacle(self, number: int, column: Column) -> str:
        """Return why an order, with those that ride with it, fits nowhere into a route."""
        kind, route = column
        view = self._views[kind]
        rules = view.rules
        joining = rules.partners.get(number, frozenset({number}))
        weight = sum(view.customer(stop).weight for stop in (*route, *joining))
        if weight > view.vehicle.capacity:
            return "the capacity is used up"
        if any(not rules.enemies.get(one, frozenset()).isdisjoint(route) for one in joining):
            return "somebody is on board who must not ride with it"
        for position, stops in (("first", rules.first), ("last", rules.last)):
            if not stops.isdisjoint(joining) and not stops.isdisjoint(route):
                return f"another order must be the {position} stop"
        if math.perm(len(route) + len(joining), len(joining)) > MOST_ORDERS:
            return ""
        most = view.vehicle.max_stops
        if most is not None and len(route) + len(joining) > most:
            return "there are as many stops as there may be"
        longer = [one for one in _with_all(route, sorted(joining)) if view.rules.allows(one)]
        in_time = [one for one in longer if view.is_allowed(one)]
        if not in_time:
            return "the hours are full" if _is_all_too_late(view, longer) else ""
        oracle = self._oracles.setdefault(kind, LoadingOracle(view))
        verdicts = {oracle.check(one, max_nodes=QUICK_CHECK_NODES).verdict for one in in_time}
        return "the floor is full" if verdicts == {Verdict.INFEASIBLE} else ""


def _is_all_too_late(view: Instance, routes: Sequence[tuple[int, ...]]) -> bool:
    """Return whether it is the time that none of the routes keeps, whatever else they break."""
    drivable = [one for one in routes if not view.has_missing_roads or view.costs.is_drivable(one)]
    return bool(drivable) and not any(map(view.clock.keeps, drivable))


def _with_all(route: tuple[int, ...], joining: Sequence[int]) -> list[tuple[int, ...]]:
    """Return a route with further stops, in every place."""
    longer = [route]
    for stop in joining:
        longer = [(*one[:i], stop, *one[i:]) for one in longer for i in range(len(one) + 1)]
    return longer
