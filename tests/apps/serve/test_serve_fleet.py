"""The page with several kinds of trucks, rules, and orders that may wait."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from starlette.testclient import TestClient

from builders import real_values
from fleet_cases import fleet_instances, two_kinds
from report_cases import mixed_fleet
from serve_setting import (
    QUICK,
    as_value,
    form_at,
    form_of_instance,
    is_over,
    problems_of,
    serving,
    set_cell,
    start_job,
    wait_for,
)
from tailgate.apps.serve.facts import cost_unit_of, facts
from tailgate.apps.serve.form_check import check_form
from tailgate.apps.serve.job import Job, JobOptions
from tailgate.apps.serve.job_store import FILE_NAME, JobStore
from tailgate.apps.serve.job_tables import VERSION
from tailgate.apps.serve.limits import Limits
from tailgate.apps.serve.plan_content import plan_content
from tailgate.model.instance import Instance

LIMITS = Limits()


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """A server with nothing in it."""
    with serving(tmp_path / "data") as one:
        yield one


def fleet_form() -> dict[str, Any]:
    """Return the form of two kinds and three customers."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "orders.json"
        path.write_text(json.dumps(two_kinds()), encoding="utf-8")
        return form_at(path)


@settings(max_examples=40)
@given(fleet_instances())
def test_a_form_says_what_the_instance_says(instance: Instance) -> None:
    """Kinds, rules and costs of leaving out get to the search as they are in the file."""
    with tempfile.TemporaryDirectory() as folder:
        form = form_of_instance(instance, Path(folder))
    found = check_form(as_value(form), LIMITS)
    assert found.instance is not None or "be loaded" in found.problems[0].message
    if found.instance is not None:
        assert real_values(found.instance) == real_values(instance)
        assert found.instance.sha256 == instance.sha256


@pytest.mark.parametrize(
    ("path", "value", "cell", "message"),
    [
        ("vehicles[1].width", "wide", "vehicles[1].width", "must be a number"),
        ("vehicles[1].count", "-1", "vehicles[1].count", "whole number from 0"),
        ("vehicles[1].capacity", "0", "vehicles[1].capacity", "greater than 0"),
        ("vehicles[1].name", "", "vehicles[1].name", ""),
        ("customers[0].leave_out_cost", "dear", "customers[0].leave_out_cost", "must be a number"),
        ("customers[0].leave_out_cost", "-1", "customers[0].leave_out_cost", "between 0 and"),
        ("customers[0].vehicles", "bicycle", "customers[0].vehicles", "bicycle"),
        ("customers[0].not_with", "Nobody", "customers[0].not_with", "Nobody"),
        ("customers[0].together", "Nobody", "customers[0].together", "Nobody"),
        ("customers[0].not_with", '"A', "customers[0].not_with", "is not a list of names"),
        ("customers[0].position", "middle", "customers[0].position", "must be first, last"),
    ],
)
def test_what_is_wrong_is_said_at_its_cell(path: str, value: str, cell: str, message: str) -> None:
    """A mistake in the second kind must not be shown at the first."""
    form = fleet_form()
    set_cell(form, path, value)
    found = problems_of(form, LIMITS)
    near = [text for place, text in found.items() if place.startswith(cell)]
    assert near, found
    assert message in near[0]


def test_a_form_without_any_kind_is_refused() -> None:
    """The page never sends it."""
    form = fleet_form()
    form["vehicles"] = []
    with pytest.raises(Exception, match="must hold a kind of trucks"):
        check_form(as_value(form), LIMITS)


def test_the_facts_of_a_run_name_the_kinds() -> None:
    """What differs between two runs must be there to be compared."""
    instance, _ = mixed_fleet()
    found = facts(instance)
    for vehicle in instance.vehicles:
        assert f'{vehicle.count} "{vehicle.name}"' in str(found["trucks"])
        assert f"{vehicle.name}: " in str(found["floor"])
    assert found["may be left out"] == len(instance.optional)
    text = json.dumps({"units": {"cost": "EUR"}, "vehicles": [{"fixed_cost": 1}, {}]})
    job = Job(1, "orders", 0.0, text, JobOptions(60), "done")
    assert cost_unit_of(job).name == "EUR"


def test_a_plan_shows_kinds_and_what_is_left_out() -> None:
    """Each truck on its own floor, and every order that stays with its cost."""
    instance, solution = mixed_fleet()
    content: Any = json.loads(json.dumps(plan_content(instance, solution)))
    assert [truck["kind"] for truck in content["trucks"]] == [
        route.vehicle for route in solution.routes
    ]
    assert len(content["kinds"]) == len(instance.vehicles)
    (left,) = content["left_out"]
    assert left["name"] == instance.label(solution.left_out[0].customer)
    assert left["cost"]
    for truck, route in zip(content["trucks"], solution.routes, strict=True):
        kind = instance.vehicles[instance.kind_named(route.vehicle)]
        assert truck["floor_share"] == route.area / kind.area
        assert truck["locked"] == route.locked


def test_runs_are_compared_as_at_the_command_line(client: TestClient) -> None:
    """Trucks, distance, and who rides with another truck."""
    numbers = [start_job(client, form_at(QUICK)) for _ in range(2)]
    for number in numbers:
        wait_for(client, number, is_over)
    answer = client.get(f"/api/compare?runs={numbers[0]},{numbers[1]}").json()
    rows = {row["name"]: row for row in answer["rows"]}
    assert not rows["trucks"]["differs"]
    (change,) = answer["changes"]
    assert change["title"] == f"Run {numbers[1]} beside Run {numbers[0]}"
    assert change["texts"] == ["no change"]


