"""Solutions: routes with their loading plans, and the document that carries them.

A solution says what was claimed; whether the claim is true is for the judge. So the constructors
check types and not sense: a wrong solution must be readable to be refuted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, cast, get_args

from tailgate.model import validation
from tailgate.model.conventions import Conventions
from tailgate.model.errors import InputError
from tailgate.model.json_document import JsonDocument, JsonValue, kind_of, short
from tailgate.model.notebook_display import NotebookDisplay
from tailgate.model.units import MAX_DECIMAL_PLACES, Units

SOLUTION_FORMAT = "tailgate-solution-1"
Status = Literal["optimal", "feasible", "infeasible", "bound_only"]

# Larger than any sum the model can form, small enough to stay plain numbers everywhere.
MAX_INTEGER = validation.MAX_PLAIN_INTEGER


@dataclass(frozen=True, slots=True)
class Placement:
    """Where one item lies: its corner nearest to the cab and to the left wall.

    Parameters
    ----------
    customer : int
        The customer's number.
    item : int
        The number of the item within the customer, counted from one.
    x : int
        Distance from the left wall, in the instance's integers.
    y : int
        Distance from the cab, in the instance's integers.
    width : int
        Size along x.
    length : int
        Size along y.
    stop_index : int
        The stop at which it is unloaded, counted from one.
    load_step : int
        When it is loaded; 1 is loaded first.
    """

    customer: int
    item: int
    x: int
    y: int
    width: int
    length: int
    stop_index: int
    load_step: int

    def __post_init__(self) -> None:
        """Refuse what is not an integer."""
        validation.store_integers(self, *_PLACEMENT_FIELDS, low=-MAX_INTEGER, high=MAX_INTEGER)

    def to_dict(self) -> dict[str, int]:
        """Return the placement as the solution file has it."""
        return asdict(self)


_PLACEMENT_FIELDS = tuple(one.name for one in fields(Placement))


@dataclass(frozen=True, slots=True)
class Route:
    """One vehicle's tour: its customers in the order of the visits, and the plan of its floor.

    Parameters
    ----------
    customers : tuple of int
        Customer numbers in the order of the visits.
    cost : int or float
        The length of the tour.
    weight : int
        The weight of all items, in the instance's integers.
    area : int
        The floor area of all items, in the instance's integers.
    placements : tuple of Placement
        The loading plan.
    """

    customers: tuple[int, ...]
    cost: int | float
    weight: int
    area: int
    placements: tuple[Placement, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what is not a number or a placement."""
        customers = tuple(
            validation.integer(number, f"customers[{index}]", low=-MAX_INTEGER, high=MAX_INTEGER)
            for index, number in enumerate(
                validation.sequence(self.customers, "customers", "numbers")
            )
        )
        object.__setattr__(self, "customers", customers)
        object.__setattr__(self, "cost", validation.finite_or_not(self.cost, "cost"))
        validation.store_integers(self, "weight", "area", low=-MAX_INTEGER, high=MAX_INTEGER)
        placements = validation.tuple_of(self.placements, Placement, "placements")
        object.__setattr__(self, "placements", placements)

    def to_dict(self) -> dict[str, object]:
        """Return the route as the solution file has it."""
        lists = {"customers": [*self.customers], "placements": list(map(asdict, self.placements))}
        return asdict(self) | lists


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
        The cost of all routes, in units of distance; ``None`` without a plan.
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
        if not isinstance(self.solver, Mapping):
            raise validation.refused(self.solver, "solver", "be a mapping")
        object.__setattr__(self, "solver", dict(self.solver))

    def to_dict(self) -> dict[str, object]:
        """Return the solution as its file has it."""
        return {
            "format": SOLUTION_FORMAT,
            "instance": {"name": self.instance_name, "sha256": self.instance_sha256},
            "conventions": self.conventions.to_dict(),
            "units": {
                "length_scale": self.units.length_scale,
                "weight_scale": self.units.weight_scale,
                "length": self.units.length_unit,
                "weight": self.units.weight_unit,
                "distance": self.units.distance_unit,
            },
            "status": self.status,
            "objective": self.objective,
            "lower_bound": self.lower_bound,
            "gap": self.gap,
            "routes": [route.to_dict() for route in self.routes],
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
        return solution_from_text(_dumps(content), source=None)

    def to_json(self) -> str:
        """Return the text of the solution file."""
        return _dumps(self.to_dict())


def relative_gap(objective: int | float, lower_bound: int | float) -> float:
    """Return (objective - lower bound) / objective, and 0 for a bound that is reached."""
    if lower_bound >= objective or objective <= 0:
        return 0.0
    return (objective - lower_bound) / objective


def _dumps(content: object) -> str:
    try:
        text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
        # Refused now rather than by the reader: a lone surrogate cannot be stored as UTF-8.
        text.encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"the solution cannot be written as JSON: {error}") from error
    return text + "\n"


