"""An instance as PyVRP takes it, and its plan as we write it. It knows nothing of loading.

PyVRP counts in integers. Distances and times are integers of the instance already; costs are scaled
by what makes all of them whole, so that both solvers minimise the same.
"""

from __future__ import annotations

import importlib.util
import math
import warnings
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

from tailgate.model.errors import InputError
from tailgate.model.exact import fraction_of
from tailgate.model.instance import Instance
from tailgate.solver.column import Column, views_of


def is_installed() -> bool:
    """Return whether the extra `compare` is there."""
    return importlib.util.find_spec("pyvrp") is not None


def plan_of_pyvrp(
    instance: Instance, seconds: float, *, seed: int, with_areas: bool = False
) -> list[Column] | None:
    """Return the plan that PyVRP has found after so many seconds; None if it has none.

    Parameters
    ----------
    instance : Instance
        What is to be planned; its rules other than times, weights and limits of a route are none.
    seconds : float
        The time that it has.
    seed : int
        Of its random numbers.
    with_areas : bool
        Whether the areas of the items are a second load beside the weight.
    """
    import pyvrp
    import pyvrp.stop

    if not instance.rules.is_empty or any(kind.max_stops for kind in instance.vehicles):
        raise InputError("must have no rules and no max_stops: PyVRP does not know them")
    with warnings.catch_warnings():
        # It warns of penalties that it cannot raise further; its result says what came of it.
        warnings.simplefilter("ignore")
        model = _ModelMaker(instance, with_areas=with_areas).make(pyvrp.Model())
        result = model.solve(pyvrp.stop.MaxRuntime(seconds), seed=seed, display=False)
    if not result.is_feasible():
        return None
    return [
        Column(route.vehicle_type(), tuple(visit.idx + 1 for visit in route if visit.is_client()))
        for route in result.best.routes()
    ]


class _ModelMaker:
    """Adds places, orders, vehicles and roads to a model of PyVRP."""

    def __init__(self, instance: Instance, *, with_areas: bool) -> None:
        self._instance = instance
        self._views = views_of(instance)
        self._with_areas = with_areas
        clock, step = self._views[0].clock, instance.roads.distance_step
        if clock.tick is None or step is None:
            raise InputError("must have distances and durations that are whole in some unit")
        self._clock, self._tick, self._step = clock, clock.tick, step
        self._scale = math.lcm(*(cost.denominator for cost in self._all_costs()))

    def _all_costs(self) -> list[Fraction]:
        costs = [fraction_of(self._instance.leave_out_cost(i)) for i in self._instance.optional]
        for kind in range(len(self._views)):
            costs += self._costs_of(kind)
        return costs

    def _costs_of(self, kind: int) -> tuple[Fraction, Fraction, Fraction]:
        """Return the fixed cost, and what a step of the way and a tick of the clock cost."""
        vehicle = self._instance.vehicles[kind]
        per_distance, per_time = map(fraction_of, vehicle.rates)
        return fraction_of(vehicle.fixed_cost), per_distance * self._step, per_time * self._tick

    def _whole(self, cost: Fraction) -> int:
        return int(cost * self._scale)

    def make(self, model: Any) -> Any:
        """Return the model with everything in it."""
        places = [model.add_location(0, 0) for _ in range(self._instance.n + 1)]
        depot = model.add_depot(places[0])
        for number in range(1, self._instance.n + 1):
            self._add_order(model, places[number], number)
        for kind in range(len(self._views)):
            profile = model.add_profile()
            self._add_vehicles(model, depot, kind, profile)
            self._add_roads(model, places, kind, profile)
        return model

    def _add_roads(self, model: Any, places: Sequence[Any], kind: int, profile: Any) -> None:
        """Add the roads that a kind can use: there are none to whom it must not visit."""
        distances, durations = self._instance.roads.distances(), self._clock.durations()
        numbers = range(1, self._instance.n + 1)
        accepted = [0, *(i for i in numbers if self._instance.accepts(i, kind))]
        for start, end in permutations(accepted, 2):
            if math.isfinite(durations[start, end]):
                model.add_edge(
                    places[start],
                    places[end],
                    distance=int(distances[start, end]),
                    duration=int(durations[start, end]),
                    profile=profile,
                )

    def _add_order(self, model: Any, place: Any, number: int) -> None:
        customer, clock = self._instance.customer(number), self._clock
        is_optional = number in self._instance.optional
        limits = {} if clock.due[number] == math.inf else {"tw_late": int(clock.due[number])}
        prize = fraction_of(customer.leave_out_cost or 0) if is_optional else Fraction(0)
        model.add_client(
            place,
            delivery=self._loads(customer.weight, customer.area),
            service_duration=int(clock.service[number]),
            tw_early=int(clock.ready[number]),
            required=not is_optional,
            prize=self._whole(prize),
            **limits,
        )

    def _add_vehicles(self, model: Any, depot: Any, kind: int, profile: Any) -> None:
        vehicle, view = self._instance.vehicles[kind], self._views[kind]
        fixed, per_step, per_tick = self._costs_of(kind)
        clock, limits = view.clock, {}
        if clock.due[0] != math.inf:
            limits["tw_late"] = int(clock.due[0])
        if clock.max_duration != math.inf:
            limits["shift_duration"] = int(clock.max_duration)
        if vehicle.max_distance is not None:
            limits["max_distance"] = int(view.costs.distance_limit(vehicle.max_distance))
        model.add_vehicle_type(
            num_available=vehicle.count,
            capacity=self._loads(vehicle.capacity, vehicle.area),
            start_depot=depot,
            end_depot=depot,
            fixed_cost=self._whole(fixed),
            tw_early=int(clock.ready[0]),
            unit_distance_cost=self._whole(per_step),
            unit_duration_cost=self._whole(per_tick),
            profile=profile,
            name=vehicle.name,
            **limits,
        )

    def _loads(self, weight: int, area: int) -> list[int]:
        return [weight, area] if self._with_areas else [weight]
