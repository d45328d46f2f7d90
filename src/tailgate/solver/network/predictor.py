"""The network for one instance: a guess in microseconds whether a route can be loaded."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tailgate import _core
from tailgate.model.aliases import PathLike
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.solver.network.features import CUSTOMER_FEATURES, ROUTE_FEATURES
from tailgate.solver.network.weights import Weights, read_weights


class Predictor:
    """Answers quickly and may be wrong. Not to be shared between threads."""

    def __init__(
        self,
        instance: Instance,
        weights: Weights | PathLike | None = None,
        *,
        threshold: float | None = None,
    ) -> None:
        """Prepare what depends on single customers.

        Parameters
        ----------
        instance
            Whose routes are asked about.
        weights
            Those of a network, the file of some, or the name of a network of the package; its
            default if None.
        threshold
            Probability from which a route is predicted feasible; that of the weights if None.
        """
        self.weights = weights if isinstance(weights, Weights) else read_weights(weights)
        self.threshold = self.weights.threshold if threshold is None else threshold
        self.calls = 0
        """How many routes it was asked about."""
        self.seconds = 0.0
        started = time.perf_counter()
        width, length = instance.vehicle.width, instance.vehicle.length
        # Networks know nothing of turning: what fits one way only is shown to them so, and all else
        # as it is given.
        items = [
            [
                (item.width / width, item.length / length)
                if item.fits(width, length, may_turn=False) or not instance.may_turn(item)
                else (item.length / width, item.width / length)
                for item in customer.items
            ]
            for customer in instance.customers
        ]
        if self.weights.item_order == "sorted":
            items = [sorted(own, reverse=True) for own in items]
        features = [CUSTOMER_FEATURES[name] for name in self.weights.customer_features]
        terms = [ROUTE_FEATURES[name] for name in self.weights.route_features]
        try:
            network = _core.Network(
                tensors=dict(self.weights.tensors),
                step_per_customer=self.weights.architecture == "invariant",
                heads=self.weights.heads,
            )
            self._core = _core.RoutePredictor(
                network,
                items=[[share for item in own for share in item] for own in items],
                features=[[feature(own) for feature in features] for own in items],
                terms=[[term(own) for term in terms] for own in items],
            )
        except ValueError as error:
            raise InputError(str(error), source=self.weights.source) from error
        self._customers = instance.n
        self._add_time(started)

    @property
    def core(self) -> _core.RoutePredictor:
        """The compiled predictor, for other parts of the core; they take a copy."""
        return self._core

    def logit_at(self, probability: float) -> float:
        """Return what the compiled predictor says at a probability between zero and one."""
        return self.weights.temperature * math.log(probability / (1 - probability))

    def probability(self, route: Sequence[int]) -> float:
        """Return how likely it is that a route (customers in visiting order) can be loaded."""
        started = time.perf_counter()
        try:
            logit = self._core.logit(route)
        except IndexError as error:
            raise self._no_such_customer(error) from error
        self.calls += 1
        result = _sigmoid(logit / self.weights.temperature)
        self._add_time(started)
        return result

    def probabilities(self, routes: Sequence[Sequence[int]]) -> npt.NDArray[np.float64]:
        """Return those of many routes, with less work than one after another."""
        started = time.perf_counter()
        try:
            logits = self._core.logits(routes)
        except IndexError as error:
            raise self._no_such_customer(error) from error
        self.calls += len(logits)
        temperature = self.weights.temperature
        result = np.array([_sigmoid(logit / temperature) for logit in logits], float)
        self._add_time(started)
        return result

    def predicts_feasible(self, route: Sequence[int]) -> bool:
        """Tell whether the network takes a route for feasible."""
        return self.probability(route) >= self.threshold

    def _add_time(self, started: float) -> None:
        self.seconds += time.perf_counter() - started

    def _no_such_customer(self, error: IndexError) -> InputError:
        return InputError(f"{error}; customers are 1 to {self._customers}", field="route")


def _sigmoid(x: float) -> float:
    # Twice, so that neither end overflows.
    if x >= 0:
        return 1 / (1 + math.exp(-x))
    return math.exp(x) / (1 + math.exp(x))
