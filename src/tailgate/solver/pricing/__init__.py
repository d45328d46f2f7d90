"""Routes of negative reduced cost: the door to the compiled pricer."""

from tailgate.solver.pricing.pricer import Enumeration, PricedRoutes, Pricer
from tailgate.solver.pricing.route_pool import RoutePool
from tailgate.solver.pricing.subset_row import SubsetRow

__all__ = ["Enumeration", "PricedRoutes", "Pricer", "RoutePool", "SubsetRow"]
