"""The HTML report in a real browser: it renders, its slider works, and it asks for nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from chromium import chromium
from expected_screenshot import compare, differences, reduced
from report_cases import HOSTILE_NAMES, lined_up, long_kinds, thirty_stops
from tailgate.model.instance import Instance
from tailgate.model.solution import Solution
from tailgate.report import html_report

pytestmark = pytest.mark.browser

HISTORY = [(0.0, 0.0, None), (0.5, 90.0, 420.0), (2.0, 300.0, 400.0), (3.0, 390.0, 400.0)]
NAMES = ["Bakery", "Hotel Adler", "Market <Hall>"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests of this file."""
    with chromium() as one:
        yield one


@dataclass
class Visit:
    """A page, and everything that should not have happened on it."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


class Visitor:
    """Opens reports from disk, and keeps an eye on each."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        """Visit with this browser; the reports are written into the folder."""
        self._browser = browser
        self._folder = folder
        self.visits: list[Visit] = []

    def open(
        self,
        instance: Instance,
        solution: Solution,
        *,
        dark: bool = False,
        width: int = 1100,
        script: bool = True,
    ) -> Page:
        """Write the report of a solution, and open it."""
        path = self._folder / "report.html"
        path.write_text(html_report(instance, solution, history=HISTORY), encoding="utf-8")
        page = self._browser.new_page(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            java_script_enabled=script,
            reduced_motion="reduce",
        )
        visit = Visit(page)
        page.on("pageerror", lambda error: visit.complaints.append(str(error)))
        page.on("console", lambda said: visit.complaints.append(said.text))
        page.on("dialog", lambda dialog: visit.complaints.append(dialog.message))
        page.on("request", lambda request: visit.requests.append(request.url))
        page.goto(path.as_uri())
        self.visits.append(visit)
        return page


@pytest.fixture
def visitor(browser: Browser, tmp_path: Path) -> Iterator[Visitor]:
    """Opens reports; at the end no script may have failed and nothing may have been asked for."""
    one = Visitor(browser, tmp_path)
    yield one
    for visit in one.visits:
        visit.page.close()
        assert visit.complaints == []
        assert len(visit.requests) == 1, visit.requests


def visible_stops(page: Page) -> list[str | None]:
    """Return the stops of the items that are still on board, in the order of the picture."""
    items = page.locator("svg.plan .item:not(.gone)")
    return [item.get_attribute("data-stop") for item in items.all() if item.is_visible()]


def test_the_report_renders(visitor: Visitor) -> None:
    """Verdict, map, chart, plan and tables are there, under names that a screen reader finds."""
    page = visitor.open(*lined_up(NAMES))
    expect(page).to_have_title("Report: Tuesday")
    expect(page.get_by_text("✓ verified")).to_be_visible()
    expect(page.get_by_role("img", name="Map of 1 route from the depot")).to_be_visible()
    expect(page.get_by_role("img", name="Lower bound and cost of the best plan")).to_be_visible()
    expect(page.get_by_role("img", name="Truck 1 of 1, seen from above")).to_be_visible()
    for caption in ("The trucks", "Load in this order: 6 items", "Unload in this order"):
        expect(page.get_by_role("table", name=caption)).to_be_visible()
    expect(page.get_by_role("region", name="Truck 1 of 1")).to_be_visible()
    assert len(visible_stops(page)) == 6


def test_the_slider_unloads_by_keyboard(visitor: Visitor) -> None:
    """Every position shows what leaves and what stays, and says so."""
    page = visitor.open(*lined_up(NAMES))
    slider = page.get_by_role("slider", name="Unload stop by stop")
    slider.focus()
    assert visible_stops(page) == ["3", "3", "2", "2", "1", "1"]
    page.keyboard.press("ArrowRight")
    assert visible_stops(page) == ["3", "3", "2", "2", "1", "1"]
    expect(page.locator("svg.plan .item.leaving")).to_have_count(2)
    text = "Stop 1, Bakery: L6, L5 out. 4 items left on board, 205 kg."
    expect(page.locator("output")).to_have_text(text)
    expect(slider).to_have_attribute("aria-valuetext", text)
    page.keyboard.press("ArrowRight")
    assert visible_stops(page) == ["3", "3", "2", "2"]
    page.keyboard.press("End")
    assert visible_stops(page) == []
    expect(page.locator("output")).to_have_text("Back to the depot: the truck is empty.")
    page.keyboard.press("Home")
    assert len(visible_stops(page)) == 6
    expect(page.locator("svg.plan .item.leaving")).to_have_count(0)


def test_the_slider_unloads_by_mouse(visitor: Visitor) -> None:
    """A click beside the knob, and a drag of it."""
    page = visitor.open(*lined_up(NAMES))
    slider = page.get_by_role("slider")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.click(box["x"] + box["width"] / 2, middle)
    expect(slider).to_have_value("2")
    assert visible_stops(page) == ["3", "3", "2", "2"]
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, middle, steps=5)
    page.mouse.up()
    expect(slider).to_have_value("4")
    assert visible_stops(page) == []


def test_all_can_be_reached_by_keyboard(visitor: Visitor) -> None:
    """The first stop of the tab key skips what every page repeats; the last ones are sliders."""
    page = visitor.open(*lined_up(NAMES))
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.type") == "range":
            break
    expect(page.get_by_role("slider")).to_be_focused()


def test_hostile_names_are_only_text(visitor: Visitor) -> None:
    """Nothing that a customer is called runs, loads or changes the page."""
    page = visitor.open(*lined_up(HOSTILE_NAMES))
    expect(page).to_have_title("Report: Tuesday")
    assert page.locator("script").count() == 1
    assert page.locator("img").count() == 0
    assert page.locator("h1").count() == 1
    for stop, name in enumerate(HOSTILE_NAMES, start=1):
        heading = page.locator(".unloading th[scope=rowgroup]").nth(stop - 1)
        expect(heading).to_contain_text(f"Stop {stop}: {name} (customer {stop})")


def test_a_script_that_is_not_ours_does_not_run(visitor: Visitor) -> None:
    """Even one that found its way into the page: the policy of the page forbids it."""
    page = visitor.open(*lined_up(NAMES))
    ran = page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.intruder = true";
            document.body.append(script);
            return window.intruder === true;
        }"""
    )
    assert ran is False
    complaints = visitor.visits[0].complaints
    assert len(complaints) == 1
    assert "Content Security Policy" in complaints[0]
    complaints.clear()


