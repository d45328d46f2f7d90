"""What the screens with a network have in common: predictions, and how they turned out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from tailgate.loading import LoadingOracle, Verdict
from tailgate.network import Predictor
from tailgate.pricing import Pricer
from tailgate.screening.proving import ProvingScreen
from tailgate.screening.screen import RoutePath
from tailgate.time_limit import TimeLimit


class RouteGuess(Protocol):
    """Guesses whether a route can be loaded. It may be wrong, and it may change its mind."""

    @property
    def calls(self) -> int:
        """How many routes it was asked about."""

    @property
    def seconds(self) -> float:
        """How long that took."""

    def predicts_feasible(self, route: Sequence[int]) -> bool:
        """Tell whether it takes a route for feasible."""


class PredictingScreen(ProvingScreen):
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
        self.predictor = predictor
        self._predictions: dict[RoutePath, bool] = {}
        self._unchecked: set[RoutePath] = set()
        """Routes that were let in or postponed, and about which the oracle was never asked."""
        self._false_positives: set[RoutePath] = set()
        self._false_negatives: set[RoutePath] = set()
        self._false_positive_cuts = 0

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

    def refuted(
        self, support: Mapping[RoutePath, float], time_limit: TimeLimit
    ) -> tuple[RoutePath, ...]:
        """Prove what is in use, and count the columns that the network has let in wrongly."""
        refuted = super().refuted(support, time_limit)
        self._false_positive_cuts += sum(route in self._false_positives for route in refuted)
        return refuted

    @property
    def network_calls(self) -> int:
        """How often the network was asked."""
        return self.predictor.calls

    @property
    def network_seconds(self) -> float:
        """How long that took."""
        return self.predictor.seconds

    @property
    def false_positive_cuts(self) -> int:
        """How many columns that the network took for feasible were taken out again."""
        return self._false_positive_cuts

    @property
    def statistics(self) -> dict[str, float]:
        """How the predictions turned out, as far as anybody has looked."""
        return {
            "network_calls": self.network_calls,
            "predicted_feasible": sum(self._predictions.values()),
            "predicted_infeasible": len(self._predictions) - sum(self._predictions.values()),
            "false_positives": len(self._false_positives),
            "false_negatives": len(self._false_negatives),
            "false_positive_cuts": self._false_positive_cuts,
            "checks_saved": len(self._unchecked),
        }
