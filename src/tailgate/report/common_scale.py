"""An instance and a solution that store the same lengths at different scales, brought together."""

from __future__ import annotations

from dataclasses import replace

from tailgate.model.instance import Customer, Instance
from tailgate.model.solution import Placement, Route, Solution

_LENGTHS = ("x", "y", "width", "length")


def at_common_scale(instance: Instance, solution: Solution) -> tuple[Instance, tuple[Route, ...]]:
    """Return the instance and the routes in integers that mean the same lengths in both.

    The scale is the instance's, or a finer one where an item lies between two of its steps.
    """
    scale = _coarsest_scale(solution, at_least=instance.units.length_scale)
    factor = scale // instance.units.length_scale
    routes = tuple(
        replace(
            route,
            placements=tuple(
                _rescaled(placement, scale, solution.units.length_scale)
                for placement in route.placements
            ),
        )
        for route in solution.routes
    )
    return (instance if factor == 1 else _refined(instance, factor)), routes


def _coarsest_scale(solution: Solution, *, at_least: int) -> int:
    scale = solution.units.length_scale
    lengths = [
        getattr(placement, name)
        for route in solution.routes
        for placement in route.placements
        for name in _LENGTHS
    ]
    step = 1
    while scale // step > at_least and all(length % (10 * step) == 0 for length in lengths):
        step *= 10
    return max(scale // step, at_least)


def _rescaled(placement: Placement, scale: int, own_scale: int) -> Placement:
    if scale == own_scale:
        return placement
    lengths = {name: getattr(placement, name) * scale // own_scale for name in _LENGTHS}
    return replace(placement, **lengths)


def _refined(instance: Instance, factor: int) -> Instance:
    vehicles = (
        replace(vehicle, width=vehicle.width * factor, length=vehicle.length * factor)
        for vehicle in instance.vehicles
    )
    return replace(
        instance,
        units=replace(instance.units, length_scale=instance.units.length_scale * factor),
        vehicles=tuple(vehicles),
        customers=tuple(_refined_customer(customer, factor) for customer in instance.customers),
    )


def _refined_customer(customer: Customer, factor: int) -> Customer:
    return replace(
        customer,
        items=tuple(
            replace(item, width=item.width * factor, length=item.length * factor)
            for item in customer.items
        ),
    )
