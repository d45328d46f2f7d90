"""Is the form an instance? Every problem at once, each at its cell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tailgate.apps.serve.form_cells import Problem
from tailgate.apps.serve.form_reading import FormReading, read_form
from tailgate.apps.serve.limits import Limits
from tailgate.io.draft import Draft, DraftTravel, ParsedDraft, Place, assemble
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.json_document import JsonValue
from tailgate.model.matrix import Matrix
from tailgate.model.plausibility import check_plausibility
from tailgate.model.units import decimal_text, with_unit
from tailgate.solver.loading import find_unloadable_customer

_CELLS = {
    "travel.distances": "travel.roads",
    "travel.durations": "travel.roads",
}
"""By what the package calls it, where on the page it is."""


@dataclass(frozen=True, slots=True)
class CheckedForm:
    """The instance, if nothing is wrong; and what is wrong, or looks like a mistake."""

    instance: Instance | None
    problems: tuple[Problem, ...]
    summary: dict[str, object] = field(default_factory=dict)
    if_left_out: Instance | None = None
    """The instance in which all orders may be left out, where nothing else is wrong."""

    def to_dict(self) -> dict[str, object]:
        """Return what the page shows."""
        return {
            "valid": self.instance is not None,
            "valid_if_left_out": (self.instance or self.if_left_out) is not None,
            "problems": [problem.to_dict() for problem in self.problems],
            "summary": self.summary,
        }


def check_form(root: JsonValue, limits: Limits) -> CheckedForm:
    """Check all cells; what the page can never have sent raises ``InputError``."""
    reading = read_form(root, limits)
    problems = list(reading.problems)
    instance = None
    if not problems:
        try:
            instance = assemble(reading.draft, _cell)
        except InputError as error:
            problems.append(_problem_of(error, reading))
    if instance is None:
        if reading.is_frame_read:
            problems += _problems_of_customers(reading)
        rest = None if reading.problems else _if_left_out(reading.draft)
        return CheckedForm(None, tuple(dict.fromkeys(problems)), if_left_out=rest)
    number = find_unloadable_customer(instance)
    if number is not None:
        problem = Problem(
            f"customers[{number - 1}].items",
            "these items cannot be loaded together, even alone in a truck; split the order "
            "between two customers",
        )
        return CheckedForm(None, (problem,), if_left_out=_if_left_out(reading.draft))
    return CheckedForm(instance, tuple(_warnings(instance)), _summary(instance))


def _if_left_out(draft: Draft) -> Instance | None:
    """Return the instance in which all orders may be left out: also such as fit no truck."""
    parsed = ParsedDraft(draft, _cell)
    parsed.let_all_be_left_out()
    try:
        return parsed.to_instance()
    except InputError:
        return None


def _cell(path: str) -> Place:
    return Place("", None, path)


def _problem_of(error: InputError, reading: FormReading) -> Problem:
    """Return a complaint of the package as one about a cell."""
    owner, found, name = (error.field or "").partition(".info.")
    if found and name in reading.info:
        return Problem(f"{owner}.info[{reading.info.index(name)}]", error.problem)
    return Problem(_CELLS.get(error.field or "", error.field or ""), error.problem)


def _problems_of_customers(reading: FormReading) -> list[Problem]:
    """Check each customer alone with the vehicle: the package stops at the first complaint."""
    problems = []
    frame = _with_short_ways(reading.draft)
    for index, customer in enumerate(reading.draft.customers):
        if index in reading.unread_customers:
            continue
        # Named after its place: complaints must not call it the first.
        # Rules about others make no sense alone.
        named = replace(customer, name=customer.name or str(index + 1), not_with=(), together=())
        alone: Draft = replace(frame, customers=[named])
        try:
            assemble(alone, _cell)
        except InputError as error:
            problem = _problem_of(error, reading)
            path = problem.path.replace("customers[0]", f"customers[{index}]", 1)
            problems.append(replace(problem, path=path))
    return problems


def _with_short_ways(draft: Draft) -> Draft:
    """Return a draft whose ways are not longer than a way over other customers may be.

    Without the triangle inequality, who cannot be reached in time alone may be with others.
    """
    if draft.travel.metric != "matrix" and draft.conventions.distance == "exact":
        return draft
    nothing = Matrix.of([[0, 0], [0, 0]], "roads")
    coordinates = draft.travel.coordinates
    travel = DraftTravel("matrix", coordinates, distances=nothing, durations=nothing)
    return replace(draft, travel=travel, conventions=replace(draft.conventions, distance="exact"))


def _warnings(instance: Instance) -> Iterator[Problem]:
    """Say early what no search can change, and what looks like a mistake."""
    weight = sum(customer.weight for customer in instance.customers)
    area = sum(customer.area for customer in instance.customers)
    count = instance.vehicle_count
    is_too_heavy = weight > _capacity(instance)
    if is_too_heavy or area > _floor(instance):
        reason = "weigh" if is_too_heavy else "cover"
        most = f"more than {count} trucks can take"
        if not instance.has_kinds:
            vehicle = instance.vehicle
            needed = max(-(-weight // vehicle.capacity), -(-area // vehicle.area))
            most += f": at least {needed} are needed"
        yield Problem("vehicles[0].count", f"all orders together {reason} {most}", "warning")
    units, travel = instance.units, instance.travel
    if units.clock and travel.speed is None and travel.durations is None:
        distance = with_unit("1", units.distance_unit)
        message = f"no speed is given, so that a way of {distance} takes 1 min"
        yield Problem("travel.speed", message, "warning")
    for one in check_plausibility(instance):
        # There it is the only kind.
        cell = re.sub(r"^vehicle\.", "vehicles[0].", one.field)
        yield Problem(cell, str(one), "warning")


def _summary(instance: Instance) -> dict[str, object]:
    units, capacity, floor = instance.units, _capacity(instance), _floor(instance)
    weight = sum(customer.weight for customer in instance.customers)
    area = sum(customer.area for customer in instance.customers)
    squared = units.length_scale**2
    return {
        "customers": instance.n,
        "items": sum(len(customer.items) for customer in instance.customers),
        "weight": units.weight_text(weight),
        "capacity": units.weight_text(capacity),
        "area": decimal_text(area, squared),
        "floor": decimal_text(floor, squared),
        "weight_share": weight / capacity,
        "area_share": area / floor,
    }


def _capacity(instance: Instance) -> int:
    """Return what all vehicles may carry together."""
    return sum(vehicle.count * vehicle.capacity for vehicle in instance.vehicles)


def _floor(instance: Instance) -> int:
    """Return the area of all floors together."""
    return sum(vehicle.count * vehicle.area for vehicle in instance.vehicles)
