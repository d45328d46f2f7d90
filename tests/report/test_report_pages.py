"""Sheets and report: complete, self-contained, and safe whatever the names are."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

import tailgate
from builders import small_instance, small_solution, with_placement
from report_cases import HOSTILE_NAMES, lined_up, thirty_stops, timed, truck_of
from tailgate.model.instance import Instance, Units
from tailgate.model.solution import Solution, Status
from tailgate.report import html_report, sheets_html
from tailgate.report.html import Html, tag
from tailgate.report.plan import Plan
from tailgate.report.truck_section import unloading_states

HISTORY = [(0.0, 0.0, None), (0.5, 90.0, 120.0), (2.0, 100.0, 110.0)]


class Page(HTMLParser):
    """What a browser would see: elements with the names of their attributes, and all text."""

    def __init__(self, text: str) -> None:
        """Read the page."""
        super().__init__()
        self.elements: list[tuple[str, tuple[str, ...]]] = []
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of an element."""
        self.elements.append((tag, tuple(name for name, _ in attrs)))
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        """Take note of text."""
        self.text += data

    def count(self, name: str) -> int:
        """Count the elements of a kind."""
        return sum(element == name for element, _ in self.elements)


def pages(instance: Instance, solution: Solution) -> list[str]:
    """Return both pages of a solution."""
    return [sheets_html(instance, solution), html_report(instance, solution, history=HISTORY)]


def test_text_is_escaped_and_html_is_not() -> None:
    """The builder of pages is what all escaping rests on."""
    assert tag("p", "<b>&", tag("i", "x"), title="\"'") == (
        '<p title="&quot;&apos;">&lt;b&gt;&amp;<i>x</i></p>'
    )
    assert isinstance(tag("p"), Html)
    assert (
        tag("input", hidden=True, checked=False, aria_label="a") == '<input hidden aria-label="a">'
    )
    # Text that is put together by hand is text again, and escaped.
    assert tag("p", f"{tag('i')}") == "<p>&lt;i&gt;&lt;/i&gt;</p>"


def test_hostile_names_change_nothing_but_text() -> None:
    """The pages have the very same elements and attributes as with harmless names."""
    instance, solution = lined_up(HOSTILE_NAMES)
    letters = "abcdefgh"
    harmless = lined_up(
        [letter * len(name) for letter, name in zip(letters, HOSTILE_NAMES, strict=True)]
    )
    for page, other in zip(pages(instance, solution), pages(*harmless), strict=True):
        hostile, plain = Page(page), Page(other)
        # Labels of another width may be cut or left out, which changes the number of texts.
        assert set(hostile.elements) == set(plain.elements)
        assert hostile.count("script") == plain.count("script")
        assert not [name for name, _ in hostile.attributes if name.startswith("on")]
        for name in HOSTILE_NAMES:
            assert name in hostile.text


def test_hostile_names_of_items_units_and_instances_are_escaped() -> None:
    """Customers are not the only ones with names."""
    instance, solution = lined_up(["A", "B"])
    mark = "<script>1</script>"
    units = replace(instance.units, length_unit=mark, weight_unit=mark, distance_unit=mark)
    renamed = replace(
        instance,
        name=mark,
        units=units,
        customers=tuple(
            replace(customer, items=tuple(replace(item, name=mark) for item in customer.items))
            for customer in instance.customers
        ),
    )
    stated = replace(solution, solver={"version": mark, "seed": mark})
    sheets, report = (Page(page) for page in pages(renamed, stated))
    assert sheets.count("script") == 1
    assert report.count("script") == 1
    assert mark in sheets.text
    assert mark in report.text


@pytest.mark.parametrize("index", [0, 1])
def test_pages_need_nothing_from_outside(index: int) -> None:
    """They must open from a disk without a network, and reach for nothing."""
    page = Page(pages(*lined_up(["A", "B"]))[index])
    assert page.count("link") == 0
    assert page.count("img") == 0
    assert page.count("iframe") == 0
    links = [value for name, value in page.attributes if name in ("href", "src", "action")]
    assert all(link.startswith("#") for link in links)
    styles = [value for name, value in page.attributes if name == "style"]
    assert styles == []


def test_the_policy_allows_the_one_script_by_its_hash() -> None:
    """Should escaping ever fail, a browser still runs nothing else."""
    for page in pages(*lined_up(["A"])):
        script = re.findall(r"<script>(.*?)</script>", page, flags=re.DOTALL)
        assert len(script) == 1
        digest = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
        policy = next(value for _, value in Page(page).attributes if "script-src" in value)
        assert f"script-src 'sha256-{digest}'" in policy
        assert "default-src 'none'" in policy


def test_the_sheet_carries_what_a_loader_and_a_driver_need() -> None:
    """Vehicle, route, cost, fill, weight, verdict, version and fingerprint, on both sides."""
    instance, solution = lined_up(["Bakery", "Hotel"])
    text = Page(sheets_html(instance, solution)).text
    for side in ("Loading: Truck 1 of 1", "Unloading: Truck 1 of 1"):
        assert side in text
    facts = (
        "depot → Bakery → Hotel → depot",
        "22.2 %",
        "203 of 10000 kg",
        f"Tailgate {tailgate.__version__}",
        instance.sha256[:12],
        "✓ verified",
        "km",
    )
    for fact in facts:
        assert text.count(fact) >= 2, fact
    assert "Stop 1: Bakery (customer 1), 2 items, 101 kg" in text


