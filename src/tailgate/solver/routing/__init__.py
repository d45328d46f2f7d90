"""Good solutions without a proof of how good: the primal side of the solver."""

from tailgate.solver.routing.route_search import RouteSearch

__all__ = ["RouteSearch"]
