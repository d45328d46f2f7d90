"""Where a warning about an instance is shown: command line, JSON, report and page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tailgate.apps.cli.main import main
from tailgate.io import write
from tailgate.model.instance import Customer, Instance, Item, Vehicle
from tailgate.report import html_report
from tailgate.research.generate import generate_instance
from tailgate.solver.search.solver import solve

Output = pytest.CaptureFixture[str]


def doubtful(name: str = "orders") -> Instance:
    """Return an instance whose truck is 600 wide and 240 long."""
    return Instance(
        name=name,
        depot=(0, 0),
        customers=tuple(
            Customer(x=x, y=y, weight=200, items=(Item(120, 80),))
            for x, y in ((12, 5), (3, 14), (-8, 6))
        ),
        vehicle=Vehicle(600, 240, 1000),
        vehicle_count=1,
    )


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Return it as a file."""
    path = tmp_path / "orders.json"
    write(doubtful(), path)
    return str(path)


COMMANDS = pytest.mark.parametrize(
    "command", [["solve"], ["bound"], ["pack", "--route", "1-2"]], ids=lambda words: words[0]
)


@COMMANDS
def test_a_command_warns_on_the_standard_error(
    command: list[str], path: str, capsys: Output
) -> None:
    """Before the work begins; the result is what it would be without."""
    assert main([command[0], path, *command[1:]]) == 0
    told = capsys.readouterr()
    assert told.err.startswith("warning: the floor is wider (600) than long (240); ")
    assert "warning" not in told.out


@COMMANDS
def test_quiet_silences_the_warning(command: list[str], path: str, capsys: Output) -> None:
    """Whoever wants the bare result gets it."""
    assert main([command[0], path, *command[1:], "--quiet"]) == 0
    assert capsys.readouterr().err == ""


@COMMANDS
def test_json_has_the_warnings_with_their_codes(
    command: list[str], path: str, tmp_path: Path, capsys: Output
) -> None:
    """A list that is always there, and empty as a rule."""
    assert main([command[0], path, *command[1:], "--json"]) == 0
    told = capsys.readouterr()
    (warning,) = json.loads(told.out)["warnings"]
    assert warning["code"] == "wide_floor"
    assert set(warning) == {"code", "message", "remedy", "field"}
    assert "warning:" not in told.err
    fine = tmp_path / "fine.json"
    write(generate_instance(5, 2, seed=1), fine)
    assert main([command[0], str(fine), *command[1:], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["warnings"] == []


def test_a_table_of_routes_has_them_too(path: str, tmp_path: Path, capsys: Output) -> None:
    """A batch is a run like any other."""
    routes = tmp_path / "routes.csv"
    routes.write_text("route\n1-2\n", encoding="utf-8")
    assert main(["pack", path, "--routes", str(routes)]) == 0
    assert capsys.readouterr().err.startswith("warning: ")
    assert main(["pack", path, "--routes", str(routes), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["warnings"]) == 1


def test_pack_says_nothing_of_places_and_times(tmp_path: Path, capsys: Output) -> None:
    """A route is asked about, and no way is driven: x and y may well be all 0."""
    instance = Instance(
        name="orders",
        depot=(0, 0),
        customers=(Customer(x=0, y=0, weight=200, items=(Item(80, 120),)),),
        vehicle=Vehicle(240, 600, 1000),
        vehicle_count=1,
    )
    path = tmp_path / "orders.json"
    write(instance, path)
    assert main(["pack", str(path), "--route", "1"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["bound", str(path)]) == 0
    assert "warning: all places are the same" in capsys.readouterr().err


def test_the_report_has_a_box(path: str) -> None:
    """A plan is passed on, and with it what is doubtful about it."""
    del path
    instance = doubtful("<b>")
    result = solve(instance)
    assert result.solution is not None
    page = html_report(instance, result.solution)
    assert 'class="warnings"' in page
    assert "the floor is wider (600) than long (240)" in page
    fine = generate_instance(5, 2, seed=1)
    plan = solve(fine).solution
    assert plan is not None
    assert 'class="warnings"' not in html_report(fine, plan)
