"""Roads, hours and money on the planner's page, in a real browser."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from builders import REPOSITORY
from format_2_cases import DISTANCES, DURATIONS, on_the_globe
from market_day import market_day
from page_actions import drop, load, paste, saved_orders, solve
from tailgate.io import write
from tailgate.io.templates import template_workbook
from tailgate.model.instance import Instance
from tailgate.solver.loading import read

pytest_plugins = ["page_fixtures"]
pytestmark = pytest.mark.browser

TRAILER = REPOSITORY / "examples" / "trailer.json"
HOSTILE = '"><img src=x onerror="document.title=1"><script>document.title=2</script>'


def load_template(page: Page, folder: Path) -> Instance:
    """Fill the page with the template: its first kind of truck alone, and no rules."""
    path = folder / "template.xlsx"
    path.write_bytes(template_workbook())
    template = read(path)
    customers = tuple(
        replace(one, leave_out_cost=None, vehicles=None, not_with=(), together=(), position=None)
        for one in template.customers
    )
    write(replace(template, vehicles=template.vehicles[:1], customers=customers), path)
    load(page, path)
    return read(path)


def load_market_day(page: Page, folder: Path) -> None:
    """Fill the page with the market day, whose roads are matrices."""
    write(market_day(), folder / "market")
    load(page, *(folder / "market").iterdir())


def load_globe(page: Page, folder: Path) -> None:
    """Fill the page with orders on the globe."""
    path = folder / "globe.json"
    path.write_text(json.dumps(on_the_globe()), encoding="utf-8")
    load(page, path)


def headings(page: Page) -> list[str]:
    """Return the headings of the table of customers, without their units."""
    return [text.split(" (")[0] for text in page.locator("#customers-head th").all_inner_texts()]


def test_a_plain_order_is_as_simple_as_ever(page: Page) -> None:
    """Roads, shifts and costs are folded away, and the table has four columns to type into."""
    page.get_by_role("button", name="Try an example").click()
    expect(page.locator("#verdict")).to_contain_text("12 customers")
    assert headings(page)[:5] == ["No.", "Name", "x", "y", "Weight"]
    assert headings(page)[5] == "Items on the floor"
    for field in ("travel.speed", "vehicles[0].fixed_cost", "depot.lat", "depot.name", "depot.due"):
        expect(page.locator(f'[data-path="{field}"]')).to_be_hidden()


@pytest.mark.parametrize("ending", ["xlsx", "json"])
def test_what_is_loaded_is_what_is_saved(page: Page, tmp_path: Path, ending: str) -> None:
    """Clock times, degrees, addresses, shifts and prices come back as they were."""
    template = load_template(page, tmp_path)
    for field, value in (
        ("depot.lat", "45.731"),
        ("travel.speed", "35"),
        ("vehicles[0].shift_end", "18:00"),
        ("vehicles[0].cost_per_distance", "0.9"),
        ("units.cost", "EUR"),
    ):
        expect(page.locator(f'[data-path="{field}"]')).to_be_visible()
        expect(page.locator(f'[data-path="{field}"]')).to_have_value(value)
    expect(page.get_by_label("Customer 3, latitude")).to_have_value("45.77")
    expect(page.get_by_label("Customer 3, open until")).to_have_value("12:00")
    expect(page.get_by_label("Customer 3, note")).to_have_value("second floor, lift")
    assert saved_orders(page, tmp_path, ending) == template


def test_a_template_is_offered(page: Page) -> None:
    """As a spreadsheet and as CSV files."""
    for name, ending in (("a spreadsheet", ".xlsx"), ("CSV files", ".zip")):
        with page.expect_download() as waiting:
            page.get_by_role("link", name=name).click()
        assert waiting.value.suggested_filename == f"template{ending}"


def test_a_matrix_is_one_line_that_follows_the_customers(page: Page, tmp_path: Path) -> None:
    """Removed with a customer, asked for with a new one, and gone with a button."""
    load_market_day(page, tmp_path)
    expect(page.locator("#roads")).to_contain_text("road matrix, 4 places, asymmetric")
    assert "x" not in headings(page)
    assert saved_orders(page, tmp_path, "json").sha256 == market_day().sha256
    page.get_by_role("button", name="Remove customer 2").click()
    expect(page.locator("#verdict")).to_contain_text("2 customers")
    saved = saved_orders(page, tmp_path, "json")
    assert saved.distance(2, 1) == market_day().distance(3, 1)
    page.get_by_role("button", name="Add a customer").click()
    expect(page.locator("#problems")).to_contain_text("Customer 3, name is not in the road matrix")
    page.get_by_role("button", name="Remove the matrix").click()
    expect(page.locator('[data-path="travel.metric"]')).to_have_value("euclidean")
    expect(page.get_by_label("Customer 1, x")).to_have_attribute("aria-invalid", "true")


def test_roads_are_dropped_onto_orders(page: Page, tmp_path: Path) -> None:
    """The answer of a map service takes the place of the crow's flight, and can be left again."""
    load_globe(page, tmp_path)
    answer = tmp_path / "osrm.json"
    metres = [[None if one is None else 1000 * one for one in row] for row in DISTANCES]
    seconds = [[None if one is None else 60 * one for one in row] for row in DURATIONS]
    content = {"code": "Ok", "distances": metres, "durations": seconds}
    answer.write_text(json.dumps(content), encoding="utf-8")
    drop(page, "#drop", answer)
    expect(page.locator("#reading")).to_contain_text("Read: road matrix, 3 places")
    expect(page.locator('[data-path="travel.speed"]')).to_be_hidden()
    expect(page.locator("#problems li")).to_have_count(0)
    saved = saved_orders(page, tmp_path, "json")
    assert (saved.distance(2, 1), saved.duration(2, 1)) == (3, 7.5)
    page.get_by_label("Distances are").select_option("great-circle")
    expect(page.locator("#roads")).to_contain_text("(not used)")
    expect(page.locator('[data-path="travel.speed"]')).to_have_value("35")
    assert saved_orders(page, tmp_path, "json").travel.metric == "great-circle"


