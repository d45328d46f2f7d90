"""Several kinds of vehicles, rules, orders left out and locks, in all that shows a plan."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from report_cases import HOSTILE_NAMES, furniture_day, lined_up, mixed_fleet, planned
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.solution import Solution
from tailgate.report import html_report, loading_plan_svg, sheets_html
from tailgate.report.csv_tables import csv_tables
from tailgate.report.kind_views import trips_of
from tailgate.report.plan import Plan
from tailgate.report.svg_text import TIMES
from tailgate.report.trip_columns import part_totals, trip_columns, trip_totals

REASON = "only the van may come, and its hours are full"


class Words(HTMLParser):
    """The text of a page, elements apart."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.feed(html)
        self.close()

    def handle_data(self, data: str) -> None:
        """Remember the words."""
        self.words.append(data.strip())

    @property
    def text(self) -> str:
        """All words, with a bar between elements."""
        return "|".join(filter(None, self.words))


def text_of(html: str) -> str:
    """Return the words of a page."""
    return Words(html).text


def section(page: str, name: str) -> str:
    """Return the words of the section with an id of this name."""
    (found,) = re.findall(
        rf'<section [^>]*(?:aria-labelledby|id)="{name}".*?</section>', page, re.DOTALL
    )
    return text_of(found)


def with_reasons() -> tuple[Instance, Solution]:
    """Return the mixed fleet with the reason why an order is left out."""
    instance, solution = mixed_fleet()
    left_out = tuple(replace(order, reason=REASON) for order in solution.left_out)
    return instance, replace(solution, left_out=left_out)


def tables(plan: Plan) -> dict[str, list[dict[str, str]]]:
    """Return the rows of every CSV table."""
    return {
        name: list(csv.DictReader(io.StringIO(text))) for name, text in csv_tables(plan).items()
    }


def test_the_case_is_valid() -> None:
    """Otherwise every page would be about violations."""
    assert Plan.of(*mixed_fleet()).violations == ()


def test_every_truck_has_the_floor_the_load_and_the_costs_of_its_own_kind() -> None:
    """The van's floor is shorter, it carries less, and its hours cost nothing."""
    lorry, van = Plan.of(*mixed_fleet()).trucks
    assert (lorry.title, van.title) == ("Truck 1 of 2, 12 t", "Truck 2 of 2, van")
    assert (lorry.load_text, van.load_text) == ("600 of 1000 kg", "600 of 700 kg")
    assert van.fill == pytest.approx(lorry.fill * 72 / 32)
    assert "fixed 120.00" in lorry.trip.cost_words
    assert van.trip.cost_words == van.trip.cost_text
    assert (lorry.trip.closing_text, van.trip.closing_text) == ("18:00", "16:00")


def test_pictures_show_the_floor_of_the_kind() -> None:
    """A lorry's length on the picture of a van would be a plan for nobody."""
    instance, solution = mixed_fleet()
    lorry, van = (loading_plan_svg(instance, route) for route in solution.routes)
    assert ">7.2 m<" in lorry
    assert ">3.2 m<" in van
    assert ">7.2 m<" not in van
    assert "Loading plan: Mixed, van" in van


def test_the_report_counts_trucks_by_kind() -> None:
    """And says how far each kind drives and what it costs, by cause."""
    plan = Plan.of(*mixed_fleet())
    page = text_of(html_report(*mixed_fleet()))
    assert 'Trucks|2 of 3: 1 of 1 "12 t", 1 of 2 "van"' in page
    titles = "Vehicle|Trucks|Stops|Duration|Waiting|Distance|Cost"
    assert f"The fleet|{titles}|Fixed cost|Distance cost|Time cost|12 t|1 of 1|2|" in page
    van = plan.trucks[1].trip
    times = f"{van.duration_text}|0 min|{van.distance_text}"
    assert f"|van|1 of 2|2|{times}|{van.cost_text}|{van.cost_text}|The trucks|" in page
    assert "Truck|Vehicle|Line on the map|" in page
    assert "→ École → Café & Co → depot|Locked: whole route|2|van|" in page
    assert "→ Hôtel <Adler> → Mme Dupont → depot|Locked: first stop|" in page


