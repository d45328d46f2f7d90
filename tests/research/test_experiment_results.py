"""Committed results come out again: a small part is measured anew, counts and values compared."""

from __future__ import annotations

import csv
import math
import re
import shlex
from pathlib import Path

import pytest

from builders import REPOSITORY, benchmark_folder
from tailgate.apps.cli.main import build_parser
from tailgate.research.experiments.experiment import Setting
from tailgate.research.experiments.instances import published
from tailgate.research.experiments.page import PAGE_FILE, SUMMARY_FILE, page_text
from tailgate.research.experiments.registry import NAMES, make_experiments
from tailgate.research.experiments.roots.measurement import measure
from tailgate.research.experiments.roots.pipelines import SCREENS, RootPipelines
from tailgate.research.experiments.running import OPTIONS, is_given

RESULTS = REPOSITORY / "docs" / "results"
QUICK = RESULTS / "quick-root-cg.csv"
ROOTS = RESULTS / "root.csv"
FULL = RESULTS / "root-cg" / "rows.csv"
COUNTS = ("status", "iterations", "columns", "exact_checks", "checks_feasible", "labels")
FAST = ("random-n8-c2", "random-n8-c3")
"""Of the quick table, those that are solved in no time."""
SMALL = ("0202", "0302", "0402", "0203", "0204")
COMMAND = re.compile(r"tailgate experiment [a-z][^`\n]*")
VARIANTS = ("turned", "turned-any-order")
"""Folders of results of their own."""
RESULT_FILES = sorted(
    path
    for folder in (RESULTS, *(RESULTS / variant for variant in VARIANTS))
    for path in folder.iterdir()
    if path.name not in (PAGE_FILE, *VARIANTS)
)
MAKE_AGAIN = "if the solver was changed on purpose, measure the table anew: make quick-results"


def rows_of(path: Path) -> list[dict[str, str]]:
    """Read a committed table."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_quick_table_comes_out_again(tmp_path: Path) -> None:
    """On generated instances, everywhere: LP values, and counts of all three pipelines."""
    committed = {
        f"{row['instance']}/{row['screen']}/seed {row['seed']}": row for row in rows_of(QUICK)
    }
    tasks = RootPipelines().tasks(Setting(tmp_path, quick=True))
    assert {task.key for task in tasks} == set(committed)
    fast = [task for task in tasks if task.key.startswith(FAST)]
    assert len(fast) == 12
    for task in fast:
        known, row = committed[task.key], task.run()
        assert math.isclose(row["lp_value"], float(known["lp_value"]), rel_tol=1e-6), task.key
        found = {name: str(row[name]) for name in COUNTS}
        assert found == {name: known[name] for name in COUNTS}, f"{task.key}: {MAKE_AGAIN}"


@pytest.mark.skipif(benchmark_folder() is None, reason="the published benchmark is absent")
@pytest.mark.parametrize("name", SMALL)
def test_published_roots_come_out_again(name: str) -> None:
    """The value of a relaxation does not depend on version, machine or pipeline."""
    folder = benchmark_folder()
    assert folder is not None
    committed = next(row for row in rows_of(ROOTS) if row["instance"] == name)
    for screen in ("exact", "lazy"):
        row = measure(published(folder, name), screen, 0, 60.0, "test")
        assert row["status"] == committed["status"] == "converged"
        assert math.isclose(row["lp_value"], float(committed["lp_value"]), rel_tol=1e-6)


@pytest.mark.skipif(benchmark_folder() is None, reason="the published benchmark is absent")
@pytest.mark.skipif(not FULL.exists(), reason="no full run of root-cg is committed")
@pytest.mark.parametrize("name", SMALL)
def test_a_part_of_the_full_run_comes_out_again(name: str) -> None:
    """Values and counts of all pipelines, as they stand in the committed table."""
    folder = benchmark_folder()
    assert folder is not None
    committed = [row for row in rows_of(FULL) if (row["instance"], row["seed"]) == (name, "0")]
    assert len(committed) == len(SCREENS)
    for known in committed:
        row = measure(published(folder, name), known["screen"], 0, 60.0, "test")
        assert math.isclose(row["lp_value"], float(known["lp_value"]), rel_tol=1e-6)
        assert {name: str(row[name]) for name in COUNTS} == {name: known[name] for name in COUNTS}


@pytest.mark.parametrize("page", [PAGE_FILE, SUMMARY_FILE])
def test_the_page_shows_the_tables_that_are_committed(page: str) -> None:
    """No figure on it was typed, or is older than its file."""
    text = (RESULTS / page).read_text(encoding="utf-8")
    assert page_text(text, RESULTS) == text


@pytest.mark.parametrize("page", sorted(RESULTS.rglob("*.md")), ids=lambda page: page.name)
def test_every_command_of_a_page_exists(page: Path) -> None:
    """A figure whose command is refused cannot be measured again."""
    parser = build_parser(["experiment"])
    for command in COMMAND.findall(page.read_text(encoding="utf-8")):
        words = shlex.split(command)[1:]
        arguments = parser.parse_args([*words, *(() if "--out" in words else ("--out", "x"))])
        experiments = make_experiments(arguments.name)
        for option in OPTIONS:
            if is_given(getattr(arguments, option)):
                assert any(option in one.options for one in experiments), command


@pytest.mark.parametrize(
    "path", RESULT_FILES, ids=lambda path: path.relative_to(RESULTS).as_posix()
)
def test_every_result_has_a_command(path: Path) -> None:
    """A folder is an experiment's; the page of all results says how a file is made again."""
    if path.is_dir():
        text = (path / PAGE_FILE).read_text(encoding="utf-8")
        assert path.name in NAMES
        assert f"Made by `tailgate experiment {path.name} " in text
        assert (path.parent == RESULTS) == ("--turn" not in text)
        return
    name = path.relative_to(RESULTS).as_posix()
    lines = (RESULTS / PAGE_FILE).read_text(encoding="utf-8").splitlines()
    (line,) = (line for line in lines if f"]({name})" in line)
    assert "`tailgate experiment " in line or "`make quick-results`" in line
