"""Solutions: routes with their loading plans, and the file that carries them.

A solution says what was claimed; whether the claim is true is for ``tailgate.verify`` to judge. So
the constructors check types and not sense: a wrong solution must be readable to be refuted.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar, cast, get_args

from tailgate import validation
from tailgate.conventions import Conventions
from tailgate.errors import InputError
from tailgate.json_document import JsonDocument, JsonValue, kind_of, short
from tailgate.notebooks import InNotebooks
from tailgate.text_file import read_text, source_text, write_text
from tailgate.units import MAX_DECIMAL_PLACES, Units

SOLUTION_FORMAT = "tailgate-solution-1"
Status = Literal["optimal", "feasible", "infeasible", "bound_only"]

# Larger than any sum the model can form, small enough to stay plain numbers everywhere.
MAX_INTEGER = validation.MAX_PLAIN_INTEGER

_Part = TypeVar("_Part")


@dataclass(frozen=True, slots=True)
class Placement:
    """Where one item lies: its corner nearest to the cab's left, in the instance's integers.

    ``item`` is one-based within the customer, ``stop_index`` 1 is unloaded first, ``load_step`` 1
    is loaded first.
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
        for argument in _PLACEMENT_FIELDS:
            checked = validation.integer(
                getattr(self, argument), argument, low=-MAX_INTEGER, high=MAX_INTEGER
            )
            object.__setattr__(self, argument, checked)

    def to_dict(self) -> dict[str, int]:
        """Return the placement as the solution file has it."""
        return {argument: getattr(self, argument) for argument in _PLACEMENT_FIELDS}


_PLACEMENT_FIELDS = ("customer", "item", "x", "y", "width", "length", "stop_index", "load_step")


@dataclass(frozen=True, slots=True)
class Route:
    """One vehicle's tour: its customers in the order of the visits, and the plan of its floor.

    ``weight`` and ``area`` are totals in the instance's integers.
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
            for index, number in enumerate(_sequence(self.customers, "customers"))
        )
        object.__setattr__(self, "customers", customers)
        object.__setattr__(self, "cost", validation.finite_or_not(self.cost, "cost"))
        for argument in ("weight", "area"):
            checked = validation.integer(
                getattr(self, argument), argument, low=-MAX_INTEGER, high=MAX_INTEGER
            )
            object.__setattr__(self, argument, checked)
        placements = _parts(self.placements, Placement, "placements")
        object.__setattr__(self, "placements", placements)

    def to_dict(self) -> dict[str, object]:
        """Return the route as the solution file has it."""
        return {
            "customers": list(self.customers),
            "cost": self.cost,
            "weight": self.weight,
            "area": self.area,
            "placements": [placement.to_dict() for placement in self.placements],
        }


@dataclass(frozen=True, slots=True)
class Solution(InNotebooks):
    """What a solver claims about an instance: routes, cost, bound, and under which rules.

    ``objective`` and ``lower_bound`` are in units of distance, or ``None`` where there is none;
    ``gap`` is relative, as ``relative_gap`` defines it. ``units`` tells what the integers of the
    placements and totals mean.

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
            raise InputError(
                f"must be text, got {validation.shown(self.instance_sha256)}",
                field="instance_sha256",
            )
        for argument, kind in (("conventions", Conventions), ("units", Units)):
            value = getattr(self, argument)
            if not isinstance(value, kind):
                raise InputError(
                    f"must be {kind.__name__}, got {validation.shown(value)}", field=argument
                )
        validation.choice(self.status, "status", get_args(Status))
        for argument in ("objective", "lower_bound", "gap"):
            value = getattr(self, argument)
            if value is not None:
                object.__setattr__(self, argument, validation.finite_or_not(value, argument))
        object.__setattr__(self, "routes", _parts(self.routes, Route, "routes"))
        if not isinstance(self.solver, Mapping):
            raise InputError(
                f"must be a mapping, got {validation.shown(self.solver)}", field="solver"
            )
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
        """Read what ``to_dict`` returned."""
        return _solution_from_text(_dumps(content), source=None)

    def to_json(self) -> str:
        """Return the text of the solution file."""
        return _dumps(self.to_dict())


def relative_gap(objective: int | float, lower_bound: int | float) -> float:
    """Return (objective - lower bound) / objective, and 0 for a bound that is reached."""
    if lower_bound >= objective or objective <= 0:
        return 0.0
    return (objective - lower_bound) / objective


def read_solution(path: str | os.PathLike[str]) -> Solution:
    """Read a solution file; a wrong one raises ``InputError`` naming file, line and field.

    >>> import tailgate
    >>> tailgate.read_solution("nowhere.json")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    tailgate.errors.InputError: nowhere.json: cannot be read: ...
    """
    return _solution_from_text(read_text(path), source=source_text(path))


def write_solution(solution: Solution, path: str | os.PathLike[str]) -> None:
    """Write a solution file in one step: a crash never leaves half of it.

    >>> import tailgate, tempfile
    >>> from pathlib import Path
    >>> instance = tailgate.generate_instance(6, 2, seed=1)
    >>> path = Path(tempfile.mkdtemp()) / "plan.json"
    >>> tailgate.write_solution(tailgate.solve(instance).solution, path)
    >>> tailgate.read_solution(path).status
    'optimal'
    """
    write_text(path, solution.to_json())


def _dumps(content: object) -> str:
    try:
        text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
        # Refused now rather than by the reader: a lone surrogate cannot be stored as UTF-8.
        text.encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"the solution cannot be written as JSON: {error}") from error
    return text + "\n"


def _solution_from_text(text: str, source: str | None) -> Solution:
    root = JsonDocument(text, source).parse()
    _check_format(root)
    members = root.members(
        required=(
            "format",
            "instance",
            "conventions",
            "status",
            "objective",
            "lower_bound",
            "gap",
            "routes",
        ),
        optional=("solver", "units"),
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
    try:
        return Conventions.from_dict(stated)
    except InputError as error:
        value.fail(error.problem, *((error.field,) if error.field else ()))


def _units(value: JsonValue) -> Units:
    members = value.members(
        optional=("length_scale", "weight_scale", "length", "weight", "distance")
    )
    scales = {
        name: member.integer(low=1, high=10**MAX_DECIMAL_PLACES)
        for name, member in members.items()
        if name.endswith("_scale")
    }
    names = {
        name: member.string() for name, member in members.items() if not name.endswith("_scale")
    }
    try:
        return Units(
            length_scale=scales.get("length_scale", 1),
            weight_scale=scales.get("weight_scale", 1),
            length_unit=names.get("length", ""),
            weight_unit=names.get("weight", ""),
            distance_unit=names.get("distance", ""),
        )
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


def _sequence(values: Iterable[_Part], argument: str) -> tuple[_Part, ...]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise InputError(f"must be a sequence, got {validation.shown(values)}", field=argument)
    return tuple(values)


def _parts(values: Iterable[_Part], kind: type[_Part], argument: str) -> tuple[_Part, ...]:
    collected = _sequence(values, argument)
    for index, value in enumerate(collected):
        if not isinstance(value, kind):
            raise InputError(
                f"must be a {kind.__name__}, got {validation.shown(value)}",
                field=f"{argument}[{index}]",
            )
    return collected
