"""Runs from their start to what is taken away from them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from builders import small_instance
from serve_setting import (
    QUICK,
    SLOW,
    form_at,
    form_of_instance,
    has_plan,
    is_over,
    job_of,
    serving,
    start_job,
    wait_for,
)
from tailgate.apps.serve.limits import Limits
from tailgate.model.judge import verify
from tailgate.model.solution import Solution
from tailgate.solver.loading import read

pytestmark = pytest.mark.programs

HOSTILE = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'&amp;"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server that searches for one plan at a time."""
    with serving(tmp_path_factory.mktemp("jobs")) as one:
        yield one


@pytest.fixture(scope="module")
def solved(client: TestClient) -> int:
    """Return a run that has ended with a proof."""
    number = start_job(client, form_at(QUICK))
    job = wait_for(client, number, is_over)
    assert job["result_status"] == "optimal", job
    return number


def solution_of(client: TestClient, number: int) -> Solution:
    """Return the plan that can be downloaded."""
    answer = client.get(f"/api/jobs/{number}/solution.json")
    assert answer.status_code == 200, answer.text
    return Solution.from_dict(answer.json())


def test_a_run_ends_with_a_proven_plan(client: TestClient, solved: int) -> None:
    """What is shown, stored and downloaded is one and the same, and the judge agrees."""
    job = job_of(client, solved)
    solution = solution_of(client, solved)
    assert verify(read(QUICK), solution) == []
    assert (job["status"], solution.status) == ("done", "optimal")
    assert job["objective"] == solution.objective
    assert job["texts"]["gap"] == "0 %"
    assert job["texts"]["objective"] == job["texts"]["lower_bound"] == "313.8436 km"
    assert job["message"].startswith("optimal: proven")


def test_the_list_of_runs_names_the_unit_of_their_costs(client: TestClient, solved: int) -> None:
    """A figure without its unit is half a figure."""
    listed = {job["number"]: job for job in client.get("/api/state").json()["jobs"]}
    assert listed[solved]["texts"] == job_of(client, solved)["texts"]
    assert listed[solved]["texts"]["lower_bound"].endswith(" km")


def test_the_history_leads_to_the_result(client: TestClient, solved: int) -> None:
    """The chart is drawn from it: time goes on, bounds rise, costs fall."""
    content = client.get(f"/api/jobs/{solved}").json()
    history = content["history"]
    assert [point[0] for point in history] == sorted(point[0] for point in history)
    costs = [cost for _, _, cost in history if cost is not None]
    assert costs == sorted(costs, reverse=True)
    assert history[-1][1] == pytest.approx(content["job"]["lower_bound"])
    assert content["facts"]["trucks"] == "up to 5"


def test_the_plan_is_shown_with_the_names_of_the_stops(client: TestClient, solved: int) -> None:
    """A planner knows no numbers."""
    plan = client.get(f"/api/jobs/{solved}/plan").json()
    stops = sorted(stop for truck in plan["trucks"] for stop in truck["stops"])
    assert stops == sorted(customer.name for customer in read(QUICK).customers)
    assert all(0 < truck["floor_share"] <= 1 for truck in plan["trucks"])


@pytest.mark.parametrize("name", ["report.html", "sheets.html"])
def test_reports_are_given_out_in_a_sandbox(client: TestClient, solved: int, name: str) -> None:
    """They bring their own script along, which must not reach the server."""
    saved = client.get(f"/api/jobs/{solved}/{name}")
    assert saved.status_code == 200
    assert saved.headers["content-disposition"].startswith("attachment")
    assert saved.headers["content-disposition"].endswith(f'run-{solved}-{name}"')
    policy = saved.headers["content-security-policy"]
    assert policy.startswith("sandbox allow-scripts")
    assert "allow-same-origin" not in policy
    assert "Hotel Meridian" in saved.text
    viewed = client.get(f"/api/jobs/{solved}/{name}?view")
    assert viewed.headers["content-disposition"] == "inline"


def test_the_orders_of_a_run_can_be_had_again(client: TestClient, solved: int) -> None:
    """To change them and solve once more."""
    assert client.get(f"/api/jobs/{solved}/form").json()["form"] == form_at(QUICK)
    again = client.get(f"/api/jobs/{solved}/orders.json").json()
    assert again["name"] == "Furniture round, Thursday"


