"""A wall clock that jumps and a locale with commas: neither changes an answer or a file."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tailgate.apps.cli.main import main
from tailgate.io import write
from tailgate.research.generate import generate_instance
from tailgate.solver.loading import read
from tailgate.solver.search.solver import solve

DAY = 86_400.0


def jumping_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the wall clock by a year, now forwards and now backwards, whenever it is asked."""
    jumps = itertools.cycle((365 * DAY, -365 * DAY))
    wall = time.time
    monkeypatch.setattr(time, "time", lambda: wall() + next(jumps))


def test_a_clock_that_jumps_ends_no_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Summer time, a mended clock, a laptop that has slept: limits count seconds that pass."""
    instance = generate_instance(7, 2, seed=15)
    jumping_clock(monkeypatch)
    started = time.monotonic()
    result = solve(instance, time_limit=60, checkpoint=tmp_path / "search.checkpoint")
    spent = time.monotonic() - started
    assert (result.status, result.objective) == ("optimal", 341)
    assert 0 <= result.seconds <= spent
    assert all(0 <= seconds <= spent for seconds in result.seconds_by_part.values())


def test_a_clock_that_jumps_makes_no_limit_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Backwards, above all: a search of a second must not take a year."""
    instance = generate_instance(40, 3, seed=1)
    jumping_clock(monkeypatch)
    started = time.monotonic()
    result = solve(instance, time_limit=1)
    assert result.reason in ("time_limit", "proven")
    assert time.monotonic() - started < 30


WITH_COMMAS = """
import locale, sys
locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
assert locale.localeconv()["decimal_point"] == ","
assert locale.format_string("%.1f", 0.5) == "0,5"
from tailgate.apps.cli.main import main
for line in sys.stdin:
    code = main(line.split())
    if code:
        sys.exit(code)
"""


def run_with_commas(tmp_path: Path, *commands: str) -> None:
    """Run commands in a process whose C library writes decimals with commas."""
    folder = tmp_path / "locales"
    folder.mkdir()
    maker = shutil.which("localedef")
    if maker is None:
        pytest.skip("this system cannot make a locale (localedef)")
    made = subprocess.run(
        [maker, "--no-archive", "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")],
        capture_output=True,
        check=False,
    )
    if not (folder / "de_DE.UTF-8").exists():
        pytest.skip(f"this system lacks the sources of locales: {made.stderr!r}")
    subprocess.run(
        [sys.executable, "-c", WITH_COMMAS],
        input="\n".join(commands),
        env={**os.environ, "LOCPATH": str(folder), "LC_ALL": "de_DE.UTF-8"},
        check=True,
        text=True,
        capture_output=True,
    )


def test_files_are_the_same_in_a_locale_with_commas(tmp_path: Path) -> None:
    """Decimals in all that is read and written: instance, plan, pictures, tables, recording."""
    path = tmp_path / "day.json"
    instance = generate_instance(7, 2, seed=15)
    write(instance.with_conventions(distance="exact"), path)
    for name in ("points", "commas"):
        (tmp_path / name).mkdir()

    def commands(name: str) -> list[str]:
        folder = tmp_path / name
        return [
            f"generate -n 5 --class 3 --time-windows --out {folder}/new.json",
            f"solve {path} --out {folder}/plan.json --quiet",
            f"show {path} {folder}/plan.json --out {folder}/plans --format svg,csv --quiet",
            f"generate -n 5 --class 3 --out {folder}/tables --format csv",
        ]

    for command in commands("points"):
        assert main(command.split()) == 0
    run_with_commas(tmp_path, *commands("commas"))
    assert main(["verify", str(path), str(tmp_path / "commas" / "plan.json")]) == 0
    points, commas = (tmp_path / name for name in ("points", "commas"))
    for name in ("new.json", "tables"):
        assert read(points / name) == read(commas / name)
    files = sorted(file.relative_to(points) for file in points.rglob("*") if file.is_file())
    assert len(files) > 8
    for file in files:
        # A search may take more or less time; everything else is the same.
        if file.suffix in (".svg", ".csv") or file.name == "new.json":
            assert (points / file).read_bytes() == (commas / file).read_bytes(), file
