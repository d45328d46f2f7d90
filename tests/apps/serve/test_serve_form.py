"""The form that a planner edits: to and from an instance, and every problem at its cell."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings

from builders import REPOSITORY, instances, real_values
from serve_setting import QUICK, as_value, form_at, form_of_instance, problems_of, set_cell
from tailgate.apps.serve.form_check import check_form
from tailgate.apps.serve.limits import Limits
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance

LIMITS = Limits()


@settings(max_examples=30)
@given(instances())
def test_a_form_says_what_the_instance_says(instance: Instance) -> None:
    """Nothing may get lost between the file, the page and the search."""
    with tempfile.TemporaryDirectory() as folder:
        checked = check_form(as_value(form_of_instance(instance, Path(folder))), LIMITS)
    assert checked.instance is not None or "be loaded" in checked.problems[0].message
    if checked.instance is not None:
        assert real_values(checked.instance) == real_values(instance)


@pytest.mark.parametrize("path", ["random-n15-c2-s1.txt", "trailer.json", "garden_centres"])
def test_every_example_is_valid_as_a_form(path: str) -> None:
    """All formats come to the same form."""
    assert problems_of(form_at(REPOSITORY / "examples" / path), LIMITS) == {}


CHANGES: list[tuple[str, str, str]] = [
    ("vehicles[0].width", "wide", "must be a number and nothing else"),
    ("vehicles[0].width", "", "is empty"),
    ("vehicles[0].width", "0", "greater than 0"),
    ("vehicles[0].capacity", "24.000,5", "no thousands separators"),
    ("vehicles[0].capacity", "24,000", "write a decimal point, and no thousands separators"),
    ("vehicles[0].capacity", "1,2,3", "no thousands separators"),
    ("vehicles[0].count", "1.5", "whole number"),
    ("vehicles[0].count", "", "whole number"),
    ("vehicles[0].count", "-1", "whole number"),
    ("depot.x", "1e999999999", "out of range"),
    ("depot.due", "1", "must not|at the earliest|is back"),
    ("units.length", "a" * 30, "at most 20 characters"),
    ("customers[3].x", "north", "must be a number"),
    ("customers[3].weight", "-5", "must not be negative"),
    ("customers[3].weight", "99999", "more than the vehicle's capacity"),
    ("customers[3].name", "Café Blau", "both called"),
    ("customers[3].name", "depot", "means the depot"),
    ("customers[3].due", "soon", "must be a number"),
    ("customers[0].items[1].width", "3", "Café Blau has width 3"),
    ("customers[0].items[1].length", "0.1234567891", "decimal places"),
    ("customers[0].items[1].quantity", "two", "must be a number"),
    ("customers[0].items[1].quantity", "0", "whole number"),
]


@pytest.mark.parametrize(("path", "text", "words"), CHANGES)
def test_a_problem_is_told_at_its_cell(path: str, text: str, words: str) -> None:
    """The planner must see which cell is meant, and what to do."""
    form = form_at(QUICK)
    set_cell(form, path, text)
    problems = problems_of(form, LIMITS)
    place = path if path in problems else next(iter(problems))
    if path != "depot.due":
        assert place == path
    assert re.search(words, problems[place])


def test_times_as_a_clock_shows_them_are_minutes() -> None:
    """Planners have opening hours, and see them again as they typed them."""
    form = form_at(QUICK)
    set_cell(form, "customers[0].ready", "8:30 am")
    set_cell(form, "customers[0].service", "0:15")
    checked = check_form(as_value(form), LIMITS)
    assert checked.instance is not None
    assert checked.instance.units.clock
    assert (checked.instance.customers[0].ready, checked.instance.customers[0].service) == (510, 15)


def test_clock_times_beside_plain_numbers_are_told_at_every_such_cell() -> None:
    """A planner may have typed a column anew, but for one cell."""
    form = form_at(QUICK)
    set_cell(form, "customers[0].ready", "08:30")
    set_cell(form, "customers[1].ready", "9")
    set_cell(form, "customers[3].due", "10:00")
    problems = problems_of(form, LIMITS)
    assert set(problems) == {"customers[1].ready"}
    assert (
        "9 is a plain number, but '08:30' (customers[0].ready) is not"
        in problems["customers[1].ready"]
    )


@pytest.mark.parametrize("text", ["2,5", "02,50", "+2,5", "0,815", ",5", "2,4567"])
def test_a_decimal_comma_is_understood(text: str) -> None:
    """Half of Europe types it; what might be thousands is asked about (see above)."""
    form = form_at(QUICK)
    set_cell(form, "customers[3].weight", text)
    checked = check_form(as_value(form), LIMITS)
    assert checked.instance is not None
    instance = checked.instance
    told = instance.units.weight_text(instance.customers[3].weight)
    assert float(told) == float(text.replace(",", "."))


def test_all_problems_are_told_at_once() -> None:
    """Mending one after the other, with a check between, is a nuisance."""
    form = form_at(QUICK)
    for path, text in (
        ("customers[1].x", "?"),
        ("customers[2].weight", "99999"),
        ("customers[4].items[0].width", "5"),
        ("customers[6].y", ""),
    ):
        set_cell(form, path, text)
    assert set(problems_of(form, LIMITS)) == {
        "customers[1].x",
        "customers[2].weight",
        "customers[4].items[0].width",
        "customers[6].y",
    }


def test_an_unnamed_customer_is_called_by_its_own_number() -> None:
    """Customers are checked one by one, and must not all be called the first."""
    form = form_at(QUICK)
    set_cell(form, "customers[4].name", "")
    set_cell(form, "customers[4].weight", "99999")
    assert "customer 5 weighs" in problems_of(form, LIMITS)["customers[4].weight"]


def test_items_that_cannot_be_loaded_even_alone_are_told() -> None:
    """The search would only find out that there is no plan."""
    form = form_at(QUICK)
    form["customers"][0]["items"] = [{"name": "", "width": "1.2", "length": "3", "quantity": "2"}]
    assert "cannot be loaded together" in problems_of(form, LIMITS)["customers[0].items"]


def test_too_few_trucks_are_a_warning() -> None:
    """It is certain that no plan exists, but the search may still be asked to say so."""
    form = form_at(QUICK)
    set_cell(form, "vehicles[0].count", "1")
    checked = check_form(as_value(form), LIMITS)
    assert checked.instance is not None
    (problem,) = checked.problems
    assert (problem.path, problem.level) == ("vehicles[0].count", "warning")
    assert "at least 5 are needed" in problem.message


def test_the_summary_counts() -> None:
    """It is the planner's first look at whether the orders are all there."""
    summary = check_form(as_value(form_at(QUICK)), LIMITS).summary
    assert (summary["customers"], summary["items"]) == (12, 30)
    assert (summary["weight"], summary["capacity"]) == ("2795", "7500")


def test_more_rows_than_the_page_takes_are_refused() -> None:
    """Thousands of rows would make the page unusable."""
    with pytest.raises(InputError, match="at most 5 elements"):
        check_form(as_value(form_at(QUICK)), Limits(customers=5))
    with pytest.raises(InputError, match="more than 10 rows of items"):
        check_form(as_value(form_at(QUICK)), Limits(item_rows=10))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("vehicles", {}),
        ("vehicles[0].width", 2.4),
        ("customers", {}),
        ("extra", ""),
        ("name", None),
    ],
)
def test_what_the_page_never_sends_is_refused(path: str, value: object) -> None:
    """Other programs can ask, too."""
    form = form_at(QUICK)
    set_cell(form, path, value)
    with pytest.raises(InputError):
        check_form(as_value(form), LIMITS)


def test_what_looks_like_a_mistake_is_a_warning_at_its_cell() -> None:
    """The search may start all the same: perhaps it is meant so."""
    form = form_at(QUICK)
    form["vehicles"][0]["width"] = "40"
    checked = check_form(as_value(form), LIMITS)
    assert checked.instance is not None
    (problem,) = checked.problems
    assert (problem.path, problem.level) == ("vehicles[0].width", "warning")
    assert "the floor is wider" in problem.message