def solution_from_text(text: str, source: str | None) -> Solution:
    """Read the text of a solution file; ``source`` is what complaints call it."""
    root = JsonDocument(text, source).parse()
    _check_format(root)
    claims = ("status", "objective", "lower_bound", "gap", "routes")
    members = root.members(
        required=("format", "instance", "conventions", *claims), optional=("solver", "units")
    )
    instance = members["instance"].members(required=("name", "sha256"))
    solver = members["solver"].plain() if "solver" in members else {}
    if not isinstance(solver, dict):
        members["solver"].fail("must be an object {...}")
    try:
        return Solution(
            instance_name=instance["name"].string(),
            instance_sha256=instance["sha256"].string(),
            conventions=_conventions(members["conventions"]),
            status=cast(Status, members["status"].string()),
            objective=_number_or_null(members["objective"]),
            lower_bound=_number_or_null(members["lower_bound"]),
            gap=_number_or_null(members["gap"]),
            routes=tuple(_route(route) for route in members["routes"].elements()),
            solver=solver,
            units=_units(members["units"]) if "units" in members else Units(),
        )
    except InputError as error:
        if error.source is not None or source is None or error.field is None:
            raise
        where = {"instance_name": ("instance", "name")}.get(error.field, (error.field,))
        root.fail(error.problem, *where)


def _check_format(root: JsonValue) -> None:
    """Tell a file of another kind from a solution with a mistake in it."""
    if not isinstance(root.value, dict):
        # The next check says so.
        return
    if "format" not in root.value:
        root.fail(f'is not a solution: it must have "format": "{SOLUTION_FORMAT}"')
    stated = root.value["format"]
    if isinstance(stated, str) and stated.startswith("tailgate-instance"):
        root.fail("this is an instance, not a solution", "format")
    if stated != SOLUTION_FORMAT:
        root.fail(f'must be "{SOLUTION_FORMAT}", got {kind_of(stated)}', "format")


def _conventions(value: JsonValue) -> Conventions:
    names = tuple(Conventions.PLANNER.to_dict())
    members = value.members(required=names)
    stated = {
        name: members[name].boolean() if name == "lifo" else members[name].string()
        for name in names
    }
    with value.placing_errors():
        return Conventions.from_dict(stated)


def _units(value: JsonValue) -> Units:
    members = value.members(
        optional=("length_scale", "weight_scale", "length", "weight", "distance")
    )
    stated: dict[str, Any] = {
        name if name.endswith("_scale") else f"{name}_unit": (
            member.integer(low=1, high=10**MAX_DECIMAL_PLACES)
            if name.endswith("_scale")
            else member.string()
        )
        for name, member in members.items()
    }
    try:
        return Units(**stated)
    except InputError as error:
        value.fail(error.problem, (error.field or "").removesuffix("_unit"))


def _route(value: JsonValue) -> Route:
    members = value.members(required=("customers", "cost", "weight", "area", "placements"))
    return Route(
        customers=tuple(
            number.integer(low=-MAX_INTEGER, high=MAX_INTEGER)
            for number in members["customers"].elements()
        ),
        cost=_number(members["cost"]),
        weight=members["weight"].integer(low=-MAX_INTEGER, high=MAX_INTEGER),
        area=members["area"].integer(low=-MAX_INTEGER, high=MAX_INTEGER),
        placements=tuple(_placement(one) for one in members["placements"].elements()),
    )


def _placement(value: JsonValue) -> Placement:
    members = value.members(required=_PLACEMENT_FIELDS)
    return Placement(
        **{
            name: members[name].integer(low=-MAX_INTEGER, high=MAX_INTEGER)
            for name in _PLACEMENT_FIELDS
        }
    )


def _number(value: JsonValue) -> int | float:
    number = value.decimal()
    # Compared as it is: arithmetic on a decimal such as 1e9999999 may itself overflow.
    if not -MAX_INTEGER <= number <= MAX_INTEGER:
        value.fail(f"must be between -1e24 and 1e24, got {short(number)}")
    if number == number.to_integral_value():
        return int(number)
    return float(number)


def _number_or_null(value: JsonValue) -> int | float | None:
    return None if value.is_null else _number(value)
