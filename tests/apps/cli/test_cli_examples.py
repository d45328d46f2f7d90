"""The examples that ship: they can be read, made again, and run."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest

import tailgate
from builders import REPOSITORY
from tailgate.apps.cli.main import main
from tailgate.io import read_solution
from tailgate.model.cost_unit import CostUnit
from tailgate.model.instance import Instance
from tailgate.model.judge import verify
from tailgate.report import html_report, loading_plan_svg, sheets_html
from tailgate.research.generate import generate_instance
from tailgate.solver.loading import LoadingOracle, planned_route, read

EXAMPLES = REPOSITORY / "examples"
COMMANDS = [
    shlex.split(line)[1:]
    for line in (EXAMPLES / "README.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("tailgate ")
]


@pytest.mark.parametrize("argv", [argv for argv in COMMANDS if argv[0] == "generate"])
def test_generated_examples_can_be_made_again(argv: list[str], tmp_path: Path) -> None:
    """The README's command gives the shipped file; only the fleet depends on the search."""
    position = argv.index("--out") + 1
    shipped = read(EXAMPLES / argv[position])
    made_path = tmp_path / argv[position]
    assert main([*argv[:position], str(made_path), *argv[position + 1 :]]) == 0
    made = read(made_path)
    assert replace(made, vehicle_count=shipped.vehicle_count) == shipped


@pytest.mark.parametrize("argv", [argv for argv in COMMANDS if argv[0] == "pack"])
def test_packing_examples_run(
    argv: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the README tells a newcomer to type must work."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(EXAMPLES)
    assert main(argv) == 0


def test_the_planners_routes_show_what_lifo_means(capsys: pytest.CaptureFixture[str]) -> None:
    """One load works in one order only, and one only if goods may be moved aside."""
    folder = EXAMPLES / "garden_centres"
    argv = ["pack", str(folder), "--routes", str(folder / "routes.csv"), "--json"]
    verdicts = []
    for option in ("--lifo", "--no-lifo"):
        assert main([*argv, option]) == 0
        results = json.loads(capsys.readouterr().out)["results"]
        verdicts.append([result["verdict"] == "feasible" for result in results])
    assert verdicts == [[True, False, False, True, False], [True, True, True, True, False]]


def test_the_furniture_distributor_has_roads_hours_and_money() -> None:
    """The folder uses what format 2 adds: nothing of it may be lost by a reader."""
    instance = read(EXAMPLES / "furniture")
    assert instance.n == 45
    assert not instance.is_format_1
    assert instance.travel.metric == "matrix"
    assert instance.travel.coordinates == "lat/lon"
    assert instance.travel.durations is not None
    assert not instance.travel.durations.is_symmetric
    assert instance.vehicle.max_duration == 480
    assert (instance.units.cost_unit, instance.units.clock) == ("EUR", True)
    assert (instance.customer(1).ready, instance.customer(1).due) == (480, 720)
    for customer in instance.customers:
        assert customer.service > 0
        assert {"address", "phone", "reference"} <= dict(customer.info).keys()


def test_the_builders_merchant_has_a_fleet_rules_and_orders_that_may_wait() -> None:
    """The folder of the page on fleets uses all that it explains."""
    instance = read(EXAMPLES / "builders_merchant")
    assert [(kind.name, kind.count) for kind in instance.vehicles] == [
        *(("12 t", 2), ("7.5 t", 3), ("van", 4)),
    ]
    assert instance.n == 40
    assert len(instance.optional) == 9
    rules = instance.rules
    assert rules.apart
    assert rules.groups
    assert rules.first
    assert rules.last
    assert any(customer.vehicles == ("van",) for customer in instance.customers)
    assert all(kind.shift_end and kind.max_duration for kind in instance.vehicles)
    assert instance.travel.coordinates == "lat/lon"
    assert instance.travel.durations is not None
    assert not instance.travel.durations.is_symmetric


def test_the_drinks_wholesaler_saves_a_trailer_by_turning() -> None:
    """As the page on turning says: both days are proven within seconds."""
    instance = read(EXAMPLES / "pallets")
    turned = tailgate.solve(instance, time_limit=60)
    straight = tailgate.solve(instance.with_conventions(turn="none"), time_limit=60)
    page = (REPOSITORY / "docs" / "howto" / "turning.md").read_text(encoding="utf-8")
    for result, trucks in ((turned, 2), (straight, 3)):
        solution = result.solution
        assert solution is not None
        assert solution.status == "optimal"
        assert verify(instance, solution) == []
        assert len(solution.routes) == trucks
        assert solution.objective is not None
        cost = CostUnit.of_solution(solution).cost_text(solution.objective)
        assert f"  objective    {cost}\n" in page
    assert turned.solution is not None
    placements = [one for route in turned.solution.routes for one in route.placements]
    racks = {
        (number, index)
        for number, customer in enumerate(instance.customers, start=1)
        for index, item in enumerate(customer.items, start=1)
        if item.name == "Keg rack"
    }
    assert any(one.turned for one in placements)
    assert not any(one.turned for one in placements if (one.customer, one.item) in racks)


def demo_instance() -> Instance:
    """Return the instance that the demo makes."""
    return generate_instance(
        22, 3, distribution="clustered", width=2450, length=13600, capacity=24000, seed=7
    )


@pytest.mark.programs
def test_the_demo_draws_a_valid_plan(tmp_path: Path) -> None:
    """``make demo`` is the first thing that anybody tries."""
    folder = tmp_path / "demo"
    completed = subprocess.run(
        [sys.executable, str(EXAMPLES / "demo.py"), "--out", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert completed.returncode == 0, completed.stderr
    assert "judged  valid" in completed.stdout
    instance, solution = read(folder / "instance.json"), read_solution(folder / "solution.json")
    assert instance == demo_instance()
    assert verify(instance, solution) == []
    for truck in range(1, instance.vehicle_count + 1):
        picture = (folder / f"truck-{truck}.svg").read_text(encoding="utf-8")
        assert ElementTree.fromstring(picture).tag.endswith("svg")
    report = (folder / "index.html").read_text(encoding="utf-8")
    assert report == html_report(instance, solution)
    assert all(f'id="truck-{truck}"' in report for truck in range(1, len(solution.routes) + 1))
    sheets = (folder / "sheets.html").read_text(encoding="utf-8")
    assert sheets == sheets_html(instance, solution)


def test_the_picture_of_the_readme_is_what_is_drawn_now(tmp_path: Path) -> None:
    """It shows a route of the demo's instance; which routes the demo takes may vary."""
    shown = (REPOSITORY / "docs" / "images" / "loading-plan.svg").read_text(encoding="utf-8")
    (stops,) = re.findall(r"Route: depot → ([\d →]+) → depot", shown)
    (title,) = re.findall(r"Truck \d of \d(?=</text>)", shown)
    route = [int(stop) for stop in stops.split(" → ")]
    instance = demo_instance()
    placements = LoadingOracle(instance).check(route).placements
    drawn = loading_plan_svg(
        instance,
        planned_route(instance, route, placements),
        title=title,
        id_prefix=title.split(" of ", maxsplit=1)[0].lower().replace(" ", "-"),
    )
    (tmp_path / "loading-plan.svg").write_text(drawn, encoding="utf-8")
    assert drawn == shown, f"compare with {tmp_path / 'loading-plan.svg'}"
