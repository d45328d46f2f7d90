"""What column generation asks of a screen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from tailgate.errors import TailgateError
from tailgate.loading import LoadingOracle
from tailgate.network import Predictor
from tailgate.pricing import Pricer
from tailgate.time_limit import TimeLimit

RoutePath = tuple[int, ...]


class UndecidedLoadingError(TailgateError):
    """A route must be proven or refuted, and the oracle can do neither, however long it takes."""


@dataclass(frozen=True, slots=True)
class ScreenedRoutes:
    """What one round of pricing and screening gives the master problem."""

    columns: tuple[RoutePath, ...]
    complete: bool
    """False: the round was cut short, and no columns does not mean that there are none."""
    bound: float
    """No route that can be loaded has a lower cost, reduced by the duals of its customers."""


class Screen(ABC):
    """Stands between pricing and the master problem and decides what is checked, and when.

    Whatever it does, two things hold: `find_columns` says that there are none only if every route
    below the threshold is proven infeasible, and `refuted` leaves no column in use unproven, unless
    its effort is limited.
    """

    proof_limit: int | None = None
    """Nodes of the loading search for one column in use; None: as many as it takes. What is beyond
    the limit stays in use, in doubt: a bound remains a bound, for it counts as loadable."""

    guide: Predictor | None = None
    """A network by which the search for first routes may save checks."""

    def __init__(self, pricer: Pricer, oracle: LoadingOracle) -> None:
        self.pricer = pricer
        self.oracle = oracle

    @abstractmethod
    def find_columns(self, threshold: float, time_limit: TimeLimit) -> ScreenedRoutes:
        """Return routes below the threshold for the master problem."""

    @abstractmethod
    def refuted(
        self, support: Mapping[RoutePath, float], time_limit: TimeLimit
    ) -> tuple[RoutePath, ...]:
        """Return those columns in use that turn out to be infeasible, to be taken out."""

    @abstractmethod
    def is_in_doubt(self, route: RoutePath) -> bool:
        """Tell whether a column has entered the master problem without proof."""

    @property
    def network_calls(self) -> int:
        """How often a network was asked."""
        return 0

    @property
    def network_seconds(self) -> float:
        """How long the network took."""
        return 0.0

    @property
    def false_positive_cuts(self) -> int:
        """How many columns that a network has let in were taken out again."""
        return 0

    @property
    def statistics(self) -> dict[str, float]:
        """What else it has counted."""
        return {}
