"""When trucks leave and are back, how far they drive and what they cost, in all that shows it."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from report_cases import furniture_day, lined_up, planned, timed
from tailgate.model.instance import Customer, Instance, Item, Travel, Units, Vehicle
from tailgate.model.matrix import Matrix
from tailgate.model.solution import Solution
from tailgate.report import html_report, sheets_html
from tailgate.report.csv_tables import csv_tables
from tailgate.report.plan import Plan
from tailgate.report.time_words import TimeWords
from tailgate.report.trip_columns import trip_columns, trip_totals


def by_road(
    durations: list[list[float | None]], *, units: Units, windows: tuple[dict[str, Any], ...] = ()
) -> Instance:
    """Return one customer for every row but the depot's, with durations and nothing else."""
    count = len(durations) - 1
    return Instance(
        name="Roads",
        depot=(0, 0),
        customers=tuple(
            Customer(x=0, y=0, weight=1, items=(Item(12, 8), Item(12, 8)), **window)
            for window in (*windows, *({},) * count)[:count]
        ),
        vehicle=Vehicle(24, 72, 10, cost_per_distance=0, cost_per_time=0.5),
        vehicle_count=1,
        units=units,
        travel=Travel.from_matrix(None, durations),
    )


def tables(plan: Plan) -> dict[str, list[dict[str, str]]]:
    """Return the rows of every CSV table."""
    return {
        name: list(csv.DictReader(io.StringIO(text))) for name, text in csv_tables(plan).items()
    }


def pages(instance: Instance, solution: Solution) -> str:
    """Return both pages as one text."""
    return sheets_html(instance, solution) + html_report(instance, solution)


def test_a_truck_whose_customer_opens_at_noon_does_not_leave_at_six() -> None:
    """The depot opens at six; the first stop takes half an hour, the second opens at twelve."""
    plan = Plan.of(*furniture_day())
    assert plan.violations == ()
    trip = plan.trucks[0].trip
    assert trip.hours_text == "leaves at 11:13:15, back at 12:23:08 (by 18:00)"
    assert trip.visit_text(1) == (
        "arrive 11:21:26, service 30 min, leave 11:51:26 (open from 08:00)"
    )
    assert trip.visit_text(2) == ("arrive 12:00, service 15 min, leave 12:15 (open 12:00 to 14:00)")
    assert trip.duration_words == "1 h 09 min 53 s"


def test_waiting_that_cannot_be_avoided_is_shown() -> None:
    """Half an hour between a window that closes at ten and one that opens at eleven."""
    units = Units(clock=True)
    windows = ({"due": 600}, {"ready": 660})
    instance = by_road([[0, 20, 20], [20, 0, 30], [20, 30, 0]], units=units, windows=windows)
    plan = Plan.of(instance, planned(instance, [(1, 2)]))
    assert plan.violations == ()
    trip = plan.trucks[0].trip
    assert trip.visit_text(2) == "arrive 10:30, wait until 11:00, leave 11:00 (open from 11:00)"
    assert trip.duration_words == "1 h 40 min, 30 min of it waiting"
    stop = tables(plan)["stops.csv"][1]
    assert (stop["arrives"], stop["service_begins"], stop["waiting (min)"]) == (
        "10:30",
        "11:00",
        "30",
    )
    assert "wait 30 min" in sheets_html(instance, plan.solution)


@pytest.mark.parametrize(
    ("units", "duration", "text"),
    [
        (Units(time_unit="s"), 3725, "1 h 02 min 5 s"),
        (Units(time_unit="min"), 425, "7 h 05 min"),
        (Units(time_unit="h"), 1.5, "1 h 30 min"),
        (Units(clock=True), 45.5, "45 min 30 s"),
        (Units(clock=True), 0, "0 min"),
        (Units(time_unit="s"), 12, "12 s"),
        (Units(time_unit="weeks"), 1.5, "1.5 weeks"),
        (Units(), 66.254, "66.25"),
    ],
)
def test_durations_are_in_hours_where_the_unit_is_known(
    units: Units, duration: float, text: str
) -> None:
    """Elsewhere they are numbers, with the unit that the orders name."""
    instance = by_road([[0, 1], [1, 0]], units=units)
    assert TimeWords(instance).duration(duration) == text


