"""``tailgate solve``: what is printed and written, how it ends, and what it never destroys."""

from __future__ import annotations

import json
import os
import random
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from builders import small_instance, with_placement
from command_runs import PROGRAM, answer_with, ended, logged, refused, started, started_search
from tailgate.apps.cli import instance_warnings
from tailgate.apps.cli import solve as solve_command
from tailgate.apps.cli.interrupts import Interrupts
from tailgate.apps.cli.main import main
from tailgate.apps.cli.watching import progress_text, watching
from tailgate.io import read_solution, write_json, write_solution
from tailgate.model.cost_unit import CostUnit
from tailgate.model.errors import InputError
from tailgate.model.instance import Conventions, Customer, Instance, Item, Units, Vehicle
from tailgate.model.judge import verify
from tailgate.research.generate import generate_instance
from tailgate.solver.column import columns_of
from tailgate.solver.loading import LoadingOracle, read
from tailgate.solver.search import checkpoint_codec
from tailgate.solver.search.cuts import CUTS
from tailgate.solver.search.incumbent import Incumbent, InvalidPlanError
from tailgate.solver.search.node import Node
from tailgate.solver.search.result import SolveProgress, SolveResult
from tailgate.solver.search.state import SearchState

# What docs/commands.md promises of --json, and what else the result holds.
KEYS = {
    "status",
    "reason",
    "objective",
    "lower_bound",
    "gap",
    "nodes",
    "seconds",
    "routes",
    "conventions",
    "exact_checks",
    "explanation",
    "statistics",
    "warnings",
    "checkpoint_failure",
}


@pytest.fixture(scope="module")
def city_path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write an instance that nobody solves within minutes, and whose first plan comes soon."""
    path = tmp_path_factory.mktemp("city") / "city.json"
    write_json(generate_instance(60, 4, seed=7), path)
    return str(path)


def plan(instance: Instance, routes: Any, **claims: Any) -> Any:
    """Return a valid solution of these routes."""
    best = Incumbent(instance, [LoadingOracle(instance)])
    assert best.offer(columns_of(0, routes))
    return best.solution(claims.pop("status", "feasible"), claims.pop("lower_bound", 0), **claims)


def stopped(instance: Instance, reason: Any = "time_limit", bound: float = 51.23456) -> SolveResult:
    """Return what a search that was stopped may say."""
    return SolveResult(
        status="feasible",
        reason=reason,
        lower_bound=bound,
        nodes=12,
        seconds=2.5,
        conventions=instance.conventions,
        exact_checks=1234,
        solution=plan(instance, [(1, 3), (2, 4)], lower_bound=bound),
        statistics={
            "seconds_packing": 1.25,
            "seconds_network": 0.0,
            "seconds_listing": 0.5,
            "seconds_closing": 0.25,
            "columns": 99.0,
        },
    )


# What is printed.


def test_an_optimum_is_told_with_its_trucks(
    instance_path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sentence first, then the values, then what each truck does."""
    assert main(["solve", instance_path]) == 0
    captured = capsys.readouterr()
    headline, *lines = captured.out.splitlines()
    assert headline.startswith("optimal: proven after ")
    assert [line[:15].strip() for line in lines[:7]] == [
        "objective",
        "lower bound",
        "gap",
        "conventions",
        "search",
        "time",
        "verified",
    ]
    assert [line[15:] for line in lines[:3]] == ["60", "60", "0 %"]
    assert "distance truncated, fleet exactly, single_customer_routes forbid, lifo on" in lines[3]
    assert lines[8].split() == ["truck", "cost", "floor", "weight", "route"]
    trucks = [line.split() for line in lines[9:]]
    assert [truck[0] for truck in trucks] == ["1", "2"]
    assert {tuple(sorted(truck[-1].split("-"))) for truck in trucks} == {("1", "2"), ("3", "4")}
    assert all(truck[2:7] == ["100.0", "%", "2", "of", "9"] for truck in trucks)
    assert captured.err == ""


