"""``tailgate generate``: files in three formats that read back as what was made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_runs import refused
from tailgate.apps.cli.main import main
from tailgate.model.conventions import Conventions
from tailgate.research.generate import FleetOptions, RoadOptions, generate_instance
from tailgate.solver.loading import read

SMALL = ["generate", "--customers", "6", "--class", "2"]


@pytest.mark.parametrize("name", ["city.json", "city.txt", "city"])
def test_every_format_reads_back_as_what_was_made(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """JSON, benchmark text and a CSV folder hold the same instance, conventions included."""
    path = tmp_path / name
    assert main([*SMALL, "--seed", "3", "--out", str(path)]) == 0
    made = generate_instance(6, 2, seed=3)
    back = read(path)
    assert back.sha256 == made.sha256
    assert back.conventions == made.conventions
    assert back.name == made.name
    line = capsys.readouterr().out
    assert line.startswith(f"{path}: 6 customers, ")
    assert "seed 3" in line


def test_all_options_reach_the_generator(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is asked for on the command line is what Python would make."""
    path = tmp_path / "lorry.json"
    options = (
        "--distribution clustered --time-windows --width 2450 --length 13600 --capacity 24000 "
        "--name Lorry --seed 8 --distance exact --fleet at-most --single-customer-routes allow"
    )
    assert main([*SMALL, *options.split(), "--out", str(path), "--json"]) == 0
    made = generate_instance(
        6,
        2,
        distribution="clustered",
        time_windows=True,
        width=2450,
        length=13600,
        capacity=24000,
        seed=8,
    )
    back = read(path)
    assert back.sha256 == made.sha256
    assert back.name == "Lorry"
    assert back.conventions.to_dict() == {
        "distance": "exact",
        "fleet": "at-most",
        "single_customer_routes": "allow",
        "lifo": True,
    }
    (told,) = json.loads(capsys.readouterr().out)["instances"]
    assert told["sha256"] == made.sha256
    assert (told["customers"], told["vehicles"]) == (6, made.vehicle_count)


