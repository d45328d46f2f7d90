"""What happens to a route that pricing has found: the border between pricing and loading."""

from tailgate.screening.exact import ExactScreen
from tailgate.screening.lazy import LazyScreen
from tailgate.screening.neural import NeuralScreen
from tailgate.screening.screen import Screen, ScreenedRoutes, UndecidedLoadingError

SCREENS: dict[str, type[Screen]] = {
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
