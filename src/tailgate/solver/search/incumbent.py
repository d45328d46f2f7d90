"""The best plan so far: nothing gets in that the judge has not found valid."""

from __future__ import annotations

import importlib.metadata
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from tailgate.io import read_solution
from tailgate.io.text_file import source_text
from tailgate.model.aliases import PathLike
from tailgate.model.errors import InputError, TailgateError
from tailgate.model.instance import Instance
from tailgate.model.judge import Violation, verify
from tailgate.model.solution import LeftOut, Route, Solution, Status, relative_gap
from tailgate.solver.column import Column, views_of
from tailgate.solver.loading import LoadingOracle, Verdict, on_the_road, planned_route
from tailgate.solver.search.cost_rounding import CostRounding
from tailgate.solver.search.plans import left_out_by, plan_cost
from tailgate.solver.time_limit import TimeLimit

_VIOLATIONS_NAMED = 3


class InvalidPlanError(TailgateError):
    """The search came up with a plan that is none: a bug, to be reported and never to be shown."""


class Incumbent:
    """Keeps the best plan of one instance, with its loading plans.

    Costs are compared as they are: as integers where distances are.
    """

    def __init__(self, instance: Instance, oracles: Sequence[LoadingOracle]) -> None:
        """Take a loading oracle for each kind of vehicle."""
        self._instance = instance
        self._views = views_of(instance)
        self._oracles = oracles
        self._rounding = CostRounding(instance)
        self._best: Solution | None = None

    @property
    def cost(self) -> int | float | None:
        """What the best plan costs, or ``None`` if there is none yet."""
        best = self._best
        return None if best is None else best.objective

    @property
    def cutoff(self) -> float:
        """A part of the solutions whose bound is there holds nothing better than the best plan."""
        cost = self.cost
        return math.inf if cost is None else self._rounding.below(cost)

    def offer(self, columns: Iterable[Column], *, time_limit: TimeLimit | None = None) -> bool:
        """Take a plan if it is cheaper than the best so far; return whether it was taken.

        The routes are known to be loadable, so that the oracle has their plans at hand or finds
        them again; where the time is over before that, the plan is not taken.
        """
        plan = sorted(columns)
        if not self._improves(plan_cost(self._instance, plan)):
            return False
        built = []
        for column in plan:
            route = self._loaded(column, time_limit)
            if route is None:
                return False
            built.append(route)
        candidate = self._plan(built)
        violations = verify(self._instance, candidate)
        if violations:
            raise InvalidPlanError(
                f"the search found a plan that the judge refuses: {named(violations)}; this is a "
                "bug in Tailgate, please report it with the instance and the options"
            )
        return self._keep(candidate)

    def from_solution(self, start: Solution | PathLike, *, source: str | None = None) -> bool:
        """Take a given solution, or that of a file, as the first plan: nothing worse is returned.

        It must be valid by its own word and under the instance's conventions, which may differ.
        Returns whether it is better than what was there. Errors name the source.
        """
        if not isinstance(start, Solution):
            source = source_text(start)
            start = read_solution(start)
        if not start.routes and not start.left_out:
            raise InputError(
                f"has no routes to start from: its status is {start.status}; give a solution with "
                "routes, or none",
                source=source,
                field="routes",
            )
        violations = verify(self._instance, start)
        if violations:
            raise InputError(
                f"is no solution of this instance: {named(violations)}; verify lists all of them",
                source=source,
            )
        routes = [on_the_road(self._views[self._kind(route)], route) for route in start.routes]
        # The file's own scale: it may be finer than the instance's.
        own = self._instance.units
        units = replace(
            start.units, time_unit=own.time_unit, cost_unit=own.cost_unit, clock=own.clock
        )
        candidate = replace(self._plan(routes), units=units)
        violations = verify(self._instance, candidate)
        if violations:
            raise InputError(
                "is a solution under other conventions, and none under those of this run: "
                f"{named(violations)}; state the conventions under which it was found, or leave "
                "it out",
                source=source,
            )
        return self._keep(candidate)

    def solution(
        self, status: Status, lower_bound: int | float, solver: dict[str, object] | None = None
    ) -> Solution | None:
        """Return the best plan with what is proven about it, or ``None`` if there is none yet.

        A bound above the cost can only be above it by rounding, or by a mistake: ``SolveResult``
        and the judge tell which.
        """
        best = self._best
        if best is None or best.objective is None:
            return None
        return replace(
            best,
            status=status,
            lower_bound=lower_bound,
            gap=relative_gap(best.objective, lower_bound),
            solver=solver_entry() if solver is None else solver,
        )

    def _improves(self, cost: int | float) -> bool:
        best = self.cost
        return best is None or cost < best

    def _keep(self, candidate: Solution) -> bool:
        if candidate.objective is None or not self._improves(candidate.objective):
            return False
        self._best = candidate
        return True

    def _loaded(self, column: Column, time_limit: TimeLimit | None) -> Route | None:
        """Return the route with its loading plan, or ``None`` if the time was too short for it."""
        kind, path = column
        remaining = None if time_limit is None else time_limit.remaining
        result = self._oracles[kind].check(path, time_limit=remaining)
        if result.verdict is not Verdict.FEASIBLE:
            is_late = time_limit is not None and time_limit.expired
            if result.verdict is Verdict.UNKNOWN and is_late:
                return None
            raise InvalidPlanError(
                f"the search uses the route {'-'.join(map(str, path))}, whose loading is "
                f"{result.verdict.value}; this is a bug in Tailgate, please report it with the "
                "instance and the options"
            )
        return planned_route(self._views[kind], path, result.placements)

    def _kind(self, route: Route) -> int:
        return self._instance.kind_named(route.vehicle) if self._instance.has_kinds else 0

    def _plan(self, routes: Sequence[Route]) -> Solution:
        columns = [Column(self._kind(route), route.customers) for route in routes]
        left_out = tuple(
            LeftOut(number, self._instance.leave_out_cost(number))
            for number in left_out_by(self._instance, columns)
        )
        cost = plan_cost(self._instance, columns)
        return replace(
            _solution(self._instance, "feasible", cost, None, tuple(routes)), left_out=left_out
        )


