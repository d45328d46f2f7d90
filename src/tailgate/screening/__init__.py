"""What happens to a route that pricing has found: the border between pricing and loading."""

from collections.abc import Callable

from tailgate.loading import LoadingOracle
from tailgate.pricing import Pricer
from tailgate.screening.exact import ExactScreen
from tailgate.screening.lazy import LazyScreen
from tailgate.screening.neural import NeuralScreen
from tailgate.screening.screen import Screen, ScreenedRoutes, UndecidedLoadingError

SCREENS: dict[str, Callable[[Pricer, LoadingOracle], Screen]] = {
    "exact": ExactScreen,
    "neural": NeuralScreen,
    "lazy": LazyScreen,
}
"""By the name that `--screen` takes."""

__all__ = [
    "SCREENS",
    "ExactScreen",
    "LazyScreen",
    "NeuralScreen",
    "Screen",
    "ScreenedRoutes",
    "UndecidedLoadingError",
]
