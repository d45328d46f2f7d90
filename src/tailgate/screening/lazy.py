"""The lazy screen: routes that are predicted infeasible wait until nothing else is left."""

from __future__ import annotations

from tailgate.screening.predicting import PredictingScreen
from tailgate.screening.proving import Look
from tailgate.screening.screen import RoutePath
from tailgate.time_limit import TimeLimit


class LazyScreen(PredictingScreen):
    """Saves the proofs of routes that are infeasible, but of interest under early duals only.

    A route that is predicted infeasible is set aside without a check. It is looked at if it still
    has a negative reduced cost when nothing else prices out. One that is predicted feasible is
    glanced at, since that is cheap and an infeasible column spoils the duals; where the glance does
    not tell, the network is believed until the column comes into use.
    """

    def _look_at(self, route: RoutePath, time_limit: TimeLimit) -> Look:
        likely = self._predicts_feasible(route)
        if not likely and not self._nothing_else_prices_out:
            self._unchecked.add(route)
            return Look.POSTPONED
        look = self._glance_at(route, time_limit)
        if look is Look.UNKNOWN and likely:
            return Look.COLUMN
        return look
