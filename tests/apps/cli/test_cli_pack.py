"""``tailgate pack``: one route or a table of them, three verdicts, and clear complaints."""

from __future__ import annotations

import csv
import itertools
import json
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from builders import small_instance
from command_runs import printed
from tailgate.apps.cli.main import main
from tailgate.io import write_json
from tailgate.model.instance import Customer, Instance, Item, Units, Vehicle
from tailgate.solver.loading import LoadingOracle, LoadingResult, Verdict

VERDICT_HEADER = ["route", "verdict", "decided_by", "seconds"]


@pytest.fixture
def instance_path(tmp_path: Path) -> str:
    """Write four customers on a floor of 2.45 x 4 m, each with one crate."""
    sizes = [(245, 200), (245, 200), (100, 400), (100, 100)]
    names = ["Bakery", "Hotel-Nord", "Mill, old", ""]
    instance = Instance(
        name="four",
        depot=(0, 0),
        customers=tuple(
            Customer(x=3, y=4, weight=40, items=(Item(width, length, "crate"),), name=name)
            for (width, length), name in zip(sizes, names, strict=True)
        ),
        vehicle=Vehicle(width=245, length=400, capacity=100),
        vehicle_count=2,
        units=Units(length_scale=100, length_unit="m", weight_unit="kg"),
    )
    path = tmp_path / "four.json"
    write_json(instance, path)
    return str(path)