def test_orders_can_be_saved_as_a_spreadsheet_and_as_json(
    client: TestClient, tmp_path: Path
) -> None:
    """And read back, the same."""
    form = form_at(QUICK)
    for ending in ("xlsx", "json"):
        saved = client.post("/api/save", json={"form": form, "format": ending})
        assert saved.status_code == 200
        path = tmp_path / f"orders.{ending}"
        path.write_bytes(saved.content)
        assert form_at(path) == form


def test_an_unknown_document_or_run_is_not_found(client: TestClient, solved: int) -> None:
    """With a sentence, and not with somebody else's file."""
    assert client.get(f"/api/jobs/{solved}/jobs.sqlite").status_code == 404
    for path in ("", "/plan", "/form", "/solution.json"):
        assert client.get(f"/api/jobs/999{path}").status_code == 404
    assert client.post("/api/jobs/999/stop", json={}).status_code == 404
    assert client.delete("/api/jobs/999", headers=_json()).status_code == 404


def test_a_run_is_stopped_continued_and_deleted(client: TestClient) -> None:
    """Stopping keeps the best plan, continuing goes on from there, and deleting ends it all."""
    number = start_job(client, form_at(SLOW))
    waiting = start_job(client, form_at(QUICK))
    running = wait_for(client, number, has_plan)
    assert running["status"] == "running"
    assert job_of(client, waiting)["status"] == "waiting"
    assert client.delete(f"/api/jobs/{number}", headers=_json()).status_code == 409
    first = solution_of(client, number)
    assert verify(read(SLOW), first) == []
    assert first.status == "feasible"

    assert client.post(f"/api/jobs/{waiting}/stop", json={}).status_code == 200
    assert job_of(client, waiting)["reason"] == "interrupted"
    assert client.post(f"/api/jobs/{number}/stop", json={}).status_code == 200
    stopped = wait_for(client, number, is_over)
    assert (stopped["status"], stopped["result_status"]) == ("done", "feasible")
    assert stopped["reason"] == "interrupted"
    assert stopped["objective"] <= running["objective"]
    assert verify(read(SLOW), solution_of(client, number)) == []

    more = {"time_limit": 2, "gap": 0}
    assert client.post(f"/api/jobs/{number}/continue", json=more).status_code == 200
    ended = wait_for(client, number, is_over)
    assert ended["reason"] == "time_limit"
    assert ended["seconds"] > stopped["seconds"] + 1
    assert ended["objective"] <= stopped["objective"]
    assert ended["lower_bound"] >= stopped["lower_bound"]

    for one in (number, waiting):
        assert client.delete(f"/api/jobs/{one}", headers=_json()).status_code == 200
        assert client.get(f"/api/jobs/{one}").status_code == 404


def test_a_proven_run_cannot_be_continued(client: TestClient, solved: int) -> None:
    """There is nothing left to find."""
    more = {"time_limit": 2, "gap": 0}
    assert client.post(f"/api/jobs/{solved}/continue", json=more).status_code == 409


def test_a_broken_search_costs_one_run_and_keeps_its_plan(client: TestClient) -> None:
    """A process may be ended by the system for want of memory."""
    number = start_job(client, form_at(SLOW))
    found = wait_for(client, number, has_plan)
    for pid in workers():
        os.kill(pid, signal.SIGKILL)
    failed = wait_for(client, number, is_over)
    assert failed["status"] == "failed"
    assert "SIGKILL" in failed["message"]
    assert failed["objective"] <= found["objective"]
    assert verify(read(SLOW), solution_of(client, number)) == []
    # The server goes on, and so can the run.
    assert client.post(f"/api/jobs/{number}/continue", json={"time_limit": 1, "gap": 0}).is_success
    again = wait_for(client, number, is_over)
    assert again["reason"] == "time_limit"
    assert again["objective"] <= failed["objective"]


def workers() -> list[int]:
    """Return the processes that search for this test."""
    listed = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(os.getpid())],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if "serve.worker" in line]


