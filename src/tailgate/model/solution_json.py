"""Reading the JSON document that carries a solution, of either format."""

from __future__ import annotations

import json
from typing import Any, cast

from tailgate.model.conventions import Conventions
from tailgate.model.costs import CostParts
from tailgate.model.errors import InputError
from tailgate.model.json_document import JsonDocument, JsonValue, kind_of, short
from tailgate.model.route import MAX_INTEGER, PLACEMENT_INTEGERS, LeftOut, Placement, Route
from tailgate.model.schedule import Schedule, StopTimes
from tailgate.model.solution import SOLUTION_FORMATS, Solution, Status
from tailgate.model.units import MAX_DECIMAL_PLACES, Units

_FORMAT_1, _FORMAT_2 = SOLUTION_FORMATS
_UNITS = ("length_scale", "weight_scale", "length", "weight", "distance")
_UNITS_2 = ("time", "cost", "clock")
_ROUTE = ("customers", "cost", "weight", "area", "placements")
# Each of these groups is stated as a whole or not at all.
_TIMES = ("departure", "return", "duration", "stops")
_COST_PARTS = ("fixed_cost", "distance_cost", "time_cost")
_ROUTE_2 = ("vehicle", "locked", "locked_stops", "distance", *_TIMES, *_COST_PARTS)
# Without this one no item is turned.
_PLACEMENT_2 = ("turned",)
_STOP = ("customer", "arrival", "start", "end")


def json_text(content: object) -> str:
    """Return a solution's content as the text of its file."""
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
    is_format_2 = _stated_format(root) == _FORMAT_2
    claims = ("status", "objective", "lower_bound", "gap", "routes")
    members = root.members(
        required=("format", "instance", "conventions", *claims),
        optional=("solver", "units", *(("left_out",) if is_format_2 else ())),
    )
    instance = members["instance"].members(required=("name", "sha256"))
    solver = members["solver"].plain() if "solver" in members else {}
    if not isinstance(solver, dict):
        members["solver"].fail("must be an object {...}")
    left_out = members["left_out"].elements() if "left_out" in members else ()
    routes = tuple(
        _route(route, _ROUTE_2 if is_format_2 else ()) for route in members["routes"].elements()
    )
    units = Units()
    if "units" in members:
        units = _units(members["units"], _UNITS_2 if is_format_2 else ())
    try:
        return Solution(
            instance_name=instance["name"].string(),
            instance_sha256=instance["sha256"].string(),
            conventions=_conventions(members["conventions"], is_format_2=is_format_2),
            status=cast(Status, members["status"].string()),
            objective=_number_or_null(members["objective"]),
            lower_bound=_number_or_null(members["lower_bound"]),
            gap=_number_or_null(members["gap"]),
            routes=routes,
            solver=solver,
            units=units,
            left_out=tuple(map(_left_out, left_out)),
        )
    except InputError as error:
        if error.source is not None or source is None or error.field is None:
            raise
        where = {"instance_name": ("instance", "name")}.get(error.field, (error.field,))
        root.fail(error.problem, *where)


def _stated_format(root: JsonValue) -> object:
    """Return the format, having told a file of another kind from a solution with a mistake."""
    if not isinstance(root.value, dict):
        # The next check says so.
        return None
    if "format" not in root.value:
        root.fail(f'is not a solution: it must have "format": "{_FORMAT_1}" or "{_FORMAT_2}"')
    stated = root.value["format"]
    if isinstance(stated, str) and stated.startswith("tailgate-instance"):
        root.fail("this is an instance, not a solution", "format")
    if stated not in SOLUTION_FORMATS:
        root.fail(f'must be "{_FORMAT_1}" or "{_FORMAT_2}", got {kind_of(stated)}', "format")
    return stated


def _conventions(value: JsonValue, *, is_format_2: bool) -> Conventions:
    names = tuple(Conventions.PLANNER.to_dict())
    members = value.members(required=names, optional=("turn",) if is_format_2 else ())
    stated = {
        name: member.boolean() if name == "lifo" else member.string()
        for name, member in members.items()
    }
    with value.placing_errors():
        return Conventions.from_dict(stated)


def _units(value: JsonValue, more: tuple[str, ...]) -> Units:
    stated: dict[str, Any] = {}
    for name, member in value.members(optional=_UNITS + more).items():
        if name.endswith("_scale"):
            stated[name] = member.integer(low=1, high=10**MAX_DECIMAL_PLACES)
        elif name == "clock":
            stated[name] = member.boolean()
        else:
            stated[f"{name}_unit"] = member.string()
    try:
        return Units(**stated)
    except InputError as error:
        value.fail(error.problem, (error.field or "").removesuffix("_unit"))


def _route(value: JsonValue, more: tuple[str, ...]) -> Route:
    members = value.members(required=_ROUTE, optional=more)
    for group in (_TIMES, _COST_PARTS):
        missing = [name for name in group if name not in members]
        if 0 < len(missing) < len(group):
            stated = next(name for name in group if name in members)
            value.fail(
                f'has the field "{stated}", but lacks "{missing[0]}"; state all of '
                f"{', '.join(group)}, or none"
            )
    fields: dict[str, Any] = {
        "customers": tuple(
            number.integer(low=-MAX_INTEGER, high=MAX_INTEGER)
            for number in members["customers"].elements()
        ),
        "cost": _number(members["cost"]),
        "weight": members["weight"].integer(low=-MAX_INTEGER, high=MAX_INTEGER),
        "area": members["area"].integer(low=-MAX_INTEGER, high=MAX_INTEGER),
        "placements": tuple(
            _placement(one, _PLACEMENT_2 if more else ())
            for one in members["placements"].elements()
        ),
    }
    if "vehicle" in members:
        fields["vehicle"] = members["vehicle"].string()
    if "locked" in members:
        fields["locked"] = members["locked"].boolean()
    if "locked_stops" in members:
        fields["locked_stops"] = members["locked_stops"].integer(low=0, high=MAX_INTEGER)
    if "distance" in members:
        fields["distance"] = _number(members["distance"])
    if _COST_PARTS[0] in members:
        fields["parts"] = CostParts(*(_number(members[name]) for name in _COST_PARTS))
    if _TIMES[0] in members:
        fields["schedule"] = _schedule(members)
    with value.placing_errors():
        return Route(**fields)


def _left_out(value: JsonValue) -> LeftOut:
    members = value.members(required=("customer", "cost"), optional=("reason",))
    customer = members["customer"].integer(low=-MAX_INTEGER, high=MAX_INTEGER)
    reason = members["reason"].string() if "reason" in members else ""
    with value.placing_errors():
        return LeftOut(customer, _number(members["cost"]), reason)


def _schedule(members: dict[str, JsonValue]) -> Schedule:
    return Schedule(
        departure=_number(members["departure"]),
        stops=tuple(_stop(stop) for stop in members["stops"].elements()),
        back=_number(members["return"]),
        duration=_number(members["duration"]),
    )


def _stop(value: JsonValue) -> StopTimes:
    members = value.members(required=_STOP)
    customer = members["customer"].integer(low=-MAX_INTEGER, high=MAX_INTEGER)
    return StopTimes(customer, *(_number(members[name]) for name in _STOP[1:]))


def _placement(value: JsonValue, more: tuple[str, ...]) -> Placement:
    members = value.members(required=PLACEMENT_INTEGERS, optional=more)
    numbers = {
        name: members[name].integer(low=-MAX_INTEGER, high=MAX_INTEGER)
        for name in PLACEMENT_INTEGERS
    }
    return Placement(**numbers, turned="turned" in members and members["turned"].boolean())


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
