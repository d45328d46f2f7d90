"""Items that lie turned by a quarter: marked in pictures, said in words, and they alone."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from typing import Any

import pytest

from builders import one_route
from report_cases import lined_up, truck_of, turned_load
from tailgate.model.instance import Item, Units, Vehicle
from tailgate.model.solution import Placement
from tailgate.report import html_report, loading_plan_svg, sheets_html
from tailgate.report.callouts import callouts
from tailgate.report.csv_tables import csv_tables
from tailgate.report.floor_view import FloorView
from tailgate.report.item_drawing import item_label
from tailgate.report.item_label import fitted_label, label_choices
from tailgate.report.loading_plan_svg import loading_figure_svg
from tailgate.report.pandas_tables import tables_of
from tailgate.report.plan import Plan
from tailgate.report.svg_text import TIMES
from tailgate.report.tables import loading_rows, unloading_rows
from tailgate.report.words import NOT_VERIFIED

SVG = "{http://www.w3.org/2000/svg}"


def marks(root: ElementTree.Element) -> list[ElementTree.Element]:
    """Return the round arrows of a picture."""
    return [group for group in root.iter(f"{SVG}g") if group.get("class") == "turned-arrow"]


def items(root: ElementTree.Element) -> list[ElementTree.Element]:
    """Return the items of a picture."""
    return [group for group in root.iter(f"{SVG}g") if group.get("class") == "item"]


def words(root: ElementTree.Element) -> str:
    """Return all that is written in a part of a picture."""
    return "\n".join(one.text or "" for one in root.iter(f"{SVG}text"))


def tooltip(item: ElementTree.Element) -> str:
    """Return what an item says when it is pointed at."""
    return next(item.iter(f"{SVG}title")).text or ""


def picture() -> ElementTree.Element:
    """Return the loading plan of the load with two turned items."""
    instance, solution = turned_load()
    return ElementTree.fromstring(loading_plan_svg(instance, solution.routes[0]))


def test_a_turned_item_has_a_round_arrow_and_the_word() -> None:
    """Neither is a colour: the sheet may come from a black-and-white printer."""
    turned = [item for item in items(picture()) if marks(item)]
    assert len(turned) == 2
    for item in turned:
        assert "turned" in words(item)
        assert f"1.2 {TIMES} 0.8" in words(item)
    others = [item for item in items(picture()) if not marks(item)]
    assert len(others) == 4
    assert not any("turned" in words(item) + tooltip(item) for item in others)


def test_the_tooltip_says_how_a_turned_item_was_ordered() -> None:
    """Whoever compares the plan with the order would take the sizes for a mistake."""
    told = [tooltip(item) for item in items(picture()) if marks(item)]
    for text in told:
        assert "width 1.2 m, length 0.8 m" in text
        assert "turned by a quarter: ordered as width 0.8 m, length 1.2 m" in text


def test_a_picture_explains_the_arrow_where_it_has_one() -> None:
    """In its foot, and for those who cannot see it; where nothing is turned it says nothing."""
    root = picture()
    assert "The round arrow marks what is turned by a quarter" in words(root)
    assert "6 items (2 turned)" in (next(root.iter(f"{SVG}desc")).text or "")
    truck = truck_of(*turned_load())
    figure = ElementTree.fromstring(loading_figure_svg(truck, id_prefix="a"))
    assert (figure.get("aria-label") or "").endswith("seen from above, 2 items turned")
    instance, solution = lined_up(["A", "B"])
    assert "turned" not in loading_plan_svg(instance, solution.routes[0])
    assert "turned" not in loading_figure_svg(truck_of(instance, solution), id_prefix="a")


@pytest.mark.parametrize("side", range(4, 120, 3))
def test_the_arrow_outlives_the_word_and_the_name(side: int) -> None:
    """The smaller the item, the less is said; the number of its stop is the last to go."""
    choices = label_choices(["Café"], "L12", f"1.2 {TIMES} 0.8", is_turned=True)
    fitted = fitted_label(3, choices, (float(side), float(side)), is_turned=True)
    if fitted is None:
        assert side < 16
        return
    label = fitted.label
    assert ('class="turned-arrow"' in fitted.svg("#000000")) == (side > 25)
    assert label.lines or side < 35
    assert label.width_ems() * fitted.font_size <= side
    assert label.height_ems() * fitted.font_size <= side
    assert ("turned" in " ".join(label.lines)) <= ("L12" in " ".join(label.lines))


def test_the_arrow_stands_inside_the_label_that_was_measured() -> None:
    """Disc, arrow and text one after another, none over another."""
    for lines in ((), ("L3",), ("Bakery", f"L3 turned, 1.2 {TIMES} 0.8")):
        fitted = fitted_label(17, [lines] if lines else [], (400.0, 300.0), is_turned=True)
        assert fitted is not None
        root = ElementTree.fromstring(
            fitted.svg("#000000").replace("<g", f"<g xmlns='{SVG[1:-1]}'", 1)
        )
        (mark,) = marks(root)
        place, scale = (mark.get("transform") or "").split(" ")
        x = float(place.removeprefix("translate(").split(",")[0])
        radius = float(scale.removeprefix("scale(").removesuffix(")"))
        disc = list(root.iter(f"{SVG}rect"))[-1]
        disc_right = float(disc.get("x", "nan")) + float(disc.get("width", "nan"))
        half = fitted.label.width_ems() * fitted.font_size / 2
        assert disc_right <= x - 0.9 * radius
        assert x + radius <= half + 0.1
        beside = [one for one in root.iter(f"{SVG}text") if one.get("text-anchor") == "start"]
        assert all(float(one.get("x", "nan")) >= x + radius for one in beside)


def test_a_turned_item_too_small_for_a_label_has_the_arrow_beside_the_floor() -> None:
    """The callout is then all that a loader sees of it."""
    pipe = Item(3000, 60, name="Pipe", turn=True)
    instance, _ = lined_up(
        ["A"], items=(pipe,), vehicle=Vehicle(2450, 13600, 1000), units=Units(length_unit="mm")
    )
    placements = [Placement(1, 1, 200, 100, 60, 3000, 1, load_step=1, turned=True)]
    truck = truck_of(instance, one_route(instance, (1,), placements))
    view = FloorView.within(truck.instance.vehicle, left=100, top=50, longest=545, widest=270)
    assert item_label(truck, placements[0], view) is None
    (callout,) = callouts(truck, view)
    assert 'class="turned-arrow"' in callout.svg()


def test_tables_say_turned_in_a_column_of_their_own() -> None:
    """Beside the size; not there where nothing of the truck is turned."""
    instance, solution = turned_load()
    truck = truck_of(instance, solution)
    assert [row.is_turned for row in loading_rows(truck)] == [
        False,
        False,
        False,
        True,
        True,
        False,
    ]
    assert sum(row.is_turned for row in unloading_rows(truck)) == 2
    for page in (sheets_html(instance, solution), html_report(instance, solution)):
        # Loading and unloading.
        assert page.count(">Turned</th>") == 2
        assert page.count(" turned</span></td>") == 4
    for page in (sheets_html(*lined_up(["A"])), html_report(*lined_up(["A"]))):
        assert "urned</t" not in page


def test_the_sheet_says_what_the_arrow_means_or_that_nothing_is_turned() -> None:
    """A loader must not wonder whether a pallet may be turned."""
    page = sheets_html(*turned_load())
    assert "marks what is turned by a quarter" in page
    assert "Nothing else is turned, nothing is stacked." in page
    assert "Nothing is turned, nothing is stacked." in sheets_html(*lined_up(["A"]))


def test_csv_tables_have_a_column_where_items_may_be_turned() -> None:
    """Yes or no of every item; as before where no item may be turned."""
    instance, solution = turned_load()
    tables = csv_tables(Plan.of(instance, solution))
    for name, turned in (("loading.csv", "nnnyyn"), ("unloading.csv", "nyynnn")):
        rows = list(csv.DictReader(io.StringIO(tables[name])))
        assert [row["turned"][0] for row in rows] == list(turned)
        assert {
            (row["width (m)"], row["length (m)"]) for row in rows if row["turned"] == "yes"
        } == {("1.2", "0.8")}
    for text in csv_tables(Plan.of(*lined_up(["A"]))).values():
        assert "turned" not in text
    straight = replace(
        solution.routes[0],
        placements=tuple(
            replace(
                one,
                x=8 * (one.item - 1),
                y=12 * (2 - one.customer),
                width=8,
                length=12,
                turned=False,
            )
            for one in solution.routes[0].placements
        ),
    )
    as_given = csv_tables(Plan.of(instance, replace(solution, routes=(straight,))))
    rows = list(csv.DictReader(io.StringIO(as_given["loading.csv"])))
    assert [row["turned"] for row in rows] == ["no"] * 6


def table(thing: object, name: str) -> list[dict[str, Any]]:
    """Return the rows of a table for pandas."""
    columns, rows = tables_of(thing)[name]
    return [dict(zip(columns, row, strict=True)) for row in rows()]


def test_tables_for_pandas_say_what_may_be_turned_and_what_is() -> None:
    """As truth values, to be counted; the conventions may speak for all items."""
    instance, solution = turned_load()
    for thing, name in ((solution, "placements"), (Plan.of(instance, solution), "loading")):
        assert [row["turned"] for row in table(thing, name)] == [
            *(False, False, False, True, True, False),
        ]
    assert all(row["turn"] is True for row in table(instance, "items"))
    none = instance.with_conventions(turn="none")
    assert all(row["turn"] is False for row in table(none, "items"))


def test_an_item_that_may_not_be_turned_is_marked_all_the_same() -> None:
    """A wrong plan is drawn to be looked at: what it claims is seen, and that it is wrong."""
    instance, solution = turned_load(may_turn=False)
    plan = Plan.of(instance, solution)
    assert not plan.verified
    page = sheets_html(instance, solution)
    assert NOT_VERIFIED in page
    assert page.count(" turned</span></td>") == 4
    assert "turned" in csv_tables(plan)["loading.csv"]


def test_a_notebook_draws_the_arrow() -> None:
    """A notebook has the same pictures."""
    assert 'class="turned-arrow"' in Plan.of(*turned_load())._repr_html_()