def complaint(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """Run a command that must fail with code 2, and return its one message."""
    assert main(["pack", *argv]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


def table(path: Path) -> list[list[str]]:
    """Return the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_a_feasible_route_is_shown_with_its_plan(
    instance_path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The loader reads the steps in the planner's own units."""
    out = printed(capsys, "pack", instance_path, "--route", "1-2")
    assert out.startswith("feasible: ")
    assert "lengths in m" in out
    rows = [line.split() for line in out.splitlines()[-2:]]
    # Step, stop, customer, item, its name, x, y, width, length: the last stop is loaded first.
    assert rows[0][:5] == ["1", "2", "Hotel-Nord", "1", "crate"]
    assert rows[0][5:] == ["0.00", "0.00", "2.45", "2.00"]
    assert rows[1][:3] == ["2", "1", "Bakery"]


def test_json_has_the_fields_of_the_contract(
    instance_path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Machines rely on verdict, decided_by, seconds and placements."""
    assert main(["pack", instance_path, "--route", "2-1", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["verdict"] == "feasible"
    assert isinstance(result["decided_by"], str)
    assert result["seconds"] >= 0
    assert result["route"] == [2, 1]
    assert sorted(placement["customer"] for placement in result["placements"]) == [1, 2]
    assert result["length_scale"] == 100


@pytest.mark.parametrize(
    ("route", "options", "verdict"),
    [
        ("1-2", [], "feasible"),
        ("1-3", [], "infeasible"),  # the long crate blocks the wide one
        ("1-2-3", [], "infeasible"),  # more area than the floor has
        ("3-4", [], "feasible"),
    ],
)
def test_every_verdict_is_a_result(
    instance_path: str,
    capsys: pytest.CaptureFixture[str],
    route: str,
    options: list[str],
    verdict: str,
) -> None:
    """The exit code is 0 for yes and for no; with --quiet the verdict is all that is printed."""
    assert main(["pack", instance_path, "--route", route, "--quiet", *options]) == 0
    captured = capsys.readouterr()
    assert captured.out == f"{verdict}\n"
    assert captured.err == ""


def test_names_may_be_given_instead_of_numbers(
    instance_path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Commas separate names, so that a name may hold a hyphen; a lone name needs no comma."""
    for text, expected in [
        ("Bakery,Hotel-Nord", [1, 2]),
        ("Hotel-Nord", [2]),
        ("Bakery, 4", [1, 4]),
    ]:
        assert main(["pack", instance_path, "--route", text, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["route"] == expected


def test_numbers_mean_names_where_names_are_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With customers called 101 and 102, nobody means the first one by 1."""
    instance = Instance(
        name="numbered",
        depot=(0, 0),
        customers=tuple(
            Customer(x=1, y=1, weight=1, items=(Item(1, 1),), name=name) for name in ("102", "101")
        ),
        vehicle=Vehicle(width=10, length=10, capacity=10),
        vehicle_count=1,
    )
    path = tmp_path / "numbered.json"
    write_json(instance, path)
    assert main(["pack", str(path), "--route", "101-102", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["route"] == [2, 1]
    assert "there is no customer '1'" in complaint(capsys, str(path), "--route", "1-2")


@pytest.mark.parametrize(
    ("route", "words"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("1-1", "stands twice"),
        ("1,Bakery", "stands twice"),
        ("1-5", "numbered 1 to 4"),
        ("0-1", "depot"),
        ("1--2", "no customer beside it"),
        ("1-2-", "no customer beside it"),
        ("Bakry", 'did you mean "Bakery"?'),
        ("9" * 5000, "numbered 1 to 4"),
        ("1-x", "no customer 'x'"),
        ("²", "no customer"),
    ],
)
def test_a_wrong_route_is_explained(
    instance_path: str, capsys: pytest.CaptureFixture[str], route: str, words: str
) -> None:
    """One message, naming the option and the remedy."""
    message = complaint(capsys, instance_path, "--route", route)
    assert "--route: " in message
    assert words in message


def test_an_overweight_route_is_pointed_out(
    instance_path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The verdict is about the floor, but nobody should send that truck."""
    assert main(["pack", instance_path, "--route", "1-2-4"]) == 0
    assert "120 of 100 kg  TOO HEAVY" in capsys.readouterr().out


def test_the_lifo_rule_can_be_lifted(
    instance_path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The result says under which rule it holds."""
    for option, rule in [("--lifo", True), ("--no-lifo", False)]:
        assert main(["pack", instance_path, "--route", "1-2", option, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["lifo"] is rule


def test_the_plan_can_be_drawn_and_stored(
    instance_path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """--svg is a picture, --out the same JSON that --json prints."""
    svg, out = tmp_path / "truck.svg", tmp_path / "plan.json"
    argv = ["pack", instance_path, "--route", "1-2", "--svg", str(svg), "--out", str(out), "--json"]
    assert main(argv) == 0
    assert ElementTree.fromstring(svg.read_text(encoding="utf-8")).tag.endswith("svg")
    assert json.loads(out.read_text(encoding="utf-8")) == json.loads(capsys.readouterr().out)


def test_without_a_plan_nothing_is_drawn(
    instance_path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An infeasible route has no picture, and the command says so."""
    svg = tmp_path / "truck.svg"
    assert main(["pack", instance_path, "--route", "1-2-3", "--svg", str(svg)]) == 0
    assert not svg.exists()
    assert "not drawn" in capsys.readouterr().err


def test_a_table_of_routes_gets_a_table_of_verdicts(
    instance_path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The four columns of the contract come first; what else the table had is kept."""
    routes, out = tmp_path / "routes.csv", tmp_path / "verdicts.csv"
    routes.write_text(
        'truck,route,verdict\nred,1-2,?\n\nblue,"Bakery,Hotel-Nord",?\ngreen,1-2-3,?\n',
        encoding="utf-8",
    )
    assert main(["pack", instance_path, "--routes", str(routes), "--out", str(out)]) == 0
    rows = table(out)
    assert rows[0] == [*VERDICT_HEADER, "truck", "input_verdict"]
    assert [(row[0], row[1], row[4]) for row in rows[1:]] == [
        ("1-2", "feasible", "red"),
        ("Bakery,Hotel-Nord", "feasible", "blue"),
        ("1-2-3", "infeasible", "green"),
    ]
    assert all(float(row[3]) >= 0 for row in rows[1:])
    assert "3 routes" in capsys.readouterr().out


def test_a_table_of_verdicts_holds_no_formula(tmp_path: Path) -> None:
    """A name that a spreadsheet would calculate is read and written as text; numbers stay."""
    hostile = small_instance()
    customers = (replace(hostile.customers[0], name="=1+1"), *hostile.customers[1:])
    write_json(replace(hostile, customers=customers), tmp_path / "a.json")
    routes, out = tmp_path / "routes.csv", tmp_path / "verdicts.csv"
    routes.write_text("route,@note,balance\n'=1+1,+x,-5\n", encoding="utf-8")
    argv = ["pack", str(tmp_path / "a.json"), "--routes", str(routes), "--out", str(out)]
    assert main(argv) == 0
    header, row = table(out)
    assert [row[0], *row[-2:]] == ["'=1+1", "'+x", "-5"]
    assert "'@note" in header


def test_a_table_goes_to_the_standard_output_where_no_file_is_named(
    instance_path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table alone is on the standard output, so that it can be piped."""
    routes = tmp_path / "routes.csv"
    routes.write_text("route\n1-2\n", encoding="utf-8")
    assert main(["pack", instance_path, "--routes", str(routes)]) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines()[0] == ",".join(VERDICT_HEADER)
    assert len(captured.out.splitlines()) == 2
    assert captured.err.startswith("1 route in ")


def test_a_table_as_json_counts_the_verdicts(
    instance_path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sums for machines, and the rows too where no file takes them."""
    routes, out = tmp_path / "routes.csv", tmp_path / "verdicts.csv"
    routes.write_text("route\n1-2\n1-2-3\n", encoding="utf-8")
    assert main(["pack", instance_path, "--routes", str(routes), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["feasible"], summary["infeasible"], summary["unknown"]) == (1, 1, 0)
    assert [row["verdict"] for row in summary["results"]] == ["feasible", "infeasible"]
    argv = ["pack", instance_path, "--routes", str(routes), "--json", "--out", str(out)]
    assert main(argv) == 0
    assert json.loads(capsys.readouterr().out)["out"] == str(out)
    assert len(table(out)) == 3


def test_semicolons_and_tabs_are_understood(
    instance_path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Spreadsheets write what their country uses."""
    routes = tmp_path / "routes.csv"
    for text in (
        "Route;truck\nBakery,Hotel-Nord;1\n",
        "truck\troute\r\n1\t1-2\r\n",
        "sep=;\ntruck;route\n1;1-2\n",
    ):
        routes.write_text(text, encoding="utf-8", newline="")
        assert main(["pack", instance_path, "--routes", str(routes), "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["feasible"] == 1
        assert told["results"][0]["truck"] == "1"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tour\n1-2\n", ":1: route: the column is missing; the header has tour"),
        ("route,route\n1,2\n", ":1: route: stands twice"),
        ("route\n1-2\n1-9\n", ":3: route: there is no customer '9'"),
        ("route\n1-2\n\n1-1\n", ":4: route: customer '1' stands twice"),
        ("route\nBakery,4\n", ":2: has 2 fields where the header has 1"),
        ("truck,route\n1-2\n", ":2: has 1 field where the header has 2"),
        ("truck,route\nred,\n", ":2: route: is empty"),
        ('route\n"1-2\n', "is not a CSV line"),
        ("route\n", "holds no route"),
        ("", "is empty"),
        ("\0\1\2", "binary"),
    ],
)
def test_a_wrong_table_is_explained_before_anything_is_written(
    instance_path: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    text: str,
    words: str,
) -> None:
    """File and line, and no half table of verdicts."""
    routes, out = tmp_path / "routes.csv", tmp_path / "verdicts.csv"
    routes.write_text(text, encoding="utf-8")
    message = complaint(capsys, instance_path, "--routes", str(routes), "--out", str(out))
    assert str(routes) in message
    assert words in message
    assert not out.exists()


def test_paths_that_cannot_be_are_explained(
    instance_path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is read or overwritten by mistake."""
    routes = tmp_path / "routes.csv"
    routes.write_text("route\n1-2\n", encoding="utf-8")
    table_options = [instance_path, "--routes", str(routes)]
    nowhere = str(tmp_path / "no" / "where.csv")
    assert "cannot be written" in complaint(capsys, *table_options, "--out", nowhere)
    assert "choose another file" in complaint(capsys, *table_options, "--out", str(routes))
    assert "give it with --route" in complaint(capsys, *table_options, "--svg", "x.svg")
    assert "name it .json" in complaint(capsys, instance_path, "--route", "1", "--out", "x.csv")
    assert "cannot be read" in complaint(capsys, str(tmp_path / "none.txt"), "--route", "1")
    assert "check its spelling" in complaint(capsys, instance_path, "--routes", nowhere)
    assert "the path is empty" in complaint(capsys, "", "--route", "1")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_named(
    instance_path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which of the disks is full is known from the file only."""
    routes = tmp_path / "routes.csv"
    routes.write_text("route\n1-2\n", encoding="utf-8")
    message = complaint(capsys, instance_path, "--routes", str(routes), "--out", "/dev/full")
    assert "/dev/full: cannot be written: " in message


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("Mill, old", [3]),
        ('"Mill, old",Bakery', [3, 1]),
        ('4, "Mill, old"', [4, 3]),
    ],
)
def test_a_name_may_contain_a_comma(
    instance_path: str, capsys: pytest.CaptureFixture[str], text: str, route: list[int]
) -> None:
    """Alone it is understood as it is, and among others in quotes."""
    assert main(["pack", instance_path, "--route", text, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["route"] == route


def test_an_interrupted_batch_keeps_what_was_done(
    instance_path: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ctrl-C on the third route leaves two rows and the code 130."""
    check = LoadingOracle.check

    def interrupted_check(
        self: LoadingOracle,
        route: Sequence[int],
        *,
        max_nodes: int | None = None,
        time_limit: float | None = None,
    ) -> LoadingResult:
        if tuple(route) == (1, 4):
            raise KeyboardInterrupt
        return check(self, route, max_nodes=max_nodes, time_limit=time_limit)

    routes, out = tmp_path / "routes.csv", tmp_path / "verdicts.csv"
    routes.write_text("route\n1-2\n2-1\n1-4\n4-1\n", encoding="utf-8")
    monkeypatch.setattr(LoadingOracle, "check", interrupted_check)
    assert main(["pack", instance_path, "--routes", str(routes), "--out", str(out)]) == 130
    assert [row[0] for row in table(out)[1:]] == ["1-2", "2-1"]
    assert "interrupted after 2 of 4 routes" in capsys.readouterr().err


def test_control_c_stops_a_running_batch(instance_path: str, tmp_path: Path) -> None:
    """The same with a real signal and a real process."""
    routes, out = tmp_path / "routes.csv", tmp_path / "verdicts.csv"
    lines = itertools.islice(itertools.cycle(["1-2", "2-4-1", "3-4", "4-1-2"]), 100_000)
    routes.write_text("route\n" + "\n".join(lines) + "\n", encoding="utf-8")
    argv = ["pack", instance_path, "--routes", str(routes), "--out", str(out)]
    process = subprocess.Popen(
        [sys.executable, "-m", "tailgate.apps.cli.main", *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 30
    # The table has another name until it is whole, or interrupted.
    while time.monotonic() < deadline and not any(
        path.stat().st_size > 500 for path in tmp_path.glob(".tailgate-*")
    ):
        time.sleep(0.01)
    assert not out.exists()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert errors.startswith("interrupted after ")
    assert "Traceback" not in errors
    rows = table(out)
    assert 1 < len(rows) < 100_001
    assert all(len(row) == 4 for row in rows)


@pytest.fixture
def timed_path(tmp_path: Path) -> str:
    """Write three customers in a line, ten apart; the first is due before a truck comes back."""
    windows = [10.5, None, None]
    instance = Instance(
        name="timed",
        depot=(0, 0),
        customers=tuple(
            Customer(
                x=10 * number,
                y=0,
                weight=1,
                items=(Item(1, 1),),
                name=f"Shop {number}",
                due=due,
                service=0.1,
            )
            for number, due in enumerate(windows, start=1)
        ),
        vehicle=Vehicle(width=10, length=10, capacity=10),
        vehicle_count=1,
        depot_due=62,
        units=Units(distance_unit="km"),
    )
    path = tmp_path / "timed.json"
    write_json(instance, path)
    return str(path)


def test_a_route_that_can_be_loaded_but_comes_late_is_pointed_out(
    timed_path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Feasible is about loading; who reads it as the whole truth would send a late truck."""
    out = printed(capsys, "pack", timed_path, "--route", "3-2-1")
    assert out.startswith("feasible: the route can be loaded")
    assert (
        "  times      LATE, which the verdict does not count (it is about loading alone): reaches "
        "Shop 1 at 50.2, due 10.5\n"
    ) in out
    assert main(["pack", timed_path, "--route", "1-2-3"]) == 0
    out = capsys.readouterr().out
    assert "  times      every time window is kept: leaves at " in out


def test_a_late_return_to_the_depot_is_pointed_out(
    timed_path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The depot closes, too."""
    assert main(["pack", timed_path, "--route", "1-3-2"]) == 0
    assert "LATE" not in capsys.readouterr().out
    assert main(["pack", timed_path, "--route", "2-1-3"]) == 0
    out = capsys.readouterr().out
    assert "reaches Shop 1 at 30.1, due 10.5; is back at the depot at 80.3, due 62" in out


def test_json_has_the_windows_that_are_missed(
    timed_path: str, instance_path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A key of its own, which leaves the verdict as it is; empty where all is in time."""
    assert main(["pack", timed_path, "--route", "2-1-3", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["verdict"] == "feasible"
    assert [(one["customer"], one["due"]) for one in result["late"]] == [(1, 10.5), (None, 62)]
    assert result["late"][0]["arrives"] == pytest.approx(30.1)
    for argv in ([timed_path, "--route", "1-2-3"], [instance_path, "--route", "1-2"]):
        assert main(["pack", *argv, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["late"] == []


def test_a_table_has_a_column_for_windows_that_are_missed(
    timed_path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only where the orders have time windows: other tables stay as they were."""
    routes, out = tmp_path / "routes.csv", tmp_path / "verdicts.csv"
    routes.write_text("route,late\n1-2-3,a\n3-2-1,b\n", encoding="utf-8")
    assert main(["pack", timed_path, "--routes", str(routes), "--out", str(out)]) == 0
    rows = table(out)
    assert rows[0] == [*VERDICT_HEADER, "late", "input_late"]
    assert [row[4:] for row in rows[1:]] == [
        ["", "a"],
        ["reaches Shop 1 at 50.2, due 10.5", "b"],
    ]
    assert [row[1] for row in rows[1:]] == ["feasible", "feasible"]
    assert "; 1 route misses a time window" in capsys.readouterr().out
    assert main(["pack", timed_path, "--routes", str(routes), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["late_routes"] == 1
    assert [len(row["late"]) for row in summary["results"]] == [0, 1]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("MME LEROY", "Mme Leroy"),
        ("mme  leroy", "Mme Leroy"),
        ("Mme Lery", "Mme Leroy"),
        ("BUCHEREI MUHLE", "Bücherei Mühle"),
        ("Buecherei Mühle", "Bücherei Mühle"),
        ("hotel-nort", "Hotel-Nord"),
        ("Mme Leroy,HOTEL-NORD", "Hotel-Nord"),
    ],
)
def test_a_misspelt_name_gets_a_suggestion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], written: str, meant: str
) -> None:
    """Case, accents or a missing letter: the right name is one copy away, in a table, too."""
    names = ("Mme Leroy", "Bücherei Mühle", "Hotel-Nord")
    instance = Instance(
        name="named",
        depot=(0, 0),
        customers=tuple(Customer(1, 1, 1, (Item(1, 1),), name=name) for name in names),
        vehicle=Vehicle(width=10, length=10, capacity=10),
        vehicle_count=1,
    )
    path = tmp_path / "named.json"
    write_json(instance, path)
    assert f'did you mean "{meant}"?' in complaint(capsys, str(path), "--route", written)
    routes = tmp_path / "routes.csv"
    routes.write_text(f'route\n"{written}"\n', encoding="utf-8")
    told = complaint(capsys, str(path), "--routes", str(routes))
    assert f"{routes}:2: route: there is no customer" in told
    assert f'did you mean "{meant}"?' in told


@pytest.mark.parametrize(
    ("decided_by", "remedy"), [("limit", "raise --time-limit"), ("memory", "is full")]
)
def test_an_unknown_says_why(
    decided_by: str,
    remedy: str,
    instance_path: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Higher limits help where one was reached, and only there."""
    result = LoadingResult(Verdict.UNKNOWN, decided_by, 1.5, 1000, tuple)
    monkeypatch.setattr(LoadingOracle, "check", lambda *_, **__: result)
    assert result.is_memory_full == (decided_by == "memory")
    assert main(["pack", instance_path, "--route", "1-2"]) == 0
    line = capsys.readouterr().out.splitlines()[0]
    assert line.startswith("unknown: ")
    assert remedy in line