def test_a_run_without_a_plan_can_be_compared(client: TestClient) -> None:
    """One truck too few is the most interesting comparison."""
    number = start_job(client, form_at(QUICK))
    form = form_at(QUICK)
    form["vehicles"][0]["count"] = "1"
    other = start_job(client, form)
    for one in (number, other):
        wait_for(client, one, is_over)
    answer = client.get(f"/api/compare?runs={number},{other}").json()
    rows = {row["name"]: row["texts"] for row in answer["rows"]}
    assert rows["trucks"][1] == "-"
    assert answer["changes"] == []


@pytest.mark.parametrize(
    ("runs", "status"),
    [("", 422), ("1,x", 422), ("1,-1", 422), ("7,8", 404), (",".join("1" * 21), 422)],
)
def test_a_comparison_that_makes_no_sense_is_refused(
    client: TestClient, runs: str, status: int
) -> None:
    """In a sentence."""
    answer = client.get(f"/api/compare?runs={runs}")
    assert answer.status_code == status
    assert answer.json()["error"]


@pytest.mark.parametrize("leave_out", ["cost", "number", None])
def test_a_run_knows_whether_orders_may_be_left_out(
    client: TestClient, leave_out: str | None
) -> None:
    """The switch beside the button gets to the search, and is kept with the run."""
    options = {"time_limit": 60, "gap": 0, "leave_out": leave_out}
    form = form_at(QUICK)
    set_cell(form, "customers[0].leave_out_cost", "1000")
    answer = client.post("/api/jobs", json={"form": form, "options": options})
    assert answer.status_code == 201
    job = wait_for(client, answer.json()["number"], is_over)
    assert job["leave_out"] == leave_out
    assert job["result_status"] == "optimal"


def test_what_does_not_fit_is_left_out_with_its_reason(client: TestClient) -> None:
    """By number, also such orders as must be served; the orders to edit stay as they were."""
    form = form_at(QUICK)
    form["vehicles"][0]["count"] = "3"
    options = {"time_limit": 60, "gap": 0, "leave_out": "number"}
    number = client.post("/api/jobs", json={"form": form, "options": options}).json()["number"]
    job = wait_for(client, number, is_over)
    assert job["result_status"] == "optimal"
    left_out = client.get(f"/api/jobs/{number}/plan").json()["left_out"]
    assert left_out
    assert all(one["reason"] for one in left_out)
    kept = client.get(f"/api/jobs/{number}/form").json()["form"]
    assert not any(customer["leave_out_cost"] for customer in kept["customers"])
    assert client.get(f"/api/jobs/{number}/report.html").status_code == 200


def test_an_order_that_fits_no_truck_is_left_out_with_that_reason(client: TestClient) -> None:
    """It is a problem of the form, unless as few orders as can be are to be left out."""
    form = form_at(QUICK)
    set_cell(form, "customers[0].items[0].width", "100")
    checked = client.post("/api/check", json=form).json()
    assert (checked["valid"], checked["valid_if_left_out"]) == (False, True)
    strict = {"time_limit": 60, "gap": 0, "leave_out": None}
    assert client.post("/api/jobs", json={"form": form, "options": strict}).status_code == 422
    options = {**strict, "leave_out": "number"}
    number = client.post("/api/jobs", json={"form": form, "options": options}).json()["number"]
    assert wait_for(client, number, is_over)["result_status"] == "optimal"
    (order,) = client.get(f"/api/jobs/{number}/plan").json()["left_out"]
    assert "100" in order["reason"]


def test_other_problems_are_mended_first(client: TestClient) -> None:
    """Leave to leave out orders is none to misspell them."""
    form = form_at(QUICK)
    set_cell(form, "customers[0].items[0].width", "wide")
    checked = client.post("/api/check", json=form).json()
    assert (checked["valid"], checked["valid_if_left_out"]) == (False, False)
    options = {"time_limit": 60, "gap": 0, "leave_out": "number"}
    assert client.post("/api/jobs", json={"form": form, "options": options}).status_code == 422


def test_leaving_out_by_cost_needs_costs(client: TestClient) -> None:
    """Otherwise there is nothing to weigh; the answer says so before a run begins."""
    options = {"time_limit": 60, "gap": 0, "leave_out": "cost"}
    answer = client.post("/api/jobs", json={"form": form_at(QUICK), "options": options})
    assert answer.status_code == 422
    assert "no order has a cost" in answer.json()["error"]


def test_another_way_of_leaving_out_is_refused(client: TestClient) -> None:
    """The page knows two."""
    options = {"time_limit": 60, "gap": 0, "leave_out": "everything"}
    answer = client.post("/api/jobs", json={"form": form_at(QUICK), "options": options})
    assert answer.status_code == 422


def test_the_runs_of_the_version_before_are_read(tmp_path: Path) -> None:
    """Its file has no column for what may be left out."""
    store = JobStore(tmp_path)
    number = store.add("old", "{}", JobOptions(60, gap=0.01))
    store.close()
    path = tmp_path / FILE_NAME
    connection = sqlite3.connect(path)
    connection.executescript(
        "BEGIN; ALTER TABLE jobs DROP COLUMN leave_out; PRAGMA user_version = 1; COMMIT;"
    )
    connection.close()
    store = JobStore(tmp_path)
    (job,) = store.jobs()
    assert (job.number, job.options) == (number, JobOptions(60, gap=0.01))
    assert store.notices == []
    store.close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
    connection.close()
