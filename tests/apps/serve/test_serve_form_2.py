"""The form of orders with roads, hours and money: nothing is lost, problems are at their cells."""

from __future__ import annotations

import base64
import json
import re
import tempfile
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from builders import real_values
from format_2_cases import by_matrix, format_2_instances, on_the_globe
from market_day import FARM, MILL, market_day
from rich_instances import TravelKind, all_travel_kinds, rich_instance
from seeds import with_seeds
from serve_setting import as_value, form_at, form_of_instance, problems_of, set_cell
from tailgate.apps.serve.form_check import check_form
from tailgate.apps.serve.limits import Limits
from tailgate.io import read_draft
from tailgate.io.json_instance import json_instance_text
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance

LIMITS = Limits()
RULES = ("leave_out_cost", "vehicles", "not_with", "together", "position")


def instance_of_form(form: dict[str, Any]) -> Instance:
    """Return the instance of a form in which nothing is wrong."""
    checked = check_form(as_value(form), LIMITS)
    assert checked.instance is not None, checked.problems
    return checked.instance


def globe_form(**changes: Any) -> dict[str, Any]:
    """Return the form of orders on the globe, with changes at the root of their file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "orders.json"
        path.write_text(json.dumps(on_the_globe() | changes), encoding="utf-8")
        return form_at(path)


def market_form() -> dict[str, Any]:
    """Return the form of the market day, which has a matrix."""
    with tempfile.TemporaryDirectory() as folder:
        return form_of_instance(market_day(), Path(folder))


@settings(max_examples=40)
@given(format_2_instances())
def test_a_form_says_what_the_instance_says(instance: Instance) -> None:
    """Nothing may get lost between the file, the page and the search."""
    with tempfile.TemporaryDirectory() as folder:
        form = form_of_instance(instance, Path(folder))
    found = check_form(as_value(form), LIMITS)
    assert found.instance is not None or "be loaded" in found.problems[0].message
    if found.instance is not None:
        assert real_values(found.instance) == real_values(instance)
        assert found.instance.sha256 == instance.sha256


@with_seeds(6, 60)
@all_travel_kinds
def test_solving_from_the_page_is_solving_the_file(travel: TravelKind, seeds: range) -> None:
    """The same fingerprint and the same conventions as on the command line."""
    for seed in seeds:
        instance = rich_instance(seed, travel)
        if instance.units.time_unit == "days":
            # Seconds are no decimals of days, and no file can have them.
            continue
        with tempfile.TemporaryDirectory() as folder:
            form = form_of_instance(instance, Path(folder))
            read = read_draft(Path(folder) / "instance.json").to_instance()
        assert instance_of_form(form) == read
        assert read.sha256 == instance.sha256


def test_orders_that_format_1_can_say_stay_in_format_1() -> None:
    """Older versions read them, and so does the list of runs of the version before."""
    form = form_at(Path(__file__).parents[3] / "examples" / "trailer.json")
    text = json_instance_text(instance_of_form(form))
    assert '"format": "tailgate-instance-1"' in text


def test_a_form_of_the_version_before_is_understood() -> None:
    """A program need not send what it does not use."""
    form = form_at(Path(__file__).parents[3] / "examples" / "trailer.json")
    expected = instance_of_form(form)
    for name in ("travel", "info"):
        del form[name]
    del form["units"]["time"], form["units"]["cost"], form["depot"]["lat"], form["depot"]["lon"]
    (kind,) = form.pop("vehicles")
    form["vehicle"] = {name: kind[name] for name in ("width", "length", "capacity", "count")}
    for customer in form["customers"]:
        for name in ("place", "lat", "lon", "info", *RULES):
            del customer[name]
    assert instance_of_form(form) == expected


def test_clock_times_stay_clock_times_without_any_window(tmp_path: Path) -> None:
    """Plans would show other times than the planner's."""
    content = on_the_globe()
    content["depot"] |= {"ready": "00:00"}
    del content["depot"]["due"]
    for name in ("shift_start", "shift_end"):
        del content["vehicles"][0][name]
    for customer in content["customers"]:
        for name in ("ready", "due", "service"):
            customer.pop(name, None)
    path = tmp_path / "orders.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    form = form_at(path)
    assert form["depot"]["ready"] == "00:00"
    assert instance_of_form(form).units.clock