def test_the_costs_of_kinds_add_up_to_those_of_the_plan() -> None:
    """With what is left out nothing is missing."""
    plan = Plan.of(*mixed_fleet())
    rows = tables(plan)["fleet.csv"]
    assert [(row["vehicle"], row["used"], row["count"]) for row in rows] == [
        ("12 t", "1", "1"),
        ("van", "1", "2"),
    ]
    routes = sum(float(row["cost (EUR)"]) for row in rows)
    assert routes + 250 == pytest.approx(plan.solution.objective)
    for row in rows:
        parts = (float(row[f"{cause}_cost (EUR)"]) for cause in ("fixed", "distance", "time"))
        assert sum(parts) == pytest.approx(float(row["cost (EUR)"]), abs=1e-5)
    total = sum(part_totals([truck.trip for truck in plan.trucks]).values())
    assert total == pytest.approx(routes)


def test_totals_by_cause_have_the_causes_of_every_kind() -> None:
    """The van has one cause only, so that its own cost is not split."""
    instance, solution = mixed_fleet()
    trips = trips_of(instance, solution.routes)
    assert [list(trip.cost_parts) for trip in trips] == [["fixed", "distance", "time"], []]
    totals = trip_totals(trips, solution.objective)
    assert totals["Fixed cost"] == "120.00 EUR"
    assert {"Distance cost", "Time cost"} <= set(totals)
    assert [column.title for column in trip_columns(trips, None)][-2:] == ["Distance", "Cost"]


def test_a_kind_that_stays_at_home_is_in_the_tables() -> None:
    """A planner wants to see what is spare."""
    instance, _ = mixed_fleet()
    free = replace(
        instance, customers=tuple(replace(one, vehicles=None) for one in instance.customers)
    )
    plan = Plan.of(free, planned(free, [(4, 3)], kinds=[0], left_out=[5]))
    assert tables(plan)["fleet.csv"][1]["used"] == "0"
    assert "|van|0 of 2|0|" in text_of(html_report(free, plan.solution))


def test_orders_left_out_have_a_section_with_cost_and_reason() -> None:
    """What stays for tomorrow is the first thing that a planner asks."""
    page = html_report(*with_reasons())
    assert "Left out|1 order, 250.00 EUR" in text_of(page)
    assert section(page, "left-out") == (
        "Left out|Left out: 1 order|Customer|Number|Items|Weight|Cost|Reason|"
        f"Museum <east>|5|2|300 kg|250.00 EUR|{REASON}"
    )
    assert "Reason" not in section(html_report(*mixed_fleet()), "left-out")


def test_the_map_marks_what_is_left_out_and_names_the_kinds() -> None:
    """Each line has its truck and its kind."""
    page = html_report(*mixed_fleet())
    assert "<title>customer 5: Museum &lt;east&gt;, left out</title>" in page
    assert "<title>Truck 2 of 2, van: depot" in page
    assert "|1: 12 t|2: van|Customers with a cross are left out." in text_of(page)


def test_rules_stand_in_a_table_for_the_planner() -> None:
    """Beside the truck that comes; who has no rule is not listed."""
    page = section(html_report(*mixed_fleet()), "rules")
    titles = "Vehicles that may come|Not with|Together with|Position|Leave-out cost"
    assert f"What the orders demand|Customer|Truck|{titles}|Mme Dupont|2|van|École|" in page
    assert "|Hôtel <Adler>|2|first|75.50 EUR|" in page
    assert "|Museum <east>|left out|" in page
    assert "|École|1|" not in page


def test_sheets_have_the_kind_and_what_is_locked() -> None:
    """Who stands before a van with the sheet of the lorry must see it at once."""
    page = sheets_html(*mixed_fleet())
    assert "<h1>Loading: Truck 2 of 2, van</h1>" in page
    text = section(page, "truck-2-loading")
    assert "|Vehicle|van|" in text
    assert "|Locked|first stop|" in text
    assert "|Locked|whole route|" in section(page, "truck-1-unloading")


