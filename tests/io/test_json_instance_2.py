"""JSON format 2: the documented example, every refusal with its place, and round trips."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from builders import REPOSITORY, real_values, small_instance
from file_cases import Change, changed, parse_file, without
from format_2_cases import DISTANCES, DURATIONS, by_matrix, format_2_instances, on_the_globe
from tailgate.io import json_instance_text, read_text_draft, write_json
from tailgate.model.errors import InputError
from tailgate.model.instance import Conventions, Instance, Travel, Units, Vehicle
from tailgate.model.json_document import format_json

Content = dict[str, Any]
VEHICLE = ("vehicles", 0)
FIRST = ("customers", 0)
ITEM = (*FIRST, "items", 0)


def parse(content: Content, **overrides: Any) -> Instance:
    """Read content that is in no file."""
    return read_text_draft(format_json(content), "a.json", "a", **overrides).to_instance()


def after(content: Content, *changes: Change) -> Content:
    """Return content after some changes."""
    for change in changes:
        change(content)
    return content


def test_the_documented_example_means_what_it_says() -> None:
    """The documentation is a promise."""
    page = (REPOSITORY / "docs" / "formats.md").read_text(encoding="utf-8")
    text = page[page.index('{\n  "format": "tailgate-instance-2"') :].partition("\n```")[0]
    instance = read_text_draft(text, "page", "page").to_instance()
    assert instance.units == Units(100, 1, 10**4, "m", "kg", "km", "min", "EUR", clock=True)
    assert instance.travel == Travel.great_circle(detour=1.35, speed=35)
    assert (instance.depot_name, instance.depot_ready, instance.depot_due) == ("Depot", 360, 1080)
    lorry, van = instance.vehicles
    assert lorry == Vehicle(
        *(245, 720, 6000, "12 t", 120, 0.9, 0.4, 360, 1080, 480, 250, 12), count=3
    )
    assert van == Vehicle(180, 320, 1200, "van", 60, 0.5, count=4)
    first, second, third = instance.customers
    assert (first.leave_out_cost, first.vehicles) == (250, ("van",))
    assert (first.not_with, second.not_with) == (("Chemical store",), ())
    assert (third.together, third.position) == (("Chemical store",), "last")
    assert (first.name, first.ready, first.due, first.service) == ("Mme Dupont", 480, 720, 15)
    assert first.info == (("address", "12 rue Neuve"), ("phone", "04 56 78 90 12"))
    assert len(first.items) == 3


def test_the_coordinates_say_which_metric_it_is() -> None:
    """Nobody measures degrees with a ruler."""
    content = after(on_the_globe(), without("travel"))
    assert parse(content).travel == Travel.great_circle()
    for place in (content["depot"], *content["customers"]):
        place["x"], place["y"] = place.pop("lon"), place.pop("lat")
    assert parse(content).travel == Travel.euclidean()


def test_rounding_is_a_convention_and_can_be_overridden() -> None:
    """--distance is for measured distances of every format."""
    content = after(on_the_globe(), changed("travel", value={"rounding": "rounded", "decimals": 1}))
    assert parse(content).conventions.distance == "rounded"
    assert parse(content).travel.decimals == 1
    overridden = parse(content, distance="truncated")
    assert (overridden.conventions.distance, overridden.travel.decimals) == ("truncated", 1)


def test_matrices_in_the_file_are_taken_as_they_are() -> None:
    """Asymmetric, in decimals, with a road that cannot be driven."""
    instance = parse(by_matrix())
    assert instance.travel == Travel.from_matrix(DISTANCES, DURATIONS, coordinates="lat/lon")
    assert instance.distance(1, 0) == 4.5
    assert instance.duration(2, 1) == 7.5
    assert instance.duration(1, 2) == np.inf
    assert instance.conventions.distance == "exact"


def test_coordinates_may_be_missing_beside_a_matrix() -> None:
    """Many a planner has addresses and a matrix, but no map."""
    content = by_matrix()
    for place in (content["depot"], *content["customers"]):
        del place["lat"], place["lon"]
    assert parse(content).travel.coordinates == "none"


def test_a_matrix_may_be_in_other_units() -> None:
    """Seconds are no decimals of minutes, and stay exact."""
    seconds = [[0, 20, 30], [20, 0, 100], [1, 2, 0]]
    instance = parse(
        by_matrix(
            distances=[[0, 1500, 1], [1, 0, 1], [1, 1, 0]],
            distances_unit="m",
            durations=seconds,
            durations_unit="s",
        )
    )
    assert instance.travel.distances is not None
    assert instance.travel.durations is not None
    assert instance.travel.durations.step == Fraction(1, 60)
    assert instance.distance(0, 1) == 1.5
    assert instance.clock.tick == Fraction(1, 60)
    assert instance.duration(1, 2) == 100 / 60


def test_distances_may_be_missing_where_nothing_uses_them() -> None:
    """Whoever pays by the hour needs none; who pays by the kilometre is told."""
    content = by_matrix(durations=DURATIONS)
    del content["vehicles"][0]["max_distance"]
    with pytest.raises(InputError, match=r"travel.*: must be given: the cost needs them"):
        parse(content)
    del content["vehicles"][0]["cost_per_distance"]
    assert parse(content).route_cost([1]) == pytest.approx(120 + 0.4 * 34)


def test_what_says_nothing_is_nothing() -> None:
    """Null and false are what other programs write for a field that they do not use."""
    content = on_the_globe()
    plain = parse(content)
    for name in ("leave_out_cost", "vehicles", "not_with", "together", "position"):
        content["customers"][1][name] = None
    for name in ("shift_start", "shift_end", "max_duration", "max_distance", "max_stops"):
        content["vehicles"][0][name] = None
    for name in ("fixed_cost", "cost_per_distance", "cost_per_time"):
        content["vehicles"][0][name] = None
    assert parse(content).customers == plain.customers
    vehicle = parse(content).vehicle
    assert vehicle == Vehicle(vehicle.width, vehicle.length, vehicle.capacity, "12 t", count=3)


# Each row: the change, the field that the message must name, and a word of the problem.
REFUSED: list[tuple[Change, str | None, str]] = [
    # frame
    (changed("format", value="tailgate-instance-4"), "format", "tailgate-instance-2"),
    (without("vehicles"), None, 'lacks the field "vehicles"'),
    (changed("vehicle", value={}), "vehicle", 'is "vehicles"'),
    (changed("customer", value=[]), "customer", 'did you mean "customers"'),
    (changed("units", "tempo", value="x"), "units.tempo", "not a known field"),
    (changed("units", "time", value="h"), "units.time", "must be min, for '06:00' (depot.ready"),
    (changed("units", "distance", value="furlong"), "units.distance", "must be km, m or mi"),
    (changed("units", "cost", value="E" * 30), "units.cost", "20 characters"),
    (changed("conventions", "distance", value="exact"), "conventions.distance", '"rounding" in'),
    (changed("conventions", "fleet", value="all"), "conventions.fleet", "exactly"),
    # travel
    (changed("travel", "metric", value="euclidean"), "travel.metric", 'must be "great-circle"'),
    (changed("travel", "metric", value="roads"), "travel.metric", "must be one of"),
    (changed("travel", "detour", value=0), "travel.detour", "must be above 0"),
    (changed("travel", "detour", value=-1), "travel.detour", "must be above 0, got -1"),
    (changed("travel", "speed", value=0), "travel.speed", "must be above 0"),
    (changed("travel", "speed", value="fast"), "travel.speed", "must be a number"),
    (changed("travel", "speed", value=1e-30), "travel.speed", "must be between 1e-06 and 1e+06"),
    (changed("travel", "rounding", value="up"), "travel.rounding", "truncated"),
    (changed("travel", "decimals", value=4), "travel.decimals", "between 0 and 3"),
    (changed("travel", "spede", value=4), "travel.spede", 'did you mean "speed"'),
    (changed("travel", "distances_unit", value="m"), "travel.distances_unit", "are not here"),
    (changed("travel", "file", value="m.json"), "travel.file", "write the matrices into"),
    # places
    (without("depot", "lat"), "depot", 'lacks the field "lat"'),
    (changed("depot", "x", value=1), "depot", "x or y beside lat or lon"),
    (changed("depot", value={"x": 1, "y": 2}), "customers[0]", "has lat and lon, but the depot"),
    (changed("depot", value={}), "customers[0]", "but the depot has no coordinates"),
    (changed("depot", "lat", value=90.5), "depot.lat", "between -90 and 90, got 90.5"),
    (changed(*FIRST, "lat", value=-91), "customers[0].lat", "between -90 and 90"),
    (changed(*FIRST, "lon", value=180.1), "customers[0].lon", "between -180 and 180"),
    (changed(*FIRST, "lat", value=1e10), "customers[0].lat", "out of range"),
    # times
    (changed(*FIRST, "ready", value=480), "customers[0].ready", "'06:00' (depot.ready, line 25)"),
    (changed(*FIRST, "due", value="07:00"), "customers[0].due", "next day, write 31:00"),
    (changed("depot", "due", value="05:00"), "depot.due", "before ready (06:00), got 05:00"),
    (changed(*VEHICLE, "shift_end", value="02:00"), "vehicles[0].shift_end", "write 26:00"),
    (changed(*FIRST, "due", value="noon"), "customers[0].due", 'such as "08:00"'),
    (changed(*FIRST, "due", value="08:60"), "customers[0].due", "got '08:60'"),
    (changed(*FIRST, "due", value="13:00 pm"), "customers[0].due", "got '13:00 pm'"),
    (changed(*FIRST, "due", value="2026-01-02"), "customers[0].due", "date without a time"),
    (changed(*FIRST, "due", value="2026-01-02 08:00"), "customers[0].due", "has a date"),
    (changed(*FIRST, "service", value=-1), "customers[0].service", "between 0"),
    (changed(*FIRST, "service", value="soon"), "customers[0].service", "must be a number, or"),
    (changed(*FIRST, "due", value="06:01"), "customers[0].due", "next day|at the earliest"),
    (changed("depot", "due", value="06:30"), "customers[0].ready", "after the depot's due time"),
    # vehicles
    (changed("vehicles", value=[]), "vehicles", "must hold a kind"),
    (changed("vehicles", value={}), "vehicles", "array"),
    (changed(*VEHICLE, "count", value=-1), "vehicles[0].count", "between 0 and"),
    (changed(*VEHICLE, "count", value=1.5), "vehicles[0].count", "integer"),
    (without(*VEHICLE, "width"), "vehicles[0]", 'lacks the field "width"'),
    (changed(*VEHICLE, "width", value=0), "vehicles[0].width", "greater than 0"),
    (changed(*VEHICLE, "fixed_cost", value=-1), "vehicles[0].fixed_cost", "between 0"),
    (changed(*VEHICLE, "cost_per_distance", value=-0.1), "vehicles[0].cost_per_distance", "betw"),
    (changed(*VEHICLE, "cost_per_time", value=1e10), "vehicles[0].cost_per_time", "between 0"),
    (changed(*VEHICLE, "cost_per_time", value=float("inf")), "vehicles[0].cost_per_time", "finit"),
    (changed(*VEHICLE, "max_duration", value=-5), "vehicles[0].max_duration", "between 0"),
    (changed(*VEHICLE, "max_distance", value=-5), "vehicles[0].max_distance", "between 0"),
    (changed(*VEHICLE, "max_stops", value=0), "vehicles[0].max_stops", "between 1"),
    (changed(*VEHICLE, "colour", value="red"), "vehicles[0].colour", "not a known field"),
    # customers
    (changed(*FIRST, "name", value="Chemist"), "customers[1].name", "both called"),
    (changed(*FIRST, "info", value=[]), "customers[0].info", "object of texts"),
    (changed(*FIRST, "info", "phone", value=4), "customers[0].info.phone", "text in quotes"),
    (changed(*FIRST, "info", "phone", value="a\nb"), "customers[0].info.phone", "line breaks"),
    (changed(*FIRST, "info", "note", value="x" * 1001), "customers[0].info.note", "1000 charact"),
    (changed(*FIRST, "weight", value=7000), "customers[0].weight", "capacity 6000"),
    (changed(*ITEM, "width", value=3), "customers[0].items[0].width", "vehicle's floor"),
    (changed(*ITEM, "quantity", value=0), "customers[0].items[0].quantity", "between 1"),
    (changed(*ITEM, "turn", value="yes"), "customers[0].items[0].turn", "true or false"),
    (changed("conventions", "turn", value="some"), "conventions.turn", 'one of "as-given"'),
    # what stays out
    (changed("depots", value=[]), "depots", "several depots are not supported"),
    (changed(*VEHICLE, "depot", value="Lyon"), "vehicles[0].depot", "several depots are not"),
    (changed(*VEHICLE, "max_trips", value=2), "vehicles[0].max_trips", "several trips a day"),
    (changed(*VEHICLE, "breaks", value=[]), "vehicles[0].breaks", "breaks are not supported"),
    (changed(*FIRST, "pickup", value=True), "customers[0].pickup", "pickups are not supported"),
    (changed(*FIRST, "split", value=True), "customers[0].split", "split deliveries are not"),
    (changed(*ITEM, "stackable", value=True), "customers[0].items[0].stackable", "stacking is"),
    (changed(*ITEM, "height", value=1), "customers[0].items[0].height", "stacking is not"),
]


@pytest.mark.parametrize(("change", "field", "words"), REFUSED)
def test_a_wrong_field_is_named_with_its_line_and_remedy(
    change: Change, field: str | None, words: str
) -> None:
    """What is wrong must be found at once, in a file of any length."""
    content = after(on_the_globe(), change)
    text = json.dumps(content, indent=1)
    with pytest.raises(InputError) as caught:
        read_text_draft(text, "a.json", "a").to_instance()
    error = caught.value
    assert error.source == "a.json"
    assert error.field == field
    assert words in error.problem or re.search(re.sub(r"[()\[\]]", ".", words), error.problem), str(
        error
    )
    assert error.line is not None
    last = re.sub(r"\[\d+\]$", "", field or "").rpartition(".")[2]
    if last and re.sub(r".*\.", "", field or "") == last:
        assert f'"{last}"' in text.split("\n")[error.line - 1]


# Each row: the object travel, the field that the message must name, and a word of the problem.
WRONG_MATRICES: list[tuple[Content, str, str]] = [
    ({"distances": [[0, 1], [1, 0]]}, "travel.distances", r"must have 3 rows \(the depot and 2"),
    ({"distances": {}}, "travel.distances", "must be an array of 3 rows, got an object"),
    ({"distances": [1, 2, 3]}, "travel.distances[0]", "must be a row"),
    (
        {"distances": [[0, 1, 1], [1, 0], [1, 1, 0]]},
        "travel.distances[1]",
        "row of Mme Dupont must have 3 values .* from Mme Dupont to Chemist is missing",
    ),
    (
        {"distances": [[0, 1, 1], [1, 0, -2], [1, 1, 0]]},
        "travel.distances[1][2]",
        r"must not be negative, got -2 \(from Mme Dupont to Chemist\)",
    ),
    (
        {"distances": [[0, 1, 1], [1, 0, float("inf")], [1, 1, 0]]},
        "travel.distances[1][2]",
        "must be finite",
    ),
    (
        {"distances": [[0, 1, 1], [1, 0, float("nan")], [1, 1, 0]]},
        "travel.distances[1][2]",
        r"must be a finite number \(from Mme Dupont to Chemist\), got NaN",
    ),
    (
        {"distances": [[0, 1, 1], [1, 0, "2"], [1, 1, 0]]},
        "travel.distances[1][2]",
        "must be a number, or null where there is no road",
    ),
    ({"distances": [[0, 1, 1], [1, 0, True], [1, 1, 0]]}, "travel.distances[1][2]", "got true"),
    (
        {"distances": [[0, 1, 1], [1, 0, 10**400], [1, 1, 0]]},
        "travel.distances[1][2]",
        "too large|must be finite",
    ),
    (
        {"distances": [[0, 1, 1], [1, 0, 2], [1, 1, 3]]},
        "travel.distances[2][2]",
        r"must be 0 from a place to itself, got 3 \(from Chemist to Chemist\)",
    ),
    (
        {"distances": [[0, 1, 1], [1, 0, 1e-10], [1, 1, 0]]},
        "travel.distances[1][2]",
        "more than 9 decimal places; round it",
    ),
    (
        {"distances": [[0, 1, 1], [1, 0, 1e15], [1, 1, 0]]},
        "travel.distances[1][2]",
        "too large to be stored exactly",
    ),
    (
        {"distances": DISTANCES, "durations": [[0, 1, 1], [1, 0, 1], [1, 1, 0]]},
        "travel.durations",
        "either a distance or a duration, but not both",
    ),
    ({"distances": DISTANCES, "detour": 1.3}, "travel.detour", "not for a matrix; leave it out"),
    ({"distances": DISTANCES, "rounding": "exact"}, "travel.rounding", "not for a matrix"),
    ({"distances": DISTANCES, "decimals": 0}, "travel.decimals", "not for a matrix"),
    ({"distances": DISTANCES, "metric": "great-circle"}, "travel.metric", "not for a matrix"),
    ({"distances": DISTANCES, "durations": DURATIONS, "speed": 30}, "travel.speed", "contradicts"),
    ({"distances": DISTANCES, "distances_unit": "s"}, "travel.distances_unit", "must be one of"),
    ({"distances": DISTANCES, "file": "a.json"}, "travel.distances", "beside a file of matrices"),
    ({"distances": None}, "travel.distances", "must be an array of 3 rows, got null"),
]


@pytest.mark.parametrize(("travel", "field", "words"), WRONG_MATRICES)
def test_a_wrong_matrix_is_told_with_its_cell(travel: Content, field: str, words: str) -> None:
    """A number among a million is found by the names of its places."""
    content = by_matrix(**travel)
    with pytest.raises(InputError, match=words) as caught:
        read_text_draft(json.dumps(content, indent=1), "a.json", "a").to_instance()
    assert caught.value.field == field
    assert caught.value.line is not None
    assert caught.value.source == "a.json"


def test_a_matrix_is_not_rounded() -> None:
    """--distance would change distances that somebody has measured on roads."""
    with pytest.raises(InputError, match=r"travel: is a matrix, and .*--distance.* leave it out"):
        parse(by_matrix(), distance="exact")
    with pytest.raises(InputError, match=r'conventions.distance: must be "exact" with a matrix'):
        parse(by_matrix()).with_conventions(distance="rounded")


def test_a_unit_that_cannot_be_converted_is_told() -> None:
    """A furlong is a fine name, until somebody gives metres."""
    content = by_matrix(distances=DISTANCES, distances_unit="m")
    content["units"]["distance"] = "furlong"
    with pytest.raises(InputError, match=r"cannot be converted .* 'furlong'; .* km, m or mi"):
        parse(content)


@settings(max_examples=150)
@given(instance=format_2_instances())
def test_writing_and_reading_gives_the_same_instance(instance: Instance) -> None:
    """The writer is the inverse of the reader: every value, name, unit, road and convention."""
    text = json_instance_text(instance)
    again = read_text_draft(text, "a.json", "a").to_instance()
    assert real_values(again) == real_values(instance)
    assert again.sha256 == instance.sha256
    assert ('"tailgate-instance-1"' in text) == instance.is_format_1
    # The reader takes the coarsest scale that will do; after one round nothing changes any more.
    assert read_text_draft(json_instance_text(again), "a.json", "a").to_instance() == again


@pytest.mark.parametrize(
    "change",
    [
        lambda instance: replace(instance, depot_name="Lyon"),
        lambda instance: replace(instance, units=replace(instance.units, cost_unit="EUR")),
        lambda instance: replace(instance, units=replace(instance.units, clock=True)),
        lambda instance: replace(instance, travel=Travel.euclidean(detour=1.2)),
        lambda instance: replace(instance, vehicle=replace(instance.vehicle, fixed_cost=3)),
        lambda instance: replace(
            instance,
            customers=tuple(replace(one, info=(("phone", "1"),)) for one in instance.customers),
        ),
    ],
)
def test_what_format_1_can_say_is_written_in_format_1(
    change: Callable[[Instance], Instance], tmp_path: Path
) -> None:
    """Older versions read it, and nothing that it cannot say is dropped."""
    file = tmp_path / "a.json"
    for instance, name in ((small_instance(), "1"), (change(small_instance()), "2")):
        write_json(instance, file)
        assert f'"tailgate-instance-{name}"' in file.read_text(encoding="utf-8")
        assert parse_file(file) == instance


def test_a_clock_without_any_time_is_remembered() -> None:
    """Otherwise the schedule of the plan would be shown in plain minutes after a round."""
    instance = replace(
        small_instance(depot_ready=0, depot_due=None),
        units=Units(clock=True),
        customers=tuple(
            replace(one, ready=0, due=None, service=0) for one in small_instance().customers
        ),
    )
    assert '"ready": "00:00"' in json_instance_text(instance)
    assert read_text_draft(json_instance_text(instance), "a", "a").to_instance().units.clock


def test_large_matrices_are_written_beside_the_instance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file must not be too large for its own reader."""
    instance = parse(by_matrix())
    monkeypatch.setattr("tailgate.io.json_instance.MAX_FILE_BYTES", 100)
    write_json(instance, tmp_path / "big.json")
    assert '"file": "big.matrix.json"' in (tmp_path / "big.json").read_text(encoding="utf-8")
    assert parse_file(tmp_path / "big.json") == instance


