"""A solution as pictures, sheets and reports see it: judged, and split into trucks."""

from __future__ import annotations

from dataclasses import dataclass

from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.judge import Violation, verify
from tailgate.model.notebook_display import NotebookDisplay
from tailgate.model.solution import Route, Solution
from tailgate.report.common_scale import at_common_scale
from tailgate.report.geojson import geojson_text
from tailgate.report.gpx import gpx_text
from tailgate.report.kind_views import KindViews
from tailgate.report.truck import Truck


@dataclass(frozen=True, slots=True)
class Plan(NotebookDisplay):
    """A solution with the judge's verdict; every picture says so where it is not valid.

    Parameters
    ----------
    instance : Instance
        The instance with all kinds of vehicles, at a scale that it has in common with the solution.
    solution : Solution
        The solution that was judged.
    trucks : tuple of Truck
        A truck for every route.
    violations : tuple of Violation
        What the judge has found.

    Examples
    --------
    >>> import tailgate
    >>> instance = tailgate.generate_instance(6, 2, seed=1)
    >>> plan = tailgate.Plan.of(instance, tailgate.solve(instance).solution)
    >>> plan.verified, len(plan.trucks)
    (True, 1)
    """

    instance: Instance
    solution: Solution
    trucks: tuple[Truck, ...]
    violations: tuple[Violation, ...]

    @classmethod
    def of(cls, instance: Instance, solution: Solution) -> Plan:
        """Judge a solution, and split it into trucks; refuse one that cannot be drawn.

        Parameters
        ----------
        instance : Instance
            The problem.
        solution : Solution
            What is judged and drawn.
        """
        violations = tuple(verify(instance, solution))
        for index, route in enumerate(solution.routes):
            _refuse_undrawable(instance, route, f"routes[{index}]")
        for index, order in enumerate(solution.left_out):
            field = f"left_out[{index}].customer"
            _refuse_unknown(instance, order.customer, "it cannot be shown", field)
        scaled, routes = at_common_scale(instance.with_conventions(solution.conventions), solution)
        views = KindViews(scaled)
        trucks = tuple(
            Truck(
                views.of_route(route, field=f"routes[{index}].vehicle"),
                route,
                index + 1,
                len(routes),
                verified=not violations,
                fleet=scaled,
            )
            for index, route in enumerate(routes)
        )
        return cls(scaled, solution, trucks, violations)

    @property
    def verified(self) -> bool:
        """Whether the judge has found nothing."""
        return not self.violations

    def to_geojson(self) -> str:
        """Return depot, stops and routes as GeoJSON (RFC 7946), for maps on a screen.

        Lines are straight from stop to stop. Refused unless places are latitudes and longitudes.
        """
        return geojson_text(self)

    def to_gpx(self) -> str:
        """Return a route for every truck as GPX 1.1, for a navigation device.

        Refused unless places are latitudes and longitudes.
        """
        return gpx_text(self)


def _refuse_undrawable(instance: Instance, route: Route, place: str) -> None:
    for number in route.customers:
        _refuse_unknown(instance, number, "the route cannot be drawn", f"{place}.customers")
    for index, placement in enumerate(route.placements):
        field = f"{place}.placements[{index}]"
        exists = 1 <= placement.customer <= instance.n and 1 <= placement.item <= len(
            instance.customer(placement.customer).items
        )
        if not exists:
            raise InputError(
                f"item {placement.item} of customer {placement.customer} does not exist, so it "
                "cannot be drawn; is this the solution of another instance?",
                field=field,
            )
        if min(placement.width, placement.length) < 1:
            raise InputError("an item without an area cannot be drawn", field=field)
    refuse_without_placements(instance, route, field=place)


def _refuse_unknown(instance: Instance, number: int, consequence: str, field: str) -> None:
    if not 1 <= number <= instance.n:
        raise InputError(
            f"customer {number} does not exist, so {consequence}; the instance has customers 1 to "
            f"{instance.n}",
            field=field,
        )


def refuse_without_placements(instance: Instance, route: Route, *, field: str) -> None:
    """Complain about a route that has items but does not say where they lie."""
    if not route.placements and any(instance.customer(i).items for i in route.customers):
        raise InputError(
            "has no placements to draw; ask the loading oracle for a plan first", field=field
        )