def test_without_scripts_the_plan_is_there_and_the_slider_is_not(visitor: Visitor) -> None:
    """A slider that does nothing would be a riddle."""
    page = visitor.open(*lined_up(NAMES), script=False)
    expect(page.get_by_role("img", name="Truck 1 of 1, seen from above")).to_be_visible()
    expect(page.locator("input.unloader")).to_be_hidden()


LABEL_BOXES = """() => [...document.querySelectorAll("svg.plan")].map(svg =>
    [...svg.querySelectorAll(".item, .callout")].map(item => {
        const box = element => {
            const {left, top, right, bottom} = element.getBoundingClientRect();
            return [left, top, right, bottom];
        };
        const rect = item.classList.contains("item") ? box(item.querySelector("rect")) : null;
        const label = item.querySelector(".label");
        return [rect, label.childElementCount ? box(label) : null];
    }))"""


@pytest.mark.parametrize("case", ["names", "hostile", "thirty", "long"])
def test_labels_do_not_overlap_with_the_fonts_of_a_real_browser(
    visitor: Visitor, case: str
) -> None:
    """Widths of letters are estimates; here are the true ones."""
    plans = {
        "names": lined_up(NAMES),
        "hostile": lined_up(HOSTILE_NAMES),
        "thirty": thirty_stops(),
        "long": lined_up(["W" * 120, "i" * 200, "漢字" * 40, "Donaudampfschifffahrt " * 8 + "."]),
    }
    page = visitor.open(*plans[case])
    (items,) = page.evaluate(LABEL_BOXES)
    labels = [label for _, label in items if label]
    assert labels or case == "thirty"
    for rect, label in items:
        if rect and label:
            assert label[0] >= rect[0] - 0.5
            assert label[1] >= rect[1] - 0.5
            assert label[2] <= rect[2] + 0.5
            assert label[3] <= rect[3] + 0.5
    for index, one in enumerate(labels):
        for other in labels[index + 1 :]:
            apart_across = one[2] <= other[0] + 0.5 or other[2] <= one[0] + 0.5
            apart_down = one[3] <= other[1] + 0.5 or other[3] <= one[1] + 0.5
            assert apart_across or apart_down


