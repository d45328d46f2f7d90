"""A day with roads, hours and money, from the form to what is taken away."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from format_2_cases import on_the_globe
from market_day import market_day
from serve_setting import QUICK, form_at, form_of_instance, is_over, serving, start_job, wait_for
from tailgate.apps.serve.job_store import JobStore
from tailgate.model.judge import verify
from tailgate.model.solution import Solution
from tailgate.solver.search.solver import solve

pytestmark = pytest.mark.programs

HOSTILE = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'&amp;"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server that searches for one plan at a time."""
    with serving(tmp_path_factory.mktemp("jobs")) as one:
        yield one


@pytest.fixture(scope="module")
def market(client: TestClient, tmp_path_factory: pytest.TempPathFactory) -> int:
    """Return the run of the market day."""
    form = form_of_instance(market_day(), tmp_path_factory.mktemp("form"))
    return solved(client, form)


@pytest.fixture(scope="module")
def globe(client: TestClient, tmp_path_factory: pytest.TempPathFactory) -> int:
    """Return the run of orders on the globe, one with a hostile name."""
    content = on_the_globe()
    content["customers"][0]["name"] = HOSTILE
    content["customers"][0]["info"] = {"note": HOSTILE, "address": "12 rue Neuve"}
    path = tmp_path_factory.mktemp("globe") / "orders.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return solved(client, form_at(path))


def solved(client: TestClient, form: dict[str, Any]) -> int:
    """Return a run that has ended with a proof."""
    number = start_job(client, form)
    job = wait_for(client, number, is_over)
    assert job["result_status"] == "optimal", job
    return number


def test_the_plan_of_the_page_is_that_of_the_command_line(client: TestClient, market: int) -> None:
    """The same optimum in euros, judged from the same roads."""
    solution = Solution.from_dict(client.get(f"/api/jobs/{market}/solution.json").json())
    assert verify(market_day(), solution) == []
    assert solution.objective == solve(market_day()).objective
    job = client.get(f"/api/jobs/{market}").json()["job"]
    assert job["texts"]["objective"] == job["texts"]["lower_bound"] == "174.40 EUR"


def test_the_orders_of_a_run_come_back_as_they_were(
    client: TestClient, market: int, tmp_path: Path
) -> None:
    """Roads and all, to be edited and solved again."""
    form = client.get(f"/api/jobs/{market}/form").json()["form"]
    assert form == form_of_instance(market_day(), tmp_path)


def test_a_run_without_coordinates_has_no_map(client: TestClient, market: int) -> None:
    """There is nothing that a navigation device could show."""
    names = client.get(f"/api/jobs/{market}").json()["documents"]
    assert names == ["sheets.html", "report.html", "solution.json", "tables.zip"]
    for name in names:
        assert client.get(f"/api/jobs/{market}/{name}").status_code == 200
    answer = client.get(f"/api/jobs/{market}/routes.gpx")
    assert answer.status_code == 404
    assert "this run has sheets.html" in answer.json()["error"]


def test_tables_are_taken_away_as_an_archive(client: TestClient, market: int) -> None:
    """For a spreadsheet, all of them at once."""
    answer = client.get(f"/api/jobs/{market}/tables.zip")
    assert answer.headers["content-disposition"].startswith("attachment")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert "stops.csv" in archive.namelist()
        assert "08:42" in archive.read("trucks.csv").decode()


def test_routes_are_taken_away_for_maps(client: TestClient, globe: int) -> None:
    """Names stay names in every format."""
    assert client.get(f"/api/jobs/{globe}").json()["documents"][-2:] == [
        "routes.geojson",
        "routes.gpx",
    ]
    collection = client.get(f"/api/jobs/{globe}/routes.geojson").json()
    names = {feature["properties"]["name"] for feature in collection["features"]}
    assert HOSTILE in names
    gpx = client.get(f"/api/jobs/{globe}/routes.gpx")
    assert gpx.headers["content-type"].startswith("application/gpx+xml")
    assert "sandbox" in gpx.headers["content-security-policy"]
    texts = [element.text for element in ElementTree.fromstring(gpx.content).iter()]
    assert any(HOSTILE in (text or "") for text in texts)


def test_hostile_names_are_text_in_every_page(client: TestClient, globe: int) -> None:
    """Addresses and notes are written by anybody."""
    for name in ("sheets.html", "report.html"):
        content = client.get(f"/api/jobs/{globe}/{name}").text
        assert "<script>alert(1)" not in content
        assert "<img src=x" not in content


def test_runs_of_the_version_before_are_read(tmp_path: Path) -> None:
    """Orders and plans of format 1 stay what they were, in the list, as a plan and to edit."""
    with serving(tmp_path) as client:
        number = solved(client, form_at(QUICK))
    store = JobStore(tmp_path)
    job = store.job(number)
    store.close()
    assert job is not None
    assert '"tailgate-instance-1"' in job.instance_text
    assert job.solution_text is not None
    assert '"tailgate-solution-1"' in job.solution_text
    with serving(tmp_path) as client:
        plan = client.get(f"/api/jobs/{number}/plan").json()
        assert [column["title"] for column in plan["columns"]] == ["Cost"]
        assert client.get(f"/api/jobs/{number}/form").json()["form"] == form_at(QUICK)


def test_a_run_goes_on_with_its_roads_after_the_server(tmp_path: Path) -> None:
    """The checkpoint knows them, and so does the list."""
    form = form_of_instance(replace(market_day(), name="kept"), tmp_path)
    with serving(tmp_path / "data") as client:
        number = solved(client, form)
        before = client.get(f"/api/jobs/{number}/plan").json()
    with serving(tmp_path / "data") as client:
        assert client.get(f"/api/jobs/{number}/plan").json() == before
