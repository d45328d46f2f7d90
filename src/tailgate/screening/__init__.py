"""What happens to a route that pricing has found: the border between pricing and loading."""

from tailgate.screening.exact import ExactScreen
from tailgate.screening.screen import Screen, ScreenedRoutes, UndecidedLoadingError

SCREENS: dict[str, type[Screen]] = {"exact": ExactScreen}
"""By the name that `--screen` takes."""

__all__ = ["SCREENS", "ExactScreen", "Screen", "ScreenedRoutes", "UndecidedLoadingError"]
