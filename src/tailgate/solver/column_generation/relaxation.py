"""What column generation is asked for, and what it answers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from tailgate.solver.column_generation.lagrangian import Lagrangian
from tailgate.solver.master import Edge, MasterSolution, Row

Outcome = Literal["converged", "time_limit", "infeasible", "cut_off", "undecided"]
"""Cut off: the bound has reached the cutoff, and the rest is of no interest. Undecided: a loading
query that must be answered is beyond the oracle's memory."""


@dataclass(frozen=True, slots=True)
class Subproblem:
    """A part of the solutions: those that keep these rows and avoid these edges.

    And that serve or leave out these optional customers, let some kinds of vehicles not come to
    some customers, and use so many vehicles of each kind.
    """

    rows: tuple[Row, ...] = ()
    forbidden_edges: frozenset[Edge] = frozenset()
    lower_bound: float = 0.0
    """What is known already: none of its solutions costs less. No distance is negative."""
    cutoff: float = math.inf
    """Solutions that cost as much or more are of no interest."""
    served: frozenset[int] = frozenset()
    """Optional customers that are served."""
    left_out: frozenset[int] = frozenset()
    """Optional customers that are left out."""
    refused: frozenset[tuple[int, int]] = frozenset()
    """(customer, kind): no vehicle of the kind comes to the customer."""
    vehicle_limits: tuple[tuple[int, int], ...] | None = None
    """By kind: so many vehicles are used, at least and at most; None: as the instance says."""

    @property
    def is_unrestricted(self) -> bool:
        """Whether all solutions are in it."""
        return (
            not (self.rows or self.forbidden_edges or self.served or self.left_out or self.refused)
            and self.vehicle_limits is None
        )

    def refused_by(self, kind: int) -> frozenset[int]:
        """Return the customers to whom no vehicle of a kind comes, left out or not."""
        return self.left_out.union(stop for stop, own in self.refused if own == kind)


@dataclass(frozen=True, slots=True)
class Relaxation:
    """What is known of a subproblem after column generation."""

    outcome: Outcome
    lower_bound: float
    """No solution of the subproblem costs less, whatever the outcome."""
    solution: MasterSolution | None
    """Of the last master problem; optimal over all routes only if converged."""
    lagrangian: Lagrangian | None
    """Of the last pricing that was complete."""