def test_a_speed_makes_an_unnamed_unit_minutes() -> None:
    """So says the format."""
    instance, _ = furniture_day()
    unnamed = replace(instance, units=replace(instance.units, clock=False))
    words = TimeWords(unnamed)
    assert (words.unit, words.duration(90), words.time(681.43333)) == (
        "min",
        "1 h 30 min",
        "681.43",
    )


def test_a_late_plan_shows_what_is_late() -> None:
    """No schedule keeps the window: the truck leaves as early as it may, and still comes late."""
    instance, solution = timed()
    first, second, third = instance.customers
    late = replace(instance, customers=(first, replace(second, due=26.99), third), depot_due=70.5)
    plan = Plan.of(late, replace(solution, instance_sha256=late.sha256))
    assert not plan.verified
    trip = plan.trucks[0].trip
    assert trip.hours_text == "leaves at 1, back at 71.25 LATE (by 70.5)"
    assert trip.visit_text(1).startswith("arrive 11, wait until 15, service 2, leave 17")
    assert trip.visit_text(2) == "arrive 27 LATE, service 4.25, leave 31.25 (open 0 to 26.99)"
    assert [row["late"] for row in tables(plan)["stops.csv"]] == ["", "LATE", ""]
    assert pages(late, plan.solution).count("arrive 27 LATE") == 2


def test_a_road_that_does_not_exist_is_named_and_nothing_fails() -> None:
    """Another solver's plan may take it, and --unverified draws that, too."""
    units = Units(clock=True, cost_unit="EUR", distance_unit="km")
    roads: list[list[float | None]] = [[0, 20, None], [20, 0, 30], [20, 30, 0]]
    instance = replace(
        by_road(roads, units=units),
        travel=Travel.from_matrix(roads, roads),
        vehicle=Vehicle(24, 72, 10, fixed_cost=5, cost_per_distance=1, cost_per_time=0.5),
    )
    right = planned(instance, [(1, 2)])
    swapped = planned(instance, [(2, 1)]).routes[0]
    route = replace(swapped, cost=1, distance=None, parts=None, schedule=None)
    wrong = replace(right, routes=(route,), objective=1)
    plan = Plan.of(instance, wrong)
    assert not plan.verified
    text = pages(instance, wrong) + plan._repr_html_()
    assert "takes a road that does not exist" in text
    assert "no road" in text
    assert "inf" not in [cell for row in tables(plan)["legs.csv"] for cell in row.values()]
    assert plan.to_pandas("stops")["arrival"].isna().all()
    assert trip_totals([truck.trip for truck in plan.trucks], 1) == {"Cost": "1.00 EUR"}


def test_costs_are_shown_by_cause() -> None:
    """Fixed, for the way and for the time; the way itself and the hours stand beside them."""
    instance, solution = furniture_day()
    plan = Plan.of(instance, solution)
    first, second = (truck.trip for truck in plan.trucks)
    assert first.cost_words == "161.01 EUR (fixed 120.00, distance 13.06, time 27.96)"
    assert first.distance_text == "14.5 km"
    assert second.cost_words == "155.41 EUR (fixed 120.00, distance 13.29, time 22.13)"
    assert trip_totals([first, second], solution.objective) == {
        "Duration": "2 h 05 min 12 s",
        "Waiting": "0 min",
        "Distance": "29.26 km",
        "Cost": "316.42 EUR",
        "Fixed cost": "240.00 EUR",
        "Distance cost": "26.34 EUR",
        "Time cost": "50.08 EUR",
    }
    report = html_report(instance, solution)
    for fact in ("316.42 EUR", "158.20 EUR", "29.26 km", "2 h 05 min 12 s", "07:54:36", "08:49:55"):
        assert fact in report
    assert "cost in EUR" in html_report(instance, solution, history=[(0, 0, None), (1, 100, 400)])


