"""Why orders are left out: what is proven, and what stands in their way in the plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tailgate.model.cost_unit import CostUnit
from tailgate.model.instance import Instance
from tailgate.model.solution import LeftOut, Solution
from tailgate.solver.column import Column, views_of
from tailgate.solver.loading import LoadingOracle, Verdict
from tailgate.solver.search.result import LeastLeftOutBound, SolveResult
from tailgate.solver.search.variant import kind_of

QUICK_CHECK_NODES = 1_000


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
        if len(kinds) == len(self._views):
            return f"in this plan, {obstacle} in every truck"
        names = " or ".join(instance.vehicles[kind].name for kind in kinds)
        return f"only {names} may come, and in this plan {obstacle}"

    def _obstacle(self, number: int, column: Column) -> str:
        """Return why an order does not fit into a route, wherever it is inserted."""
        kind, route = column
        view = self._views[kind]
        weight = sum(view.customer(stop).weight for stop in (*route, number))
        if weight > view.vehicle.capacity:
            return "the capacity is used up"
        longer = [(*route[:i], number, *route[i:]) for i in range(len(route) + 1)]
        if not view.rules.is_empty and not any(map(view.rules.allows, longer)):
            return "somebody is on board who must not ride with it"
        in_time = [one for one in longer if view.is_allowed(one)]
        if not in_time:
            return "the hours are full"
        oracle = self._oracles.setdefault(kind, LoadingOracle(view))
        verdicts = {oracle.check(one, max_nodes=QUICK_CHECK_NODES).verdict for one in in_time}
        return "the floor is full" if verdicts == {Verdict.INFEASIBLE} else ""