def test_a_day_is_solved_with_its_clock_and_its_money(page: Page, tmp_path: Path) -> None:
    """Departure, arrival, waiting, return, way and euros; and the route for a map."""
    load_template(page, tmp_path)
    solve(page)
    detail = page.locator("#detail")
    expect(detail.locator(".badge")).to_have_text("proven cheapest", timeout=30_000)
    expect(detail.locator(".figure.cost dd")).to_have_text("368.87 EUR")
    titles = detail.locator(".trucks > thead th").all_inner_texts()
    for title in ("Departure", "Return", "Duration", "Waiting", "Distance", "Cost"):
        assert title in titles
    expect(detail.locator(".timetable table").first).to_be_hidden()
    detail.locator(".timetable summary").first.click()
    expect(detail.locator(".timetable table").first).to_be_visible()
    # Which truck is first depends on the plan that was found, of several that cost the same.
    timetables = detail.locator(".timetable table")
    for text in ("12 Place Bellecour, Lyon", "08:00 to 12:00"):
        assert any(text in one for one in timetables.all_text_contents())
    expect(detail).to_contain_text("Cost: fixed 120.00 EUR")
    expect(detail.locator(".totals")).to_contain_text("cost 368.87 EUR, fixed cost 240.00 EUR")
    for name in ("tables.zip", "routes.geojson", "routes.gpx"):
        with page.expect_download() as waiting:
            page.get_by_role("link", name=f"Download {name}").click()
        assert waiting.value.suggested_filename.endswith(name)


def test_times_are_of_one_kind(page: Page, tmp_path: Path) -> None:
    """A number beside clock times is marked, and it alone."""
    load_template(page, tmp_path)
    cell = page.get_by_label("Customer 1, open from")
    cell.fill("8")
    expect(cell).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#problems li")).to_have_count(1)
    cell.fill("8:15 am")
    expect(page.locator("#problems li")).to_have_count(0)


def test_windows_without_their_tick_do_not_bind_and_the_shift_does(
    page: Page, tmp_path: Path
) -> None:
    """What is shown counts, and nothing else."""
    load_template(page, tmp_path)
    page.get_by_label("time windows").uncheck()
    saved = saved_orders(page, tmp_path, "json")
    assert all(not one.has_times for one in saved.customers)
    assert (saved.depot_due, saved.vehicle.shift_end) == (None, 1080)


