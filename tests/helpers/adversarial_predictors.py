"""Predictors that are wrong on purpose: a screen must give the same result with any of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tailgate.model.instance import Instance
from tailgate.solver.loading import LoadingOracle, Verdict

PredictorMaker = Callable[[Instance], "MadeUpPredictor"]


class MadeUpPredictor:
    """Says what it is made to say."""

    def __init__(self, predict: Callable[[tuple[int, ...]], bool]) -> None:
        self.calls = 0
        self.seconds = 0.0
        self._predict = predict

    def predicts_feasible(self, route: Sequence[int]) -> bool:
        """Say so."""
        self.calls += 1
        return self._predict(tuple(route))


def always_yes(instance: Instance) -> MadeUpPredictor:
    """Take every route for feasible."""
    del instance
    return MadeUpPredictor(lambda _: True)


def always_no(instance: Instance) -> MadeUpPredictor:
    """Take no route for feasible."""
    del instance
    return MadeUpPredictor(lambda _: False)


def at_random(instance: Instance) -> MadeUpPredictor:
    """Toss a coin."""
    dice = random.Random(instance.name)
    return MadeUpPredictor(lambda _: dice.random() < 0.5)


def true(instance: Instance) -> MadeUpPredictor:
    """Know the answer."""
    oracle = LoadingOracle(instance)
    return MadeUpPredictor(lambda route: oracle.check(route).verdict is Verdict.FEASIBLE)


def inverted(instance: Instance) -> MadeUpPredictor:
    """Know the answer and say the contrary."""
    oracle = LoadingOracle(instance)
    return MadeUpPredictor(lambda route: oracle.check(route).verdict is not Verdict.FEASIBLE)


def by_parity(instance: Instance) -> MadeUpPredictor:
    """Take some routes for feasible and their reverse not."""
    del instance
    return MadeUpPredictor(lambda route: (3 * route[0] + 2 * route[-1] + len(route)) % 3 == 0)


ADVERSARIES: dict[str, PredictorMaker] = {
    "always_yes": always_yes,
    "always_no": always_no,
    "at_random": at_random,
    "inverted": inverted,
    "by_parity": by_parity,
}
