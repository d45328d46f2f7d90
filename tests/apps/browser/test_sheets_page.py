"""The loading sheets in a real browser, on screen and on paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from builders import small_instance, small_solution, with_placement
from chromium import chromium
from expected_screenshot import differences
from report_cases import (
    HOSTILE_NAMES,
    fleet,
    furniture_day,
    lined_up,
    long_kinds,
    mixed_fleet,
    planned,
    thirty_stops,
    turned_load,
)
from tailgate.model.instance import Instance, Item
from tailgate.model.solution import Solution
from tailgate.report import sheets_html

pytestmark = pytest.mark.browser

A4_HEIGHT = 1123  # in CSS pixels


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests of this file."""
    with chromium() as one:
        yield one


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty page, as wide as paper; an error or a request from outside fails the test."""
    one = browser.new_page(viewport={"width": 900, "height": A4_HEIGHT})
    complaints: list[str] = []
    one.on("pageerror", lambda error: complaints.append(str(error)))
    one.on("console", lambda said: complaints.append(said.text))
    one.on(
        "request",
        lambda request: None if request.url.startswith("file:") else complaints.append(request.url),
    )
    yield one
    one.close()
    assert complaints == []


def opened(page: Page, folder: Path, instance: Instance, solution: Solution) -> Page:
    """Write the sheets of a solution, and open them."""
    path = folder / "sheets.html"
    path.write_text(sheets_html(instance, solution), encoding="utf-8")
    page.goto(path.as_uri())
    return page


def long_addresses() -> tuple[Instance, Solution]:
    """Return a day on which everything that is said is long."""
    instance, _ = furniture_day()
    info = (("address", "W" * 200), ("phone", "0 " * 99 + "0"), ("gate code", "漢字" * 90))
    customers = tuple(
        replace(one, name=f"{'W' * 150}{number}", info=info)
        for number, one in enumerate(instance.customers)
    )
    long = replace(instance, customers=customers, depot_name="M" * 190)
    return long, planned(long, [(2, 1), (4, 3)])


def long_waits() -> tuple[Instance, Solution]:
    """Return a day with hours, minutes and seconds in every column, and weights without a unit."""
    instance, _ = furniture_day()
    *others, school = instance.customers
    units = replace(instance.units, weight_unit="", weight_scale=1000)
    changed = replace(instance, customers=(*others, replace(school, due=540.25)), units=units)
    return changed, planned(changed, [(4, 1), (2, 3)])


def printed_pages(page: Page) -> int:
    """Return how many pages come out of the printer."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(prefer_css_page_size=True)))


def first_pages(page: Page) -> dict[str, int]:
    """Return on which printed page, counted from 1, every heading stands."""
    pdf = page.pdf(prefer_css_page_size=True, outline=True, tagged=True)
    # Chromium writes the pages in their order, and all but the content of pages as plain text.
    objects = re.findall(rb"(\d+) 0 obj\s*<<\s*/Type\s*/Page\b(?!s)", pdf)
    numbers = {name: number for number, name in enumerate(objects, start=1)}
    entries = re.findall(rb"/Title \(([^)]*)\)\s*/Dest \[(\d+) 0 R", pdf)
    return {title.decode(): numbers[name] for title, name in entries}


