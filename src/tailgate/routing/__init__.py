"""Good solutions without a proof of how good: the primal side of the solver."""

from tailgate.routing.route_search import Improvement, RouteSearch

__all__ = ["Improvement", "RouteSearch"]
