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

LEAVE_OUT_SHARE = 16.0
"""Of the dual that a cost allows for, a cost of leaving out allows for this part: such costs may be
very large, and prices must not get coarse for them."""


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
    other_costs = _other_costs(instance)
    for view in views_of(instance):
        floor = (view.vehicle.width, view.vehicle.length)
        if floor not in oracles:
            oracles[floor] = LoadingOracle(view)
        pricer = Pricer(view, other_costs=other_costs)
        screens.append(make_screen(name, pricer, oracles[floor], weights=weights))
    return FleetScreen(instance, screens)


def _other_costs(instance: Instance) -> float:
    """Return what duals may reflect beyond the routes of one kind; 0 if there is nothing else.

    The same for all kinds, so that all pricers round duals alike. Duals are cut off far beyond the
    costs of routes, and still beyond those of leaving customers out.
    """
    left_out = max(map(instance.leave_out_cost, instance.optional), default=0.0)
    if not instance.has_kinds:
        return left_out / LEAVE_OUT_SHARE
    costs = [view.costs for view in views_of(instance)]
    routes = max(max(one.largest_arc, one.largest_waiting) for one in costs)
    return max(routes, left_out / LEAVE_OUT_SHARE)


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
