"""What commands print of plans on roads, with a clock and in euros."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest

from report_cases import furniture_day
from tailgate.apps.cli.main import main
from tailgate.io import write_solution
from tailgate.model.instance import Instance, Travel

READERS = {
    "show": "read_instance",
    "verify": "read_instance",
    "pack": "read_with_warnings",
    "solve": "read_with_warnings",
    "bound": "read_with_warnings",
}


@pytest.fixture
def day(monkeypatch: pytest.MonkeyPatch) -> Instance:
    """Let every command read the same orders: how files are read is tested elsewhere."""
    instance, _ = furniture_day()
    let_read(monkeypatch, instance)
    return instance


def let_read(monkeypatch: pytest.MonkeyPatch, instance: Instance) -> None:
    """Give an instance to all commands."""
    for command, reader in READERS.items():
        monkeypatch.setattr(
            f"tailgate.apps.cli.{command}.{reader}", lambda *_, **__: instance, raising=True
        )


def printed(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """Run a command that succeeds."""
    assert main(list(argv)) == 0
    return capsys.readouterr().out


def test_solve_prints_euros_kilometres_and_hours(
    day: Instance, capsys: pytest.CaptureFixture[str]
) -> None:
    """In total, and for every truck."""
    out = printed(capsys, "solve", day.name)
    for line in (
        "  objective    315.12 EUR\n",
        "  lower bound  315.12 EUR\n",
        "  distance     28.43 km\n",
        "  duration     2 h 03 min 48 s\n",
        "  waiting      0 min\n",
    ):
        assert line in out
    header, first, second = out.splitlines()[-3:]
    assert header.split()[:7] == [
        *("truck", "departure", "return", "duration", "waiting", "distance", "cost"),
    ]
    assert sorted(row.split()[1] for row in (first, second)) == ["07:54:36", "11:51:52"]
    assert "EUR" not in printed(capsys, "solve", day.name, "--quiet")


def test_the_bound_is_in_euros(day: Instance, capsys: pytest.CaptureFixture[str]) -> None:
    """And a script gets the bare number."""
    out = printed(capsys, "bound", day.name)
    assert "no plan costs less than 235.46 EUR" in out
    assert "  lower bound  235.46 EUR\n" in out
    assert float(printed(capsys, "bound", day.name, "--quiet")) == pytest.approx(235.46, abs=0.01)


def test_a_bound_below_the_next_possible_cost_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where all costs are multiples of 2.50 EUR, the next one counts."""
    instance, _ = furniture_day()
    roads = [[0 if i == j else 3 + (i + j) % 2 for j in range(5)] for i in range(5)]
    vehicle = replace(instance.vehicle, fixed_cost=5, cost_per_distance=2.5, cost_per_time=0)
    let_read(monkeypatch, replace(instance, travel=Travel.from_matrix(roads), vehicle=vehicle))
    out = printed(capsys, "bound", "day")
    assert "; costs are multiples of 2.5 EUR, so none less than" in out


def test_verify_names_the_cost_in_euros(
    day: Instance, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The judge's answer, in the unit of the orders."""
    write_solution(furniture_day()[1], tmp_path / "plan.json")
    out = printed(capsys, "verify", day.name, str(tmp_path / "plan.json"))
    assert out.startswith("valid: 2 routes, cost 316.42 EUR\n")


def test_pack_prints_hours_and_costs_of_a_route(
    day: Instance, capsys: pytest.CaptureFixture[str]
) -> None:
    """The verdict is about the floor; what else is known of the route stands below."""
    out = printed(capsys, "pack", day.name, "--route", "2-1")
    assert "  cost       161.01 EUR (fixed 120.00, distance 13.06, time 27.96), 14.5 km\n" in out
    assert (
        "  times      every time window is kept: leaves at 11:13:15, back at 12:23:08 (by 18:00), "
        "duration 1 h 09 min 53 s\n"
    ) in out
    assert "BROKEN" not in out


def test_pack_points_out_every_limit_that_a_route_breaks(
    day: Instance,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Feasible is about loading; who reads it as the whole truth would send a truck too far."""
    vehicle = replace(day.vehicle, max_stops=3, max_distance=14, max_duration=60)
    let_read(monkeypatch, replace(day, vehicle=vehicle))
    out = printed(capsys, "pack", day.name, "--route", "2-1")
    assert (
        "  limits     BROKEN, which the verdict does not count (it is about loading alone): "
        "14.5 km, at most 14 km; 1 h 09 min 53 s, at most 1 h 00 min\n"
    ) in out
    content = json.loads(printed(capsys, "pack", day.name, "--route", "1-2-3-4", "--json"))
    assert content["broken_limits"] == ["4 stops, at most 3"]
    table = tmp_path / "routes.csv"
    table.write_text("route\n2-1\n4\n", encoding="utf-8")
    rows = printed(capsys, "pack", day.name, "--routes", str(table)).splitlines()
    assert rows[0] == "route,verdict,decided_by,seconds,late,broken_limits"
    assert rows[1].endswith('"14.5 km, at most 14 km; 1 h 09 min 53 s, at most 1 h 00 min"')
    assert rows[2].endswith(",,")
    content = json.loads(printed(capsys, "pack", day.name, "--routes", str(table), "--json"))
    assert content["routes_beyond_limits"] == 1
    assert content["results"][1]["broken_limits"] == []


def test_pack_names_a_road_that_does_not_exist(
    day: Instance, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the names of its ends."""
    roads: list[list[float | None]] = [[0 if i == j else 5 for j in range(5)] for i in range(5)]
    roads[2][1] = None
    let_read(monkeypatch, replace(day, travel=Travel.from_matrix(roads)))
    out = printed(capsys, "pack", day.name, "--route", "2-1")
    assert "there is no road from Hôtel <Adler> to Mme Dupont\n" in out
    assert "inf" not in out


def test_show_writes_routes_for_maps_and_devices(
    day: Instance, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Beside the pages, which are always made."""
    write_solution(furniture_day()[1], tmp_path / "plan.json")
    folder = tmp_path / "plans"
    argv = ["show", day.name, str(tmp_path / "plan.json"), "--out", str(folder)]
    printed(capsys, *argv, "--format", "geojson,gpx")
    assert {path.name for path in folder.iterdir()} == {
        *("sheets.html", "report.html", "routes.geojson", "routes.gpx"),
    }
    collection = json.loads((folder / "routes.geojson").read_text(encoding="utf-8"))
    assert len(collection["features"]) == 1 + 2 + 4
    root = ElementTree.parse(folder / "routes.gpx").getroot()
    assert root.tag.endswith("}gpx")