def test_the_driver_sees_when_to_be_where() -> None:
    """At every stop, on every leg and in the header; and nothing of it where no time matters."""
    for page in pages(*timed()):
        text = Page(page).text
        assert "Stop 1: A (customer 1), 2 items, 101 kg; arrive 15, service 2, leave 17" in text
        assert "Stop 2: B (customer 2), 2 items, 102 kg; arrive 27, service 4.25" in text
        assert "LeavesArrives" in text
    assert Page(sheets_html(*timed())).text.count("leaves at 5, back at 71.25 (by 90)") == 2
    for page in pages(*lined_up(["A", "B"])):
        text = Page(page).text
        assert "arrive" not in text.lower()
        assert "leaves at" not in text


def test_a_weight_without_a_unit_says_what_it_is() -> None:
    """Among so many numbers, "2 items, 101" could be anything."""
    for page in pages(*lined_up(["A", "B"], units=Units())):
        text = Page(page).text
        assert "Stop 1: A (customer 1), 2 items, weight 101" in text
    report = html_report(*lined_up(["A", "B"], units=Units()))
    assert "4 items on board, weight 203." in report
    assert "2 out, 2 stay: weight 102" in sheets_html(*lined_up(["A", "B"], units=Units()))


def test_every_item_has_a_box_to_tick_in_both_tables() -> None:
    """Once when it goes in, once when it comes out."""
    page = Page(sheets_html(*thirty_stops()))
    ticks = [value for name, value in page.attributes if value == "to be ticked"]
    assert len(ticks) == 2 * 60


def test_what_is_not_verified_is_marked_on_every_sheet_and_in_the_report() -> None:
    """And what the solution says of itself is not repeated as if it were true."""
    instance = small_instance()
    wrong = with_placement(small_solution(instance), 0, 2, x=1)
    sheets, report = (Page(page) for page in pages(instance, wrong))
    for page in (sheets, report):
        assert "✓ verified" not in page.text
        assert "overlap" in page.text
    # Two trucks with two sides each: a badge, and the pictures.
    assert sheets.text.count("NOT VERIFIED") >= 8
    assert "Do not load or unload after it" in sheets.text
    assert "straight through the door" not in sheets.text
    assert "proven" not in report.text
    assert "NOT VERIFIED" in report.text


def test_without_a_history_there_is_no_chart() -> None:
    """A solution file does not tell how it was found, so the report does not pretend to know."""
    instance, solution = lined_up(["A"])
    assert "Gap over time" in Page(html_report(instance, solution, history=HISTORY)).text
    assert "Gap over time" not in Page(html_report(instance, solution)).text


def test_a_result_without_routes_has_a_report() -> None:
    """A bound without a plan is a result, too."""
    instance = small_instance()
    nothing = small_solution(
        instance, status="bound_only", objective=None, lower_bound=40, gap=None, routes=()
    )
    report = Page(html_report(instance, nothing, history=[(0.0, 0.0, None), (1.0, 40.0, None)]))
    assert "No plan was found" in report.text
    assert "Gap over time" in report.text
    assert "nothing to load" in Page(sheets_html(instance, nothing)).text


@pytest.mark.parametrize(("status", "bound"), [("bound_only", 40), ("infeasible", None)])
def test_a_report_without_a_plan_is_not_marked_verified(status: Status, bound: int | None) -> None:
    """The green mark vouches for a plan; where there is none it would vouch for nothing."""
    instance = small_instance()
    nothing = small_solution(
        instance, status=status, objective=None, lower_bound=bound, gap=None, routes=()
    )
    report = Page(html_report(instance, nothing))
    assert "✓" not in report.text
    assert "NOT VERIFIED" not in report.text
    assert "no plan: nothing to verify" in report.text
    assert ("class", "badge verified") not in report.attributes
    # A notebook shows the same mark.
    shown = Plan.of(instance, nothing)._repr_html_()
    assert "no plan: nothing to verify" in shown
    assert "✓" not in shown


def test_a_plan_without_lifo_warns_the_driver() -> None:
    """Straight out of the door is then not promised."""
    instance, solution = lined_up(["A", "B"])
    free = replace(solution, conventions=replace(solution.conventions, lifo=False))
    assert "straight through the door" in sheets_html(instance, solution)
    assert "may have to be moved aside" in sheets_html(instance, free)


def test_the_slider_tells_depot_stops_and_way_back() -> None:
    """Its texts are what a screen reader reads out."""
    states = unloading_states(truck_of(*lined_up(["Bakery", "Hotel"])))
    assert states == [
        "Leaving the depot: 4 items on board, 203 kg.",
        "Stop 1, Bakery: L4, L3 out. 2 items left on board, 102 kg.",
        "Stop 2, Hotel: L2, L1 out. 0 items left on board, 0 kg.",
        "Back to the depot: the truck is empty.",
    ]


def test_ids_of_a_page_are_unique() -> None:
    """Two looks of the same name would paint one truck in the colours of the other."""
    instance = small_instance()
    for page in pages(instance, small_solution(instance)):
        names = [value for name, value in Page(page).attributes if name == "id"]
        assert len(names) == len(set(names))
        used = set(re.findall(r"url\(#([^)]*)\)", page))
        assert used <= set(names)


def test_tables_name_their_rows_and_columns() -> None:
    """A screen reader reads a cell with its heads."""
    page = Page(html_report(*lined_up(["A", "B"])))
    assert page.count("caption") == page.count("table") > 0
    scopes = {value for name, value in page.attributes if name == "scope"}
    assert scopes == {"col", "row", "rowgroup"}
    assert ("html", ("lang",)) in page.elements
