"""Who watches column generation while it works."""

from __future__ import annotations

from dataclasses import dataclass

from tailgate.solver.master import MasterSolution


@dataclass(frozen=True, slots=True)
class Step:
    """What column generation does next, and what it has proven so far."""

    doing: str
    lower_bound: float = 0.0


class Watcher:
    """Hears of every step, and may lower the cutoff between two rounds; this one does nothing."""

    def on_step(self, step: Step) -> None:
        """Take note of a step: an exception later does not take its bound back."""

    def on_proven(self, solution: MasterSolution) -> None:
        """Take note of a solution of the master problem whose routes are all proven."""

    def on_round(self, solution: MasterSolution, cutoff: float) -> float:
        """Do something between two rounds; return the cutoff from now on."""
        del solution
        return cutoff
