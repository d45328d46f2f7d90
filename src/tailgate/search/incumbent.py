"""The best plan so far: nothing gets in that the judge has not found valid."""

from __future__ import annotations

import importlib.metadata
import math
import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from tailgate.errors import InputError, TailgateError
from tailgate.instance import Instance
from tailgate.loading import LoadingOracle, Verdict
from tailgate.solution import Route, Solution, Status, read_solution, relative_gap
from tailgate.text_file import source_text
from tailgate.time_limit import TimeLimit
from tailgate.verify import Violation, verify

RoutePath = tuple[int, ...]

_VIOLATIONS_NAMED = 3


class InvalidPlanError(TailgateError):
    """The search came up with a plan that is none: a bug, to be told and never to be shown."""


class Incumbent:
    """Keeps the best plan of one instance, with its loading plans.

    Safe to share between threads. Costs are compared as they are: as integers where distances are.
    """

    def __init__(self, instance: Instance, oracle: LoadingOracle) -> None:
        self._instance = instance
        self._oracle = oracle
        self._best: Solution | None = None
        self._lock = threading.Lock()

    @property
    def cost(self) -> int | float | None:
        """What the best plan costs, or ``None`` if there is none yet."""
        best = self._best
        return None if best is None else best.objective

    @property
    def routes(self) -> tuple[RoutePath, ...]:
        """The routes of the best plan; empty if there is none yet."""
        best = self._best
        return () if best is None else tuple(route.customers for route in best.routes)

    def offer(
        self, routes: Iterable[Sequence[int]], *, time_limit: TimeLimit | None = None
    ) -> bool:
        """Take a plan if it is cheaper than the best so far; tell whether it was taken.

        The routes are known to be loadable, so that the oracle has their plans at hand or finds
        them again; where the time is over before that, the plan is not taken.
        """
        paths = sorted(tuple(route) for route in routes)
        cost = self._total(paths)
        if not self._improves(cost):
            return False
        built = []
        for path in paths:
            route = self._loaded(path, time_limit)
            if route is None:
                return False
            built.append(route)
        candidate = self._solution(tuple(built))
        violations = verify(self._instance, candidate)
        if violations:
            raise InvalidPlanError(
                f"the search found a plan that the judge refuses: {_named(violations)}; this is a "
                "bug in Tailgate, please report it with the instance and the options"
            )
        return self._keep(candidate)

    def from_solution(self, start: Solution | str | os.PathLike[str]) -> bool:
        """Take a given solution, or that of a file, as the first plan: nothing worse is returned.

        It must be valid by its own word and under the instance's conventions, which may differ.
        Returns whether it is better than what was there.
        """
        source = None
        if not isinstance(start, Solution):
            source = source_text(start)
            start = read_solution(start)
        if not start.routes:
            raise InputError(
                f"has no routes to start from: its status is {start.status}; give a solution with "
                "routes, or none",
                source=source,
                field="routes",
            )
        violations = verify(self._instance, start)
        if violations:
            raise InputError(
                f"is no solution of this instance: {_named(violations)}; list all with: tailgate "
                "verify INSTANCE SOLUTION",
                source=source,
            )
        candidate = self._solution(
            tuple(
                replace(route, cost=self._instance.route_cost(route.customers))
                for route in start.routes
            )
        )
        # The file's own scale: it may be finer than the instance's.
        candidate = replace(candidate, units=start.units)
        violations = verify(self._instance, candidate)
        if violations:
            raise InputError(
                "is a solution under other conventions, and none under those of this run: "
                f"{_named(violations)}; state the conventions under which it was found, or leave "
                "it out",
                source=source,
            )
        return self._keep(candidate)

    def solution(
        self,
        status: Status,
        lower_bound: int | float,
        *,
        seed: int = 0,
        seconds: float = 0.0,
        options: Mapping[str, object] | None = None,
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
            solver=solver_entry(seed=seed, seconds=seconds, options=options),
        )

    def _improves(self, cost: int | float) -> bool:
        best = self.cost
        return best is None or cost < best

    def _keep(self, candidate: Solution) -> bool:
        with self._lock:
            # Asked once more: another thread may have been faster.
            if candidate.objective is None or not self._improves(candidate.objective):
                return False
            self._best = candidate
            return True

    def _loaded(self, path: RoutePath, time_limit: TimeLimit | None) -> Route | None:
        """Return the route with its loading plan, or ``None`` if the time was too short for it."""
        remaining = None if time_limit is None else time_limit.remaining
        result = self._oracle.check(path, time_limit=remaining)
        if result.verdict is not Verdict.FEASIBLE:
            is_late = time_limit is not None and time_limit.expired
            if result.verdict is Verdict.UNKNOWN and is_late:
                return None
            raise InvalidPlanError(
                f"the search uses the route {'-'.join(map(str, path))}, whose loading is "
                f"{result.verdict.value}; this is a bug in Tailgate, please report it with the "
                "instance and the options"
            )
        customers = [self._instance.customer(number) for number in path]
        return Route(
            customers=path,
            cost=self._instance.route_cost(path),
            weight=sum(customer.weight for customer in customers),
            area=sum(customer.area for customer in customers),
            placements=result.placements,
        )

    def _solution(self, routes: tuple[Route, ...]) -> Solution:
        instance = self._instance
        return Solution(
            instance_name=instance.name,
            instance_sha256=instance.sha256,
            conventions=instance.conventions,
            status="feasible",
            objective=_sum([route.cost for route in routes]),
            lower_bound=None,
            gap=None,
            routes=routes,
            units=instance.units,
        )

    def _total(self, paths: Iterable[RoutePath]) -> int | float:
        return _sum([self._instance.route_cost(path) for path in paths])


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
    return Solution(
        instance_name=instance.name,
        instance_sha256=instance.sha256,
        conventions=instance.conventions,
        status=status,
        objective=None,
        lower_bound=lower_bound,
        gap=None,
        routes=(),
        solver=solver_entry(seed=seed, seconds=seconds, options=options),
        units=instance.units,
    )


def solver_entry(
    *, seed: int, seconds: float, options: Mapping[str, object] | None
) -> dict[str, object]:
    """Return what a solution file says about its making."""
    return {
        "version": importlib.metadata.version("tailgate"),
        "seed": seed,
        "options": dict(options or {}),
        "seconds": seconds,
    }


def _sum(costs: Sequence[int | float]) -> int | float:
    """Add up exactly: whole costs as integers, others so that their order does not matter."""
    if all(isinstance(cost, int) for cost in costs):
        return sum(costs)
    return math.fsum(costs)


def _named(violations: Sequence[Violation]) -> str:
    named = "; ".join(str(violation) for violation in violations[:_VIOLATIONS_NAMED])
    more = len(violations) - _VIOLATIONS_NAMED
    return f"{named}; and {more} more" if more > 0 else named
