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
    """A part of the solutions: those that keep these rows and avoid these edges."""

    rows: tuple[Row, ...] = ()
    forbidden_edges: frozenset[Edge] = frozenset()
    lower_bound: float = 0.0
    """What is known already: none of its solutions costs less. No distance is negative."""
    cutoff: float = math.inf
    """Solutions that cost as much or more are of no interest."""

    @property
    def is_unrestricted(self) -> bool:
        """Whether all solutions are in it."""
        return not self.rows and not self.forbidden_edges


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