CHANGES: list[tuple[str, str, str]] = [
    ("customers[0].lat", "", "is empty"),
    ("customers[0].lat", "91", "between -90 and 90"),
    ("customers[1].lon", "-181", "between -180 and 180"),
    ("customers[0].lat", "north", "must be a number"),
    ("depot.lat", "95", "between -90 and 90"),
    ("customers[0].ready", "480", "480 is a plain number, but .* is not"),
    ("customers[0].ready", "8:75", "must be a number, or a time such as"),
    ("customers[0].due", "07:00", "if it is on the next day, write 31:00"),
    ("depot.due", "5", "5 is a plain number"),
    ("vehicles[0].shift_end", "05:00", "must not be before shift_start"),
    ("vehicles[0].shift_start", "soon", "must be a number"),
    ("vehicles[0].fixed_cost", "-1", "between 0 and"),
    ("vehicles[0].fixed_cost", "1.200,5", "no thousands separators"),
    ("vehicles[0].cost_per_distance", "cheap", "must be a number"),
    ("vehicles[0].cost_per_time", "1e30", "too large"),
    ("vehicles[0].max_duration", "-5", "between 0 and 1e12"),
    ("vehicles[0].max_stops", "0", "whole number from 1"),
    ("vehicles[0].max_stops", "2.5", "whole number from 1"),
    ("travel.speed", "0", "must be above 0"),
    ("travel.detour", "-1", "must be above 0"),
    ("travel.decimals", "4", "whole number from 0 to 3"),
    ("units.time", "h", "must be min"),
    ("units.distance", "league", "km"),
    ("units.cost", "a" * 30, "at most 20 characters"),
    ("customers[0].info[0]", "a\nb", "control"),
]


@pytest.mark.parametrize(("path", "text", "words"), CHANGES)
def test_a_problem_is_reported_at_its_cell(path: str, text: str, words: str) -> None:
    """The planner must see which cell is meant, and what to do."""
    form = globe_form()
    set_cell(form, path, text)
    problems = problems_of(form, LIMITS)
    assert path in problems, problems
    assert re.search(words, problems[path]), problems[path]


def test_times_of_another_kind_than_most_are_the_wrong_ones() -> None:
    """While the 8 of 8:30 is typed into the first row, the others are not wrong."""
    form = globe_form()
    set_cell(form, "customers[0].ready", "8")
    assert set(problems_of(form, LIMITS)) == {"customers[0].ready"}


def test_clock_times_without_a_speed_are_a_warning() -> None:
    """A kilometre a minute is hardly meant."""
    form = globe_form()
    set_cell(form, "travel.speed", "")
    problems = problems_of(form, LIMITS)
    assert problems["travel.speed"] == "no speed is given, so that a way of 1 km takes 1 min"


def test_coordinates_of_the_other_kind_do_not_count() -> None:
    """They stay in their cells for whoever changes the way to measure back."""
    form = globe_form()
    expected = instance_of_form(form)
    for place in (form["depot"], *form["customers"]):
        place |= {"x": "nowhere", "y": ""}
    assert instance_of_form(form) == expected


# Matrices.


def test_a_matrix_is_one_line() -> None:
    """Nobody edits a thousand roads in a table."""
    roads = market_form()["travel"]["roads"]
    assert roads["text"] == (
        "road matrix, 4 places, asymmetric; distances and durations, 1 pair without a road"
    )


def test_a_customer_is_removed_with_its_roads() -> None:
    """Whoever cancels an order need not ask the map service again."""
    form = market_form()
    del form["customers"][FARM - 1]
    instance, before = instance_of_form(form), market_day()
    assert instance.n == 2
    assert instance.distance(2, 1) == before.distance(MILL, 1)
    assert instance.duration(0, 2) == before.duration(0, MILL)


def test_customers_change_places_with_their_roads() -> None:
    """Rows that are pasted in another order keep their roads."""
    form = market_form()
    form["customers"].reverse()
    instance, before = instance_of_form(form), market_day()
    assert instance.distance(1, 3) == before.distance(3, 1)


def test_a_new_customer_is_not_in_the_matrix() -> None:
    """It must not get the roads of another."""
    form = market_form()
    form["customers"].append(form["customers"][0] | {"name": "new", "place": ""})
    assert (
        "is not in the road matrix, which is over 4 places"
        in (problems_of(form, LIMITS)["customers[3].name"])
    )
    form["customers"][3]["place"] = "4"
    assert "customers[3].name" in problems_of(form, LIMITS)