def test_the_driver_sees_positions_and_not_what_only_a_planner_needs() -> None:
    """The order of the stops is the driver's, the choice of the truck is not."""
    driver = section(sheets_html(*mixed_fleet()), "truck-2-driver")
    assert "|1|Hôtel <Adler>|must be the first stop|" in driver
    assert "must be the first stop; 3 quai Est" in section(
        sheets_html(*mixed_fleet()), "truck-2-unloading"
    )
    assert "Not with" not in driver


def test_a_last_sheet_says_what_is_not_loaded() -> None:
    """The goods stand in the warehouse all the same."""
    page = sheets_html(*with_reasons())
    stays = section(page, "left-out")
    assert stays.startswith("Left out: not loaded|")
    assert f"|Museum <east>|5|2|300 kg|{REASON}" in stays
    assert "EUR" not in stays
    assert 'class="filler truck-2"' in page


def test_sheets_and_report_name_the_fingerprint_of_all_orders() -> None:
    """Not that of a part with one kind of vehicle."""
    instance, solution = mixed_fleet()
    digits = instance.sha256[:12]
    assert sheets_html(instance, solution).count(f"instance {digits}") == 2
    assert instance.sha256 in html_report(instance, solution)


def test_tables_for_a_spreadsheet_have_kinds_locks_and_rules() -> None:
    """And a table of their own for the orders left out."""
    found = tables(Plan.of(*with_reasons()))
    assert [(row["vehicle"], row["locked"]) for row in found["trucks.csv"]] == [
        ("12 t", "whole route"),
        ("van", "first stop"),
    ]
    stops = {row["customer"]: row for row in found["stops.csv"]}
    assert stops["Mme Dupont"]["vehicles"] == "van"
    assert stops["Mme Dupont"]["not_with"] == "École"
    assert stops["Café & Co"]["together"] == "École"
    hotel = stops["Hôtel <Adler>"]
    assert (hotel["position"], hotel["leave_out_cost (EUR)"], hotel["locked"]) == (
        "first",
        "75.5",
        "yes",
    )
    assert stops["Mme Dupont"]["locked"] == ""
    assert found["left_out.csv"] == [
        {
            "customer": "Museum <east>",
            "number": "5",
            "items": "2",
            "weight (kg)": "300",
            "cost (EUR)": "250",
            "reason": REASON,
        }
    ]


def test_frames_have_kinds_rules_and_orders_left_out() -> None:
    """The same for whoever calculates on."""
    instance, solution = with_reasons()
    plan = Plan.of(instance, solution)
    vehicles = instance.to_pandas("vehicles")
    assert vehicles["name"].tolist() == ["12 t", "van"]
    assert vehicles["count"].tolist() == [1, 2]
    assert vehicles["length"].tolist() == [7.2, 3.2]
    customers = instance.to_pandas()
    assert customers["position"].fillna("").tolist() == ["", "first", "", "", ""]
    assert customers["leave_out_cost"].tolist()[4] == 250
    for frame in (plan.to_pandas("routes"), solution.to_pandas("routes")):
        assert frame["vehicle"].tolist() == ["12 t", "van"]
        assert frame["locked"].tolist() == [True, False]
        assert frame["locked_stops"].tolist() == [0, 1]
    assert plan.to_pandas("stops")["vehicles"].tolist()[3] == "van"
    fleet = plan.to_pandas("fleet")
    assert fleet["used"].tolist() == [1, 1]
    assert fleet["cost"].sum() + 250 == pytest.approx(solution.objective)
    left_out = plan.to_pandas("left_out")
    assert left_out.to_dict("records") == [
        {"customer": 5, "customer_name": "Museum <east>", "cost": 250, "reason": REASON}
    ]
    assert solution.to_pandas("left_out")["customer"].tolist() == [5]