def luminance(colour: str) -> float:
    """Return the relative luminance of a CSS colour (WCAG 2.2)."""
    channels = [int(number) / 255 for number in re.findall(r"\d+", colour)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("dark", [False, True])
def test_text_can_be_read_in_light_and_dark(visitor: Visitor, dark: bool) -> None:
    """Contrast of at least 4.5 to 1 everywhere, as WCAG asks for; and dark is dark."""
    page = visitor.open(*lined_up(NAMES), dark=dark)
    ground = page.evaluate("getComputedStyle(document.querySelector('section')).backgroundColor")
    assert (luminance(ground) < 0.1) == dark
    for selector, attribute in (
        ("h1", "color"),
        ("p", "color"),
        ("dt", "color"),
        ("a", "color"),
        ("thead th", "color"),
        (".badge", "color"),
        ("svg.plan text.soft-ink", "fill"),
        ("svg.map text.ink", "fill"),
        ("svg.chart text", "fill"),
    ):
        colour = page.locator(selector).first.evaluate(
            "(element, name) => getComputedStyle(element)[name]", attribute
        )
        lighter, darker = sorted((luminance(colour), luminance(ground)), reverse=True)
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5, selector


def test_paper_shows_the_whole_load_and_no_slider(visitor: Visitor) -> None:
    """Whoever prints after playing with the slider still needs all items."""
    page = visitor.open(*lined_up(NAMES), dark=True)
    page.get_by_role("slider").focus()
    page.keyboard.press("End")
    page.emulate_media(media="print")
    expect(page.get_by_role("slider")).to_be_hidden()
    assert page.locator("svg.plan .item").first.is_visible()
    ground = page.evaluate("getComputedStyle(document.querySelector('section')).backgroundColor")
    assert luminance(ground) == pytest.approx(1.0)


@pytest.mark.parametrize("case", ["names", "kinds"])
def test_a_narrow_screen_need_not_be_scrolled_sideways(visitor: Visitor, case: str) -> None:
    """Wide tables scroll in themselves."""
    plans = {"names": lined_up(["A" * 150, "Hotel Adler"]), "kinds": long_kinds()}
    page = visitor.open(*plans[case], width=380)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("dark", [False, True])
def test_the_report_looks_as_expected(visitor: Visitor, dark: bool) -> None:
    """Layout and colours of map, chart and plan, in both schemes."""
    page = visitor.open(*lined_up(NAMES), dark=dark)
    scheme = "dark" if dark else "light"
    for name in ("map", "chart", "plan"):
        screenshot = page.locator(f"svg.{name}").first.screenshot()
        assert differences(screenshot, f"report-{name}-{scheme}") == "", name
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    screenshot = page.locator("svg.plan").first.screenshot()
    assert differences(screenshot, f"report-plan-unloaded-{scheme}") == ""


def test_the_comparison_sees_what_matters(visitor: Visitor) -> None:
    """One item less, or another scheme, must not pass for the same picture."""
    plan = visitor.open(*lined_up(NAMES)).locator("svg.plan").first.screenshot()
    page = visitor.open(*lined_up(NAMES))
    page.locator("svg.plan .item").first.evaluate("item => item.remove()")
    assert compare(reduced(page.locator("svg.plan").first.screenshot()), reduced(plan)) != ""
    dark = visitor.open(*lined_up(NAMES), dark=True).locator("svg.plan").first.screenshot()
    assert compare(reduced(dark), reduced(plan)) != ""
