"""What a run of column generation at the root reports: while it runs, and at its end."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from tailgate.model.aliases import RoutePath
from tailgate.model.conventions import Conventions
from tailgate.model.notebook_display import NotebookDisplay

Status = Literal[
    "converged",
    "time_limit",
    "interrupted",
    "undecided",
    "memory_limit",
    "lp_failure",
    "infeasible",
]
"""Undecided: a loading query that had to be answered is beyond the oracle's memory."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work has come."""

    iteration: int
    lp_value: float | None
    lower_bound: float
    columns: int
    exact_checks: int
    seconds: float
    doing: str


@dataclass(frozen=True, slots=True)
class BoundResult(NotebookDisplay):
    """The root relaxation, or what is known of it at a limit.

    Parameters
    ----------
    status : str
        Whether column generation has converged, or what has ended it.
    lp_value : float, optional
        Value of the last master problem that uses proven routes only; it is a bound only if
        converged.
    lower_bound : float, optional
        No solution costs less, whatever the status; ``None`` if there is no solution.
    iterations : int
        How often the master problem was solved.
    columns : int
        Routes in the master problem.
    exact_checks : int
        Loading checks that were made.
    checks_feasible : int
        How many of them found a loading plan.
    checks_infeasible : int
        How many of them proved that there is none.
    checks_unknown : int
        How many of them reached a limit; no result rests on them.
    network_calls : int
        Routes whose verdict a network has predicted.
    false_positive_cuts : int
        Routes that were removed from the master problem after a wrong prediction.
    seconds : dict
        Where the time went.
    support : tuple
        The routes in use where there is an LP value, and the value of each.
    conventions : Conventions
        The rules of the instance.
    statistics : dict
        Counts and seconds of pricing, loading and screening in detail.
    cost_unit : str
        The unit of bound and LP value, where the instance names it.
    vehicles : tuple of str
        The kind of vehicle of each route in ``support``, where there are several kinds.
    left_out : tuple
        The customers that are left out, if any may be, and how much of each.

    Examples
    --------
    >>> import tailgate
    >>> instance = tailgate.generate_instance(6, 2, seed=1)
    >>> for customers, value in tailgate.bound(instance).support:
    ...     print(sorted(customers), round(value, 3))
    [1, 2, 3, 4, 5, 6] 1.0
    """

    status: Status
    lp_value: float | None
    lower_bound: float | None
    iterations: int
    columns: int
    exact_checks: int
    checks_feasible: int
    checks_infeasible: int
    checks_unknown: int
    network_calls: int
    false_positive_cuts: int
    seconds: dict[str, float]
    support: tuple[tuple[RoutePath, float], ...]
    conventions: Conventions
    statistics: dict[str, float]
    cost_unit: str = ""
    vehicles: tuple[str, ...] = ()
    left_out: tuple[tuple[int, float], ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return what ``tailgate bound --json`` prints."""
        plain = {one.name: getattr(self, one.name) for one in fields(self)}
        for name in ("cost_unit", "vehicles", "left_out"):
            del plain[name]
        support: list[dict[str, object]] = [
            {"customers": list(route), "value": value} for route, value in self.support
        ]
        if self.vehicles:
            for entry, vehicle in zip(support, self.vehicles, strict=True):
                entry["vehicle"] = vehicle
        plain |= {"conventions": self.conventions.to_dict(), "support": support}
        if self.left_out:
            left_out = [{"customer": stop, "value": value} for stop, value in self.left_out]
            plain["left_out"] = left_out
        return plain
