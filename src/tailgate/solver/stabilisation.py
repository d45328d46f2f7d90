"""Dual smoothing: duals that are good from the beginning, and that do not leap.

The master's early duals leap: they promise so much for some customers that pricing makes too many
labels, and its bound says nothing. A relaxation over walks is solved within seconds and gives a
bound and duals to begin with. Pricing then asks with duals between the best so far and those of
the master (Wentges 1997). Any duals give a valid bound.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tailgate.solver.column import Column
from tailgate.solver.master import MasterError, MasterSolution, RestrictedMaster
from tailgate.solver.time_limit import TimeLimit

FIRST_SHARE = 0.8
"""Of the best duals so far, in those that pricing is asked with."""
LAST_SHARE = 0.1
NEARLY_EQUAL = 1e-3
"""Of the master's value: the bound has all but reached it."""


@dataclass(frozen=True, slots=True)
class Centre:
    """The duals with the best bound so far."""

    duals: tuple[float, ...]
    fleet_duals: tuple[float, ...]
    bound: float

    def smoothed(self, solution: MasterSolution, share: float) -> MasterSolution:
        """Return a solution with duals between these and its own."""
        if share == 0.0:
            return solution
        return replace(
            solution,
            duals=_between(self.duals, solution.duals, share),
            fleet_duals=_between(self.fleet_duals, solution.fleet_duals, share),
        )

    def is_near(self, value: float) -> bool:
        """Return whether the bound has all but reached a value."""
        return value - self.bound <= NEARLY_EQUAL * abs(value)


def _between(mine: tuple[float, ...], others: tuple[float, ...], share: float) -> tuple[float, ...]:
    pairs = zip(mine, others, strict=True)
    return tuple(share * own + (1 - share) * other for own, other in pairs)


def lower_share(share: float) -> float:
    """Return the share to ask with after one without success."""
    lower = 2 * share - 1
    return lower if lower >= LAST_SHARE else 0.0


def ascend(
    master: RestrictedMaster,
    ask: Callable[[MasterSolution], tuple[list[Column], Centre]],
    time_limit: TimeLimit,
) -> Centre | None:
    """Generate walks for a master until they improve next to nothing; return the best duals.

    Asked with duals, `ask` returns cheap walks and the bound of these duals. None: there was no
    time for anything.
    """
    centre: Centre | None = None
    try:
        while (solution := master.solve(time_limit)) is not None:
            share = FIRST_SHARE
            while True:
                asked = solution if centre is None else centre.smoothed(solution, share)
                walks, found = ask(asked)
                if centre is None or found.bound > centre.bound:
                    centre = found
                if centre.is_near(solution.value) or time_limit.expired:
                    return centre
                if master.add(walks):
                    break
                if share == 0.0:
                    return centre
                share = lower_share(share)
    except MasterError:
        pass  # what is found by then is as good as it is
    return centre