def test_notebooks_show_kinds_rules_and_orders_left_out() -> None:
    """An instance, a plan, and a solution alone."""
    instance, solution = with_reasons()
    shown = text_of(instance._repr_html_())
    assert f'1 "12 t" of 2.4 {TIMES} 7.2 m and 1000 kg, 2 "van" of 2.4 {TIMES} 3.2 m' in shown
    assert "Vehicles that may come|Not with|Together with|Position|Leave-out cost" in shown
    plan = text_of(Plan.of(instance, solution)._repr_html_())
    assert 'trucks 2 of 3: 1 of 1 "12 t", 1 of 2 "van"' in plan
    assert "Left out: 1 order" in plan
    assert "Truck 2 of 2, van: depot" in plan
    assert "locked: first stop" in plan
    alone = text_of(solution._repr_html_())
    assert "Truck|Vehicle|Customers|Cost|1|12 t|4-3|" in alone
    assert f"Left out|Customer|Cost|Reason|5|250.00 EUR|{REASON}" in alone


def test_maps_and_navigation_devices_get_the_kind() -> None:
    """And the places that nobody comes to."""
    plan = Plan.of(*with_reasons())
    features = [one["properties"] for one in json.loads(plan.to_geojson())["features"]]
    routes = [one for one in features if one["kind"] == "route"]
    assert [(one["vehicle"], one["locked"]) for one in routes] == [
        ("12 t", "whole route"),
        ("van", "first stop"),
    ]
    (left_out,) = [one for one in features if one["kind"] == "left_out"]
    assert (left_out["name"], left_out["cost"], left_out["reason"]) == (
        "Museum <east>",
        250,
        REASON,
    )
    hotel = next(one for one in features if one.get("customer") == 2)
    assert hotel["position"] == "must be the first stop"
    assert "<name>Truck 2 of 2, van</name>" in plan.to_gpx()
    assert "locked: first stop" in plan.to_gpx()


def test_a_plan_that_leaves_out_everything_is_a_plan() -> None:
    """It was judged, and says what it costs."""
    instance, _ = mixed_fleet()
    customers = tuple(replace(one, leave_out_cost=10) for one in instance.customers)
    idle = replace(instance, customers=customers)
    page = html_report(idle, planned(idle, [], left_out=[1, 2, 3, 4, 5]))
    assert "✓ verified" in page
    assert "Left out|5 orders, 50.00 EUR" in text_of(page)


def test_a_plan_that_breaks_a_position_still_has_its_hours() -> None:
    """The judge names the rule; the roads exist all the same."""
    instance, solution = mixed_fleet()
    wrong = planned(
        replace(
            instance, customers=tuple(replace(one, position=None) for one in instance.customers)
        ),
        [(4, 3), (1, 2)],
        kinds=[0, 1],
        left_out=[5],
    )
    plan = Plan.of(instance, replace(wrong, instance_sha256=solution.instance_sha256))
    assert not plan.verified
    assert plan.trucks[1].trip.timetable is not None
    assert "takes a road that does not exist" not in html_report(instance, plan.solution)


def test_an_unknown_kind_cannot_be_drawn() -> None:
    """Nobody knows its floor."""
    instance, solution = mixed_fleet()
    lorry, van = solution.routes
    wrong = replace(solution, routes=(lorry, replace(van, vehicle="vam")))
    with pytest.raises(InputError, match="there is no kind of vehicle 'vam'") as caught:
        Plan.of(instance, wrong)
    assert caught.value.field == "routes[1].vehicle"


def test_an_unknown_customer_left_out_cannot_be_shown() -> None:
    """It is the solution of another instance."""
    instance, solution = mixed_fleet()
    (order,) = solution.left_out
    with pytest.raises(InputError, match="customer 9 does not exist") as caught:
        Plan.of(instance, replace(solution, left_out=(replace(order, customer=9),)))
    assert caught.value.field == "left_out[0].customer"


