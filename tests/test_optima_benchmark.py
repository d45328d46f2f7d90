"""The benchmark of optima: rows that give back whole plans, a table that only gets better."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from builders import REPOSITORY, small_instance, small_solution

sys.path.append(str(REPOSITORY / "benchmarks"))

import optima
from optima_run import Job, Outcome, is_failure, run_job
from tailgate.conventions import Conventions
from tailgate.experiments.optima.file import (
    ContradictionError,
    OptimaFile,
    merge,
    processors,
    refuse_wrong_value,
)
from tailgate.experiments.optima.judging import judge_rows
from tailgate.experiments.optima.row import (
    COLUMNS,
    Row,
    cells_of,
    csv_text,
    failed_row,
    problems_of,
    row_from_cells,
    row_of,
    solution_of,
)
from tailgate.experiments.optima.rules import (
    CONVENTIONS,
    instance_names,
    instance_path,
    read_instance,
)
from tailgate.experiments.optima.summary import markdown_page, result_line, totals_of
from tailgate.formats import write_benchmark
from tailgate.generate import generate_instance
from tailgate.instance import Customer, Instance, Vehicle
from tailgate.search.result import SolveResult
from tailgate.search.solver import solve
from tailgate.solution import read_solution
from tailgate.verify import verify

pytestmark = pytest.mark.programs

SCRIPT = REPOSITORY / "benchmarks" / "optima.py"
SEED = 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder as that of the published instances, with two that are solved at once."""
    path = tmp_path_factory.mktemp("instances")
    for name, packing_class in (("0502", 2), ("0503", 3)):
        instance = generate_instance(7, packing_class, seed=SEED)
        write_benchmark(instance, path / f"2l_cvrp{name}.txt")
    return path


@pytest.fixture
def row() -> Row:
    """Return a result with a gap of a quarter."""
    return Row(
        instance="0502",
        n=4,
        vehicles=2,
        conventions="benchmark",
        status="feasible",
        reason="time_limit",
        objective=400,
        lower_bound=300,
        gap=0.25,
        seconds=60.0,
        nodes=10,
        exact_checks=1000,
        columns=500,
        commit="abc",
        routes="1-2;3-4",
        placements="0:2 2:2/0:0;0:3/0:0 3:0",
    )


def proven(row: Row, objective: int) -> Row:
    """Return the same with a proof."""
    return replace(
        row, status="optimal", reason="proven", objective=objective, lower_bound=objective, gap=0.0
    )


def job(folder: Path, **changes: object) -> Job:
    """Return one that takes a moment."""
    path = str(instance_path(folder, "0502"))
    made = Job("0502", path, "benchmark", time_limit=20.0, threads=1, commit="abc")
    return replace(made, **changes)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def solved(folder: Path) -> Outcome:
    """Return what a search in a process of its own has found."""
    return run_job(job(folder))


def command(code: str) -> list[str]:
    """Return a worker that does this instead of solving."""
    return [sys.executable, "-c", code]