def test_orders_without_a_plan_are_proven_to_have_none(client: TestClient, tmp_path: Path) -> None:
    """With the reason, and without anything to download."""
    form = form_of_instance(small_instance(vehicle_count=1), tmp_path)
    number = start_job(client, form)
    job = wait_for(client, number, is_over)
    assert job["result_status"] == "infeasible"
    assert job["message"].startswith("infeasible: proven")
    assert client.get(f"/api/jobs/{number}/solution.json").status_code == 404


def test_wrong_orders_are_not_searched(client: TestClient) -> None:
    """The page checks before it asks, but others may ask, too."""
    form = form_at(QUICK)
    form["vehicles"][0]["width"] = "0.1"
    options = {"time_limit": 60, "gap": 0}
    refused = client.post("/api/jobs", json={"form": form, "options": options})
    assert refused.status_code == 422
    assert refused.json()["path"].startswith("customers[0].items")


@pytest.mark.parametrize(
    "options",
    [
        {"time_limit": 0, "gap": 0},
        {"time_limit": 10**9, "gap": 0},
        {"time_limit": 60, "gap": 1},
        {"time_limit": 60, "gap": -0.1},
        {"time_limit": "60", "gap": 0},
        {"time_limit": 60},
        {"time_limit": 60, "gap": 0, "threads": 64},
    ],
)
def test_options_beyond_the_limits_are_refused(client: TestClient, options: dict[str, Any]) -> None:
    """A run must end one day, and may not take more than its share."""
    refused = client.post("/api/jobs", json={"form": form_at(QUICK), "options": options})
    assert refused.status_code == 422


def test_no_more_runs_wait_or_are_stored_than_allowed(tmp_path: Path) -> None:
    """Otherwise one page could fill the disk."""
    body = {"form": form_at(SLOW), "options": {"time_limit": 60, "gap": 0}}
    limits = Limits(running_jobs=1, waiting_jobs=1, stored_jobs=2)
    with serving(tmp_path, limits=limits) as client:
        first = start_job(client, form_at(SLOW))
        second = start_job(client, form_at(SLOW))
        assert client.post("/api/jobs", json=body).status_code == 429
        client.post(f"/api/jobs/{second}/stop", json={})
        answer = client.post("/api/jobs", json=body)
        assert answer.status_code == 429
        assert "delete some" in answer.json()["error"]
        client.post(f"/api/jobs/{first}/stop", json={})
        wait_for(client, first, is_over)


def test_hostile_names_stay_names(client: TestClient) -> None:
    """In JSON they are data; in reports they must be escaped; in file names they are left out."""
    form = form_at(QUICK)
    form["name"] = HOSTILE
    form["customers"][0]["name"] = HOSTILE
    form["customers"][0]["items"][0]["name"] = HOSTILE
    form["units"]["length"] = "<b>m</b>"
    number = start_job(client, form)
    job = wait_for(client, number, is_over)
    assert job["name"] == HOSTILE
    stops = [
        stop
        for truck in client.get(f"/api/jobs/{number}/plan").json()["trucks"]
        for stop in truck["stops"]
    ]
    assert HOSTILE in stops
    for name in ("report.html", "sheets.html"):
        page = client.get(f"/api/jobs/{number}/{name}")
        assert "<script>alert(1)" not in page.text
        assert "<img src=x" not in page.text
        assert "<b>m</b>" not in page.text
        disposition = page.headers["content-disposition"]
        assert disposition.count('"') == 2
        assert "<" not in disposition
    assert json.dumps(HOSTILE) in client.get(f"/api/jobs/{number}/solution.json").text


def _json() -> dict[str, str]:
    return {"Content-Type": "application/json"}


def test_a_run_repeats_what_looks_like_a_mistake(client: TestClient, solved: int) -> None:
    """Whoever looks at the plan may not be the one who has typed the orders."""
    assert client.get(f"/api/jobs/{solved}").json()["warnings"] == []
    form = form_at(QUICK)
    form["vehicles"][0]["width"] = "40"
    number = start_job(client, form)
    (warning,) = client.get(f"/api/jobs/{number}").json()["warnings"]
    assert "the floor is wider" in warning
