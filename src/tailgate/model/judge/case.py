"""A solution beside its instance, with the arithmetic of the judge: on purpose not the solver's."""

from __future__ import annotations

from fractions import Fraction

from tailgate.model.instance import Instance, Item, Vehicle
from tailgate.model.judge.journey import Journey
from tailgate.model.judge.numbers import texts_apart
from tailgate.model.judge.ways import Ways
from tailgate.model.solution import Placement, Route, Solution


class Case:
    """One solution and the instance that it claims to solve."""

    def __init__(self, instance: Instance, solution: Solution) -> None:
        self.instance = instance
        self.solution = solution
        # The two may store the same lengths at different scales (2.5 as 25 or as 250); these make
        # them comparable.
        scale = instance.units.length_scale, solution.units.length_scale
        self.instance_factor, self.solution_factor = (max(scale) // own for own in scale)
        self.ways = Ways(instance, solution.conventions.distance)
        self.numbers = {
            customer.name or str(number): number
            for number, customer in enumerate(instance.customers, start=1)
        }
        """The customers by what rules call them."""
        self._journeys: dict[tuple[str, tuple[int, ...]], Journey | None] = {}

    def vehicle_of(self, route: Route) -> Vehicle | None:
        """Return the kind of vehicle of a route; nothing if it names none of several kinds."""
        kinds = self.instance.vehicles
        if len(kinds) == 1:
            return kinds[0]
        return next((kind for kind in kinds if kind.name == route.vehicle), None)

    def journey(self, route: Route) -> Journey | None:
        """Return what is true of a route; nothing if its customers or its vehicle do not exist."""
        key = route.vehicle, route.customers
        if key not in self._journeys:
            vehicle = self.vehicle_of(route)
            journey = None
            if vehicle is not None and all(map(self.exists, route.customers)):
                journey = Journey(self.instance, vehicle, self.ways, route.customers)
            self._journeys[key] = journey
        return self._journeys[key]

    def cost_texts(self, *costs: Fraction | float) -> list[str]:
        """Return costs with their unit."""
        return self._with_unit(self.instance.cost_unit, costs)

    def distance_texts(self, *distances: Fraction | float) -> list[str]:
        """Return distances with their unit."""
        return self._with_unit(self.instance.units.distance_unit, distances)

    def duration_texts(self, *durations: Fraction | float) -> list[str]:
        """Return durations with their unit."""
        units = self.instance.units
        return self._with_unit(units.time_unit or ("min" if units.clock else ""), durations)

    def _with_unit(self, unit: str, numbers: tuple[Fraction | float, ...]) -> list[str]:
        return [f"{text} {unit}" if unit else text for text in texts_apart(*numbers)]

    def time_texts(self, *times: Fraction | float) -> list[str]:
        """Return times as the instance shows them; two that differ do not read alike."""
        units = self.instance.units
        if units.clock:
            texts = [units.time_text(float(time)) for time in times]
            if len(set(texts)) == len(texts):
                return texts
        return texts_apart(*times)

    @property
    def measured(self) -> str:
        """How distances are measured, where they are, to be said beside a cost."""
        if self.instance.travel.metric == "matrix":
            return ""
        return f" under the convention {self.solution.conventions.distance!r}"

    def exists(self, number: int) -> bool:
        """Return whether the instance has this customer."""
        return 1 <= number <= self.instance.n

    def has_item(self, placement: Placement) -> bool:
        """Return whether the instance has the item that is placed."""
        if not self.exists(placement.customer):
            return False
        return 1 <= placement.item <= len(self.instance.customer(placement.customer).items)

    def may_turn(self, item: Item) -> bool:
        """Return whether an item may be turned under the conventions of the solution."""
        allowed = {"all": True, "none": False}
        return allowed.get(self.solution.conventions.turn, item.turn)

    def label(self, number: int) -> str:
        """Return a customer by number and name."""
        name = self.instance.customer(number).name
        return f"{number} ({name})" if name else str(number)

    def place(self, number: int) -> str:
        """Return the depot or a customer, in words."""
        return f"customer {self.label(number)}" if number else "the depot"
