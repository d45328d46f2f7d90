"""Routes of negative reduced cost: the door to the compiled pricer."""

from tailgate.pricing.pricer import PricedRoutes, Pricer
from tailgate.pricing.route_pool import RoutePool

__all__ = ["PricedRoutes", "Pricer", "RoutePool"]
