"""Tutorials and how-to pages: what they tell to type runs, in the order of the page."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from builders import REPOSITORY
from tailgate.apps.cli.main import main
from tailgate.solver.loading import read
from tailgate.solver.search.solver import solve

pytestmark = pytest.mark.programs

DOCS = REPOSITORY / "docs"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", flags=re.DOTALL | re.MULTILINE)
# Of these, fences without a language and in Python are run; ``sh`` marks what needs more than a
# folder of examples: days of orders, a cluster.
PAGES = [
    "tutorial-planner.md",
    "tutorial-researcher.md",
    "notebooks.md",
    "fleets.md",
    "howto/own-data.md",
    "howto/time-windows.md",
    "howto/turning.md",
    "howto/why-infeasible.md",
]
TRAINING = ("dataset", "train", "evaluate")


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder that has the examples but takes what is written."""
    (tmp_path / "examples").symlink_to(REPOSITORY / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def blocks(page: str) -> list[tuple[str, str]]:
    """Return language and text of every block of code."""
    return [(match[1], match[2]) for match in BLOCK.finditer((DOCS / page).read_text("utf-8"))]


def commands(page: str) -> list[str]:
    """Return the commands in the order of the page."""
    return [
        line
        for language, text in blocks(page)
        if not language
        for line in text.splitlines()
        if line.startswith("tailgate ")
    ]


def needs_training(command: str) -> bool:
    """Whether a command belongs to the chain that makes a network."""
    return shlex.split(command)[1] in TRAINING or "weights.safetensors" in command


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=pytest.mark.programs if "researcher" in page else ())
        for page in PAGES
    ],
)
def test_commands_and_code_of_a_page_run(page: str, clone: Path) -> None:
    """Commands first, whose files the code reads; with less patience than a reader."""
    for command in commands(page):
        if needs_training(command):
            continue
        hastier = re.sub(r"--time-limit \d+", "--time-limit 2", command)
        assert main(shlex.split(hastier)[1:]) == 0, command
    code = "".join(text for language, text in blocks(page) if language == "python")
    if code:
        hastier = re.sub(r"time_limit=\d+", "time_limit=2", code)
        subprocess.run([sys.executable, "-c", hastier], cwd=clone, check=True)


@pytest.mark.long
def test_the_chain_of_a_network_runs(clone: Path) -> None:
    """From an instance to a bound with weights of one's own."""
    assert clone.is_dir()
    chain = commands("tutorial-researcher.md")
    for command in [chain[0], *(command for command in chain if needs_training(command))]:
        assert main(shlex.split(command)[1:]) == 0, command


def test_the_reason_of_an_infeasible_round_is_in_the_planners_units() -> None:
    """Stored integers would be ten times as many kilograms."""
    garden_centres = read(REPOSITORY / "examples" / "garden_centres")
    result = solve(replace(garden_centres, vehicle_count=2), time_limit=20)
    assert result.status == "infeasible"
    assert "orders that weigh 6006 kg together take at least 3 trucks" in result.explanation


def test_every_page_with_commands_is_run() -> None:
    """A new page must not go untested."""
    pages = [*DOCS.glob("tutorial-*.md"), *DOCS.glob("howto/*.md"), DOCS / "notebooks.md"]
    untested = {str(page.relative_to(DOCS)) for page in pages} - set(PAGES)
    runnable = {page for page in untested if commands(page)}
    assert runnable == set()


@pytest.mark.long
@pytest.mark.parametrize("folder", ["farm_shops", "furniture"])
def test_the_planners_result_is_what_the_page_shows(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Times and counts may differ, the proven cost may not."""
    page = (DOCS / "tutorial-planner.md").read_text("utf-8")
    assert main(["solve", str(REPOSITORY / "examples" / folder)]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("optimal: proven")
    assert all(line in page for line in printed[1:5])


def test_the_planners_tables_are_those_of_the_folder() -> None:
    """The page shows the beginning of each file."""
    page = (DOCS / "tutorial-planner.md").read_text("utf-8")
    folder = REPOSITORY / "examples" / "farm_shops"
    for name in ("customers.csv", "items.csv"):
        first_lines = "\n".join((folder / name).read_text("utf-8").splitlines()[:4])
        assert first_lines in page
    assert (folder / "vehicle.json").read_text("utf-8") in page
    furniture = REPOSITORY / "examples" / "furniture"
    for name, lines in (("customers.csv", 3), ("vehicles.csv", 2)):
        beginning = (furniture / name).read_text("utf-8").splitlines()[:lines]
        assert "\n".join(beginning) in page
