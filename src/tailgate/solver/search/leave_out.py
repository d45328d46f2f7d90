"""As little as possible is left out, and of the plans that leave out so little the cheapest.

Two searches. The first one leaves all else aside: routes cost nothing. The second one looks for the
cheapest plan. There, to leave out more than the first search has shown to be necessary costs more
than a whole plan that it has found, so that no better plan does it. The least that is left out is a
row of the second search, without which its bound would say little.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from os import PathLike

from tailgate.io import read_solution
from tailgate.model import aliases
from tailgate.model.costs import common_step
from tailgate.model.errors import InputError
from tailgate.model.exact import fraction_of
from tailgate.model.instance import Instance
from tailgate.model.matrix import plain
from tailgate.model.solution import LeftOut, Solution, Status, relative_gap
from tailgate.solver.column import Column
from tailgate.solver.loading import on_the_road
from tailgate.solver.search.cuts.least_left_out import LeastLeftOut
from tailgate.solver.search.plans import plan_cost
from tailgate.solver.search.replanning import KeptPlan, with_change
from tailgate.solver.search.result import (
    SECONDS_PREFIX,
    LeastLeftOutBound,
    LeaveOut,
    SolveResult,
)
from tailgate.solver.search.search_run import Request, Start, run_search
from tailgate.solver.search.variant import (
    Lock,
    Variant,
    kind_of,
    same,
    with_locks,
    without_equal_kinds,
)

PROVEN_GAP = 1e-6
"""Real costs whose bound is so near count as proven."""
FIRST_SHARE = 0.5
"""Of the time, for the first search at most."""
ENDS_BOTH = ("interrupted", "memory_limit")
"""Reasons to end the first search after which the second one does not begin to search."""


def with_everything_optional(instance: Instance, leave_out: LeaveOut) -> Instance:
    """Return the instance in which all may be left out that the question allows.

    By cost these are the orders that have a cost of leaving them out. By number these are all, and
    those without such a cost are left out for nothing: it is for their number that they are served.
    """
    if leave_out == "cost":
        if not instance.optional:
            raise InputError(
                "no order has a cost of leaving it out, so that none may be left out; state such "
                'costs, or ask for leave_out="number"',
                field="leave_out",
            )
        return instance
    return replace(
        instance,
        customers=tuple(
            one if one.leave_out_cost is not None else replace(one, leave_out_cost=0)
            for one in instance.customers
        ),
    )


def orders_of(
    plan: Solution | aliases.PathLike, instance: Instance, leave_out: LeaveOut
) -> Instance:
    """Return the orders that a plan is one of: with what must be served, or with all optional."""
    relaxed = with_everything_optional(instance, leave_out)
    stated = plan if isinstance(plan, Solution) else read_solution(plan)
    return relaxed if stated.instance_sha256 == relaxed.sha256 else instance


def solve_leaving_out(
    instance: Instance,
    leave_out: LeaveOut,
    request: Request,
    *,
    plan: Solution | None = None,
    kept: KeptPlan | None = None,
) -> SolveResult:
    """Find the plan that leaves out least, and is the cheapest of these.

    The result is that of the instance `with_everything_optional`. The search begins with a plan of
    the instance, if there is one. What a plan to keep has locked stays.
    """
    if request.resume is not None or isinstance(request.checkpoint, str | PathLike):
        raise InputError(
            "is for one search, and to leave out as little as possible takes two; leave it out",
            field="resume" if request.checkpoint is None else "checkpoint",
        )
    relaxed = with_everything_optional(instance, leave_out)
    locks = () if kept is None else kept.locks
    weights = {
        number: fraction_of(relaxed.leave_out_cost(number) if leave_out == "cost" else 1)
        for number in sorted(relaxed.optional)
    }
    limit = request.time_limit
    share = limit if limit.remaining is None else limit.at_most(FIRST_SHARE * limit.remaining)
    # The searches are others than the one that a checkpoint would be resumed for.
    alone = replace(request, checkpoint=None, resume=None)
    # A gap is one of costs: what is left out is the least, and not nearly.
    least = replace(alone, time_limit=share, options=replace(request.options, gap=0.0))
    free = _variant(_with_free_routes(relaxed, weights), locks)
    known = () if plan is None else columns_of_plan(relaxed, plan)
    start = Start(columns=list(map(free.column_here, known)))
    first = run_search(free, least, start)
    if first.solution is None:
        # Its bound is one of what is left out.
        return replace(
            first, lower_bound=None if first.lower_bound is None else 0, instance=relaxed
        )
    stage = _SecondStage(relaxed, weights, first)
    rest = limit.at_most(0 if first.reason in ENDS_BOTH else math.inf)
    second = run_search(
        _variant(stage.instance, locks), replace(alone, time_limit=rest), stage.start()
    )
    result = stage.result(second, leave_out)
    return result if kept is None else with_change(result, kept)


def _variant(instance: Instance, locks: Sequence[tuple[int, Lock]]) -> Variant:
    return without_equal_kinds(with_locks(instance, locks) if locks else same(instance))


def _with_free_routes(instance: Instance, weights: Mapping[int, Fraction]) -> Instance:
    """Return the instance in which nothing costs but what is left out."""
    free = (
        replace(one, fixed_cost=0, cost_per_distance=0, cost_per_time=0)
        for one in instance.vehicles
    )
    return _with_leave_out_costs(replace(instance, vehicles=tuple(free)), weights)


def _with_leave_out_costs(instance: Instance, costs: Mapping[int, Fraction]) -> Instance:
    customers = tuple(
        replace(one, leave_out_cost=plain(costs[number])) if number in costs else one
        for number, one in enumerate(instance.customers, start=1)
    )
    return replace(instance, customers=customers)


def columns_of_plan(instance: Instance, plan: Solution) -> list[Column]:
    """Return the routes of a plan as columns of an instance with the same kinds of vehicles."""
    return [Column(kind_of(instance, route), route.customers) for route in plan.routes]


def _with_seconds_of(first: SolveResult, statistics: Mapping[str, float]) -> dict[str, float]:
    """Return the counts of the second search, and where the time of both went."""
    spent = {
        name: value for name, value in first.statistics.items() if name.startswith(SECONDS_PREFIX)
    }
    return {name: value + spent.get(name, 0) for name, value in statistics.items()}


class _SecondStage:
    """The search for the cheapest plan, after that for the least to be left out."""

    def __init__(
        self, relaxed: Instance, weights: Mapping[int, Fraction], first: SolveResult
    ) -> None:
        assert first.solution is not None
        self._relaxed = relaxed
        self._weights = weights
        self._first = first
        self._columns = columns_of_plan(relaxed, first.solution)
        served = {stop for column in self._columns for stop in column.route}
        self.left_out = sum(
            (weight for number, weight in weights.items() if number not in served), Fraction(0)
        )
        """By the plan of the first search."""
        self._price = self._price_of_more()
        own = {number: fraction_of(relaxed.leave_out_cost(number)) for number in weights}
        self.instance = _with_leave_out_costs(
            relaxed,
            {number: own[number] + self._price * weight for number, weight in weights.items()},
        )

    def _price_of_more(self) -> Fraction:
        """Return a price of what is left out at which a plan that leaves out more costs more.

        Such a plan leaves out more by a step at least, and the plan of the first search costs so
        much. A multiple of what costs are multiples of keeps it that way.
        """
        step = common_step(self._weights.values())
        cost = fraction_of(plan_cost(self._relaxed, self._columns))
        unit = self._relaxed.cost_step or Fraction(1)
        return unit * math.ceil((cost + 1) / (step or 1) / unit)

    def start(self) -> Start:
        """Return what is known when the second search begins: first of all, a plan."""
        cuts = []
        if self._is_proven and self.left_out:
            weights = {number: float(weight) for number, weight in self._weights.items()}
            cuts.append(LeastLeftOut(weights, float(self.left_out)))
        return Start(
            self._first_plan(),
            cuts=cuts,
            seconds=self._first.seconds,
            unavoidable_cost=plain(self._price * self.left_out),
        )

    def _first_plan(self) -> Solution:
        """Return the plan of the first search in the costs of the second one."""
        plan, instance = self._first.solution, self.instance
        assert plan is not None
        cost = plan_cost(instance, self._columns)
        return replace(
            plan,
            instance_name=instance.name,
            instance_sha256=instance.sha256,
            status="feasible",
            objective=cost,
            lower_bound=0,
            gap=relative_gap(cost, 0),
            routes=tuple(
                on_the_road(instance.of_kind(column.kind), route)
                for column, route in zip(self._columns, plan.routes, strict=True)
            ),
            left_out=tuple(
                LeftOut(one.customer, instance.leave_out_cost(one.customer))
                for one in plan.left_out
            ),
        )

    @property
    def _is_proven(self) -> bool:
        return self._first.status == "optimal"

    def result(self, second: SolveResult, leave_out: LeaveOut) -> SolveResult:
        """Return the result in the costs of the instance that was asked for."""
        assert second.solution is not None
        assert second.lower_bound is not None
        solution, relaxed = second.solution, self._relaxed
        columns = columns_of_plan(relaxed, solution)
        left_out = tuple(
            LeftOut(one.customer, relaxed.leave_out_cost(one.customer)) for one in solution.left_out
        )
        missed = sum((self._weights[one.customer] for one in left_out), Fraction(0))
        cost = plan_cost(relaxed, columns)
        # Of plans that leave out as much. Rounding only lowers it.
        beneath = second.lower_bound
        bound = max(0, min(cost, beneath - plain(self._price * missed)))
        least = fraction_of(self._first.lower_bound or 0)
        is_least = self._is_proven and missed == self.left_out
        is_optimal = is_least and second.status == "optimal"
        assert solution.objective is not None
        if is_optimal and (self.instance.cost_step is not None or beneath >= solution.objective):
            # The difference of two sums of floats misses the last digit.
            bound = cost
        is_optimal = is_optimal and relative_gap(cost, bound) <= PROVEN_GAP
        reason = second.reason
        if self._first.reason in ENDS_BOTH:
            reason = self._first.reason
        elif not is_optimal and reason == "proven":
            reason = "gap" if self._is_proven else self._first.reason
        status: Status = "optimal" if is_optimal else "feasible"
        return replace(
            second,
            status=status,
            reason=reason,
            lower_bound=bound,
            nodes=self._first.nodes + second.nodes,
            exact_checks=self._first.exact_checks + second.exact_checks,
            statistics=_with_seconds_of(self._first, second.statistics),
            solution=replace(
                solution,
                instance_name=relaxed.name,
                instance_sha256=relaxed.sha256,
                status=status,
                objective=cost,
                lower_bound=bound,
                gap=relative_gap(cost, bound),
                left_out=left_out,
            ),
            instance=relaxed,
            least_left_out=LeastLeftOutBound(leave_out, plain(missed), plain(min(least, missed))),
        )
