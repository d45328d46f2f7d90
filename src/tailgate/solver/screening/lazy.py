"""The lazy screen: routes that are predicted infeasible wait until nothing else is left."""

from __future__ import annotations

from tailgate.model.aliases import RoutePath
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.network import Predictor
from tailgate.solver.pricing import Pricer
from tailgate.solver.screening.predicting import PredictingScreen
from tailgate.solver.screening.screen import Look, RouteGuess, ScreenedRoutes
from tailgate.solver.time_limit import TimeLimit

LIKELY = 0.1
"""A network's own threshold weighs a check against a cut. Here a quick check without success
costs little, and one that waits although it can be loaded costs rounds: only a clear no counts."""
SURE = 0.9
"""What a quick check leaves open is seldom loadable, and a column in doubt may take long."""
LOADABLE = 0.2
"""From here on a part of an infeasible route is not tried as its core."""
MIN_QUICK_CHECKS = 10
EXPENSIVE_MEAN_NODES = 100
"""Mean nodes of quick checks without success, from which on waiting pays: where a refusal is cheap,
what it rules out in pricing is worth more than the check."""
POSTPONED_PER_ROUND = 300
"""After so many in one round the network is doubted: refuting one route rules out many others,
postponing it does not, and there may be any number of them."""


class LazyScreen(PredictingScreen):
    """Saves the proofs of routes that are infeasible, but of interest under early duals only.

    A route that is predicted infeasible is deferred without a check, where checks are expensive. It
    is looked at if it still has a negative reduced cost when nothing else prices out. One that is
    predicted feasible is checked quickly, since that is cheap and an infeasible column spoils the
    duals; where that does not decide, a network that is sure is believed until the column comes
    into use. The network also says which parts of a refuted route are worth a try as its core.
    """

    threshold = LIKELY

    def __init__(
        self, pricer: Pricer, oracle: LoadingOracle, predictor: RouteGuess | None = None
    ) -> None:
        super().__init__(pricer, oracle, predictor)
        self._postponed_in_round = 0
        if isinstance(self.predictor, Predictor):
            self.guide = self.predictor
            oracle.guess_cores(self.predictor, loadable=LOADABLE)

    def price_and_screen(self, threshold: float, time_limit: TimeLimit) -> ScreenedRoutes:
        """Return routes that may enter; those that are predicted infeasible come last."""
        self._postponed_in_round = 0
        return super().price_and_screen(threshold, time_limit)

    def _look_at(self, route: RoutePath, time_limit: TimeLimit) -> Look:
        likely = self._predicts_feasible(route)
        if not likely and self._may_postpone:
            self._postponed_in_round += 1
            self._unchecked.add(route)
            return Look.POSTPONED
        look = self._check_quickly(route, time_limit)
        if look is Look.UNKNOWN and likely and self._is_sure_of(route):
            self._doubt(route)
            return Look.COLUMN
        return look

    @property
    def _may_postpone(self) -> bool:
        return (
            not self._nothing_else_prices_out
            and self._postponed_in_round < POSTPONED_PER_ROUND
            and (
                self._failed_checks < MIN_QUICK_CHECKS
                or self._failed_check_nodes >= EXPENSIVE_MEAN_NODES * self._failed_checks
            )
        )

    def _is_sure_of(self, route: RoutePath) -> bool:
        """Return whether the network is believed though a quick check has not shown it right."""
        return self.guide is None or self.guide.probability(route) >= SURE