def test_an_absurd_step_is_refused_by_the_writer() -> None:
    """Sevenths are decimals in no unit; they must not be rounded in silence."""
    from tailgate.model.matrix import Matrix

    matrix = Matrix.of([[0, 1], [1, 0]], "distances", step=Fraction(1, 7))
    instance = small_instance()
    one = replace(
        instance,
        customers=instance.customers[:1],
        travel=Travel("matrix", distances=matrix),
        conventions=Conventions.PLANNER,
    )
    with pytest.raises(InputError, match="are decimals in no unit; round them"):
        json_instance_text(one)


@pytest.mark.parametrize(
    "number", ["1e999999999", "-1e999999999", "1e-999999999", "0.1" + "1" * 40]
)
@pytest.mark.parametrize("field", ["speed", "detour", "fixed_cost", "max_distance", "service"])
def test_absurd_numbers_are_refused_with_their_field(field: str, number: str) -> None:
    """They fit into no float, and some of them into no memory."""
    text = json.dumps(on_the_globe())
    text = re.sub(rf'"{field}": [0-9.]+', f'"{field}": {number}', text)
    with pytest.raises(InputError, match=r"too large|too many digits|between 0 and") as caught:
        read_text_draft(text, "a.json", "a").to_instance()
    assert (caught.value.field or "").endswith(field)
