"""What the screens with a network have in common: predictions, and how they turned out."""

from __future__ import annotations

from tailgate.model.aliases import RoutePath
from tailgate.solver.loading import LoadingOracle, Verdict
from tailgate.solver.network import Predictor
from tailgate.solver.pricing import Pricer
from tailgate.solver.screening.screen import RouteGuess, Screen
from tailgate.solver.time_limit import TimeLimit


class PredictingScreen(Screen):
    """Asks a network first. What it says changes the effort, never the result."""

    threshold: float | None = None
    """How likely a route must be to count as predicted feasible; None: the network says that."""

    def __init__(
        self, pricer: Pricer, oracle: LoadingOracle, predictor: RouteGuess | None = None
    ) -> None:
        """Take a predictor, or the network that comes with the package."""
        super().__init__(pricer, oracle)
        if predictor is None:
            predictor = Predictor(oracle.instance, threshold=self.threshold)
        self.predictor: RouteGuess = predictor
        self._predictions: dict[RoutePath, bool] = {}
        self._unchecked: set[RoutePath] = set()
        """Routes that were let in or postponed, and about which the oracle was never asked."""
        self._false_negatives: set[RoutePath] = set()

    def _predicts_feasible(self, route: RoutePath) -> bool:
        """Return what the network says; it is asked once."""
        prediction = self._predictions.get(route)
        if prediction is None:
            prediction = self.predictor.predicts_feasible(route)
            self._predictions[route] = prediction
        return prediction

    def _check(self, route: RoutePath, max_nodes: int | None, time_limit: TimeLimit) -> Verdict:
        """Ask the oracle, and note whether the network was right."""
        verdict = super()._check(route, max_nodes, time_limit)
        self._unchecked.discard(route)
        prediction = self._predictions.get(route)
        if prediction is True and verdict is Verdict.INFEASIBLE:
            self._false_positives.add(route)
        if prediction is False and verdict is Verdict.FEASIBLE:
            self._false_negatives.add(route)
        return verdict

    @property
    def statistics(self) -> dict[str, float]:
        """How the predictions turned out, as far as anybody has looked."""
        return {
            "network_calls": self.network_calls,
            "predicted_feasible": sum(self._predictions.values()),
            "predicted_infeasible": len(self._predictions) - sum(self._predictions.values()),
            "false_positives": len(self._false_positives),
            "false_negatives": len(self._false_negatives),
            "false_positive_cuts": self.false_positive_cuts,
            "checks_saved": len(self._unchecked),
        }
