"""The orders as the vehicles of one kind see them: its floor, its costs and its hours alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tailgate.model import validation
from tailgate.model.cost_unit import CostUnit
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.solution import Route
from tailgate.report.trip import Trip


class KindViews:
    """An instance with the kind of vehicle of a route alone."""

    def __init__(self, instance: Instance) -> None:
        """Take the instance with all its kinds."""
        self._instance = instance
        self._driven = _without_positions(instance)

    def of_route(self, route: Route, *, field: str | None = None) -> Instance:
        """Return the orders with the kind that drives a route; ``field`` is what errors name.

        Where there is one kind only it does not matter what the route calls it.
        """
        if not self._instance.has_kinds:
            return self._driven
        names = [vehicle.name for vehicle in self._instance.vehicles]
        if route.vehicle not in names:
            hint = validation.did_you_mean(route.vehicle, names)
            raise InputError(
                f"there is no kind of vehicle {validation.shown(route.vehicle)}, so its floor "
                f"cannot be drawn (known here: {', '.join(names)}){hint}",
                field=field,
            )
        return self._driven.of_kind(names.index(route.vehicle))

    def of_kind(self, kind: int) -> Instance:
        """Return the orders with a kind by its number."""
        return self._driven.of_kind(kind) if self._instance.has_kinds else self._driven


def trips_of(instance: Instance, routes: Iterable[Route]) -> list[Trip]:
    """Return the tours of routes, each with the costs and hours of its own kind of vehicle."""
    views, unit = KindViews(instance), CostUnit.of_instance(instance)
    return [Trip(views.of_route(route), route.customers, route.cost, unit) for route in routes]


def _without_positions(instance: Instance) -> Instance:
    """Return the orders without rules on the place of a stop in its route.

    A plan that breaks such a rule is wrong, but the roads that it takes exist.
    """
    if all(customer.position is None for customer in instance.customers):
        return instance
    customers = tuple(replace(customer, position=None) for customer in instance.customers)
    return replace(instance, customers=customers)
