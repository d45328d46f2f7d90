"""The exact screen: nothing but the loading oracle decides about a route."""

from __future__ import annotations

from tailgate.model.aliases import RoutePath
from tailgate.solver.screening.screen import Look, Screen
from tailgate.solver.time_limit import TimeLimit


class ExactScreen(Screen):
    """Asks the loading oracle about every route of negative reduced cost."""

    def _look_at(self, route: RoutePath, time_limit: TimeLimit) -> Look:
        return self._check_quickly(route, time_limit)
