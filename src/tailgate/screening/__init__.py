"""What happens to a route that pricing has found: the border between pricing and loading."""

import os
from collections.abc import Callable

from tailgate.errors import InputError
from tailgate.loading import LoadingOracle
from tailgate.network import Predictor
from tailgate.pricing import Pricer
from tailgate.screening.exact import ExactScreen
from tailgate.screening.lazy import LazyScreen
from tailgate.screening.neural import NeuralScreen
from tailgate.screening.predicting import PredictingScreen
from tailgate.screening.screen import Screen, ScreenedRoutes, UndecidedLoadingError

SCREENS: dict[str, Callable[[Pricer, LoadingOracle], Screen]] = {
    "exact": ExactScreen,
    "neural": NeuralScreen,
    "lazy": LazyScreen,
}
"""By the name that `--screen` takes."""


def make_screen(
    name: str,
    pricer: Pricer,
    oracle: LoadingOracle,
    *,
    weights: str | os.PathLike[str] | None = None,
) -> Screen:
    """Make a screen; weights are a file, or the name of a network of the package."""
    if name not in SCREENS:
        raise InputError(f"must be one of {', '.join(SCREENS)}", field="screen")
    make = SCREENS[name]
    if weights is None:
        return make(pricer, oracle)
    if isinstance(make, type) and issubclass(make, PredictingScreen):
        predictor = Predictor(oracle.instance, weights, threshold=make.threshold)
        return make(pricer, oracle, predictor)
    raise InputError(
        f"the screen {name} asks no network; leave the weights out or take another screen",
        field="weights",
    )


__all__ = [
    "SCREENS",
    "ExactScreen",
    "LazyScreen",
    "NeuralScreen",
    "Screen",
    "ScreenedRoutes",
    "UndecidedLoadingError",
    "make_screen",
]
