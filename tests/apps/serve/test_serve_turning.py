"""The page and items that may be turned: files, the form, its ticks, and what a plan says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from builders import REPOSITORY
from report_cases import turned_load
from serve_setting import (
    QUICK,
    as_value,
    form_at,
    form_of_instance,
    problems_of,
    serving,
    set_cell,
    upload,
)
from tailgate.apps.serve.facts import facts
from tailgate.apps.serve.form_check import check_form
from tailgate.apps.serve.limits import Limits
from tailgate.apps.serve.plan_content import plan_content
from tailgate.model.conventions import TurnConvention
from tailgate.model.instance import Instance
from tailgate.solver.loading import read

LIMITS = Limits()
PALLETS = REPOSITORY / "examples" / "pallets"


def checked(form: dict[str, object]) -> Instance:
    """Return the instance of a form, which must be valid."""
    found = check_form(as_value(form), LIMITS)
    assert found.instance is not None, found.problems
    return found.instance


def test_a_form_keeps_which_items_may_be_turned() -> None:
    """From the file to the page to the search; equal items that differ in it stay two rows."""
    form = form_at(PALLETS)
    castle = form["customers"][2]
    assert [(item["name"], item["turn"]) for item in castle["items"]] == [
        ("Euro pallet", "yes"),
        ("Keg rack", ""),
    ]
    assert checked(form) == read(PALLETS)
    set_cell(form, "customers[2].items[0].name", "Keg rack")
    set_cell(form, "customers[2].items[0].length", "0.6")
    assert [item.turn for item in checked(form).customer(3).items] == [True] * 4 + [False] * 3


@pytest.mark.parametrize("rule", ["as-given", "all", "none"])
def test_a_form_keeps_what_the_rules_say_of_all_items(rule: TurnConvention, tmp_path: Path) -> None:
    """What the items say of themselves is kept beside it."""
    pallets = read(PALLETS)
    form = form_of_instance(pallets.with_conventions(turn=rule), tmp_path)
    assert form["conventions"]["turn"] == rule
    found = checked(form)
    assert found.conventions.turn == rule
    assert [one.items for one in found.customers] == [one.items for one in pallets.customers]


def test_a_form_of_an_earlier_page_turns_nothing() -> None:
    """A browser may have kept orders from before there was a tick."""
    form = form_at(QUICK)
    del form["conventions"]["turn"]
    for customer in form["customers"]:
        for item in customer["items"]:
            del item["turn"]
    assert not checked(form).has_turning
    assert checked(form) == checked(form_at(QUICK))


@pytest.mark.parametrize(
    ("text", "may_turn"), [("yes", True), ("JA", True), ("x", True), ("", False), ("non", False)]
)
def test_a_tick_may_have_been_pasted(text: str, may_turn: bool) -> None:
    """A spreadsheet has words in that column, in its own language."""
    form = form_at(QUICK)
    set_cell(form, "customers[0].items[0].turn", text)
    assert checked(form).customer(1).items[0].turn is may_turn


def test_a_word_that_is_neither_yes_nor_no_is_told_at_its_cell() -> None:
    """Taken for a yes it might have a fridge turned that must not be."""
    form = form_at(QUICK)
    set_cell(form, "customers[0].items[1].turn", "perhaps")
    assert problems_of(form, LIMITS) == {
        "customers[0].items[1].turn": "must be yes or no, got 'perhaps'"
    }


def test_an_item_that_fits_only_turned_needs_the_tick() -> None:
    """The problem says so, at a cell of the item."""
    form = form_at(QUICK)
    set_cell(form, "customers[0].items[0].quantity", "1")
    set_cell(form, "customers[0].items[0].width", "2.5")
    (place,) = problems_of(form, LIMITS)
    assert place == "customers[0].items[0].width"
    assert "turned" in problems_of(form, LIMITS)[place]
    set_cell(form, "customers[0].items[0].turn", "yes")
    assert problems_of(form, LIMITS) == {}
    set_cell(form, "customers[0].items[0].width", "4.5")
    (place,) = problems_of(form, LIMITS)
    # Its row: either side may be the wrong one.
    assert re.fullmatch(r"customers\[0\]\.items\[0\](\.\w+)?", place)


def test_a_dropped_table_may_have_the_column(tmp_path: Path) -> None:
    """The folder of the example, as a planner drops it."""
    files = {path.name: path.read_bytes() for path in sorted(PALLETS.iterdir())}
    with serving(tmp_path) as client:
        status, answer = upload(client, files)
        assert status == 200
        assert answer["form"]["customers"][0]["items"][0]["turn"] == "yes"
        for ending in ("json", "xlsx"):
            saved = client.post("/api/save", json={"form": answer["form"], "format": ending})
            assert saved.status_code == 200
            path = tmp_path / f"saved.{ending}"
            path.write_bytes(saved.content)
            assert read(path) == read(PALLETS)


def test_a_plan_says_how_many_items_of_a_truck_are_turned() -> None:
    """The page shows it beside the number of items."""
    content: dict[str, Any] = plan_content(*turned_load())
    (truck,) = content["trucks"]
    assert (truck["items"], truck["turned"]) == (6, 2)


def test_runs_are_compared_by_what_may_be_turned() -> None:
    """Two runs that differ in nothing else differ in cost: the reason must be there."""
    pallets = read(PALLETS)
    assert facts(pallets)["may be turned"] == "56 of 63 items"
    assert facts(pallets.with_conventions(turn="all"))["may be turned"] == "all items"
    assert facts(pallets.with_conventions(turn="none"))["may be turned"] == "no item"
    assert facts(read(QUICK))["may be turned"] == "no item"
