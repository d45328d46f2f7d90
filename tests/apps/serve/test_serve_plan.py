"""What the page says of a plan and of its orders: hours, way and money."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from market_day import market_day, market_plan
from tailgate.apps.serve.facts import cost_unit_of, facts
from tailgate.apps.serve.job import Job, JobOptions
from tailgate.apps.serve.plan_content import plan_content
from tailgate.io.json_instance import json_instance_text
from tailgate.model.cost_unit import CostUnit
from tailgate.model.instance import Instance, Travel, Units, Vehicle

JOB = Job(1, "orders", 0.0, "{}", JobOptions(60), "done")


def market_content() -> Any:
    """Return what the page gets of the market day's plan."""
    return json.loads(json.dumps(plan_content(market_day(), market_plan())))


def test_trucks_have_their_clock_their_way_and_their_money() -> None:
    """Worked out by hand beside the market day."""
    columns = {column["title"]: column["texts"] for column in market_content()["columns"]}
    assert columns == {
        "Departure": ["11:30", "06:42"],
        "Return": ["13:20", "07:25:30"],
        "Duration": ["1 h 50 min", "43 min 30 s"],
        "Waiting": ["0 min", "0 min"],
        "Distance": ["55 km", "26 km"],
        "Cost": ["121.50 EUR", "80.40 EUR"],
    }
    market, mill = market_content()["trucks"]
    assert market["cost_parts"] == {
        "fixed": "50.00 EUR",
        "distance": "27.50 EUR",
        "time": "44.00 EUR",
    }
    assert mill["hours"] == "leaves at 06:42, back at 07:25:30 (by 18:00)"


def test_stops_have_their_hours() -> None:
    """The planner is asked when the truck comes."""
    (mill,) = market_content()["trucks"][1]["visits"]
    assert mill == {
        "name": "Mill",
        "info": [],
        "window": "07:00 to 09:00",
        "arrival": "07:00",
        "waiting": "",
        "start": "07:00",
        "service": "5 min",
        "end": "07:05",
    }


def test_all_trucks_together_are_added_up() -> None:
    """By cause, too."""
    totals = market_content()["totals"]
    assert (totals["Duration"], totals["Distance"]) == ("2 h 33 min 30 s", "81 km")
    assert (totals["Cost"], totals["Fixed cost"]) == ("201.90 EUR", "100.00 EUR")


def test_a_truck_that_waits_says_how_long() -> None:
    """At the mill until 07:15 at the latest, twelve minutes away, and the market opens at noon."""
    instance, plan = market_day(depot_due=None), market_plan()
    early = replace(instance.customers[2], due=430)
    instance = replace(instance, customers=(*instance.customers[:2], early))
    route = replace(plan.routes[0], customers=(3, 1))
    content: Any = plan_content(instance, replace(plan, routes=(route,)))
    assert content["trucks"][0]["visits"][1]["waiting"] == "4 h 33 min"


def test_orders_without_hours_have_no_timetable() -> None:
    """A plain order is shown as it always was."""
    instance = replace(
        market_day(),
        customers=tuple(
            replace(one, ready=0, due=None, service=0) for one in market_day().customers
        ),
        vehicle=Vehicle(2, 4, 100),
        units=Units(distance_unit="km"),
        depot_ready=0,
        depot_due=None,
        travel=Travel.euclidean(),
    )
    content: Any = plan_content(instance, market_plan(instance))
    assert [column["title"] for column in content["columns"]] == ["Cost"]
    assert content["trucks"][0]["cost_parts"] == {}
    assert not content["trucks"][0]["is_timed"]


def test_runs_are_compared_by_roads_costs_and_limits() -> None:
    """Costs of runs that differ there cannot be compared."""
    assert (
        facts(market_day()).items()
        >= {
            "distances": "road matrix",
            "costs": "50 per truck, 0.5 per km, 0.4 per min (EUR)",
            "shift and limits": "from 06:00, until 18:00, at most 8 h 00 min, 250 km, 12 stops",
        }.items()
    )
    measured = replace(
        market_day(),
        travel=Travel.great_circle(detour=1.3, decimals=1, speed=35),
        conventions=replace(market_day().conventions, distance="rounded"),
        vehicle=Vehicle(2, 4, 100),
    )
    assert (
        facts(measured).items()
        >= {
            "distances": "as the crow flies on the globe, times 1.3, rounded to 1 decimal, "
            "35 km per hour",
            "costs": "the distance",
            "shift and limits": "none",
        }.items()
    )


@pytest.mark.parametrize(
    ("vehicle", "unit"),
    [
        ({}, ""),
        ({"cost_unit": "EUR"}, "EUR"),
        ({"fixed_cost": 0, "cost_per_distance": 1, "cost_per_time": 0}, "km"),
        ({"fixed_cost": 0, "cost_per_distance": None, "cost_per_time": None}, "km"),
        ({"fixed_cost": 0, "cost_per_distance": 2, "cost_per_time": None}, ""),
    ],
)
def test_the_list_of_runs_has_the_unit_of_the_plan(vehicle: dict[str, Any], unit: str) -> None:
    """Found without checking hundreds of orders, and yet the same."""
    money = vehicle.pop("cost_unit", "")
    day: Instance = market_day()
    instance = replace(
        day,
        vehicle=replace(day.vehicle, **vehicle),
        units=replace(day.units, cost_unit=money),
    )
    found = cost_unit_of(replace(JOB, instance_text=json_instance_text(instance)))
    assert found == CostUnit.of_instance(instance)
    assert found.name == unit
