"""One plan in numbers: its trucks by kind, way, hours, cost, and what it leaves out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tailgate.model.cost_unit import CostUnit
from tailgate.model.instance import Instance
from tailgate.model.rounding import gap_text, number_text
from tailgate.model.solution import Route, Solution
from tailgate.model.units import with_unit
from tailgate.report.time_words import TimeWords


@dataclass(frozen=True, slots=True)
class PlanFigures:
    """A plan and what people call it.

    Without its orders the figures are those that the solution states, and customers are numbers.

    Parameters
    ----------
    title : str
        What people call the plan, such as the name of its file.
    solution : Solution
        The plan.
    instance : Instance, optional
        Its orders, for names and for what a solution of format 1 does not state.
    """

    title: str
    solution: Solution
    instance: Instance | None = None

    @property
    def has_plan(self) -> bool:
        """Whether there is a plan at all, and not a bound alone."""
        return self.solution.objective is not None

    @property
    def unit(self) -> CostUnit:
        """In what it costs."""
        if self.instance is not None:
            return CostUnit.of_instance(self.instance)
        return CostUnit.of_solution(self.solution)

    def label(self, number: int) -> str:
        """Return what people call a customer.

        Parameters
        ----------
        number : int
            The customer's number.
        """
        return str(number) if self.instance is None else self.instance.label(number)

    @property
    def numbers(self) -> dict[str, int]:
        """The numbers of all customers by their labels, as far as they are known."""
        if self.instance is not None:
            return {self.label(number): number for number in range(1, self.instance.n + 1)}
        served = {number for route in self.solution.routes for number in route.customers}
        left_out = {one.customer for one in self.solution.left_out}
        return {str(number): number for number in sorted(served | left_out)}

    @property
    def left_out(self) -> dict[str, int | float]:
        """The customers that are not served, and what each of them costs."""
        return {self.label(one.customer): one.cost for one in self.solution.left_out}

    @property
    def kinds(self) -> dict[str, tuple[int, int | None]]:
        """How many vehicles of each kind leave, and how many there are where that is known."""
        used = Counter(route.vehicle for route in self.solution.routes)
        if self.instance is None:
            return {name: (count, None) for name, count in used.items()}
        return {kind.name: (used[kind.name], kind.count) for kind in self.instance.vehicles}

    @property
    def distance(self) -> int | float | None:
        """How far all trucks drive together; nothing where that is not known."""
        return _total(self._distance_of(route) for route in self.solution.routes)

    @property
    def duration(self) -> int | float | None:
        """How long all trucks are out together; nothing where that is not known."""
        schedules = (route.schedule for route in self.solution.routes)
        return _total(None if one is None else one.duration for one in schedules)

    @property
    def waiting(self) -> int | float | None:
        """How long they wait of that."""
        schedules = (route.schedule for route in self.solution.routes)
        return _total(
            None if one is None else sum(stop.start - stop.arrival for stop in one.stops)
            for one in schedules
        )

    def _distance_of(self, route: Route) -> int | float | None:
        if route.distance is not None or self.instance is None:
            return route.distance
        # Only solutions of format 1 do not state it, and these have one kind and cost their way.
        return route.cost

    @property
    def cost_text(self) -> str:
        """What the plan costs, with the unit."""
        objective = self.solution.objective
        return "" if objective is None else self.unit.cost_text(objective)

    @property
    def bound_text(self) -> str:
        """What no plan costs less than."""
        bound = self.solution.lower_bound
        return "" if bound is None else self.unit.bound_text(bound, self.solution.objective)

    @property
    def gap_text(self) -> str:
        """The gap between the two."""
        return "" if self.solution.gap is None else gap_text(self.solution.gap)

    @property
    def distance_text(self) -> str:
        """How far all trucks drive, with the unit."""
        if self.distance is None:
            return ""
        return with_unit(number_text(round(self.distance, 2)), self.solution.units.distance_unit)

    def duration_text(self, duration: int | float | None) -> str:
        """Return a duration in hours where the unit of time is known.

        Parameters
        ----------
        duration : int or float, optional
            In the unit of time of the orders.
        """
        if duration is None:
            return ""
        if self.instance is not None:
            return TimeWords(self.instance).duration(duration)
        return with_unit(number_text(round(duration, 2)), self.solution.units.time_unit)

    @property
    def left_out_text(self) -> str:
        """How many orders are left out, and what that costs."""
        costs = self.left_out.values()
        if not costs:
            return "none"
        return f"{len(costs)} for {self.unit.cost_text(sum(costs))}"

    def to_dict(self) -> dict[str, object]:
        """Return the figures for programs."""
        solution = self.solution
        return {
            "plan": self.title,
            "status": solution.status,
            "objective": solution.objective,
            "lower_bound": solution.lower_bound,
            "gap": solution.gap,
            "trucks": len(solution.routes),
            "vehicles": [
                {"name": name, "used": used, "count": count}
                for name, (used, count) in self.kinds.items()
            ],
            "distance": self.distance,
            "duration": self.duration,
            "waiting": self.waiting,
            "left_out": [{"customer": name, "cost": cost} for name, cost in self.left_out.items()],
        }


def _total(values: Iterable[int | float | None]) -> int | float | None:
    """Return a sum of which every part is known."""
    parts = list(values)
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None
