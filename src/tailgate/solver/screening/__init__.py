"""What happens to a route that pricing has found: the border between pricing and loading."""

from collections.abc import Callable

from tailgate.model.aliases import PathLike
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.solver.column import views_of
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.network import Predictor
from tailgate.solver.pricing import Pricer
from tailgate.solver.screening.exact import ExactScreen
from tailgate.solver.screening.fleet_screen import FleetScreen
from tailgate.solver.screening.lazy import LazyScreen
from tailgate.solver.screening.neural import NeuralScreen
from tailgate.solver.screening.predicting import PredictingScreen
from tailgate.solver.screening.screen import Screen, ScreenedRoutes, UndecidedLoadingError

SCREENS: dict[str, Callable[[Pricer, LoadingOracle], Screen]] = {
    "exact": ExactScreen,
    "neural": NeuralScreen,
    "lazy": LazyScreen,
}
"""By name."""


def make_screen(
    name: str, pricer: Pricer, oracle: LoadingOracle, *, weights: PathLike | None = None
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


def make_fleet_screen(
    name: str, instance: Instance, *, weights: PathLike | None = None
) -> FleetScreen:
    """Make the screens of all kinds of vehicles, with their pricers and oracles."""
    oracles: dict[tuple[int, int], LoadingOracle] = {}
    screens = []
    for view in views_of(instance):
        floor = (view.vehicle.width, view.vehicle.length)
        if floor not in oracles:
            oracles[floor] = LoadingOracle(view)
        screens.append(make_screen(name, Pricer(view), oracles[floor], weights=weights))
    return FleetScreen(instance, screens)


__all__ = [
    "SCREENS",
    "ExactScreen",
    "FleetScreen",
    "LazyScreen",
    "NeuralScreen",
    "Screen",
    "ScreenedRoutes",
    "UndecidedLoadingError",
    "make_fleet_screen",
    "make_screen",
]