def test_parts_of_all_trucks_are_added_before_they_are_rounded() -> None:
    """Three times a third of a euro is one euro, not 1.02."""
    seconds = [[0 if i == j else 10 for j in range(4)] for i in range(4)]
    instance = by_road([[0, 1], [1, 0]], units=Units(clock=True, cost_unit="EUR"))
    instance = replace(
        instance,
        customers=instance.customers * 3,
        vehicle=Vehicle(24, 72, 10, fixed_cost=1, cost_per_time=1),
        vehicle_count=3,
        travel=Travel("matrix", "none", durations=Matrix.of(seconds, "s", step=Fraction(1, 60))),
    )
    plan = Plan.of(instance, planned(instance, [(1,), (2,), (3,)]))
    totals = trip_totals([truck.trip for truck in plan.trucks], plan.solution.objective)
    assert totals["Time cost"] == "1.00 EUR"
    assert plan.trucks[0].trip.cost_words == "1.34 EUR (fixed 1.00, time 0.34)"


def test_plain_orders_show_cost_as_before() -> None:
    """Where a plan costs its distance and no time matters there is one column, in kilometres."""
    plan = Plan.of(*lined_up(["A", "B"]))
    (column,) = trip_columns([truck.trip for truck in plan.trucks], plan.solution.objective)
    assert column.title == "Cost"
    assert column.texts[0].endswith(" km")
    assert trip_columns([], None) == []


def test_durations_alone_need_no_distances() -> None:
    """A matrix may have no distances; then nothing pretends to know them."""
    instance = by_road([[0, 20, 20], [20, 0, 30], [20, 30, 0]], units=Units(clock=True))
    plan = Plan.of(instance, planned(instance, [(1, 2)]))
    assert plan.violations == ()
    assert [leg.distance for leg in plan.trucks[0].legs] == [None, None, None]
    assert "To the next" not in sheets_html(instance, plan.solution)
    assert ">Distance<" not in pages(instance, plan.solution)
    assert [row["distance"] for row in tables(plan)["legs.csv"]] == ["", "", ""]
    assert plan.to_pandas("routes")["distance"].isna().all()


def test_tables_have_trucks_and_stops_with_what_the_orders_say() -> None:
    """Clock times as they were given, durations in the unit of time, and no formula."""
    found = tables(Plan.of(*furniture_day()))
    truck = found["trucks.csv"][0]
    assert (truck["departure"], truck["return"], truck["stops"]) == ("11:13:15", "12:23:08", "2")
    assert (truck["duration (min)"], truck["cost (EUR)"]) == ("69.883333", "161.003742")
    assert (truck["distance (km)"], truck["fixed_cost (EUR)"]) == ("14.500454", "120")
    stop = found["stops.csv"][1]
    assert (stop["customer"], stop["arrives"], stop["due"]) == ("Mme Dupont", "12:00", "14:00")
    assert (stop["address"], stop["info: gate code"]) == ("12 rue Neuve", "'=1+1")
    assert found["legs.csv"][0]["leaves"] == "11:13:15"


def test_frames_have_times_in_the_unit_of_time() -> None:
    """Who calculates wants minutes, not a text."""
    plan = Plan.of(*furniture_day())
    routes = plan.to_pandas("routes")
    assert routes["departure"].tolist()[0] == pytest.approx(673.25)
    assert (routes["return"] - routes["departure"]).tolist() == pytest.approx(
        routes["duration"].tolist()
    )
    parts = routes["fixed_cost"] + routes["distance_cost"] + routes["time_cost"]
    assert parts.tolist() == pytest.approx(routes["cost"].tolist())
    stops = plan.to_pandas("stops")
    assert stops["customer_name"].tolist()[1] == "Mme Dupont"
    assert stops["arrival"].tolist()[1] == 720
    assert stops["address"].tolist()[1] == "12 rue Neuve"
