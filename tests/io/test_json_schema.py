"""The schemas of instance and solution files say what the readers and writers do."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from builders import REPOSITORY, small_instance, small_solution
from file_cases import Change, changed, parse_file, without
from fleet_cases import fleet_instances
from format_2_cases import format_2_instances
from market_day import market_day, market_plan
from rich_instances import TravelKind, all_routes, all_travel_kinds, rich_instance
from tailgate.io import (
    json_instance_text,
    json_schema,
    read_solution,
    read_text_draft,
    write_json,
)
from tailgate.model.conventions import Conventions
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.judge import verify
from tailgate.model.solution import Solution
from tailgate.model.units import Units
from tailgate.research.generate import generate_instance
from tailgate.solver.loading import planned_route, read

Reader = Callable[[Path], object]
INSTANCE = Draft202012Validator(json_schema("instance"))
INSTANCE_2 = Draft202012Validator(json_schema("instance-2"))
SOLUTION = Draft202012Validator(json_schema("solution"))
SOLUTION_2 = Draft202012Validator(json_schema("solution-2"))

PAGE = (REPOSITORY / "docs" / "formats.md").read_text(encoding="utf-8")
FULL_INSTANCE = PAGE[PAGE.index('{\n  "format": "tailgate-instance-1"') :].partition("\n```")[0]
FULL_INSTANCE_2 = PAGE[PAGE.index('{\n  "format": "tailgate-instance-2"') :].partition("\n```")[0]
FULL_SOLUTION = PAGE[PAGE.index('{\n  "format": "tailgate-solution-1"') :].partition("\n```")[0]
FULL_SOLUTION_2 = PAGE[PAGE.index('{\n  "format": "tailgate-solution-2"') :].partition("\n```")[0]
SOLUTIONS = {FULL_SOLUTION: SOLUTION, FULL_SOLUTION_2: SOLUTION_2}

Content = dict[str, Any]


@pytest.mark.parametrize("validator", [INSTANCE, INSTANCE_2, SOLUTION, SOLUTION_2])
def test_the_schemas_are_schemas(validator: Draft202012Validator) -> None:
    """A misspelt keyword would allow everything in silence."""
    Draft202012Validator.check_schema(validator.schema)


def test_the_examples_of_the_page_keep_the_schemas(tmp_path: Path) -> None:
    """They have every field there is, and the readers take them, too."""
    examples = {FULL_INSTANCE: INSTANCE, FULL_INSTANCE_2: INSTANCE_2} | SOLUTIONS
    for text, validator in examples.items():
        validator.validate(json.loads(text))
    (tmp_path / "full.json").write_text(FULL_INSTANCE, encoding="utf-8")
    assert parse_file(tmp_path / "full.json").n == 2
    assert Solution.from_dict(json.loads(FULL_SOLUTION)).objective == 46
    plan = Solution.from_dict(json.loads(FULL_SOLUTION_2))
    assert plan.routes == market_plan().routes
    assert verify(market_day(), plan) == []


@pytest.mark.parametrize("name", ["garden_centres", "mixed-tw-n20-c3-s3.json", "trailer.json"])
def test_what_is_written_keeps_the_schema(name: str, tmp_path: Path) -> None:
    """With names and units, with time windows, in millimetres."""
    write_json(read(REPOSITORY / "examples" / name), tmp_path / "written.json")
    INSTANCE.validate(json.loads((tmp_path / "written.json").read_text(encoding="utf-8")))


@given(
    n=st.integers(2, 6),
    packing_class=st.integers(1, 5),
    seed=st.integers(0, 10**6),
    time_windows=st.booleans(),
    lifo=st.booleans(),
)
def test_generated_instances_keep_the_schema(
    n: int, packing_class: int, seed: int, time_windows: bool, lifo: bool
) -> None:
    """Whatever the generator comes up with."""
    conventions = Conventions(lifo=lifo)
    instance = generate_instance(
        n, packing_class, seed=seed, time_windows=time_windows, conventions=conventions
    )
    INSTANCE.validate(json.loads(json_instance_text(instance)))


def test_solutions_keep_the_schema() -> None:
    """With routes, and without any."""
    SOLUTION.validate(small_solution().to_dict())
    none = small_solution(
        status="infeasible", objective=None, lower_bound=None, gap=None, routes=()
    )
    SOLUTION.validate(none.to_dict())
    for units in (market_plan().units, Units(time_unit="h")):
        bare = replace(
            market_plan(), status="infeasible", objective=None, gap=None, routes=(), units=units
        )
        SOLUTION_2.validate(bare.to_dict())


@all_travel_kinds
def test_solutions_of_format_2_keep_the_schema(travel: TravelKind) -> None:
    """Whatever an instance has: with and without a name, distances, a schedule."""
    for seed in range(20):
        instance = rich_instance(seed, travel)
        routes = tuple(
            planned_route(instance, route, ())
            for route in all_routes(instance, 2)
            if instance.route_cost(route) < math.inf
        )
        solution = small_solution(instance, routes=routes, units=instance.units)
        content = solution.to_dict()
        (SOLUTION if solution.is_format_1 else SOLUTION_2).validate(content)
        assert Solution.from_dict(content).to_dict() == content


BAD_INSTANCES = {
    "another format": changed("format", value="tailgate-instance-3"),
    "no format": without("format"),
    "no vehicle": without("vehicle"),
    "no depot": without("depot"),
    "no customers": changed("customers", value=[]),
    "a misspelt field": changed("customers", 0, "duee", value=3),
    "an unknown member": changed("comment", value="x"),
    "a width of nothing": changed("vehicle", "width", value=0),
    "a capacity as text": changed("vehicle", "capacity", value="5200"),
    "half a vehicle": changed("vehicle", "count", value=1.5),
    "a negative weight": changed("customers", 0, "weight", value=-1),
    "a missing weight": without("customers", 0, "weight"),
    "items as an object": changed("customers", 0, "items", value={}),
    "an item of no length": changed("customers", 0, "items", 0, "length", value=0),
    "none of an item": changed("customers", 0, "items", 0, "quantity", value=0),
    "a number as a name": changed("customers", 0, "name", value=7),
    "a negative service": changed("customers", 0, "service", value=-5),
    "a due time as text": changed("customers", 0, "due", value="noon"),
    "lifo as a word": changed("conventions", "lifo", value="yes"),
    "an unknown distance": changed("conventions", "distance", value="road"),
    "an unknown convention": changed("conventions", "lefo", value=True),
    "a long unit": changed("units", "length", value="m" * 21),
}

SQUARE = [[0, 1, 1], [1, 0, None], [1, 1, 0]]
BAD_INSTANCES_2 = {
    "another format": changed("format", value="tailgate-instance-3"),
    "the vehicle of format 1": changed("vehicle", value={}),
    "no vehicles": changed("vehicles", value=[]),
    "a distance among the conventions": changed("conventions", "distance", value="exact"),
    "an unknown unit": changed("units", "money", value="EUR"),
    "x beside lat": changed("depot", "x", value=1),
    "a latitude alone": without("depot", "lon"),
    "a latitude beyond the pole": changed("customers", 0, "lat", value=91),
    "a longitude beyond the date line": changed("customers", 0, "lon", value=-180.5),
    "no speed": changed("travel", "speed", value=0),
    "no detour": changed("travel", "detour", value=0),
    "an unknown metric": changed("travel", "metric", value="roads"),
    "four decimals": changed("travel", "decimals", value=4),
    "a unit without a matrix": changed("travel", "durations_unit", value="s"),
    "a negative distance": changed("travel", value={"distances": [[0, -1], [1, 0]]}),
    "a metric beside a matrix": changed("travel", value={"distances": SQUARE, "detour": 1}),
    "a speed beside durations": changed("travel", value={"durations": SQUARE, "speed": 1}),
    "a file beside a matrix": changed("travel", value={"distances": SQUARE, "file": "a.json"}),
    "a matrix as text": changed("travel", value={"distances": "matrix.json"}),
    "a count below nothing": changed("vehicles", 0, "count", value=-1),
    "a negative cost": changed("vehicles", 0, "fixed_cost", value=-1),
    "a cost as text": changed("vehicles", 0, "cost_per_time", value="0.4"),
    "half a stop": changed("vehicles", 0, "max_stops", value=1.5),
    "a negative duration": changed("vehicles", 0, "max_duration", value=-1),
    "a time that no clock shows": changed("customers", 0, "due", value="12:75"),
    "noon": changed("customers", 0, "due", value="noon"),
    "a date": changed("customers", 0, "due", value="2026-01-02 12:00"),
    "a long service": changed("customers", 0, "service", value="a while"),
    "info as a list": changed("customers", 0, "info", value=["12 rue Neuve"]),
    "a number as info": changed("customers", 0, "info", "phone", value=4),
    "a reward for leaving out": changed("customers", 0, "leave_out_cost", value=-1),
    "a leave-out cost as text": changed("customers", 0, "leave_out_cost", value="250"),
    "no vehicle at all": changed("customers", 0, "vehicles", value=[]),
    "a kind as text": changed("customers", 0, "vehicles", value="van"),
    "a kind by its number": changed("customers", 0, "vehicles", value=[1]),
    "a kind twice": changed("customers", 0, "vehicles", value=["van", "van"]),
    "an empty name": changed("customers", 0, "not_with", value=[""]),
    "a customer by its number": changed("customers", 0, "together", value=[2]),
    "somewhere in the middle": changed("customers", 0, "position", value="middle"),
    "a turn as a word": changed("customers", 0, "items", 0, "turn", value="yes"),
    "a convention of turning as a flag": changed("conventions", "turn", value=True),
    "an item of some height": changed("customers", 0, "items", 0, "height", value=1),
    "a pickup": changed("customers", 0, "pickup", value=True),
    "a break": changed("vehicles", 0, "breaks", value=[]),
    "several depots": changed("depots", value=[]),
}


BAD_SOLUTIONS = {
    "another format": changed("format", value="tailgate-solution-9"),
    "a field of format 2": changed("left_out", value=[]),
    "a distance in format 1": changed("routes", 0, "distance", value=46),
    "no status": without("status"),
    "an unknown status": changed("status", value="good"),
    "no routes": without("routes"),
    "a convention too few": without("conventions", "lifo"),
    "an unknown member": changed("cost", value=3),
    "a bound as text": changed("lower_bound", value="46"),
    "a customer as text": changed("routes", 0, "customers", 0, value="Bakery"),
    "a place between": changed("routes", 0, "placements", 0, "x", value=0.5),
    "a placement without a step": without("routes", 0, "placements", 0, "load_step"),
    "a scale that is no power of ten": changed("units", "length_scale", value=20),
    "a solver as text": changed("solver", value="mine"),
    "no fingerprint": without("instance", "sha256"),
}


STOP = ("routes", 0, "stops", 0)
BAD_SOLUTIONS_2 = {
    "another format": changed("format", value="tailgate-solution-3"),
    "somebody left out": changed("left_out", value=[3]),
    "an unknown member": changed("comment", value="x"),
    "a vehicle as a number": changed("routes", 0, "vehicle", value=12),
    "a departure as a clock shows it": changed("routes", 0, "departure", value="11:30"),
    "no distance": changed("routes", 0, "distance", value=None),
    "times without a return": without("routes", 0, "return"),
    "times without stops": without("routes", 0, "stops"),
    "costs without one of them": without("routes", 0, "time_cost"),
    "a stop without an arrival": without(*STOP, "arrival"),
    "a stop with a name": changed(*STOP, "name", value="Market"),
    "half a customer": changed(*STOP, "customer", value=1.5),
    "a clock in hours": changed("units", "time", value="h"),
    "a clock as a word": changed("units", "clock", value="yes"),
    "a route locked by a number": changed("routes", 0, "locked", value=1),
    "less than no locked stops": changed("routes", 0, "locked_stops", value=-1),
    "a customer left out without a cost": changed("left_out", value=[{"customer": 1}]),
}


def refused(schema: Any, text: str, change: Change, read: Reader, folder: Path) -> None:
    """See that schema and reader refuse the same content, after one change of a good file."""
    content = json.loads(text)
    change(content)
    assert not schema.is_valid(content)
    (folder / "bad.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputError):
        read(folder / "bad.json")


@pytest.mark.parametrize("name", BAD_INSTANCES)
def test_schema_and_reader_refuse_the_same_instances(name: str, tmp_path: Path) -> None:
    """A file that an editor finds sound must not be refused for its form, nor the other way."""
    refused(INSTANCE, FULL_INSTANCE, BAD_INSTANCES[name], parse_file, tmp_path)


@pytest.mark.parametrize("name", BAD_INSTANCES_2)
def test_schema_and_reader_refuse_the_same_instances_of_format_2(name: str, tmp_path: Path) -> None:
    """What is refused by name is so in an editor, too."""
    refused(INSTANCE_2, FULL_INSTANCE_2, BAD_INSTANCES_2[name], parse_file, tmp_path)


@settings(max_examples=60)
@given(format_2_instances())
def test_instances_of_format_2_keep_the_schema(instance: Instance) -> None:
    """With matrices, clocks, costs and all."""
    content = json.loads(json_instance_text(instance))
    (INSTANCE if instance.is_format_1 else INSTANCE_2).validate(content)


@settings(max_examples=60)
@given(fleet_instances())
def test_fleets_keep_the_schema(instance: Instance) -> None:
    """Kinds, customers that may be left out, rules."""
    INSTANCE_2.validate(json.loads(json_instance_text(instance)))


@pytest.mark.parametrize("name", BAD_SOLUTIONS)
def test_schema_and_reader_refuse_the_same_solutions(name: str, tmp_path: Path) -> None:
    """For solutions of other programs, too, the schema is the contract."""
    refused(SOLUTION, FULL_SOLUTION, BAD_SOLUTIONS[name], read_solution, tmp_path)


@pytest.mark.parametrize("name", BAD_SOLUTIONS_2)
def test_schema_and_reader_refuse_the_same_solutions_of_format_2(name: str, tmp_path: Path) -> None:
    """Times, costs and stops are part of the contract, too."""
    refused(SOLUTION_2, FULL_SOLUTION_2, BAD_SOLUTIONS_2[name], read_solution, tmp_path)


ODD_VALUES: st.SearchStrategy[object] = st.sampled_from(
    [None, True, False, 0, -1, 2.5, 3.0, "", "x", [], {}, 10**7]
)


def _places(content: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [path] if path else []
    if isinstance(content, dict):
        for key, value in content.items():
            found += _places(value, (*path, key))
    elif isinstance(content, list):
        for index, value in enumerate(content):
            found += _places(value, (*path, index))
    return found


PLACES_OF_SOLUTIONS = [(text, place) for text in SOLUTIONS for place in _places(json.loads(text))]


@given(place=st.sampled_from(PLACES_OF_SOLUTIONS), value=ODD_VALUES)
def test_one_odd_value_in_a_solution_is_judged_alike(
    place: tuple[str, tuple[str | int, ...]], value: object
) -> None:
    """Solutions are checked for their form alone, so schema and reader agree on every file."""
    text, path = place
    content = copy.deepcopy(json.loads(text))
    changed(*path, value=value)(content)
    try:
        Solution.from_dict(content)
    except InputError:
        accepted = False
    else:
        accepted = True
    assert SOLUTIONS[text].is_valid(content) == accepted


@given(place=st.sampled_from(_places(json.loads(FULL_INSTANCE))), value=ODD_VALUES)
def test_an_instance_that_breaks_the_schema_is_never_read(
    place: tuple[str | int, ...], value: object
) -> None:
    """The other way does not hold: the reader also knows sense, such as an item that is too big."""
    _check_broken(FULL_INSTANCE, INSTANCE, place, value)


@settings(max_examples=300)
@given(place=st.sampled_from(_places(json.loads(FULL_INSTANCE_2))), value=ODD_VALUES)
def test_an_instance_of_format_2_that_breaks_the_schema_is_never_read(
    place: tuple[str | int, ...], value: object
) -> None:
    """Likewise, with all the fields that format 2 has."""
    _check_broken(FULL_INSTANCE_2, INSTANCE_2, place, value)


def _check_broken(
    text: str, schema: Draft202012Validator, place: tuple[str | int, ...], value: object
) -> None:
    content = copy.deepcopy(json.loads(text))
    changed(*place, value=value)(content)
    try:
        read_text_draft(json.dumps(content), "odd.json", "odd").to_instance()
    except InputError:
        return
    assert schema.is_valid(content)


def test_the_small_instance_is_read_as_it_was_written(tmp_path: Path) -> None:
    """The reader that the schema is compared with is the one that everybody uses."""
    write_json(small_instance(), tmp_path / "small.json")
    assert read(tmp_path / "small.json", check_loading=False).sha256 == small_instance().sha256
