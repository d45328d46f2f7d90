"""Routes of negative reduced cost: the door to the compiled pricer."""

from tailgate.pricing.pricer import Enumeration, PricedRoutes, Pricer
from tailgate.pricing.route_pool import RoutePool
from tailgate.pricing.subset_row import SubsetRow

__all__ = ["Enumeration", "PricedRoutes", "Pricer", "RoutePool", "SubsetRow"]