def judged_plan(instance: Instance, plan: Solution | PathLike) -> Solution | None:
    """Return a given solution, or that of a file, under the instance's conventions.

    Errors say what is wrong with it.
    """
    best = Incumbent(instance, ())
    best.from_solution(plan)
    return best.solution("feasible", 0)


def solution_without_routes(
    instance: Instance,
    status: Status,
    lower_bound: int | float | None,
    *,
    seed: int = 0,
    seconds: float = 0.0,
    options: Mapping[str, object] | None = None,
) -> Solution:
    """Return what a solution file says where no plan was found, or where there is none."""
    solver = solver_entry(seed=seed, seconds=seconds, options=options)
    return replace(_solution(instance, status, None, lower_bound, ()), solver=solver)


def _solution(
    instance: Instance,
    status: Status,
    objective: int | float | None,
    lower_bound: int | float | None,
    routes: tuple[Route, ...],
) -> Solution:
    return Solution(
        instance_name=instance.name,
        instance_sha256=instance.sha256,
        conventions=instance.conventions,
        status=status,
        objective=objective,
        lower_bound=lower_bound,
        gap=None,
        routes=routes,
        units=instance.units,
    )


def solver_entry(
    *, seed: int = 0, seconds: float = 0.0, options: Mapping[str, object] | None = None
) -> dict[str, object]:
    """Return what a solution file says about its making."""
    return {
        "version": _version(),
        "seed": seed,
        "options": dict(options or {}),
        "seconds": seconds,
    }


@cache
def _version() -> str:
    """Return the version of the package; where it stands is read but once."""
    return importlib.metadata.version("tailgate")


def named(violations: Sequence[Violation]) -> str:
    """Return the first of several violations."""
    named = "; ".join(str(violation) for violation in violations[:_VIOLATIONS_NAMED])
    more = len(violations) - _VIOLATIONS_NAMED
    return f"{named}; and {more} more" if more > 0 else named
