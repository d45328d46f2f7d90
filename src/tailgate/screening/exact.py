"""The exact screen: nothing but the loading oracle decides about a route."""

from __future__ import annotations

from tailgate.screening.proving import Look, ProvingScreen
from tailgate.screening.screen import RoutePath
from tailgate.time_limit import TimeLimit


class ExactScreen(ProvingScreen):
    """Asks the loading oracle about every route of negative reduced cost."""

    def _look_at(self, route: RoutePath, time_limit: TimeLimit) -> Look:
        return self._glance_at(route, time_limit)
