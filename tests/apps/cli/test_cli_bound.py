"""``tailgate bound``: what is printed, what it means, and the exit codes."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from command_runs import answer_with, ended, logged, printed, refused, started, wait_for
from format_2_cases import by_matrix
from tailgate.apps.cli import bound as bound_command
from tailgate.apps.cli.main import main
from tailgate.apps.cli.watching import progress_text, watching
from tailgate.io import write_json
from tailgate.model.cost_unit import CostUnit
from tailgate.model.instance import Conventions, Instance
from tailgate.research.generate import generate_instance
from tailgate.solver.column_generation import BoundResult, Progress

# What docs/commands.md promises of --json, and what else the result holds.
KEYS = {
    "checks_feasible",
    "checks_infeasible",
    "checks_unknown",
    "columns",
    "conventions",
    "exact_checks",
    "false_positive_cuts",
    "iterations",
    "lower_bound",
    "lp_value",
    "network_calls",
    "seconds",
    "statistics",
    "status",
    "support",
    "warnings",
}
SECONDS = {"total", "heuristic", "master", "pricing", "packing", "network"}


@pytest.fixture
def result() -> BoundResult:
    """Return what a run that has converged to a fraction may say."""
    return BoundResult(
        status="converged",
        lp_value=283.25,
        lower_bound=283.25,
        iterations=12,
        columns=1345,
        exact_checks=67,
        checks_feasible=40,
        checks_infeasible=26,
        checks_unknown=1,
        network_calls=0,
        false_positive_cuts=0,
        seconds=dict.fromkeys(sorted(SECONDS), 0.0) | {"total": 2.5, "packing": 1.25},
        support=(((1, 2), 0.5), ((3, 4), 0.5)),
        conventions=Conventions.BENCHMARK,
        statistics={},
    )


@pytest.fixture
def printed_for(
    instance_path: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    """Return what prints a result that did not need a run."""

    def run(result: BoundResult, *options: str, code: int = 0) -> str:
        answer_with(bound_command, "bound", result, monkeypatch)
        return printed(capsys, "bound", instance_path, *options, code=code)

    return run


def test_a_solved_relaxation_is_printed_with_its_meaning(
    instance_path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The relaxation of so small an instance is a plan, and then the bound is the optimum."""
    assert main(["bound", instance_path]) == 0
    captured = capsys.readouterr()
    headline, *lines = captured.out.splitlines()
    assert headline.startswith("converged after ")
    assert headline.endswith("itself a plan, and 60 is the optimum")
    assert lines[1] == "  lower bound  60"
    assert [line[:15].strip() for line in lines] == [
        "LP value",
        "lower bound",
        "conventions",
        "iterations",
        "columns",
        "checks",
        "time",
    ]
    assert "distance truncated, fleet exactly, single_customer_routes forbid, lifo on" in lines[2]
    assert captured.err == ""


