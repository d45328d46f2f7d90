"""The planner's page with vans and lorries, rules, and orders that may wait, in a browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from fleet_cases import two_kinds
from page_actions import load, saved_orders, solve

pytestmark = pytest.mark.browser
pytest_plugins = ["page_fixtures"]

HOSTILE = "<img src=x onerror=alert(1)>"


def write_orders(folder: Path) -> Path:
    """Write orders with two kinds of trucks and rules."""
    content = two_kinds()
    first, second = content["customers"][:2]
    first |= {"leave_out_cost": 250, "vehicles": ["van"]}
    second |= {"not_with": [first["name"]], "position": "last"}
    path = folder / "fleet.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_kinds_and_rules_of_a_file_are_shown_and_saved(page: Page, tmp_path: Path) -> None:
    """Nothing of them may get lost, and what counts is not hidden."""
    load(page, write_orders(tmp_path))
    expect(page.get_by_label("Truck 1, floor width")).to_have_value("2.45")
    expect(page.get_by_label("Truck 2, kind")).to_have_value("van")
    expect(page.get_by_label("Customer 1, cost if left out")).to_have_value("250")
    expect(page.get_by_label("Customer 1, trucks that may come")).to_have_value("van")
    expect(page.get_by_label("Customer 2, place in the route")).to_have_value("last")
    saved = saved_orders(page, tmp_path, "json")
    assert [kind.name for kind in saved.vehicles] == ["12 t", "van"]
    assert saved.customer(1).vehicles == ("van",)
    assert saved.customer(2).not_with == (saved.label(1),)


def test_a_kind_is_added_and_removed(page: Page, tmp_path: Path) -> None:
    """From one kind to two and back; the only one stays."""
    page.get_by_role("button", name="Try an example").click()
    expect(page.get_by_label("Truck 1, floor width")).to_have_value("2.1")
    expect(page.get_by_label("Remove kind 1")).to_have_count(0)
    page.get_by_role("button", name="Add a kind of truck").click()
    expect(page.get_by_label("Truck 2, kind")).to_be_focused()
    cells = {"kind": "van", "floor width": "1.8", "floor length": "3.2", "payload": "900"}
    for cell, value in cells.items():
        page.get_by_label(f"Truck 2, {cell}").fill(value)
    page.get_by_label("Truck 1, kind").fill("lorry")
    expect(page.locator("#kind-costs")).to_contain_text("van")
    expect(page.locator("#verdict")).to_contain_text("12 customers")
    saved = saved_orders(page, tmp_path, "json")
    assert [(kind.name, kind.count) for kind in saved.vehicles] == [("lorry", 5), ("van", 1)]
    page.get_by_label("Remove kind 2").click()
    expect(page.get_by_label("Truck 2, kind")).to_have_count(0)


def test_a_problem_of_a_rule_leads_to_its_cell(page: Page) -> None:
    """Also where the rules are hidden."""
    page.get_by_role("button", name="Try an example").click()
    page.get_by_label("who rides").check()
    page.get_by_label("Customer 2, not with").fill("Nobody")
    expect(page.get_by_label("Customer 2, not with")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("who rides").uncheck()
    page.locator("#problems button").first.click()
    expect(page.get_by_label("Customer 2, not with")).to_be_focused()


def test_what_does_not_fit_is_left_out_and_named(page: Page) -> None:
    """The switch beside the button, the list below the plan, and the comparison of both runs."""
    page.get_by_role("button", name="Try an example").click()
    page.get_by_label("Customer 1, name").fill(HOSTILE)
    everything = solve(page)
    expect(page.locator("#detail .badge")).to_contain_text("proven", timeout=30_000)
    page.get_by_label("Truck 1, how many").fill("3")
    page.get_by_label("What does not fit").select_option("number")
    less = solve(page)
    expect(page.locator("#detail .badge")).to_contain_text("proven", timeout=60_000)
    expect(page.locator(".left-out")).to_contain_text("left out")
    for number in (everything, less):
        page.get_by_label(f"Compare run {number}").check()
    expect(page.locator("#compare")).to_contain_text("Left out")
    expect(page.locator("#compare .changes")).to_contain_text("now left out")
    assert page.locator("#compare img, .left-out img").count() == 0
