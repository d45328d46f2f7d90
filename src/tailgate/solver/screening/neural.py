"""The screen of the paper: the network lets routes in, the oracle looks at those it refuses."""

from __future__ import annotations

from tailgate.model.aliases import RoutePath
from tailgate.solver.screening.predicting import PredictingScreen
from tailgate.solver.screening.screen import Look
from tailgate.solver.time_limit import TimeLimit


class NeuralScreen(PredictingScreen):
    """Saves the checks of routes that are predicted feasible, unless they come into use.

    One that is in use and cannot be loaded is taken out and forbidden: a false-positive cut. False
    negatives do no harm, for routes that are predicted infeasible are checked.
    """

    def _look_at(self, route: RoutePath, time_limit: TimeLimit) -> Look:
        if not self._predicts_feasible(route):
            return self._check_quickly(route, time_limit)
        self._doubt(route)
        self._unchecked.add(route)
        return Look.COLUMN