@pytest.mark.parametrize("name", ["roads.json", "roads"])
def test_road_options_reach_the_generator(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Matrices, clock, shift and costs come back from the file as Python would make them."""
    path = tmp_path / name
    options = (
        "--roads --time-windows --no-triangle --closed-roads 20 --shift 7.5 --costs 120 0.9 0.4"
    )
    assert main([*SMALL, *options.split(), "--seed", "8", "--out", str(path), "--json"]) == 0
    roads = RoadOptions(
        keeps_triangle=False, closed_percent=20, shift_hours=7.5, costs=(120, 0.9, 0.4)
    )
    made = generate_instance(6, 2, time_windows=True, roads=roads, seed=8)
    back = read(path)
    assert back.sha256 == made.sha256
    assert (back.travel, back.vehicle, back.units) == (made.travel, made.vehicle, made.units)
    assert back.conventions == Conventions.PLANNER
    (told,) = json.loads(capsys.readouterr().out)["instances"]
    assert (told["name"], told["roads"]) == (
        "random-roads-tw-n6-c2-traffic-x20-h7.5-eur120-0.9-0.4-s8",
        True,
    )


@pytest.mark.parametrize("name", ["fleet.json", "fleet"])
def test_fleet_options_reach_the_generator(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Kinds, orders that may wait and rules come back from the file as Python would make them."""
    path = tmp_path / name
    options = "--customers 12 --class 3 --kinds 3 --optional 40 --rules 60 --seed 8"
    argv = ["generate", *options.split(), "--out", str(path)]
    assert main([*argv, "--json"]) == 0
    made = generate_instance(12, 3, fleet=FleetOptions(3, 40, 60), seed=8)
    back = read(path)
    assert (back.sha256, back.vehicles, back.rules) == (made.sha256, made.vehicles, made.rules)
    (told,) = json.loads(capsys.readouterr().out)["instances"]
    assert told["name"] == "random-n12-c3-k3-o40-r60-s8"
    assert (told["kinds"], told["optional_customers"]) == (3, len(made.optional))
    assert main([*argv, "--force"]) == 0
    line = capsys.readouterr().out
    assert f"({len(made.optional)} may be left out)" in line
    assert all(f"{one.width} x {one.length} and {one.capacity}" in line for one in made.vehicles)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ("--kinds 4", "--kinds"),
        ("--optional 101", "--optional"),
        ("--rules 101", "--rules"),
        ("--kinds 2 --format txt", "--kinds"),
        ("--optional 20 --format txt", "--optional"),
        ("--rules 20 --format txt", "--rules"),
        ("--kinds 3 --customers 5", "--customers"),
    ],
)
def test_fleets_that_cannot_be_are_refused_with_the_option(
    options: str, field: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before any file is written."""
    assert f"{field}: " in refused(capsys, *SMALL, *options.split())


def test_many_instances_take_the_seeds_that_follow(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each of many can be made again alone, from the seed in its name."""
    folder = tmp_path / "many"
    argv = [*SMALL, "--count", "3", "--seed", "7", "--out", str(folder), "--format", "txt"]
    assert main([*argv, "--quiet"]) == 0
    paths = capsys.readouterr().out.splitlines()
    assert paths == [str(folder / f"random-n6-c2-s{seed}.txt") for seed in (7, 8, 9)]
    assert read(paths[2]).sha256 == generate_instance(6, 2, seed=9).sha256


def test_a_folder_takes_a_file_under_the_name_of_the_instance(tmp_path: Path) -> None:
    """A path that is a folder already cannot be the file itself."""
    assert main([*SMALL, "--out", str(tmp_path), "--format", "json"]) == 0
    assert (tmp_path / "random-n6-c2-s0.json").exists()


def test_without_a_path_the_file_is_named_after_the_instance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shortest command that can be typed does something sensible."""
    monkeypatch.chdir(tmp_path)
    assert main(SMALL) == 0
    assert (tmp_path / "random-n6-c2-s0.json").exists()


@pytest.mark.parametrize("name", ["city.json", "city"])
def test_nothing_is_overwritten_unless_forced(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An instance that a paper was written about is not lost to a second command."""
    path = tmp_path / name
    assert main([*SMALL, "--out", str(path)]) == 0
    before = read(path)
    assert main([*SMALL, "--seed", "1", "--out", str(path)]) == 2
    assert "--force" in capsys.readouterr().err
    assert read(path) == before
    assert main([*SMALL, "--seed", "1", "--out", str(path), "--force"]) == 0
    assert read(path) != before


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--customers", "1"], "--customers: must be at least 2"),
        (["--customers", "0"], "--customers: must be at least 2, got 0"),
        (["--customers", "10001"], "--customers: must be at most 10000"),
        (["--count", "1000000000"], "--count: must be at most 100000"),
        (["--capacity", "9" * 18], "--capacity: must be at most"),
        (["--class", "6"], "--class"),
        (["--width", "9"], "--width: must be at least 10"),
        (["--capacity", "1"], "--capacity: must be at least 2"),
        (["--seed", "-1"], "--seed"),
        (["--seed", "x"], "--seed"),
        (["--count", "2", "--name", "both"], "--name: names one instance"),
        (["--out", "a.xyz"], "--out: ends in .xyz"),
        (["--out", "a.json", "--format", "txt"], "--format: txt contradicts --out"),
        (["--out", "many.json", "--count", "3"], "--out: is the folder for all instances"),
        (["--out", "no/where/a.json"], "the folder no/where does not exist; make it first"),
        (["--out", "no/where", "--count", "3"], "the folder no does not exist; make it first"),
        (["--out", "a.txt", "--time-windows"], "--time-windows: benchmark text has no place"),
        (["--out", "a.txt", "--fleet", "at-most"], "--fleet: benchmark text has no place"),
        (["--out", "a.txt", "--no-lifo"], "--lifo: benchmark text has no place"),
        (["--out", "a.txt", "--roads"], "--roads: benchmark text has no place for roads"),
        (["--shift", "8"], "--shift: goes with --roads"),
        (["--no-triangle"], "--no-triangle: goes with --roads"),
        (["--roads", "--shift", "2"], "--shift: must be between 4 and 12"),
        (["--roads", "--costs", "1", "2", "-3"], "--costs: must be between 0"),
        (["--roads", "--closed-roads", "80"], "--closed-roads: must be at most 50"),
        (["--roads", "--distance", "rounded"], "--distance: measures straight lines"),
        (["--roads", "--customers", "2001"], "--customers: must be at most 2000"),
    ],
)
def test_wrong_options_are_named(
    options: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One message with the option as it was typed, and nothing written."""
    monkeypatch.chdir(tmp_path)
    assert words in refused(capsys, *SMALL, *options)
    assert list(tmp_path.iterdir()) == []


def test_unusual_floors_and_capacities_are_part_of_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two different instances must not claim the same file."""
    monkeypatch.chdir(tmp_path)
    for options in ([], ["--width", "30"], ["--capacity", "90"]):
        assert main([*SMALL, *options]) == 0
    names = sorted(path.stem for path in tmp_path.iterdir())
    assert names == ["random-n6-c2-30x40-s0", "random-n6-c2-q90-s0", "random-n6-c2-s0"]
    assert all(read(tmp_path / f"{name}.json").name == name for name in names)
