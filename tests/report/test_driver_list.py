"""The driver's list: what a driver needs on the road, and where customers sign."""

from __future__ import annotations

import re
from dataclasses import replace

from report_cases import HOSTILE_NAMES, furniture_day, lined_up, planned, timed
from tailgate.report import html_report, sheets_html


def sheet(page: str, name: str) -> str:
    """Return one sheet of the first truck."""
    (found,) = re.findall(rf'<section [^>]*id="truck-1-{name}".*?</section>', page, re.DOTALL)
    return str(found)


def words(html: str) -> str:
    """Return the text of a piece of HTML, elements apart."""
    return re.sub(r"\s*\|[\s|]*", "|", re.sub(r"<[^>]*>", "|", html))


def test_the_list_has_every_stop_with_address_hours_load_and_way() -> None:
    """From the depot back to the depot, in the order of the visits."""
    text = words(sheet(sheets_html(*furniture_day()), "driver"))
    assert "Driver&apos;s list: Truck 1 of 2" in text
    assert "|Depot &lt;Lyon&gt;|11:13:15|4 items|600 kg|4.77 km|" in text
    assert (
        "|2|Mme Dupont|12 rue Neuve|phone: 04 00 00 00|gate code: =1+1|12:00|12:00 to 14:00|"
        "12:15|service 15 min|2 items|300 kg|4.74 km|"
    ) in text
    assert "|Depot &lt;Lyon&gt;|12:23:08|by 18:00|" in text
    assert "Driver&apos;s signature" in text


def test_every_stop_has_a_box_to_sign() -> None:
    """And the depot has none."""
    page = sheets_html(*furniture_day())
    assert page.count('aria-label="to be signed"') == 4


def test_customers_who_sign_do_not_see_what_the_tour_costs() -> None:
    """Sheets for the warehouse have the costs."""
    page = sheets_html(*furniture_day())
    assert "161.01 EUR" in sheet(page, "loading")
    assert "EUR" not in sheet(page, "driver")


def test_the_unloading_sheet_has_address_and_hours_at_every_stop() -> None:
    """Who unloads may have lost the other leaf."""
    instance, solution = furniture_day()
    for page in (
        sheet(sheets_html(instance, solution), "unloading"),
        html_report(instance, solution),
    ):
        assert "arrive 12:00, service 15 min, leave 12:15 (open 12:00 to 14:00)" in page
        assert "12 rue Neuve; phone: 04 00 00 00; gate code: =1+1" in page


def test_orders_of_format_1_keep_one_leaf() -> None:
    """They have no address to show, and their sheets stay as they were."""
    for case in (lined_up(["A", "B"]), timed()):
        assert "Driver&apos;s list" not in sheets_html(*case)


def test_addresses_alone_make_a_list_without_hours() -> None:
    """Columns of times would be empty."""
    instance, _ = lined_up(["A", "B"])
    customers = tuple(replace(one, info=(("address", "Here"),)) for one in instance.customers)
    known = replace(instance, customers=customers)
    text = words(sheet(sheets_html(known, planned(known, [(1, 2)])), "driver"))
    assert "|1|A|Here|2 items|101 kg|" in text
    assert "Arrive" not in text


def test_what_the_orders_say_is_text_whatever_it_contains() -> None:
    """An address must not become an element of the page."""
    instance, solution = furniture_day()
    hostile = tuple((f"info {i}", name) for i, name in enumerate(HOSTILE_NAMES))
    customers = tuple(replace(one, info=hostile) for one in instance.customers)
    changed = replace(instance, customers=customers, depot_name=HOSTILE_NAMES[0])
    for page in (sheets_html(changed, solution), html_report(changed, solution)):
        assert page.count("<script>") == 1
        assert "<img" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_ids_of_the_sheets_stay_unique() -> None:
    """Three sheets per truck."""
    names = re.findall(r' id="([^"]*)"', sheets_html(*furniture_day()))
    assert len(names) == len(set(names))
    assert {"truck-1-loading", "truck-1-unloading", "truck-1-driver"} <= set(names)