def test_lengths_at_another_scale_keep_every_kind() -> None:
    """A solution in millimetres of an instance in decimetres."""
    instance, solution = mixed_fleet()
    lengths = ("x", "y", "width", "length")
    routes = tuple(
        replace(
            route,
            placements=tuple(
                replace(one, **{name: 100 * getattr(one, name) for name in lengths})
                for one in route.placements
            ),
        )
        for route in solution.routes
    )
    first, second = routes
    # One item a little further from the wall than a decimetre can say.
    moved = (*first.placements[:-1], replace(first.placements[-1], y=first.placements[-1].y + 5))
    fine = replace(
        solution,
        routes=(replace(first, placements=moved), second),
        units=replace(solution.units, length_scale=1000),
    )
    plan = Plan.of(instance, fine)
    assert [truck.length_text(truck.instance.vehicle.length) for truck in plan.trucks] == [
        "7.2 m",
        "3.2 m",
    ]


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_names_of_kinds_and_reasons_are_text_whatever_they_contain(name: str) -> None:
    """They stand in headings, in tables, on maps, and in the style sheet of printed pages."""
    instance, _ = mixed_fleet()
    lorry, van = instance.vehicles
    customers = tuple(
        replace(one, vehicles=(name,) if one.vehicles else None) for one in instance.customers
    )
    hostile = replace(instance, customers=customers, vehicles=(lorry, replace(van, name=name)))
    solution = planned(hostile, [(4, 3), (2, 1)], kinds=[0, 1], left_out=[5])
    solution = replace(
        solution, left_out=tuple(replace(one, reason=name) for one in solution.left_out)
    )
    for page in (sheets_html(hostile, solution), html_report(hostile, solution)):
        assert page.count("<script>") == 1
        assert page.count("</style>") == 1
        assert "<img" not in page
        assert "<h1>owned" not in page
    foot = re.findall(
        r"@page truck-2 \{ @bottom-left \{ content: '([^']*)'; \} \}",
        page_styles(hostile, solution),
    )
    assert len(foot) == 1
    assert not set("<>\"'&(){};") & set(foot[0])
    json.loads(Plan.of(hostile, solution).to_geojson())
    cells = [
        cell
        for rows in tables(Plan.of(hostile, solution)).values()
        for row in rows
        for cell in row.values()
    ]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


def page_styles(instance: Instance, solution: Solution) -> str:
    """Return the style sheet of the sheets."""
    (styles,) = re.findall(r"<style>(.*?)</style>", sheets_html(instance, solution), re.DOTALL)
    return str(styles)


def test_one_kind_may_have_rules_and_orders_left_out() -> None:
    """They need no fleet: the truck is called as before, and the rule is shown."""
    day, _ = furniture_day()
    first, *rest = day.customers
    customers = (replace(first, leave_out_cost=90), replace(rest[0], position="last"), *rest[1:])
    instance = replace(day, customers=customers)
    solution = planned(instance, [(4, 3, 2)], left_out=[1])
    assert Plan.of(instance, solution).violations == ()
    page, report = sheets_html(instance, solution), html_report(instance, solution)
    assert "<h1>Loading: Truck 1 of 1</h1>" in page
    assert "|3|Hôtel <Adler>|must be the last stop|" in section(page, "truck-1-driver")
    assert "The fleet" not in report
    assert "|Mme Dupont|1|2|300 kg|90.00 EUR" in section(report, "left-out")
    assert "fleet.csv" not in csv_tables(Plan.of(instance, solution))


def test_one_kind_without_rules_shows_nothing_of_all_this() -> None:
    """Whoever has one kind of vehicle reads what he always read."""
    for case in (lined_up(["A", "B"]), furniture_day()):
        plan = Plan.of(*case)
        assert plan.trucks[0].title == f"Truck 1 of {len(plan.trucks)}"
        words = text_of(html_report(*case) + sheets_html(*case) + plan._repr_html_())
        for word in ("The fleet", "Left out", "Locked", "Rules", "must be the"):
            assert word not in words
        found = csv_tables(plan)
        assert set(found) == {
            "loading.csv",
            "unloading.csv",
            "legs.csv",
            "trucks.csv",
            "stops.csv",
        }
        assert "vehicle" not in found["trucks.csv"]
        assert "vehicle" not in plan.to_pandas("routes")