def test_json_has_the_keys_of_the_contract(
    instance_path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Scripts rely on them."""
    assert main(["solve", instance_path, "--json"]) == 0
    captured = capsys.readouterr()
    content = json.loads(captured.out)
    assert set(content) == KEYS
    assert (content["status"], content["reason"]) == ("optimal", "proven")
    assert (content["objective"], content["lower_bound"], content["gap"]) == (60, 60, 0)
    assert content["conventions"] == Conventions.BENCHMARK.to_dict()
    assert sorted(sorted(route["customers"]) for route in content["routes"]) == [[1, 2], [3, 4]]
    assert captured.err == ""


def test_quiet_prints_the_objective_alone(
    instance: Instance,
    instance_path: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """For shell scripts; where there is no plan, the status says so."""
    assert main(["solve", instance_path, "--quiet"]) == 0
    assert capsys.readouterr() == ("60\n", "")
    nothing = SolveResult(
        status="bound_only",
        reason="time_limit",
        lower_bound=0,
        nodes=0,
        seconds=0.1,
        conventions=instance.conventions,
        exact_checks=0,
    )
    answer_with(solve_command, "solve", nothing, monkeypatch)
    assert main(["solve", instance_path, "--quiet"]) == 0
    assert capsys.readouterr() == ("bound_only\n", "")
    assert main(["solve", instance_path]) == 0
    text = capsys.readouterr().out
    assert text.startswith("no plan found: stopped by the time limit after 0.100 s and 0 nodes")
    assert "truck" not in text


def test_an_instance_without_a_plan_is_code_three(
    instance: Instance, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Four halves of a truck do not fit into one, which is a result with a reason."""
    path, out = tmp_path / "tight.json", tmp_path / "out.json"
    tight = replace(instance, vehicle_count=1)
    write_json(tight, path)
    assert main(["solve", str(path), "--out", str(out)]) == 3
    headline = capsys.readouterr().out.splitlines()[0]
    assert headline.startswith("infeasible: proven after ")
    assert "2 trucks" in headline
    solution = read_solution(out)
    assert (solution.status, solution.routes) == ("infeasible", ())
    assert verify(tight, solution) == []
    assert main(["solve", str(path), "--json"]) == 3
    content = json.loads(capsys.readouterr().out)
    assert (content["status"], content["objective"], content["lower_bound"]) == (
        "infeasible",
        None,
        None,
    )
    assert content["explanation"]
    assert main(["solve", str(path), "--quiet"]) == 3
    assert capsys.readouterr().out == "infeasible\n"
    kept = str(tmp_path / "search.checkpoint")
    for option in ("--checkpoint", "--resume"):
        assert main(["solve", str(path), option, kept, "--quiet"]) == 3
        assert capsys.readouterr().out == "infeasible\n"


def test_a_search_that_was_stopped_tells_bound_gap_and_time(
    instance: Instance,
    instance_path: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The bound is cut off and never rounded up, the gap never down."""
    answer_with(solve_command, "solve", stopped(instance, bound=51.23456), monkeypatch)
    assert main(["solve", instance_path]) == 0
    text = capsys.readouterr().out
    assert text.startswith("feasible: stopped by the time limit after 2.5 s and 12 nodes")
    assert "no plan costs less than 51.2345\n" in text
    assert "  objective    70\n  lower bound  51.2345\n  gap          26.81 %\n" in text
    assert "  search       12 nodes, 1,234 loading checks\n" in text
    assert "  time         2.5 s: packing 1.2 s, enumeration 500 ms, finish 250 ms\n" in text


def test_names_units_and_scales_are_those_of_the_instance(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A route as the report prints it can be given to ``pack``."""
    names = ("Rosenhof", "Smith, J.", "Hill & Dale", "North-West")
    named = Instance(
        name="named",
        depot=(0, 0),
        customers=tuple(
            Customer(x=3 * number, y=4 * number, weight=15, items=(Item(10, 10),), name=name)
            for number, name in enumerate(names, 1)
        ),
        vehicle=Vehicle(width=10, length=20, capacity=90),
        vehicle_count=2,
        units=Units(length_scale=10, weight_scale=10, weight_unit="t", distance_unit="km"),
    )
    path = tmp_path / "named.json"
    write_json(named, path)
    assert main(["solve", str(path)]) == 0
    text = capsys.readouterr().out
    assert "objective    60 km\n" in text
    rows = text.splitlines()[-2:]
    assert all("3 of 9 t" in row for row in rows)
    for row in rows:
        assert main(["pack", str(path), "--route", row.partition(" t  ")[2], "--quiet"]) == 0
        assert capsys.readouterr().out == "feasible\n"


def test_the_help_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    """All statuses with their exit codes, and an example for every way to use it."""
    assert main(["solve", "--help"]) == 0
    text = capsys.readouterr().out
    for status in ("optimal", "feasible", "infeasible", "bound_only"):
        assert f"\n  {status} " in text
    examples = text.partition("examples:\n")[2]
    for option in ("--time-limit", "--out", "--gap", "--warm-start", "--checkpoint", "--resume"):
        assert option in examples
    assert all(name in text for name in CUTS)
    assert "Ctrl-C" in text


# Options.


def test_options_reach_the_search(
    instance: Instance, instance_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An option that is accepted and then forgotten is worse than none."""
    asked = answer_with(solve_command, "solve", stopped(instance), monkeypatch)
    start, kept = tmp_path / "start.json", tmp_path / "kept"
    options = (
        f"--time-limit 7 --gap 2.5% --screen exact --seed 3 --threads 2 --node-limit 50 "
        f"--memory-limit 900 --warm-start {start} --checkpoint {kept} --no-cuts capacity "
        "--focus plans"
    )
    assert main(["solve", instance_path, *options.split()]) == 0
    assert (asked["time_limit"], asked["gap"], asked["screen"]) == (7, 0.025, "exact")
    assert (asked["seed"], asked["threads"], asked["node_limit"]) == (3, 2, 50)
    assert (asked["memory_limit"], asked["warm_start"]) == (900, start)
    assert (asked["checkpoint"], asked["resume"]) == (kept, None)
    assert set(asked["cuts"]) == set(CUTS) - {"capacity"}
    assert asked["focus"] == "plans"
    assert not asked["cancel"].is_set()
    assert main(["solve", instance_path, "--no-cuts", "all"]) == 0
    assert tuple(asked["cuts"]) == ()
    assert main(["solve", instance_path]) == 0
    assert set(asked["cuts"]) == set(CUTS)
    assert (asked["time_limit"], asked["gap"], asked["threads"]) == (None, 0, 1)
    assert asked["focus"] == "balanced"


def test_with_many_orders_the_limit_counts_from_the_first_moment(
    instance: Instance, instance_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of orders take seconds to read and to write; then the search has fewer."""
    asked = answer_with(solve_command, "solve", stopped(instance), monkeypatch)
    monkeypatch.setattr(solve_command, "is_large", lambda _: True)
    assert main(["solve", instance_path, "--time-limit", "500"]) == 0
    assert 100 <= asked["time_limit"] < 500
    assert main(["solve", instance_path, "--time-limit", "0.001"]) == 0
    assert asked["time_limit"] == pytest.approx(0.0002)
    assert main(["solve", instance_path]) == 0
    assert asked["time_limit"] is None


def test_conventions_of_the_file_hold_unless_others_are_stated(
    instance_path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another convention is another problem, and the result says which was solved."""
    options = ["--distance", "exact", "--fleet", "at-most", "--no-lifo"]
    assert main(["solve", instance_path, "--json", *options]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["status"] == "optimal"
    assert content["conventions"] == {
        "distance": "exact",
        "fleet": "at-most",
        "single_customer_routes": "forbid",
        "lifo": False,
    }


@pytest.mark.parametrize("words", ["0.01", "1%", "1.0 %", "0"])
def test_a_gap_is_a_share_or_a_percentage(
    instance: Instance, instance_path: str, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    """Both are common, and 1 alone could be either."""
    asked = answer_with(solve_command, "solve", stopped(instance), monkeypatch)
    assert main(["solve", instance_path, "--gap", words]) == 0
    assert asked["gap"] == (0 if words == "0" else pytest.approx(0.01))


@pytest.mark.parametrize(
    "options",
    [
        ["--gap", "1"],
        ["--gap", "-0.1"],
        ["--gap", "nan"],
        ["--gap", "%"],
        ["--time-limit", "0"],
        ["--threads", "0"],
        ["--node-limit", "-1"],
        ["--memory-limit", "x"],
        ["--no-cuts", "paper"],
        ["--screen", "guess"],
        ["--focus", "speed"],
    ],
)
def test_wrong_options_are_code_two(
    instance_path: str, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    """One line, with a way to the help."""
    assert "--help" in refused(capsys, "solve", instance_path, *options)


def test_verbose_contradicts_quiet(instance_path: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody can have both."""
    assert main(["solve", instance_path, "--verbose", "--quiet"]) == 2
    assert "--verbose: contradicts --quiet" in capsys.readouterr().err


# Files.


def test_somebody_who_watches_is_led_on_to_the_sheets(
    instance_path: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The command can be pasted, also where a name has a blank; programs are not told."""
    monkeypatch.setattr(
        "tailgate.apps.cli.solve_output.progress_is_welcome", lambda *, quiet: not quiet
    )
    out = tmp_path / "my plan.json"
    assert main(["solve", instance_path, "--out", str(out)]) == 0
    told = capsys.readouterr().err.splitlines()[-1]
    title, command = told.split(": ", maxsplit=1)
    assert title == "loading sheets to print"
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(command)[1:]) == 0
    assert (tmp_path / "plans" / "sheets.html").exists()
    capsys.readouterr()
    assert main(["solve", instance_path]) == 0
    assert "add --out plan.json" in capsys.readouterr().err
    for option in ("--json", "--quiet"):
        assert main(["solve", instance_path, option]) == 0
        assert capsys.readouterr().err == ""


def test_the_solution_is_written_and_valid(
    instance: Instance, instance_path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its loading plans, and how it was made."""
    out = tmp_path / "plan.json"
    assert main(["solve", instance_path, "--out", str(out), "--seed", "5"]) == 0
    assert capsys.readouterr().err == f"written: {out}\n"
    solution = read_solution(out)
    assert (solution.status, solution.objective, solution.lower_bound) == ("optimal", 60, 60)
    assert set(solution.solver) == {"version", "seed", "options", "seconds"}
    assert solution.solver["seed"] == 5
    assert verify(instance, solution) == []
    assert main(["verify", instance_path, str(out)]) == 0
    # A second run replaces its own kind without a word.
    assert main(["solve", instance_path, "--out", str(out), "--quiet"]) == 0


def test_a_plan_that_is_not_optimal_is_written_too(
    instance: Instance, instance_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever ended the search."""
    out = tmp_path / "plan.json"
    for reason, code in (("time_limit", 0), ("gap", 0), ("memory_limit", 0), ("interrupted", 130)):
        answer_with(solve_command, "solve", stopped(instance, reason), monkeypatch)
        assert main(["solve", instance_path, "--out", str(out)]) == code
        assert read_solution(out).objective == 70
        out.unlink()


@pytest.mark.parametrize(
    ("out", "words"),
    [
        ("row.json", "--out: is the instance"),
        ("notes.txt", "notes.txt: exists, and is not a solution"),
        (".", "is a folder"),
        ("no/where.json", "make it first"),
    ],
)
def test_no_other_file_is_overwritten(
    instance_path: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    out: str,
    words: str,
) -> None:
    """Told before the search begins, in one message."""
    (tmp_path / "notes.txt").write_text("to do\n", encoding="utf-8")
    before = Path(instance_path).read_bytes()
    assert words in refused(capsys, "solve", instance_path, "--out", str(tmp_path / out))
    assert Path(instance_path).read_bytes() == before
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "to do\n"


def test_an_empty_file_and_a_device_take_the_solution(instance_path: str, tmp_path: Path) -> None:
    """Nothing is lost there: ``mktemp`` makes the one, ``/dev/null`` is the other."""
    empty = tmp_path / "empty"
    empty.touch()
    assert main(["solve", instance_path, "--out", str(empty), "--quiet"]) == 0
    assert read_solution(empty).objective == 60
    assert main(["solve", instance_path, "--out", os.devnull, "--quiet"]) == 0
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--resume", "gone"], "gone: there is no such file, so nothing can be resumed"),
        (["--checkpoint", "row.json"], "exists, and is not a checkpoint"),
        (["--checkpoint", "search"], "holds a search already"),
        (["--checkpoint", "same", "--out", "same"], "--out: is the file of --checkpoint"),
        (["--resume", "search", "--out", "search"], "--out: is the file of --checkpoint"),
        (["--resume", "row.json"], "is not a checkpoint, but an instance"),
        (["--resume", "other"], "other: belongs to another instance"),
        (["--resume", "search", "--distance", "exact"], "belongs to another problem"),
        (["--warm-start", "gone"], "gone: cannot be read"),
        (["--warm-start", "row.json"], "this is an instance, not a solution"),
        (["--warm-start", "wrong.json"], "wrong.json: is no solution of this instance"),
    ],
)
def test_files_that_cannot_serve_are_explained(
    instance: Instance,
    instance_path: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    words: str,
) -> None:
    """One message that names the file, before any work is done; nothing is touched."""
    monkeypatch.chdir(tmp_path)
    checkpoint_codec.write("search", instance, SearchState((Node(),), 0.0))
    checkpoint_codec.write("other", small_instance(), SearchState((Node(),), 0.0))
    wrong = with_placement(plan(instance, [(1, 2), (3, 4)]), 0, 0, x=1)
    write_solution(wrong, "wrong.json")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert words in refused(capsys, "solve", instance_path, *options)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_search_goes_on_from_its_checkpoint(
    instance: Instance, instance_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is stored in the same file unless another is named."""
    kept, other = tmp_path / "search", tmp_path / "other"
    checkpoint_codec.write(kept, instance, SearchState((Node(),), 0.0))
    asked = answer_with(solve_command, "solve", stopped(instance), monkeypatch)
    assert main(["solve", instance_path, "--resume", str(kept)]) == 0
    assert (asked["resume"], asked["checkpoint"]) == (kept, kept)
    argv = ["solve", instance_path, "--resume", str(kept), "--checkpoint", str(other)]
    assert main(argv) == 0
    assert (asked["resume"], asked["checkpoint"]) == (kept, other)


def test_a_finished_search_can_be_resumed(
    instance_path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It has nothing left to do, and says the same again."""
    kept = tmp_path / "search"
    assert main(["solve", instance_path, "--checkpoint", str(kept), "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert main(["solve", instance_path, "--resume", str(kept), "--json"]) == 0
    second = json.loads(capsys.readouterr().out)
    assert (first["status"], first["objective"]) == ("optimal", 60)
    assert (second["status"], second["objective"]) == ("optimal", 60)


def test_nothing_worse_than_a_warm_start_is_returned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Even if there is no time to find anything at all."""
    path, start = tmp_path / "city.json", tmp_path / "start.json"
    write_json(generate_instance(25, 4, seed=2), path)
    assert main(["solve", str(path), "--time-limit", "1", "--out", str(start), "--quiet"]) == 0
    cost = int(capsys.readouterr().out)
    limits = ["--time-limit", "0.01", "--seed", "9"]
    out = tmp_path / "out.json"
    argv = ["solve", str(path), *limits, "--warm-start", str(start), "--out", str(out), "--json"]
    assert main(argv) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["status"] in ("feasible", "optimal")
    assert content["objective"] <= cost
    assert verify(read(path), read_solution(out)) == []


def test_what_the_judge_refuses_is_not_shown(
    instance: Instance,
    instance_path: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A bug must not become a plan that someone loads trucks by: code 4, and nothing written."""
    result = stopped(instance)
    assert result.solution is not None
    wrong = replace(result, solution=with_placement(result.solution, 0, 0, x=1))
    answer_with(solve_command, "solve", wrong, monkeypatch)
    out = tmp_path / "out.json"
    assert main(["solve", instance_path, "--out", str(out)]) == 4
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "does not pass the judge" in captured.err
    assert not out.exists()

    def fail(*_: object, **__: object) -> SolveResult:
        raise InvalidPlanError("the search found a plan that the judge refuses")

    answer_with(solve_command, "solve", fail, monkeypatch)
    assert main(["solve", instance_path, "--out", str(out)]) == 4
    assert "judge refuses" in capsys.readouterr().err
    assert not out.exists()


# What is seen meanwhile.

STEP = SolveProgress(
    seconds=0.5,
    nodes=1,
    open_nodes=2,
    lower_bound=604.55559,
    objective=None,
    columns=1,
    exact_checks=0,
    doing="pricing",
    event="root",
)


def test_progress_is_one_line_with_what_matters_first() -> None:
    """A narrow terminal cuts the end off; the bound is never rounded up."""
    progress = replace(STEP, objective=611, columns=1204, exact_checks=523, open_nodes=2048)
    assert progress_text(progress, 3.25, CostUnit()) == (
        "3.2 s: bound 604.5555, best 611, gap 1.06 %, 1 node, 2,048 open, 1,204 columns, "
        "523 checks; pricing"
    )
    assert "no plan yet, 1 node, 2 open, 1 column, 0 checks" in progress_text(STEP, 1, CostUnit())
    real = replace(STEP, lower_bound=119.87401926, objective=119.87401926)
    assert "bound 119.8741, best 119.8741, gap 0 %" in progress_text(real, 1, CostUnit())
    assert "bound 119.8741 km, best 119.8741 km, gap 0 %" in progress_text(real, 1, CostUnit("km"))


def test_the_log_has_one_line_per_step(capsys: pytest.CaptureFixture[str]) -> None:
    """A step that merely gets on would fill a log file with a thousand lines."""
    with watching(CostUnit("km"), quiet=False, verbose=True) as show:
        assert show is not None
        for progress in (
            STEP,
            replace(STEP, seconds=0.6, columns=9),
            replace(STEP, seconds=0.7, objective=700),
            replace(STEP, seconds=0.8, objective=700, nodes=2),
        ):
            show(progress)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in lines] == ["0.5 s", "0.7 s", "0.8 s"]


def test_verbose_logs_to_the_standard_error(
    instance_path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The result on the standard output stays clean for a pipe."""
    assert all(" s: bound " in line for line in logged(capsys, "solve", instance_path))


def test_a_terminal_sees_one_line_that_changes(instance_path: str) -> None:
    """On a real terminal, or what the system takes for one."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, "solve", instance_path, "--quiet"], stdout=subprocess.PIPE, stderr=theirs
    )
    assert process.wait(60) == 0
    assert process.stdout is not None
    assert process.stdout.read() == b"60\n"
    process.stdout.close()
    process = subprocess.Popen(
        [*PROGRAM, "solve", instance_path], stdout=subprocess.DEVNULL, stderr=theirs
    )
    assert process.wait(60) == 0
    os.close(theirs)
    shown = os.read(ours, 100_000)
    os.close(ours)
    assert b"bound 60, best 60, gap 0 %" in shown
    # The cursor is hidden meanwhile, and must come back.
    assert shown.rindex(b"\x1b[?25h") > shown.rindex(b"\x1b[?25l")


# Signals.


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_search_with_what_it_has(
    city_path: str, tmp_path: Path, number: signal.Signals
) -> None:
    """A real signal to a real process: code 130, and plan and bound are told and written."""
    out = tmp_path / "plan.json"
    process = started_search(city_path, "--json", "--out", str(out))
    sent = time.monotonic()
    process.send_signal(number)
    output, _ = ended(process, 130)
    assert time.monotonic() - sent < 20
    content = json.loads(output)
    assert (content["status"], content["reason"]) == ("feasible", "interrupted")
    assert 0 <= content["lower_bound"] <= content["objective"]
    solution = read_solution(out)
    assert (solution.objective, solution.lower_bound) == (
        content["objective"],
        content["lower_bound"],
    )
    assert verify(read(city_path), solution) == []


def test_an_interrupted_search_can_be_resumed(city_path: str, tmp_path: Path) -> None:
    """Its plan is not lost, and its bound does not fall."""
    kept = tmp_path / "search"
    process = started_search(city_path, "--json", "--checkpoint", str(kept))
    process.send_signal(signal.SIGTERM)
    output, _ = ended(process, 130)
    first = json.loads(output)
    finished = subprocess.run(
        [*PROGRAM, "solve", city_path, "--json", "--resume", str(kept), "--time-limit", "1"],
        capture_output=True,
        text=True,
        check=True,
    )
    second = json.loads(finished.stdout)
    assert second["objective"] <= first["objective"]
    assert second["lower_bound"] >= first["lower_bound"]
    assert second["seconds"] > first["seconds"]


SLOW_WITH_MANY_CHECKPOINTS = """
import sys
from tailgate.apps.cli.main import main
from tailgate.solver.search import checkpoint, enumeration_finish

enumeration_finish.FIRST_PATHS, enumeration_finish.MORE_PATHS = 1, 0
checkpoint.Checkpoint.is_due = property(lambda self: True)
sys.exit(main(sys.argv[1:]))
"""


def test_a_search_that_is_killed_again_and_again_ends_with_the_same_optimum(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Kill -9 at any moment, resume: the proof may take longer, and is the same."""
    path, kept = tmp_path / "town.json", tmp_path / "search"
    write_json(generate_instance(12, 1, seed=2), path)
    assert main(["solve", str(path), "--json"]) == 0
    expected = json.loads(capsys.readouterr().out)
    assert expected["status"] == "optimal"
    program = [sys.executable, "-c", SLOW_WITH_MANY_CHECKPOINTS, "solve", str(path), "--json"]
    dice = random.Random(0)
    for _ in range(4):
        option = "--resume" if kept.exists() else "--checkpoint"
        process = subprocess.Popen(
            [*program, "--verbose", "--no-cuts", "all", option, str(kept)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        assert process.stderr is not None
        process.stderr.readline()
        time.sleep(dice.uniform(0.05, 0.8))
        process.kill()
        process.wait()
        process.stderr.close()
    assert kept.exists()
    finished = subprocess.run(
        [*program, "--resume", str(kept)], capture_output=True, text=True, check=True
    )
    content = json.loads(finished.stdout)
    assert (content["status"], content["objective"]) == ("optimal", expected["objective"])


DEAF = """
import sys, time
import tailgate.apps.cli.solve as command
from tailgate.apps.cli.main import main

def solve(instance, **options):
    while True:
        try:
            print("deaf", flush=True)
            time.sleep(60)
        except KeyboardInterrupt:
            pass

command.solve = solve
sys.exit(main(sys.argv[1:]))
"""


def test_a_third_signal_leaves_at_once(instance_path: str) -> None:
    """Whatever the search is at: nobody wants to look for the process and kill it."""
    process = started("solve", instance_path, program=[sys.executable, "-c", DEAF])
    assert process.stdout is not None
    assert process.stdout.readline() == "deaf\n"
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "deaf\n"
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    assert "a third signal leaves at once" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    assert ended(process, 130) == ("", "tailgate: left at once\n")


def test_a_signal_while_the_result_is_told_does_not_cost_it(
    instance_path: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The search is over and its result is minutes or hours of work."""

    def solve(instance: Instance, **options: Any) -> SolveResult:
        options["on_progress"](replace(STEP, event="end"))
        signal.raise_signal(signal.SIGINT)
        assert options["cancel"].is_set()
        return stopped(instance)

    answer_with(solve_command, "solve", solve, monkeypatch)
    assert main(["solve", instance_path, "--quiet"]) == 0
    assert capsys.readouterr().out == "70\n"


def test_signals_are_left_as_they_were(
    instance: Instance, instance_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program may be a function in someone's notebook; and what is ignored stays ignored."""
    answer_with(solve_command, "solve", stopped(instance), monkeypatch)
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    assert main(["solve", instance_path, "--quiet"]) == 0
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interrupts() as interrupts:
            signal.raise_signal(signal.SIGINT)
            assert not interrupts.cancel.is_set()
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGTERM)
            assert interrupts.cancel.is_set()
    finally:
        signal.signal(signal.SIGINT, before[0])


def test_an_interrupt_before_the_search_is_quiet(
    instance_path: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the instance is read there is nothing to tell yet."""

    def interrupted(*_: object, **__: object) -> Instance:
        signal.raise_signal(signal.SIGTERM)
        raise InputError("not reached")

    monkeypatch.setattr(instance_warnings, "read_instance", interrupted)
    assert main(["solve", instance_path]) == 130
    assert capsys.readouterr() == ("", "tailgate: interrupted\n")


def test_a_warm_start_of_another_scale_is_told_in_the_units_of_the_instance(
    instance: Instance, instance_path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another program may have stored 1 as 10 tenths; floor and weight are no others for that."""
    start, out = plan(instance, [(1, 2), (3, 4)]), tmp_path / "out.json"
    finer = replace(
        start,
        units=Units(length_scale=10, weight_scale=10),
        routes=tuple(
            replace(
                route,
                weight=10 * route.weight,
                area=100 * route.area,
                placements=tuple(
                    replace(p, x=10 * p.x, y=10 * p.y, width=10 * p.width, length=10 * p.length)
                    for p in route.placements
                ),
            )
            for route in start.routes
        ),
    )
    write_solution(finer, tmp_path / "start.json")
    argv = ["solve", instance_path, "--warm-start", str(tmp_path / "start.json")]
    assert main([*argv, "--out", str(out)]) == 0
    text = capsys.readouterr().out
    assert text.count("100.0 %  2 of 9") == 2
    assert read_solution(out).units.length_scale == 10
    assert verify(instance, read_solution(out)) == []
