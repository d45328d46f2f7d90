"""The tables of a truck: their order, their numbers, and the files that carry them."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from typing import Any

import pytest

from builders import small_instance, small_solution, with_placement, with_route
from report_cases import HOSTILE_NAMES, METRES, lined_up, timed, truck_of
from tailgate.model.errors import InputError
from tailgate.model.instance import Item, Vehicle
from tailgate.model.solution import Placement, Route
from tailgate.report import html_report, sheets_html
from tailgate.report.csv_tables import csv_tables
from tailgate.report.plan import Plan
from tailgate.report.tables import leg_rows, loading_rows, unloading_rows


def test_the_loading_table_begins_with_what_goes_in_first() -> None:
    """L1 is the first row: the goods of the last stop, at the cab."""
    rows = loading_rows(truck_of(*lined_up(["A", "B", "C"])))
    assert [row.load_step for row in rows] == [1, 2, 3, 4, 5, 6]
    assert [row.stop_index for row in rows] == [3, 3, 2, 2, 1, 1]
    assert [row.from_cab for row in rows] == ["0.0", "0.0", "0.8", "0.8", "1.6", "1.6"]
    assert [row.from_left_wall for row in rows] == ["0.0", "1.2"] * 3
    assert rows[0].step_text == "L1"


def test_the_unloading_table_begins_with_the_first_stop() -> None:
    """Within a stop, what was loaded last comes out first."""
    rows = unloading_rows(truck_of(*lined_up(["A", "B", "C"])))
    assert [row.stop_index for row in rows] == [1, 1, 2, 2, 3, 3]
    assert [row.load_step for row in rows] == [6, 5, 4, 3, 2, 1]
    assert [row.customer for row in rows] == ["A", "A", "B", "B", "C", "C"]


def test_order_does_not_depend_on_the_order_in_the_file() -> None:
    """A file may list placements in any order."""
    instance, solution = lined_up(["A", "B", "C"])
    shuffled = replace(
        solution.routes[0], placements=tuple(reversed(solution.routes[0].placements))
    )
    truck = truck_of(instance, replace(solution, routes=(shuffled,)))
    assert loading_rows(truck) == loading_rows(truck_of(instance, solution))


def test_an_item_is_named_so_that_its_number_is_no_quantity() -> None:
    """ "2 Euro pallet" would bring two pallets to the truck."""
    items = (Item(12, 8, name="Euro pallet"), Item(12, 8))
    names = [row.item for row in loading_rows(truck_of(*lined_up(["A"], items=items)))]
    assert names == ["Euro pallet", "item 2 of 2"]


def test_an_item_is_counted_among_those_of_its_name() -> None:
    """ "Crate (2 of 3)" for a crate and two pallets would have somebody look for three crates."""
    items = tuple(Item(6, 8, name=name) for name in ("Pallet", "Crate", "Pallet"))
    names = [row.item for row in loading_rows(truck_of(*lined_up(["A"], items=items)))]
    assert names == ["Pallet (1 of 2)", "Crate", "Pallet (2 of 2)"]


def test_the_weight_falls_leg_by_leg_to_nothing() -> None:
    """What is on board is what has not been unloaded yet."""
    truck = truck_of(*lined_up(["A", "B", "C"]))
    assert [leg.weight for leg in truck.legs] == [306, 205, 103, 0]
    assert [leg.items for leg in truck.legs] == [6, 4, 2, 0]
    assert sum(leg.distance or 0 for leg in truck.legs) == pytest.approx(truck.route.cost)
    rows = leg_rows(truck)
    assert (rows[0].start, rows[0].end, rows[0].weight) == ("depot", "A", "306 kg")
    assert (rows[-1].start, rows[-1].end, rows[-1].weight) == ("C", "depot", "0 kg")


def test_times_run_as_the_judge_counts_them() -> None:
    """So late that nobody waits for A to open: ten to A, two of service, and so on."""
    truck = truck_of(*timed())
    assert truck.trip.is_timed
    assert [leg.leaves for leg in truck.legs] == [5, 17, 31.25, 41.25]
    assert [leg.arrives for leg in truck.legs] == [15, 27, 41.25, 71.25]
    assert [truck.trip.visit_text(stop) for stop in truck.stops] == [
        "arrive 15, service 2, leave 17 (open 15 to 40.5)",
        "arrive 27, service 4.25, leave 31.25",
        "arrive 41.25, leave 41.25",
    ]
    assert truck.trip.hours_text == "leaves at 5, back at 71.25 (by 90)"
    assert truck.trip.duration_words == "66.25"
    rows = leg_rows(truck)
    assert [row.leaves for row in rows] == ["5.00", "17.00", "31.25", "41.25"]
    assert [row.arrives for row in rows] == ["15.00", "27.00", "41.25", "71.25"]


@pytest.mark.parametrize(("due", "is_in_time"), [(27, True), (26.99, False)])
def test_arrivals_agree_with_the_judge(due: float, is_in_time: bool) -> None:
    """It counts for itself: 27 on the sheet is 27 in its verdict."""
    instance, _ = timed()
    first, second, third = instance.customers
    instance = replace(instance, customers=(first, replace(second, due=due), third))
    solution = replace(timed()[1], instance_sha256=instance.sha256)
    plan = Plan.of(instance, solution)
    assert plan.trucks[0].legs[1].arrives == 27
    assert plan.verified == is_in_time
    if not is_in_time:
        (violation,) = plan.violations
        assert "reaches customer 2 (B) at 27, after its due time 26.99" in violation.message


def test_distances_follow_the_conventions_of_the_solution() -> None:
    """The solution says under which rules it holds, not the instance."""
    instance, solution = lined_up(["A", "B"])
    truncated = instance.with_conventions(distance="truncated")
    truck = Plan.of(truncated, solution).trucks[0]
    assert sum(leg.distance or 0 for leg in truck.legs) == pytest.approx(solution.routes[0].cost)


def test_a_solution_at_another_scale_means_the_same() -> None:
    """2.4 m may be stored as 24 in one file and as 2400 in the other."""
    instance, solution = lined_up(["A", "B"])
    finer = _at_scale(solution.routes[0], 100)
    units = replace(METRES, length_scale=1000)
    truck = truck_of(instance, replace(solution, units=units, routes=(finer,)))
    assert loading_rows(truck) == loading_rows(truck_of(instance, solution))
    assert truck.fill == pytest.approx(4 * 96 / (24 * 72))


def test_an_item_between_two_steps_of_the_scale_keeps_its_place() -> None:
    """The finer scale wins where it is needed."""
    instance, solution = lined_up(["A"], vehicle=Vehicle(30, 20, 1000))
    finer = _at_scale(solution.routes[0], 10)
    moved = replace(
        finer, placements=(replace(finer.placements[0]), replace(finer.placements[1], x=155))
    )
    units = replace(METRES, length_scale=100)
    truck = truck_of(instance, replace(solution, units=units, routes=(moved,)))
    assert [row.from_left_wall for row in loading_rows(truck)] == ["0.00", "1.55"]
    assert truck.instance.sha256 == instance.sha256


def _at_scale(route: Route, factor: int) -> Route:
    return replace(
        route,
        area=route.area * factor**2,
        placements=tuple(
            replace(
                one,
                x=one.x * factor,
                y=one.y * factor,
                width=one.width * factor,
                length=one.length * factor,
            )
            for one in route.placements
        ),
    )


def test_csv_tables_have_every_item_of_every_truck() -> None:
    """They go into a spreadsheet, with the unit in the head of the column."""
    instance, solution = lined_up(["A", "B"])
    tables = {
        name: list(csv.DictReader(io.StringIO(text)))
        for name, text in csv_tables(Plan.of(instance, solution)).items()
    }
    items = {"loading.csv", "unloading.csv"}
    assert set(tables) == {*items, "legs.csv", "trucks.csv", "stops.csv"}
    assert [row["load_step"] for row in tables["loading.csv"]] == ["1", "2", "3", "4"]
    assert [row["stop_index"] for row in tables["unloading.csv"]] == ["1", "1", "2", "2"]
    assert tables["loading.csv"][2]["from_cab (m)"] == "0.8"
    assert [row["weight_on_board (kg)"] for row in tables["legs.csv"]] == ["203", "102", "0"]


def test_times_are_in_the_table_of_legs_where_they_matter() -> None:
    """Other orders have no hours, and then two columns of them would only confuse."""
    for plan, columns in ((lined_up(["A", "B"]), []), (timed(), ["leaves", "arrives"])):
        (header, first, *_) = csv.reader(io.StringIO(csv_tables(Plan.of(*plan))["legs.csv"]))
        assert header[7:] == columns
        assert first[7:] == (["5", "15"] if columns else [])


def test_no_table_shows_the_dust_of_a_floating_point_sum() -> None:
    """0.1 + 0.2 is 0.3 for people, in a spreadsheet as on paper."""
    instance, solution = timed()
    dusty = replace(instance, depot_ready=0.1 + 0.2, depot_due=100.1 + 0.2)
    plan = Plan.of(dusty, replace(solution, instance_sha256=dusty.sha256))
    assert plan.violations == ()
    text = csv_tables(plan)["legs.csv"] + sheets_html(dusty, plan.solution)
    assert "back at 71.25 (by 100.3)" in text
    assert ",5,15\r\n" in text
    assert not re.findall(r"\d\.\d{7,}", text)


def test_the_foot_of_a_report_rounds_the_seconds_of_the_search() -> None:
    """Nobody needs to know of 451.36999999999995 seconds."""
    instance, solution = lined_up(["A", "B"])
    entry = {"version": "1", "seed": 3, "seconds": 451.36999999999995}
    report = html_report(instance, replace(solution, solver=entry))
    assert "Found by: version 1, seed 3, after 451.370 s." in report
    assert "451.369" not in report


def test_bounds_over_time_have_their_unit() -> None:
    """A number without its unit is read in the wrong one."""
    history = [(0.0, 0.0, None), (0.5, 90.0, 120.0)]
    report = html_report(*lined_up(["A", "B"]), history=history)
    assert "Lower bound, km" in report
    assert "Best plan, km" in report


def test_a_name_is_no_formula_in_a_spreadsheet() -> None:
    """A customer called =HYPERLINK(...) must stay text."""
    plan = Plan.of(*lined_up(HOSTILE_NAMES))
    cells = [
        cell
        for text in csv_tables(plan).values()
        for row in csv.reader(io.StringIO(text))
        for cell in row
    ]
    assert "'=HYPERLINK(1)" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


def test_csv_tables_say_what_is_not_verified() -> None:
    """A table has no red ink."""
    instance = small_instance()
    wrong = with_placement(small_solution(instance), 0, 2, x=1)
    for text in csv_tables(Plan.of(instance, wrong)).values():
        rows = list(csv.reader(io.StringIO(text)))
        assert all(row[-1] == "NOT VERIFIED" for row in rows)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"customers": (1, 9)}, "routes[0].customers"),
        ({"placements": (Placement(9, 1, 0, 0, 1, 1, 1, 1),)}, "routes[0].placements[0]"),
        ({"placements": (Placement(1, 3, 0, 0, 1, 1, 1, 1),)}, "routes[0].placements[0]"),
        ({"placements": (Placement(1, 1, 0, 0, -1, 1, 1, 1),)}, "routes[0].placements[0]"),
        ({"placements": ()}, "routes[0]"),
    ],
)
def test_what_cannot_be_drawn_is_refused_by_name(change: dict[str, Any], field: str) -> None:
    """Not even a picture marked in red can show an item that does not exist."""
    instance = small_instance()
    wrong = with_route(small_solution(instance), 0, **change)
    with pytest.raises(InputError) as caught:
        Plan.of(instance, wrong)
    assert caught.value.field == field