@pytest.mark.parametrize("due", [None, 100_000])
def test_every_truck_begins_on_the_front_of_a_leaf(
    page: Page, tmp_path: Path, due: int | None
) -> None:
    """Printed on both sides, a truck on the back of another would go to the wrong driver."""
    counts = (3, 10, 1, 11, 12, 16, 22, 30, 1)
    windows = {} if due is None else {"due": due, "service": 5}
    opened(page, tmp_path, *fleet(counts, **windows))
    starts = first_pages(page)
    loading = [starts[f"Loading: Truck {number} of 9"] for number in range(1, 10)]
    assert [start for start in loading if start % 2 == 0] == []
    # No more blank pages than it takes, and not all of them need one.
    leaves = [(then - start) // 2 for start, then in pairwise(loading)]
    assert leaves[0] == leaves[2] == 1
    assert max(leaves) > 1
    assert 0 < page.locator(".filler:not([hidden])").count() < len(counts) - 1


def test_a_list_for_the_driver_is_a_leaf_of_its_own(page: Page, tmp_path: Path) -> None:
    """Loading and unloading on one leaf, the list on the next, and then the other truck."""
    opened(page, tmp_path, *furniture_day())
    starts = first_pages(page)
    assert [starts[f"Driver's list: Truck {number} of 2"] for number in (1, 2)] == [3, 7]
    assert starts["Loading: Truck 2 of 2"] == 5
    assert printed_pages(page) == 7


def test_what_is_left_out_is_a_leaf_of_its_own(page: Page, tmp_path: Path) -> None:
    """It goes to the warehouse, not to the last driver."""
    opened(page, tmp_path, *mixed_fleet())
    starts = first_pages(page)
    assert starts["Loading: Truck 2 of 2, van"] == 5
    assert starts["Left out: not loaded"] == 9
    assert printed_pages(page) == 9


def test_stops_of_the_drivers_list_are_not_cut_in_two(page: Page, tmp_path: Path) -> None:
    """And every page of a long list begins with the heads of its columns."""
    instance, _ = fleet([24])
    info = (("address", "12 rue Neuve, by the back entrance"), ("phone", "04 00 00 00"))
    known = replace(
        instance, customers=tuple(replace(one, info=info) for one in instance.customers)
    )
    opened(page, tmp_path, known, planned(known, [tuple(range(1, 25))]))
    assert page.locator(".tour .signature").count() == 24
    for row in page.locator(".tour tbody tr").all():
        assert row.evaluate("row => getComputedStyle(row).breakInside") == "avoid"
    head = page.locator(".tour thead")
    assert head.evaluate("head => getComputedStyle(head).display") == "table-header-group"


def test_a_blank_page_says_that_it_is_meant_to_be_blank(page: Page, tmp_path: Path) -> None:
    """On the screen it is not seen at all."""
    opened(page, tmp_path, *fleet((12, 11, 10, 3)))
    filler = page.locator(".filler:not([hidden])").first
    assert not filler.is_visible()
    page.emulate_media(media="print")
    assert filler.is_visible()
    assert "stays empty" in filler.inner_text()


def test_two_trucks_make_two_leaves(page: Page, tmp_path: Path) -> None:
    """One leaf of A4 per truck, printed on both sides."""
    instance = small_instance()
    assert printed_pages(opened(page, tmp_path, instance, small_solution(instance))) == 4


def test_an_ordinary_truck_stays_on_one_leaf(page: Page, tmp_path: Path) -> None:
    """With two pages more, the next truck would be printed on its back."""
    names = ["Chapel Lane Grocers and Delicatessen, back entrance of the warehouse", *"ABCDE"]
    items = tuple(Item(8, 8, name=name) for name in ("Euro pallet", "Euro pallet", "Roll cage"))
    opened(page, tmp_path, *lined_up(names, items=items))
    assert printed_pages(page) == 2


def test_seven_stops_stay_on_one_leaf(page: Page, tmp_path: Path) -> None:
    """Their frames go into two rows, smaller, and none is cut off."""
    opened(page, tmp_path, *lined_up("ABCDEFG"))
    assert page.locator("figure.film").count() == 2
    assert printed_pages(page) == 2


def test_a_long_name_leaves_room_for_whole_words_beside_it(page: Page, tmp_path: Path) -> None:
    """An item whose name is torn into syllables is read wrongly."""
    names = ["Chapel Lane Grocers and Delicatessen, back entrance of the warehouse", "B"]
    opened(page, tmp_path, *lined_up(names, items=(Item(12, 8, name="Half-height roll cage"),)))
    cell = page.locator(".loading td.name", has_text="Half-height").first
    lines = cell.evaluate(
        """cell => {
            const text = document.createRange();
            text.selectNodeContents(cell);
            return new Set([...text.getClientRects()].map((box) => Math.round(box.top))).size;
        }"""
    )
    assert lines <= 2


def test_thirty_stops_go_on_over_several_pages(page: Page, tmp_path: Path) -> None:
    """Nothing is cut off, and no page stays empty for a picture that is too long for it."""
    opened(page, tmp_path, *thirty_stops())
    assert 6 <= printed_pages(page) <= 12
    for figure in page.locator("figure").all():
        box = figure.bounding_box()
        assert box is not None
        assert box["height"] < A4_HEIGHT / 2


@pytest.mark.parametrize(
    "case", ["hostile", "thirty", "long", "driver", "waiting", "kinds", "turned", "turned wide"]
)
def test_no_sheet_is_wider_than_paper(page: Page, tmp_path: Path, case: str) -> None:
    """What runs out of the page is lost in print."""
    plans = {
        "hostile": lined_up(HOSTILE_NAMES),
        "thirty": thirty_stops(),
        "long": lined_up(["W" * 190, "漢字" * 90]),
        "driver": long_addresses(),
        "waiting": long_waits(),
        "kinds": long_kinds(),
        "turned": turned_load(names=["W" * 190, "漢字" * 90], item_name="M" * 150),
        # The longest names that are kept in one line.
        "turned wide": turned_load(names=["W" * 22, "M" * 22], item_name="W" * 13),
    }
    opened(page, tmp_path, *plans[case])
    for sheet in page.locator(".sheet").all():
        assert sheet.evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth")
    # The sheets' own one, and none out of a name.
    assert page.locator("script").count() == 1


def test_a_turned_item_keeps_its_row_in_one_line(page: Page, tmp_path: Path) -> None:
    """The word beside its arrow, and names no narrower than without that column."""
    names = ["Brick Lane Foods", "Old Town Cellars"]
    opened(page, tmp_path, *turned_load(names=names, item_name="Industrial pallet"))
    rows = page.locator(".loading tbody tr").all()
    heights = [row.evaluate("row => row.getBoundingClientRect().height") for row in rows]
    assert len(heights) == 6
    assert max(heights) < 1.2 * min(heights)
    cells = page.locator(".loading .turned").all()
    assert [cell.inner_text().strip() for cell in cells] == ["turned", "turned"]
    for cell in cells:
        sign = cell.locator("svg")
        assert sign.is_visible()
        assert sign.get_attribute("aria-hidden") == "true"
    picture = page.locator("figure svg.plan").first.get_attribute("aria-label") or ""
    assert "2 items turned" in picture


def test_a_plan_that_is_not_verified_is_red_on_every_sheet(page: Page, tmp_path: Path) -> None:
    """In the head of each side, and in every picture."""
    instance = small_instance()
    wrong = with_placement(small_solution(instance), 0, 2, x=1)
    opened(page, tmp_path, instance, wrong)
    badges = page.locator(".badge").all()
    assert len(badges) == 4
    for badge in badges:
        assert badge.inner_text() == "NOT VERIFIED"
        assert badge.evaluate("badge => getComputedStyle(badge).color") == "rgb(192, 0, 0)"


def test_the_sheets_look_as_expected(page: Page, tmp_path: Path) -> None:
    """Both sides of a leaf."""
    opened(page, tmp_path, *lined_up(["Bakery", "Hotel Adler", "Market Hall", "School"]))
    for side in ("loading", "unloading"):
        screenshot = page.locator(f"#truck-1-{side}").screenshot()
        assert differences(screenshot, f"sheet-{side}") == "", side
