"""The lazy screen: routes that are predicted infeasible wait until nothing else is left."""

from __future__ import annotations

from tailgate.loading import LoadingOracle
from tailgate.pricing import Pricer
from tailgate.screening.predicting import PredictingScreen, RouteGuess
from tailgate.screening.proving import Look
from tailgate.screening.screen import RoutePath, ScreenedRoutes
from tailgate.time_limit import TimeLimit

LIKELY = 0.1
"""A network's own threshold weighs a check against a cut. Here a route that is glanced at in vain
costs little, and one that waits although it can be loaded costs rounds: only a clear no counts."""
POSTPONED_PER_ROUND = 300
"""After so many in one round the network is doubted: refuting one route rules out many others,
postponing it does not, and there may be any number of them."""


class LazyScreen(PredictingScreen):
    """Saves the proofs of routes that are infeasible, but of interest under early duals only.

    A route that is predicted infeasible is set aside without a check. It is looked at if it still
    has a negative reduced cost when nothing else prices out. One that is predicted feasible is
    glanced at, since that is cheap and an infeasible column spoils the duals; where the glance does
    not tell, the network is believed until the column comes into use.
    """

    threshold = LIKELY

    def __init__(
        self, pricer: Pricer, oracle: LoadingOracle, predictor: RouteGuess | None = None
    ) -> None:
        super().__init__(pricer, oracle, predictor)
        self._postponed_in_round = 0

    def find_columns(self, threshold: float, time_limit: TimeLimit) -> ScreenedRoutes:
        """Return routes that may enter; those that are predicted infeasible come last."""
        self._postponed_in_round = 0
        return super().find_columns(threshold, time_limit)

    def _look_at(self, route: RoutePath, time_limit: TimeLimit) -> Look:
        likely = self._predicts_feasible(route)
        if not likely and self._may_postpone:
            self._postponed_in_round += 1
            self._unchecked.add(route)
            return Look.POSTPONED
        look = self._glance_at(route, time_limit)
        if look is Look.UNKNOWN and likely:
            self._doubt(route)
            return Look.COLUMN
        return look

    @property
    def _may_postpone(self) -> bool:
        return not self._nothing_else_prices_out and self._postponed_in_round < POSTPONED_PER_ROUND
