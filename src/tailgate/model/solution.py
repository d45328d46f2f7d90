"""Solutions: what a solver claims about an instance.

Whether the claim is true is for the judge. So the constructors check types and not sense: a wrong
solution must be readable to be refuted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from tailgate.model import validation
from tailgate.model.conventions import Conventions
from tailgate.model.notebook_display import NotebookDisplay
from tailgate.model.route import LeftOut, Placement, Route
from tailgate.model.units import Units

__all__ = ["LeftOut", "Placement", "Route", "Solution", "Status", "relative_gap"]

SOLUTION_FORMATS = ("tailgate-solution-1", "tailgate-solution-2")
Status = Literal["optimal", "feasible", "infeasible", "bound_only"]


@dataclass(frozen=True, slots=True)
class Solution(NotebookDisplay):
    """What a solver claims about an instance: routes, cost, bound, and under which rules.

    Parameters
    ----------
    instance_name : str
        The name of the instance.
    instance_sha256 : str
        The fingerprint of the instance.
    conventions : Conventions
        The rules under which the solution is claimed.
    status : {"optimal", "feasible", "infeasible", "bound_only"}
        What is claimed.
    objective : int or float, optional
        What all routes and the customers left out cost; ``None`` without a plan.
    lower_bound : int or float, optional
        No plan costs less; ``None`` where there is no bound.
    gap : float, optional
        (objective - lower bound) / objective; ``None`` where one is missing.
    routes : tuple of Route
        The plan; empty if there is none.
    solver : dict
        What made it: name, version, seed, options.
    units : Units
        What the integers of placements and totals mean.
    left_out : tuple of LeftOut
        The customers that the plan does not serve.

    Examples
    --------
    >>> import tailgate
    >>> instance = tailgate.generate_instance(6, 2, seed=1)
    >>> solution = tailgate.solve(instance).solution
    >>> tailgate.Solution.from_dict(solution.to_dict()) == solution
    True
    """

    instance_name: str
    instance_sha256: str
    conventions: Conventions
    status: Status
    objective: int | float | None
    lower_bound: int | float | None
    gap: float | None
    routes: tuple[Route, ...]
    solver: Mapping[str, object] = field(default_factory=dict, hash=False)
    units: Units = field(default_factory=Units)
    left_out: tuple[LeftOut, ...] = ()

    def __post_init__(self) -> None:
        """Refuse wrong types; wrong values are for the judge."""
        validation.text(self.instance_name, "instance_name")
        if not isinstance(self.instance_sha256, str):
            raise validation.refused(self.instance_sha256, "instance_sha256", "be text")
        validation.expect(self.conventions, Conventions, "conventions")
        validation.expect(self.units, Units, "units")
        validation.choice(self.status, "status", get_args(Status))
        for argument in ("objective", "lower_bound", "gap"):
            value = getattr(self, argument)
            if value is not None:
                object.__setattr__(self, argument, validation.finite_or_not(value, argument))
        object.__setattr__(self, "routes", validation.tuple_of(self.routes, Route, "routes"))
        left_out = validation.tuple_of(self.left_out, LeftOut, "left_out")
        object.__setattr__(self, "left_out", left_out)
        if not isinstance(self.solver, Mapping):
            raise validation.refused(self.solver, "solver", "be a mapping")
        object.__setattr__(self, "solver", dict(self.solver))

    @property
    def is_format_1(self) -> bool:
        """Whether solution format 1 can say all of it."""
        units = self.units
        says_more = units.time_unit or units.cost_unit or units.clock or self.left_out
        if self.conventions.turn != "as-given":
            return False
        return not says_more and all(route.is_format_1 for route in self.routes)

    def to_dict(self) -> dict[str, object]:
        """Return the solution as its file has it, in the first format that can say all of it."""
        is_format_1 = self.is_format_1
        return {
            "format": SOLUTION_FORMATS[0 if is_format_1 else 1],
            "instance": {"name": self.instance_name, "sha256": self.instance_sha256},
            "conventions": self.conventions.to_dict(),
            "units": {
                "length_scale": self.units.length_scale,
                "weight_scale": self.units.weight_scale,
                "length": self.units.length_unit,
                "weight": self.units.weight_unit,
                "distance": self.units.distance_unit,
                **({} if is_format_1 else _units_beyond_format_1(self.units)),
            },
            "status": self.status,
            "objective": self.objective,
            "lower_bound": self.lower_bound,
            "gap": self.gap,
            "routes": [route.to_dict() for route in self.routes],
            **({} if is_format_1 else {"left_out": [order.to_dict() for order in self.left_out]}),
            "solver": dict(self.solver),
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, object]) -> Solution:
        """Return the solution that a dictionary holds.

        Parameters
        ----------
        content : dict
            What ``to_dict`` returned.
        """
        # The reader builds solutions, so it is not known yet when this module is loaded.
        from tailgate.model.solution_json import json_text, solution_from_text

        return solution_from_text(json_text(content), source=None)

    def to_json(self) -> str:
        """Return the text of the solution file."""
        from tailgate.model.solution_json import json_text

        return json_text(self.to_dict())


def _units_beyond_format_1(units: Units) -> dict[str, object]:
    names: dict[str, object] = {"time": units.time_unit, "cost": units.cost_unit}
    return names | {"clock": True} if units.clock else names


def relative_gap(objective: int | float, lower_bound: int | float) -> float:
    """Return (objective - lower bound) / objective, and 0 for a bound that is reached."""
    if lower_bound >= objective or objective <= 0:
        return 0.0
    return (objective - lower_bound) / objective
