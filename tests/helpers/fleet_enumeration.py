"""All plans of a tiny instance with several kinds of vehicles, optional customers and rules.

Every route of every kind by `RichEnumeration`, then the relaxation and the optimum over all of
them, with customers left out where that is allowed. Good for six customers and a few vehicles.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import highspy
import numpy as np

from rich_enumeration import RichEnumeration
from route_enumeration import Cost, Stops, solved
from tailgate.model.instance import Instance


class Served(NamedTuple):
    """A set of customers, and the kind of vehicle that serves them."""

    kind: int
    customers: frozenset[int]


class FleetEnumeration:
    """All feasible routes of a tiny instance by kind, and what can be made of them."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._kinds = range(len(instance.vehicles))

    @cached_property
    def routes(self) -> Mapping[tuple[int, Stops], Cost]:
        """Every feasible route by kind and customers, and its cost."""
        return {
            (kind, route): cost
            for kind in self._kinds
            for route, cost in RichEnumeration(self._instance.of_kind(kind)).routes.items()
        }

    @cached_property
    def cheapest(self) -> Mapping[Served, Cost]:
        """The least cost of each set of customers that some route of a kind can serve."""
        costs: dict[Served, Cost] = {}
        for (kind, route), cost in self.routes.items():
            served = Served(kind, frozenset(route))
            costs[served] = min(cost, costs.get(served, math.inf))
        return costs

    @cached_property
    def lp_value(self) -> float | None:
        """The least cost of covering every customer once by shares of routes; None if impossible.

        An optional customer may also be left out, in part.
        """
        return self.solve_lp()

    def solve_lp(
        self,
        *,
        allowed: Callable[[int, frozenset[int]], bool] = lambda _kind, _customers: True,
        limits: Sequence[tuple[int, int]] | None = None,
        slack_limits: Mapping[int, tuple[float, float]] | None = None,
        left_out_limit: tuple[Mapping[int, float], float] | None = None,
    ) -> float | None:
        """Return the value of the relaxation over some of the sets of customers.

        With other numbers of vehicles of each kind, with other limits on leaving customers out,
        and with a limit on the weighted sum of those left out.
        """
        instance, n = self._instance, self._instance.n
        weights, most = left_out_limit or ({}, math.inf)
        exactly = instance.conventions.fleet == "exactly"
        counts = [vehicle.count for vehicle in instance.vehicles]
        by_kind = limits or [(count if exactly else 0, count) for count in counts]
        last = n + len(counts)
        columns: list[tuple[Cost, float, float, dict[int, float]]] = [
            (cost, 0.0, highspy.kHighsInf, dict.fromkeys((n + kind, *(c - 1 for c in stops)), 1.0))
            for (kind, stops), cost in self.cheapest.items()
            if allowed(kind, stops)
        ]
        for one in sorted(instance.optional):
            lower, upper = (slack_limits or {}).get(one, (0.0, 1.0))
            entries = {one - 1: 1.0, last: weights.get(one, 0.0)}
            columns.append((instance.leave_out_cost(one), lower, upper, entries))
        if not columns:
            return None
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(columns), last + 1
        lp.col_cost_ = np.array([cost for cost, _, _, _ in columns], np.float64)
        lp.col_lower_ = np.array([lower for _, lower, _, _ in columns], np.float64)
        lp.col_upper_ = np.array([upper for _, _, upper, _ in columns], np.float64)
        inf = highspy.kHighsInf
        lp.row_lower_ = np.array([*n * [1], *(low for low, _ in by_kind), -inf], np.float64)
        lp.row_upper_ = np.array(
            [*n * [1], *(high for _, high in by_kind), min(most, inf)], np.float64
        )
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_ = np.cumsum([0, *(len(entries) for *_, entries in columns)])
        lp.a_matrix_.index_ = np.array([row for *_, entries in columns for row in entries])
        lp.a_matrix_.value_ = np.array([x for *_, entries in columns for x in entries.values()])
        solver = solved(lp)
        return None if solver is None else float(solver.getInfo().objective_function_value)

    @cached_property
    def optimum(self) -> Cost | None:
        """The least cost of a plan; None if there is none."""
        return self.optimum_with(dict.fromkeys(self._instance.optional, 1.0))

    def optimum_with(
        self, may_leave_out: Mapping[int, float], most: float = math.inf
    ) -> Cost | None:
        """Return the least cost of a plan that leaves out only these, and not too many of them.

        Each counts as much as it is mapped to, and the sum is at most ``most``.
        """
        costs = [plan.cost for plan in self._plans(may_leave_out) if plan.left_out <= most + 1e-9]
        return min(costs, default=None)

    def least_left_out(self, weights: Mapping[int, float]) -> float | None:
        """Return the least total weight that a plan leaves out of these customers."""
        return min((plan.left_out for plan in self._plans(weights)), default=None)

    def _plans(self, may_leave_out: Mapping[int, float]) -> list[_Plan]:
        """Return the cheapest complete plan for every weight that is left out."""
        instance = self._instance
        counts = tuple(vehicle.count for vehicle in instance.vehicles)
        groups = instance.rules.groups
        beginnings = {_State(frozenset(), tuple(0 for _ in counts), frozenset(), 0.0): 0}
        complete: dict[float, Cost] = {}
        everybody = frozenset(range(1, instance.n + 1))
        while beginnings:
            following: dict[_State, Cost] = {}

            def note(state: _State, cost: Cost, found: dict[_State, Cost] = following) -> None:
                found[state] = min(cost, found.get(state, math.inf))

            for state, cost in beginnings.items():
                if state.decided == everybody:
                    uses_all = state.used == counts or instance.conventions.fleet == "at-most"
                    halves = any(0 < len(group & state.gone) < len(group) for group in groups)
                    if uses_all and not halves:
                        complete[state.weight] = min(cost, complete.get(state.weight, math.inf))
                    continue
                first = min(everybody - state.decided)
                if first in may_leave_out:
                    more = instance.customer(first).leave_out_cost or 0
                    note(state.without(first, may_leave_out[first]), cost + more)
                for served, more in self.cheapest.items():
                    free = state.used[served.kind] < counts[served.kind]
                    if free and first in served.customers and not served.customers & state.decided:
                        note(state.served_by(served), cost + more)
            beginnings = following
        return [_Plan(cost, weight) for weight, cost in complete.items()]


class _Plan(NamedTuple):
    cost: Cost
    left_out: float


class _State(NamedTuple):
    """Who is served or left out, how many vehicles of each kind are used, and who is left out."""

    decided: frozenset[int]
    used: tuple[int, ...]
    gone: frozenset[int]
    weight: float

    def without(self, customer: int, weight: float) -> _State:
        return _State(
            self.decided | {customer}, self.used, self.gone | {customer}, self.weight + weight
        )

    def served_by(self, served: Served) -> _State:
        used = tuple(count + (kind == served.kind) for kind, count in enumerate(self.used))
        return _State(self.decided | served.customers, used, self.gone, self.weight)