def test_hidden_addresses_are_kept_and_not_pasted_into(page: Page, tmp_path: Path) -> None:
    """They bind nobody, so that they need not be left out."""
    template = load_template(page, tmp_path)
    page.get_by_label("addresses and notes").uncheck()
    page.get_by_label("Customer 1, stop takes").focus()
    paste(page, "20\tsomewhere\n")
    expect(page.locator("#reading")).to_contain_text("one cell")
    assert saved_orders(page, tmp_path, "json") == template
    page.get_by_label("addresses and notes").check()
    page.get_by_label("Customer 1, address").focus()
    paste(page, "1 Quai\t04 00\n2 Quai\t04 01\n")
    expect(page.get_by_label("Customer 2, phone")).to_have_value("04 01")
    page.get_by_label("Customer 1, phone").press("Enter")
    expect(page.get_by_label("Customer 2, phone")).to_be_focused()


def test_hostile_texts_are_shown_and_not_run(page: Page, tmp_path: Path) -> None:
    """Addresses, their headings and units are written by anybody."""
    content = on_the_globe()
    content["customers"][0]["info"] = {HOSTILE[:50]: HOSTILE}
    content["units"]["cost"] = "<b>E</b>"
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    load(page, path)
    expect(page.locator("#customers-head")).to_contain_text("<img src=x")
    solve(page)
    expect(page.locator("#detail .badge")).to_have_text("proven cheapest", timeout=30_000)
    page.locator(".timetable summary").first.click()
    expect(page.locator("#detail")).to_contain_text(HOSTILE)
    expect(page.locator(".figure.cost dd")).to_contain_text("<b>E</b>")
    assert page.title() == "Tailgate"
    assert page.locator("img, #detail script, #detail b").count() == 0


def test_orders_that_an_earlier_version_has_kept_are_completed(page: Page, tmp_path: Path) -> None:
    """An update must not cost what was typed."""
    load(page, TRAILER)
    page.evaluate(
        """() => {
            const kept = JSON.parse(localStorage.getItem("tailgate-orders"));
            const {name, units, conventions, vehicles, depot, customers} = kept.form;
            const vehicle = vehicles[0];
            const old = {
                name, conventions, units: {...units}, vehicle: {...vehicle}, depot: {...depot},
                customers: customers.map(({place, lat, lon, info, ...rest}) => rest),
            };
            for (const field of ["time", "cost"]) delete old.units[field];
            for (const field of ["name", "lat", "lon"]) delete old.depot[field];
            for (const field of Object.keys(vehicle).slice(5)) delete old.vehicle[field];
            localStorage.setItem("tailgate-orders", JSON.stringify({form: old, isTimed: false}));
        }"""
    )
    page.reload()
    expect(page.locator("#reading")).to_contain_text("These are your orders of last time")
    assert saved_orders(page, tmp_path, "json") == read(TRAILER)
    page.get_by_label("addresses and notes").check()
    page.get_by_label("Customer 1, address").fill("Dock 3")
    expect(page.get_by_label("Customer 2, address")).to_have_value("")


def test_orders_that_are_too_large_to_be_kept_say_so(page: Page) -> None:
    """A road matrix of a thousand places is more than the browser takes."""
    load(page, TRAILER)
    expect(page.locator("#keep-note")).to_have_text("")
    page.evaluate(
        """() => {
            let number = 0;
            for (const length of [1_000_000, 10_000, 100, 1]) {
                try {
                    for (;;) {
                        localStorage.setItem(`other-${number}`, "x".repeat(length));
                        number += 1;
                    }
                } catch { /* It is full. */ }
            }
        }"""
    )
    page.get_by_label("Customer 1, name").fill("Dock 3, behind the gate, and then to the left" * 9)
    expect(page.locator("#keep-note")).to_contain_text("too large for the browser to keep")
    page.evaluate("localStorage.clear()")
    page.get_by_label("Customer 1, name").fill("Dock 4")
    expect(page.locator("#keep-note")).to_have_text("")