def test_json_has_the_keys_of_the_contract(
    instance_path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Scripts rely on them."""
    assert main(["bound", instance_path, "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert set(content) == KEYS
    assert set(content["seconds"]) == SECONDS
    assert content["status"] == "converged"
    assert content["lp_value"] == pytest.approx(60)
    assert content["lower_bound"] == pytest.approx(60)
    assert content["conventions"] == Conventions.BENCHMARK.to_dict()
    checks = ("checks_feasible", "checks_infeasible", "checks_unknown")
    assert content["exact_checks"] == sum(content[name] for name in checks)


def test_quiet_prints_the_bound_alone(
    instance_path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """For shell scripts."""
    assert main(["bound", instance_path, "--quiet"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "60\n"
    assert captured.err == ""


def test_an_instance_without_a_plan_is_code_three(
    instance: Instance, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Four halves of a truck do not fit into one, which is a result and not bad input."""
    path = tmp_path / "tight.json"
    write_json(replace(instance, vehicle_count=1), path)
    text = printed(capsys, "bound", str(path), code=3)
    assert text.startswith("infeasible: proven after ")
    assert "take at least 2 trucks, and there is 1; more trucks may help" in text
    assert "LP value" not in text
    content = json.loads(printed(capsys, "bound", str(path), "--json", code=3))
    assert content["status"] == "infeasible"
    assert printed(capsys, "bound", str(path), "--quiet", code=3) == "infeasible\n"


def test_conventions_of_the_file_hold_unless_others_are_stated(
    instance_path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another convention is another problem, and the result says which was solved."""
    options = ["--distance", "exact", "--fleet", "at-most", "--no-lifo"]
    assert main(["bound", instance_path, "--json", *options]) == 0
    assert json.loads(capsys.readouterr().out)["conventions"] == {
        "distance": "exact",
        "fleet": "at-most",
        "single_customer_routes": "forbid",
        "lifo": False,
    }


@pytest.mark.parametrize("distance", ["exact", "rounded"])
def test_a_matrix_is_not_rounded(
    distance: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its distances are taken as they are, so the option would be ignored."""
    path = tmp_path / "roads.json"
    path.write_text(json.dumps(by_matrix()), encoding="utf-8")
    words = refused(capsys, "bound", str(path), "--distance", distance)
    assert f"{path}:1: travel: is a matrix" in words
    assert "(--distance) rounds measured distances; leave it out" in words


def test_options_reach_the_solver(
    instance_path: str, result: BoundResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An option that is accepted and then forgotten is worse than none."""
    asked = answer_with(bound_command, "bound", result, monkeypatch)
    options = ["--time-limit", "7", "--seed", "3", "--screen", "exact", "--record", "q.parquet"]
    assert main(["bound", instance_path, *options, "--single-customer-routes", "allow"]) == 0
    assert (asked["time_limit"], asked["seed"], asked["screen"]) == (7, 3, "exact")
    assert asked["record"] == Path("q.parquet")
    assert asked["instance"].conventions.single_customer_routes == "allow"
    assert asked["on_progress"] is None


def test_integer_distances_round_a_fraction_up(
    result: BoundResult, printed_for: Callable[..., str]
) -> None:
    """283.25 means 284 where costs are integers; 284.0000001 is 284 and a rounding error."""
    assert "no plan costs less than 283.2500; distances are whole" in printed_for(result)
    assert "whole" not in printed_for(result, "--distance", "exact")
    assert "285" not in printed_for(replace(result, lower_bound=284.0000001))


def test_a_bound_is_never_rounded_up(result: BoundResult, printed_for: Callable[..., str]) -> None:
    """As in `tailgate solve`: what is not proven is not said."""
    near = replace(result, lp_value=283.99996, lower_bound=283.99996)
    text = printed_for(near, "--distance", "exact")
    assert "no plan costs less than 283.9999\n" in text
    assert "  LP value     284.0000\n  lower bound  283.9999\n" in text
    assert printed_for(near, "--quiet") == "283.9999\n"


@pytest.mark.parametrize(
    ("status", "words", "code"),
    [("time_limit", "time limit after 2.5 s", 0), ("interrupted", "interrupted after 2.5 s", 130)],
)
def test_a_run_that_was_stopped_prints_what_is_proven(
    result: BoundResult, printed_for: Callable[..., str], status: Any, words: str, code: int
) -> None:
    """The bound is valid, and the LP value, which may be above the optimum, is called no bound."""
    stopped = replace(result, status=status, lp_value=290.5)
    text = printed_for(stopped, code=code)
    assert f"{words}: not converged, but proven that no plan costs less than 283.2500" in text
    assert "LP value     290.5000  (of the routes found so far: not a bound)" in text
    nothing = replace(stopped, lp_value=None, lower_bound=0.0)
    text = printed_for(nothing, code=code)
    assert "no bound above zero is proven yet" in text
    assert "LP value     none yet\n" in text
    assert printed_for(nothing, "--quiet", code=code) == "0\n"


def test_the_summary_splits_checks_and_time(
    result: BoundResult, printed_for: Callable[..., str]
) -> None:
    """Where the effort went, without the parts that took none."""
    text = printed_for(result)
    assert "columns      1,345\n" in text
    assert "67 loading checks: 40 feasible, 26 infeasible, 1 unknown in a quick check" in text
    assert text.endswith("time         2.5 s: packing 1.2 s\n")
    assert "network" not in text
    text = printed_for(replace(result, network_calls=9, false_positive_cuts=1))
    assert "network      9 calls, 1 false-positive cut\n" in text


def test_a_time_limit_is_no_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever was reached in so short a time is a result, and bounds come in the right order."""
    path = tmp_path / "city.json"
    write_json(generate_instance(30, 4, seed=1), path)
    assert main(["bound", str(path), "--time-limit", "0.01", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["status"] in ("time_limit", "converged")
    if content["lp_value"] is not None and content["lower_bound"] is not None:
        assert content["lower_bound"] <= content["lp_value"] + 1e-6


def test_verbose_logs_to_the_standard_error(
    instance_path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The result on the standard output stays clean for a pipe."""
    assert all(" s, iteration " in line for line in logged(capsys, "bound", instance_path))


STEP = Progress(
    iteration=1,
    lp_value=None,
    lower_bound=0.0,
    columns=1,
    exact_checks=0,
    seconds=0.5,
    doing="pricing",
)


def test_the_log_has_one_line_per_step(capsys: pytest.CaptureFixture[str]) -> None:
    """A step that goes on would fill a log file with a thousand lines."""
    with watching(CostUnit("km"), quiet=False, verbose=True) as show:
        assert show is not None
        for progress in (STEP, replace(STEP, seconds=0.6), replace(STEP, iteration=2, columns=9)):
            show(progress)
    assert capsys.readouterr().err == (
        "0.5 s, iteration 1: bound 0.0000 km, LP -, 1 column, 0 checks; pricing\n"
        "0.5 s, iteration 2: bound 0.0000 km, LP -, 9 columns, 0 checks; pricing\n"
    )


def test_progress_is_one_line_with_what_matters_first() -> None:
    """A narrow terminal cuts the end off."""
    progress = replace(
        STEP, iteration=7, lp_value=604.5556, lower_bound=600.25, columns=1204, exact_checks=523
    )
    assert progress_text(progress, 3.25, CostUnit()) == (
        "3.2 s, iteration 7: bound 600.2500, LP 604.5556, 1,204 columns, 523 checks; pricing"
    )
    text = progress_text(progress, 3.25, CostUnit("km"))
    assert "bound 600.2500 km, LP 604.5556 km, 1,204" in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--record", "row.json"], "--record: is a Parquet file; name it .parquet"),
        (["--verbose", "--quiet"], "--verbose: contradicts --quiet"),
        (["--record", "no/where.parquet"], "where.parquet"),
    ],
)
def test_options_that_cannot_be_are_explained(
    instance_path: str, capsys: pytest.CaptureFixture[str], options: list[str], words: str
) -> None:
    """One message, nothing overwritten, and before any work is done."""
    assert words in refused(capsys, "bound", instance_path, *options)


def test_queries_are_recorded(
    instance_path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file is there when the command has ended, and its place is printed."""
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "queries.parquet"
    assert main(["bound", instance_path, "--record", str(path)]) == 0
    assert capsys.readouterr().err == f"recorded: {path}\n"
    queries = parquet.read_table(path)
    assert queries.num_rows > 0
    assert {"route", "verdict", "decided_by", "phase"} <= set(queries.column_names)


def test_control_c_still_prints_the_result(tmp_path: Path) -> None:
    """A real signal to a real process: the code is 130, and what was proven is not lost."""
    path = tmp_path / "large.json"
    write_json(generate_instance(60, 4, seed=1), path)
    process = started("bound", str(path), "--json", "--verbose")
    wait_for(process, lambda line: "iteration" in line)
    process.send_signal(signal.SIGINT)
    output, _ = ended(process, 130)
    assert json.loads(output)["status"] == "interrupted"
