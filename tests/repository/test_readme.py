"""What the README and the tour tell a newcomer to type."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from builders import REPOSITORY
from tailgate.apps.cli.main import main
from tailgate.solver.loading import read

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
TOUR = (REPOSITORY / "docs" / "tour.md").read_text(encoding="utf-8")
MOST_WORDS = 900


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder that has the examples but takes what is written."""
    (tmp_path / "examples").symlink_to(REPOSITORY / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.programs
def test_the_commands_of_the_tour_run(clone: Path) -> None:
    """In their order, after the demo, whose files they use; with less patience than a reader."""
    demo = [sys.executable, str(clone / "examples" / "demo.py"), "--customers", "8"]
    subprocess.run(demo, check=True)
    commands = [
        line for line in [*README.splitlines(), *TOUR.splitlines()] if line[:9] == "tailgate "
    ]
    named = {shlex.split(line)[1] for line in commands}
    judged = {"verify", "compare", "show"}
    assert named == {"solve", "pack", "bound", "what-if", "generate", "doctor", *judged}
    for line in commands:
        hastier = re.sub(r"--time-limit \d+", "--time-limit 2", line)
        assert main(shlex.split(hastier)[1:]) == 0, line


def test_the_printed_bound_is_what_the_command_finds(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Counts and times may differ from what the tour shows, the values may not."""
    assert main(["bound", str(clone / "examples" / "garden_centres")]) == 0
    headline, *lines = capsys.readouterr().out.splitlines()
    assert headline.partition(": ")[2] in TOUR
    values = [line for line in lines if line.startswith(("  LP value", "  lower bound"))]
    assert len(values) == 2
    assert all(line in TOUR for line in values)


def python_output(page: str, folder: Path, *, examples: int) -> list[str]:
    """Run the Python examples of a page one after the other, and return what they print."""
    blocks = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    assert len(blocks) == examples
    command = [sys.executable, "-c", "".join(blocks)]
    finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return finished.stdout.splitlines()


def test_the_python_examples_run(clone: Path) -> None:
    """They say that the order of the stops decides, and that must be what they print."""
    printed = python_output(README, clone, examples=1)
    assert printed[:2] == ["feasible", "infeasible"]
    assert printed[2].startswith("119.87")
    assert printed[3].startswith("optimal: proven")
    printed = python_output(TOUR, clone, examples=4)
    assert printed[0].startswith("feasible decided by ")
    assert "infeasible" in printed
    assert any(line.startswith("optimal: proven") for line in printed)
    assert any(line.startswith("converged 119.87") for line in printed)
    assert read(clone / "two-stops.json").n == 2


def test_the_readme_stays_short() -> None:
    """Whoever opens the repository must see at once what it is for; pages have room for more."""
    assert len(README.split()) <= MOST_WORDS


def test_a_folder_after_the_table_of_files_is_read(tmp_path: Path) -> None:
    """Whoever has read no other page must get this far."""
    stated = dict(re.findall(r"^\| `([a-z]+\.(?:csv|json))` \| `([^`]+)`", README, re.MULTILINE))
    assert set(stated) == {"customers.csv", "items.csv", "vehicle.json"}
    customers, items = (stated[name] for name in ("customers.csv", "items.csv"))
    (tmp_path / "customers.csv").write_text(f"{customers},#street\nMill,1,2,300,High St 1\n")
    (tmp_path / "items.csv").write_text(f"{items}\nMill,0.8,1.2,2,pallet\n")
    (tmp_path / "vehicle.json").write_text(stated["vehicle.json"])
    instance = read(tmp_path)
    assert (instance.n, len(instance.customer(1).items)) == (1, 2)
    assert instance.units.length_text(instance.vehicle.length) == "7.2"


@pytest.mark.parametrize(
    "page",
    [
        path
        for folder in (".", "docs", "docs/howto", "docs/results", "examples")
        for path in (REPOSITORY / folder).glob("*.md")
    ],
    ids=lambda page: str(page.relative_to(REPOSITORY)),
)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    """A renamed page leaves dead links behind."""
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target
