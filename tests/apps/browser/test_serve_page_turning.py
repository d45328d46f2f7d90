"""The planner's page with items that may be turned, in a browser: ticks, drafts, a plan."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from builders import REPOSITORY
from page_actions import load, paste, saved_orders, solve
from tailgate.solver.loading import read

pytestmark = pytest.mark.browser
pytest_plugins = ["page_fixtures"]

PALLETS = REPOSITORY / "examples" / "pallets"
FIRST = "Customer 1, item 1, may be turned"
RACK = "Customer 3, item 2, may be turned"


def load_pallets(page: Page) -> None:
    """Load the example, and unfold all items."""
    load(page, *sorted(PALLETS.iterdir()))
    page.get_by_role("button", name="Show all items").click()


def test_every_item_has_a_tick(page: Page, tmp_path: Path) -> None:
    """As its file says, and as it is set; with the keyboard, too."""
    load_pallets(page)
    expect(page.get_by_label(FIRST)).to_be_checked()
    expect(page.get_by_label(RACK)).not_to_be_checked()
    page.get_by_label(FIRST).uncheck()
    page.get_by_label(RACK).focus()
    page.keyboard.press("Space")
    expect(page.get_by_label(RACK)).to_be_checked()
    expect(page.locator("#verdict")).to_contain_text("10 customers")
    for ending in ("json", "xlsx"):
        saved = saved_orders(page, tmp_path, ending)
        assert [item.turn for item in saved.customer(1).items] == [False] * 6 + [True] * 3
        assert all(item.turn for item in saved.customer(3).items)


def test_one_tick_speaks_for_all_items(page: Page, tmp_path: Path) -> None:
    """What the items say stays and comes back; Rules has the third choice, that none may."""
    load_pallets(page)
    everything = page.get_by_role("checkbox", name="all items may be turned")
    everything.check()
    for tick in (FIRST, RACK):
        expect(page.get_by_label(tick)).to_be_checked()
        expect(page.get_by_label(tick)).to_be_disabled()
    expect(
        page.locator(".inner th").filter(has_text="May be turned (all may)").first
    ).to_be_visible()
    saved = saved_orders(page, tmp_path, "json")
    assert saved.conventions.turn == "all"
    assert saved.customer(3).items == read(PALLETS).customer(3).items
    page.get_by_text("Rules", exact=True).click()
    rule = page.get_by_label("Turning by a quarter")
    expect(rule).to_have_value("all")
    rule.select_option("none")
    expect(everything).not_to_be_checked()
    expect(page.get_by_label(FIRST)).not_to_be_checked()
    expect(page.get_by_label(FIRST)).to_be_disabled()
    rule.select_option("as-given")
    expect(page.get_by_label(FIRST)).to_be_checked()
    expect(page.get_by_label(RACK)).not_to_be_checked()
    assert saved_orders(page, tmp_path, "json") == read(PALLETS)


def test_ticks_are_pasted_with_the_sizes(page: Page, tmp_path: Path) -> None:
    """Words of a spreadsheet become ticks; one that is neither yes nor no is asked about."""
    load_pallets(page)
    page.get_by_label("Customer 2, item 1, width").focus()
    paste(page, "0.8\t1.2\tNein\n0.8\t0.6\tx")
    expect(page.get_by_label("Customer 2, item 1, may be turned")).not_to_be_checked()
    expect(page.get_by_label("Customer 2, item 2, may be turned")).to_be_checked()
    saved = saved_orders(page, tmp_path, "json")
    assert [item.turn for item in saved.customer(2).items] == [False, False, True, True]
    page.get_by_label("Customer 2, item 1, width").focus()
    paste(page, "0.8\t1.2\tperhaps")
    tick = page.get_by_label("Customer 2, item 1, may be turned")
    expect(tick).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#problems")).to_contain_text("must be yes or no, got 'perhaps'")
    page.locator("#problems button").first.click()
    expect(tick).to_be_focused()
    tick.uncheck()
    expect(page.locator("#problems li")).to_have_count(0)


def test_ticks_outlive_the_window(page: Page) -> None:
    """A draft has them; one that was kept before there were any has none ticked."""
    load_pallets(page)
    page.get_by_label(RACK).check()
    page.get_by_label("Customer 1, name").fill("Arena")
    page.reload()
    page.get_by_role("button", name="Show all items").click()
    expect(page.get_by_label(FIRST)).to_be_checked()
    expect(page.get_by_label(RACK)).to_be_checked()
    page.evaluate(
        """() => {
            const kept = JSON.parse(localStorage.getItem("tailgate-orders"));
            delete kept.form.conventions.turn;
            kept.form.customers.forEach((one) => one.items.forEach((item) => delete item.turn));
            localStorage.setItem("tailgate-orders", JSON.stringify(kept));
        }"""
    )
    page.reload()
    page.get_by_role("button", name="Show all items").click()
    expect(page.get_by_label(FIRST)).not_to_be_checked()
    expect(page.get_by_role("checkbox", name="all items may be turned")).not_to_be_checked()
    expect(page.locator("#verdict")).to_contain_text("10 customers")


def test_a_plan_and_its_sheets_show_what_is_turned(page: Page) -> None:
    """Two trucks where as they are given it takes three; the comparison says why."""
    load_pallets(page)
    turned = solve(page)
    expect(page.locator("#detail .badge")).to_contain_text("proven", timeout=60_000)
    expect(page.locator(".trucks > tbody")).to_have_count(2)
    expect(page.locator(".trucks > tbody").first).to_contain_text("turned)")
    sheets = page.request.get(f"{page.url.rstrip('/')}/api/jobs/{turned}/sheets.html").text()
    assert "marks what is turned by a quarter" in sheets
    page.get_by_text("Rules", exact=True).click()
    page.get_by_label("Turning by a quarter").select_option("none")
    straight = solve(page)
    expect(page.locator("#detail .badge")).to_contain_text("proven", timeout=60_000)
    expect(page.locator(".trucks > tbody")).to_have_count(3)
    expect(page.locator(".trucks")).not_to_contain_text("turned")
    for number in (turned, straight):
        page.get_by_label(f"Compare run {number}").check()
    row = page.locator("#compare tr").filter(has_text="May be turned")
    expect(row).to_have_class("differs")
    expect(row).to_contain_text("no item")