class Script:
    """The whole program, in this process."""

    def __init__(
        self, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self._capsys = capsys
        self._monkeypatch = monkeypatch
        self.find_instances_in(folder)

    def find_instances_in(self, folder: Path) -> None:
        """Put this folder in the place of that of the published instances."""
        self._monkeypatch.setenv("TAILGATE_BENCHMARK_DIR", str(folder))

    def __call__(self, *options: str) -> tuple[int | str | None, str]:
        """Return the exit code, and all that was printed."""
        code: int | str | None
        try:
            code = optima.main(options)
        except SystemExit as end:
            code = end.code
        printed = self._capsys.readouterr()
        return code, printed.out + printed.err


@pytest.fixture
def script(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Script:
    """Return the program with two instances."""
    return Script(folder, capsys, monkeypatch)


# Which instances.


def test_all_are_180() -> None:
    """Small ones first."""
    names = instance_names(None, range(1, 6))
    assert len(set(names)) == 180
    assert names[:6] == ["0101", "0102", "0103", "0104", "0105", "0201"]
    assert len(instance_names(["01-19"], [2, 3, 4])) == 57


def test_instances_are_chosen_by_name_range_and_number() -> None:
    """Classes narrow down ranges, not what is called by its name."""
    assert instance_names(["0105", "0103-0104", "2"], [3, 4]) == [
        *("0103", "0104", "0105"),
        *("0203", "0204"),
    ]
    assert instance_names(["0104-0202"], range(1, 6)) == ["0104", "0105", "0201", "0202"]
    for wrong in ("0102-7", "40-50"):
        with pytest.raises(ValueError, match=wrong):
            instance_names([wrong], [2])


def test_the_rules_go_before_those_of_the_file(folder: Path) -> None:
    """The same file is two problems."""
    path = instance_path(folder, "0502")
    assert read_instance(path, "benchmark").conventions == Conventions.BENCHMARK
    heuristic = read_instance(path, "heuristic").conventions
    assert heuristic == CONVENTIONS["heuristic"]
    assert (heuristic.distance, heuristic.fleet) == ("exact", "at-most")
    with pytest.raises(FileNotFoundError, match="no instance 0102"):
        instance_path(folder, "0102")


# Rows.


@pytest.mark.parametrize("conventions", sorted(CONVENTIONS))
@pytest.mark.parametrize("packing_class", [1, 2, 5])
def test_a_row_gives_back_the_whole_plan(conventions: str, packing_class: int) -> None:
    """Through the file and back, to the last placement."""
    instance = generate_instance(6, packing_class, seed=SEED, conventions=CONVENTIONS[conventions])
    result = solve(instance, time_limit=20)
    row = row_of(result, "0502", instance, conventions, "abc")
    again = row_from_cells(cells_of(row))
    assert again == row
    assert problems_of(again, instance) == []
    rebuilt = solution_of(again, instance)
    assert result.solution is not None
    assert rebuilt is not None
    assert rebuilt.routes == result.solution.routes
    assert rebuilt.objective == result.objective
    assert verify(instance, rebuilt) == []


def test_a_plan_without_items_is_rebuilt() -> None:
    """A stop may have nothing on the floor."""
    instance = small_instance(
        customers=(Customer(3, 4, 1, ()), Customer(6, 8, 1, ())),
        vehicle=Vehicle(4, 6, 10),
        vehicle_count=1,
    )
    result = solve(instance, time_limit=5)
    row = row_of(result, "0502", instance, "benchmark", "abc")
    assert row.placements == "/"
    assert problems_of(row, instance) == []


def test_the_judge_sees_what_is_wrong(row: Row) -> None:
    """A row cannot claim what its plan does not hold."""
    instance = small_instance()
    right = proven(row, 44)
    assert problems_of(right, instance) == []
    rebuilt = solution_of(right, instance)
    assert rebuilt is not None
    assert rebuilt.routes == small_solution().routes
    wrong = {
        "objective": replace(right, objective=43, lower_bound=43),
        "overlap": replace(right, placements="0:2 1:2/0:0;0:3/0:0 3:0"),
        "prove": replace(right, lower_bound=43, gap=1 / 44),
        "gap": replace(right, gap=0.5),
        "there is no plan": replace(right, routes=""),
        "there is no customer 9": replace(right, routes="1-2;3-9"),
        "1 loading plans": replace(right, placements="0:0"),
        "has 1 stops": replace(right, placements="0:2;0:3/0:0 3:0"),
        "has 1 items": replace(right, placements="0:2/0:0;0:3/0:0 3:0"),
        "5 customers": replace(right, n=5),
        "invalid literal": replace(right, placements="0:2 2:2/0:0;0:3/0:0 x:0"),
    }
    for word, bad in wrong.items():
        assert any(word in problem for problem in problems_of(bad, instance)), word


def test_a_result_without_a_plan_is_a_row_too() -> None:
    """Infeasible, or nothing found."""
    instance = small_instance()
    result = SolveResult("infeasible", "proven", None, 1, 0.5, instance.conventions, 7)
    row = row_of(result, "0502", instance, "benchmark", "abc")
    assert row.is_proven
    assert (row.objective, row.routes) == (None, "")
    assert row_from_cells(cells_of(row)) == row
    assert problems_of(row, instance) == []
    assert result_line(row).startswith("0502 infeasible, 0.50 s")


# The table.


def test_the_better_result_stays(row: Row) -> None:
    """A proof, a cheaper plan, a higher bound: nothing of it is ever lost."""
    optimum = proven(row, 350)
    assert merge(row, optimum) == optimum
    assert merge(optimum, row) == optimum
    better = replace(row, objective=390, lower_bound=310, seconds=80.0)
    assert merge(row, better) == better
    assert merge(better, row) == better
    # As good, and newer.
    again = replace(optimum, seconds=1.0, commit="def")
    assert merge(optimum, again) == again


def test_plan_and_bound_may_be_of_two_runs(row: Row) -> None:
    """Then the row counts the effort of both, and they may even meet."""
    new = replace(row, objective=380, lower_bound=200, routes="1-3;2-4", commit="def")
    for merged in (merge(row, new), merge(new, row)):
        assert (merged.objective, merged.lower_bound, merged.routes) == (380, 300, "1-3;2-4")
        assert (merged.seconds, merged.nodes, merged.status) == (120, 20, "feasible")
        assert merged.gap == pytest.approx(80 / 380)
    assert merge(row, new).commit == "abc + def"
    met = merge(row, replace(new, objective=300))
    assert (met.status, met.reason, met.gap) == ("optimal", "proven", 0)
    bound_only = replace(
        row, status="bound_only", objective=None, gap=None, lower_bound=320, routes=""
    )
    assert merge(row, bound_only).lower_bound == 320
    assert merge(row, bound_only).routes == row.routes


def test_a_failure_replaces_nothing(row: Row) -> None:
    """And anything replaces a failure."""
    failure = failed_row("0502", "benchmark", "crash", seconds=1, commit="abc", size=(0, 0))
    assert merge(row, failure) == row
    assert merge(failure, row) == row
    assert not failure.is_complete


@pytest.mark.parametrize(
    "changes",
    [
        {"objective": 299, "lower_bound": 250},
        {"objective": None, "lower_bound": 401, "status": "bound_only"},
        {"objective": None, "lower_bound": None, "status": "infeasible", "reason": "proven"},
        {"n": 5},
    ],
)
def test_a_contradiction_names_both(row: Row, changes: dict[str, object], tmp_path: Path) -> None:
    """One of the two is wrong, which nobody may overlook; the file stays as it is."""
    new = replace(row, commit="def", **changes)  # type: ignore[arg-type]
    path = tmp_path / "optima.csv"
    file = OptimaFile(path)
    file.add(row)
    before = path.read_text(encoding="utf-8")
    with pytest.raises(ContradictionError, match=r"(?s)commit abc.*commit def"):
        file.add(new)
    with pytest.raises(ContradictionError):
        merge(new, row)
    assert path.read_text(encoding="utf-8") == before
    assert OptimaFile(path).rows == [row]


def test_real_costs_have_some_room(row: Row) -> None:
    """Their sums are rounded; whole costs are not."""
    real = replace(row, conventions="heuristic", objective=400.0)
    bound = replace(real, objective=None, status="bound_only", lower_bound=400.0001)
    assert merge(real, bound).status == "optimal"
    with pytest.raises(ContradictionError):
        merge(real, replace(bound, lower_bound=400.001))


def test_published_optima_are_held_against_ours(row: Row) -> None:
    """Too cheap, too dear, or a bound above them."""
    known = replace(row, instance="0102")
    refuse_wrong_value(replace(known, objective=290, lower_bound=285))
    refuse_wrong_value(proven(known, 285))
    refuse_wrong_value(proven(replace(known, conventions="heuristic"), 281))
    for wrong in (
        proven(known, 286),
        proven(known, 284),
        replace(known, lower_bound=286),
        replace(known, status="infeasible", objective=None, lower_bound=None),
    ):
        with pytest.raises(ContradictionError, match="published optimum is 285"):
            refuse_wrong_value(wrong)


def test_two_runs_share_a_table(row: Row, tmp_path: Path) -> None:
    """Each adds to what the other has written meanwhile; rows are in order."""
    path = tmp_path / "optima.csv"
    one, other = OptimaFile(path), OptimaFile(path)
    one.add(row)
    other.add(replace(row, instance="0103"))
    one.add(replace(row, conventions="heuristic"))
    keys = [("benchmark", "0103"), ("benchmark", "0502"), ("heuristic", "0502")]
    assert [entry.key for entry in OptimaFile(path).rows] == keys
    assert [entry.name for entry in tmp_path.iterdir()] == ["optima.csv"]


def test_a_table_is_never_misread(row: Row, tmp_path: Path) -> None:
    """The line is named."""
    path = tmp_path / "optima.csv"
    for content, complaint in (
        ("route,verdict\n", "other columns"),
        (csv_text([row]) + "0502,4\n", r"optima\.csv:3: has 2 fields"),
        (csv_text([row, row]), r"optima\.csv:3: 0502 .* twice"),
        (csv_text([row]).replace(",4,", ",four,"), r"optima\.csv:2: invalid literal"),
        (csv_text([row]).replace("benchmark", "mine"), "no conventions 'mine'"),
    ):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(ValueError, match=complaint):
            OptimaFile(path)


# Processes of their own.


def test_a_job_is_solved_and_judged(solved: Outcome) -> None:
    """What comes through the pipe is the row."""
    assert not is_failure(solved), solved.complaint
    assert not solved.interrupted
    assert solved.row.status == "optimal"
    assert solved.row.instance == "0502"
    assert solved.row.columns > 0


def test_a_crash_costs_one_row(folder: Path) -> None:
    """A signal, an error, silence: the row says so without any path of this machine."""
    for code, reason in (
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "killed by SIGKILL"),
        ("raise MemoryError", "MemoryError"),
        ("import sys; sys.exit(7)", "exit code 7"),
        ("print('{half', flush=True); raise RuntimeError('some/path: x')", "RuntimeError"),
    ):
        outcome = run_job(job(folder), command=command(code))
        assert is_failure(outcome)
        assert (outcome.row.reason, outcome.row.n) == (reason, 7)
    absent = run_job(job(folder, path=str(folder / "absent.txt")))
    assert absent.row.reason == "InputError"
    assert "cannot be read" in absent.complaint


def test_a_search_that_does_not_stop_is_ended(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told first, and then ended."""
    monkeypatch.setattr("optima_run.LATE_SECONDS", 0.1)
    monkeypatch.setattr("optima_run.STOP_SECONDS", 0.1)
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    outcome = run_job(job(folder, time_limit=0.2), command=command(deaf))
    assert outcome.row.reason == "did not stop"


def test_a_plan_that_the_judge_refuses_is_no_result(folder: Path, row: Row) -> None:
    """Whatever the search says about it."""
    message = json.dumps({"row": cells_of(replace(row, n=7, vehicles=2))})
    outcome = run_job(job(folder), command=command(f"print({message!r})"))
    assert is_failure(outcome)
    assert outcome.row.reason == "refused by the judge"
    assert "objective 400" in outcome.complaint


def test_ctrl_c_ends_a_job_with_what_is_known(
    folder: Path, solved: Outcome, tmp_path: Path
) -> None:
    """The signal is passed on, and the result still comes."""
    mark = tmp_path / "ready"
    message = json.dumps({"row": cells_of(solved.row)})
    polite = (
        "import pathlib, signal, time, sys\n"
        f"def end(*_): print({message!r}, flush=True); sys.exit(0)\n"
        "signal.signal(signal.SIGTERM, end)\n"
        f"pathlib.Path({str(mark)!r}).touch()\n"
        "time.sleep(60)"
    )

    def interrupt() -> None:
        while not mark.exists():
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    outcome = run_job(job(folder), command=command(polite))
    assert outcome.interrupted
    assert outcome.row == solved.row


# Summary.


def test_totals_count_what_is_proven_and_how_fast(row: Row) -> None:
    """By part and class."""
    rows = [
        row,
        replace(proven(row, 350), instance="0102", seconds=60.0),
        replace(proven(row, 350), instance="0103", seconds=61.0),
        replace(row, instance="2002", seconds=5.0),
    ]
    two, three, everything, large = totals_of(rows)
    assert (two.rows, two.proven, two.quick, two.seconds) == (2, 1, 1, 120)
    assert (three.packing_class, three.proven, three.quick) == ("3", 1, 0)
    assert (everything.rows, everything.proven, everything.longest_instance) == (3, 2, "0103")
    assert (large.instances, large.rows, large.proven) == ("20-36", 1, 0)
    page = markdown_page(rows, processors=["a processor"])
    assert "Not proven (2):" in page
    cells = [word.strip() for line in page.splitlines() for word in line.split("|")]
    assert {"25.00 %", "400", "300", "61.00 (0103)"} <= set(cells)
    assert "on a processor, at commit abc" in page


def test_rows_are_judged_and_written(folder: Path, solved: Outcome, tmp_path: Path) -> None:
    """As files that the judge of the command line reads."""
    wrong = replace(solved.row, instance="0503")
    right, bad = judge_rows(
        [solved.row, wrong], lambda name: instance_path(folder, name), solutions=tmp_path
    )
    assert (right.has_plan, right.problems) == (True, ())
    assert bad.problems
    assert [path.name for path in tmp_path.iterdir()] == ["0502.json"]
    instance: Instance = read_instance(instance_path(folder, "0502"), "benchmark")
    assert verify(instance, read_solution(tmp_path / "0502.json")) == []


# The whole.


def test_the_program_runs_from_anywhere(folder: Path, tmp_path: Path) -> None:
    """As a script, with nothing of the tests around it."""
    finished = subprocess.run(
        [sys.executable, str(SCRIPT), "--instances", "0502", "--time-limit", "20"],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        env=os.environ | {"TAILGATE_BENCHMARK_DIR": str(folder)},
        check=False,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "1 of 1: 0502 optimal" in finished.stdout
    assert "| 01-19     | 2     | 1    | 1      | 1 " in finished.stdout


def test_a_run_is_resumed_and_verified(script: Script, tmp_path: Path) -> None:
    """From the first row to the solution files."""
    table, page, plans = tmp_path / "optima.csv", tmp_path / "page.md", tmp_path / "plans"
    options = ["--csv", str(table), "--time-limit", "20"]
    code, printed = script(*options, "--instances", "0502")
    assert code == 0, printed
    code, printed = script(
        *options, "--instances", "5", "--classes", "2,3", "--resume", "--table", str(page)
    )
    assert code == 0, printed
    assert "1 of 2 are in" in printed
    assert "1 of 1: 0503 optimal" in printed
    rows = OptimaFile(table).rows
    assert [row.instance for row in rows] == ["0502", "0503"]
    assert all(row.status == "optimal" for row in rows)
    assert table.read_text(encoding="utf-8").splitlines()[0] == ",".join(COLUMNS)
    assert len(processors(table)) == 1
    assert str(tmp_path) not in page.read_text(encoding="utf-8")

    code, printed = script("--verify", str(table), "--solutions", str(plans))
    assert code == 0, printed
    assert "2 rows, 2 plans found valid by the judge, 2 proven, 0 wrong" in printed
    assert sorted(path.name for path in plans.iterdir()) == ["0502.json", "0503.json"]
    cheaper = replace(rows[0], objective=1, lower_bound=1)
    table.write_text(csv_text([cheaper]), encoding="utf-8")
    code, printed = script("--verify", str(table))
    assert code == 1
    assert "WRONG: 0502" in printed
    # A run that finds the truth does not make the wrong row good in silence.
    code, printed = script(*options, "--instances", "0502")
    assert code == 1
    assert "CONTRADICTION" in printed
    assert OptimaFile(table).rows == [cheaper]


def test_an_open_one_goes_on_from_its_checkpoint(script: Script, tmp_path: Path) -> None:
    """And is left out when it is proven."""
    table, checkpoints = tmp_path / "optima.csv", tmp_path / "checkpoints"
    options = ["--csv", str(table), "--instances", "0502", "--checkpoints", str(checkpoints)]
    code, printed = script(*options, "--time-limit", "1e-6")
    assert code == 0, printed
    (before,) = OptimaFile(table).rows
    assert before.reason == "time_limit"
    assert [path.name for path in checkpoints.iterdir()] == ["0502.checkpoint"]
    code, printed = script(*options, "--time-limit", "20", "--retry-open")
    assert code == 0, printed
    (after,) = OptimaFile(table).rows
    assert after.status == "optimal"
    assert "1 of 1 are in" in script(*options, "--retry-open")[1]


def test_a_failure_is_stored_and_solved_again(script: Script, tmp_path: Path) -> None:
    """The exit code says that there is something to be looked into."""
    table, checkpoints = tmp_path / "optima.csv", tmp_path / "checkpoints"
    options = ["--csv", str(table), "--instances", "0502-0503", "--time-limit", "20", "--resume"]
    checkpoints.mkdir()
    (checkpoints / "0502.checkpoint").write_text("garbage", encoding="utf-8")
    code, printed = script(*options, "--checkpoints", str(checkpoints))
    assert code == 1
    assert "FAILED: 0502: InputError" in printed
    assert [row.status for row in OptimaFile(table).rows] == ["failed", "optimal"]
    code, printed = script(*options)
    assert code == 0
    assert [row.status for row in OptimaFile(table).rows] == ["optimal", "optimal"]


def test_what_is_missing_is_explained(script: Script, tmp_path: Path) -> None:
    """Before anything is solved."""
    code, printed = script("--instances", "0102")
    assert code == 2
    assert "no instance 0102" in printed
    assert "need --csv" in script("--retry-open")[1]
    assert "is no file" in script("--verify", str(tmp_path / "no.csv"))[1]
    assert (
        "its folder does not exist"
        in script("--instances", "0502", "--csv", str(tmp_path / "no" / "optima.csv"))[1]
    )
    script.find_instances_in(tmp_path / "absent")
    code, printed = script()
    assert code == 2
    assert "name their folder in TAILGATE_BENCHMARK_DIR" in printed