def test_a_matrix_that_is_removed_is_asked_for() -> None:
    """Its metric alone is no road."""
    form = market_form()
    form["travel"]["roads"] = None
    assert "needs a road matrix" in problems_of(form, LIMITS)["travel.metric"]


def test_distances_that_are_needed_are_asked_for_at_the_matrix() -> None:
    """There is no cell to type them into."""
    form = market_form()
    form["travel"]["roads"]["distances"] = None
    assert "must be given" in problems_of(form, LIMITS)["travel.roads"]


def test_who_is_reached_by_a_detour_only_is_no_problem() -> None:
    """Each customer is checked alone where something else is wrong; roads know better."""
    form = market_form()
    roads = form["travel"]["roads"]
    assert roads["durations"] is not None
    # Back from the farm, only the way over the market is in time.
    form["customers"][FARM - 1]["weight"] = "9999"
    assert list(problems_of(form, LIMITS)) == [f"customers[{FARM - 1}].weight"]


def packed(numbers: list[int], width: int = 4) -> str:
    """Return integers as the page has them."""
    content = b"".join(number.to_bytes(width, "little", signed=True) for number in numbers)
    return base64.b64encode(zlib.compress(content)).decode()


WRONG_ROADS: list[tuple[dict[str, object], str]] = [
    ({"stored": "<!>"}, "must be packed integers"),
    ({"stored": base64.b64encode(b"nothing").decode()}, "must be packed integers"),
    ({"stored": packed([0] * 15)}, "must hold 4 x 4 integers"),
    ({"stored": packed([0] * 17)}, "must hold 4 x 4 integers"),
    ({"stored": packed([0] * 1_000_000)}, "must hold 4 x 4 integers"),
    ({"stored": packed([1] * 16)}, "must be 0 from a place to itself"),
    ({"stored": packed([0, -2] + [0] * 14)}, "must not be negative"),
    ({"stored": packed([0, 2**62] + [0] * 14, 8)}, "too large"),
    ({"places": 5}, "must hold 5 x 5 integers"),
    ({"places": 0}, "between 1 and"),
    ({"places": 10**9}, "between 1 and"),
    ({"step": "0"}, "fraction above 0"),
    ({"step": "1/0"}, "fraction above 0"),
    ({"step": "-1"}, "fraction above 0"),
    ({"step": "999999999999999"}, "too long"),
    ({"step": 1}, "must be text"),
]


@pytest.mark.parametrize(("change", "words"), WRONG_ROADS, ids=range(len(WRONG_ROADS)))
def test_a_matrix_that_the_page_never_had_is_refused(change: dict[str, object], words: str) -> None:
    """Other programs can send one, too, and a bomb must not be unpacked."""
    form = market_form()
    form["travel"]["roads"]["distances"] |= change
    with pytest.raises(InputError, match=re.escape(words)):
        check_form(as_value(form), LIMITS)


def test_matrices_over_different_places_are_refused() -> None:
    """Rows of the one are not rows of the other."""
    form = market_form()
    form["travel"]["roads"]["durations"] |= {"places": 2, "stored": packed([0, 1, 2, 0])}
    with pytest.raises(InputError, match="over the same places"):
        check_form(as_value(form), LIMITS)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("travel.metric", "taxi"),
        ("travel.coordinates", "polar"),
        ("travel.roads", []),
        ("info", ["a", "a", "b"]),
        ("customers[0].info", ["", ""]),
        ("info", {}),
        ("vehicles[0].turn", ""),
    ],
)
def test_what_the_page_never_sends_is_refused(path: str, value: object) -> None:
    """Other programs can ask, too."""
    form = globe_form()
    set_cell(form, path, value)
    with pytest.raises(InputError):
        check_form(as_value(form), LIMITS)


def test_a_matrix_over_other_places_is_refused_when_it_is_read(tmp_path: Path) -> None:
    """Its rows would be taken for those of other customers."""
    path = tmp_path / "orders.json"
    content = by_matrix()
    content["travel"] = {"distances": [[0, 1], [1, 0]]}
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputError, match="must have 3 rows"):
        form_at(path)
