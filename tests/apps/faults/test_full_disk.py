"""No room, or no leave to write: the result is kept, files stay whole, and it is reported."""

from __future__ import annotations

import errno
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tailgate.apps.cli.main import main
from tailgate.io import write
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.research.experiments.row_store import RowStore
from tailgate.research.generate import generate_instance
from tailgate.solver.loading import read
from tailgate.solver.search import checkpoint, checkpoint_codec
from tailgate.solver.search.result import SolveProgress
from tailgate.solver.search.solver import solve
from tailgate.solver.search.state import SearchState

pytestmark = pytest.mark.programs

NO_ROOM = "cannot be written: No space left on device"
FULL_DEVICE = Path("/dev/full")
NO_FOLDER_FOR_ANYONE = Path("/proc/self")
"""Nobody can make a file there, root included, who may write into any read-only folder."""

with_full_device = pytest.mark.skipif(not FULL_DEVICE.exists(), reason="there is no /dev/full")


@pytest.fixture
def instance_path(tmp_path: Path) -> str:
    """Return a file that is solved at once."""
    path = tmp_path / "day.json"
    write(generate_instance(7, 2, seed=15), path)
    return str(path)


class Disk:
    """A disk that is full as long as it is told to be."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_full = False
        self._fsync = os.fsync
        monkeypatch.setattr(os, "fsync", self._sync)

    def _sync(self, file: int) -> None:
        if self.is_full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._fsync(file)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """Return the disk, which has room at first."""
    return Disk(monkeypatch)


def names_in(folder: Path) -> set[str]:
    """Return the names of all files, hidden ones included."""
    return {path.name for path in folder.iterdir()}


def test_a_plan_that_cannot_be_stored_is_told_all_the_same(
    instance_path: str, tmp_path: Path, disk: Disk, capsys: pytest.CaptureFixture[str]
) -> None:
    """It may have taken hours; the plan and the report of yesterday stay."""
    out, report = tmp_path / "plan.json", tmp_path / "plan.html"
    argv = ["solve", instance_path, "--out", str(out), "--report", str(report)]
    assert main([*argv, "--node-limit", "1"]) == 0
    before = out.read_bytes(), report.read_bytes(), names_in(tmp_path)
    capsys.readouterr()
    disk.is_full = True
    assert main([*argv, "--json"]) == 2
    told = capsys.readouterr()
    assert told.err == f"tailgate: {out}: {NO_ROOM}\n"
    content = json.loads(told.out)
    assert (content["status"], content["objective"]) == ("optimal", 341)
    assert all(route["placements"] for route in content["routes"])
    assert (out.read_bytes(), report.read_bytes(), names_in(tmp_path)) == before


@pytest.mark.parametrize("limit", [0, 1_000])
def test_a_file_that_is_cut_off_by_the_system_is_not_left_behind(
    limit: int, instance_path: str, tmp_path: Path
) -> None:
    """A real limit on the size of files, in a real process."""
    folder = tmp_path / "plans"
    out = folder / "plan.json"
    folder.mkdir()
    program = subprocess.run(
        [sys.executable, "-m", "tailgate", "solve", instance_path, "--json", "--out", str(out)],
        capture_output=True,
        text=True,
        check=False,
        # Python would cut off what it compiles, too, and stumble over it ever after.
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert program.returncode == 2
    assert program.stderr == f"tailgate: {out}: cannot be written: File too large\n"
    assert json.loads(program.stdout)["objective"] == 341
    assert names_in(folder) == set()


@with_full_device
@pytest.mark.parametrize("option", ["--out", "--checkpoint"])
def test_a_full_device_is_told(
    option: str, instance_path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Told by the system, not made up."""
    assert main(["solve", instance_path, option, str(FULL_DEVICE)]) == 2
    assert capsys.readouterr().err == f"tailgate: {FULL_DEVICE}: {NO_ROOM}\n"


@with_full_device
def test_a_full_standard_output_is_told(instance_path: str) -> None:
    """As in ``tailgate solve ... > file``, on a full disk."""
    with FULL_DEVICE.open("wb") as full:
        program = subprocess.run(
            [sys.executable, "-m", "tailgate", "solve", instance_path],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (program.returncode, program.stderr) == (2, b"tailgate: No space left on device\n")


def test_a_disk_that_fills_up_during_the_search_does_not_end_it(
    instance_path: str,
    tmp_path: Path,
    disk: Disk,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The checkpoint gets old, which is reported once and in the result; it can be resumed."""
    monkeypatch.setattr(checkpoint.Checkpoint, "is_due", True)
    path = tmp_path / "search.checkpoint"
    events: list[str] = []

    def fill(progress: SolveProgress) -> None:
        events.append(progress.event)
        disk.is_full = True

    instance = read(instance_path)
    result = solve(instance, checkpoint=path, cuts=(), on_progress=fill)
    assert (result.status, result.objective) == ("optimal", 341)
    assert result.checkpoint_failure == f"{path}: {NO_ROOM}"
    assert result.to_dict()["checkpoint_failure"] == result.checkpoint_failure
    assert events.count("checkpoint") == 1
    # The old one is whole.
    assert checkpoint_codec.read(path, instance).nodes_done == 0
    disk.is_full = False
    resumed = solve(instance, resume=path)
    assert (resumed.objective, resumed.checkpoint_failure) == (341, "")

    # The same at the command line: once on the standard error.
    path.unlink()
    write_checkpoint = checkpoint_codec.write

    def write_once(path: Path, instance: Instance, state: SearchState) -> None:
        write_checkpoint(path, instance, state)
        disk.is_full = True

    monkeypatch.setattr(checkpoint_codec, "write", write_once)
    assert main(["solve", instance_path, "--checkpoint", str(path), "--json"]) == 0
    told = capsys.readouterr()
    said = f"tailgate: {path}: {NO_ROOM}; the search goes on, and the last one is kept\n"
    assert told.err == said
    assert json.loads(told.out)["checkpoint_failure"] == f"{path}: {NO_ROOM}"


def test_a_proof_that_there_is_no_plan_needs_no_checkpoint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its bound is infinite, for which the file has no number; nothing is left to do."""
    path = tmp_path / "day.json"
    write(replace(generate_instance(8, 2, seed=1), vehicle_count=1), path)
    argv = ["solve", str(path), "--checkpoint", str(tmp_path / "search.checkpoint")]
    assert main(argv) == 3
    assert "proven" in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--out", "--report", "--checkpoint"])
def test_a_folder_that_cannot_be_written_is_told_before_the_search(
    option: str, instance_path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not after hours of it."""
    path = NO_FOLDER_FOR_ANYONE / ("plan.html" if option == "--report" else "plan.json")
    if not path.parent.exists():
        pytest.skip("this system has no folder that nobody can write into")
    assert main(["solve", instance_path, option, str(path)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert f"{path}: cannot be written" in told.err


def test_other_commands_tell_it_too(
    instance_path: str, tmp_path: Path, disk: Disk, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the name of the file, and without half of one."""
    plan = tmp_path / "plan.json"
    assert main(["solve", instance_path, "--out", str(plan)]) == 0
    routes, folder = tmp_path / "routes.csv", tmp_path / "out"
    routes.write_text("route\n1-2\n3\n", encoding="utf-8")
    folder.mkdir()
    capsys.readouterr()
    disk.is_full = True
    for argv in (
        ["pack", instance_path, "--routes", str(routes), "--out", str(folder / "verdicts.csv")],
        ["pack", instance_path, "--route", "1", "--svg", str(folder / "plan.svg")],
        ["bound", instance_path, "--record", str(folder / "queries.parquet")],
        ["show", instance_path, str(plan), "--out", str(folder)],
        ["generate", "-n", "4", "--class", "2", "--out", str(folder / "new.json")],
        ["generate", "-n", "4", "--class", "2", "--out", str(folder), "--format", "csv"],
        ["dataset", "--quick", "--out", str(folder)],
    ):
        assert main(argv) == 2, argv
        told = capsys.readouterr().err
        assert NO_ROOM in told, argv
        assert str(folder) in told, argv
        assert len(told.splitlines()) == 1, argv
    assert {path for path in folder.rglob("*") if path.is_file()} == set()


@pytest.mark.parametrize("fails_at", range(1, 10))
def test_a_folder_of_tables_stays_as_it_was(
    fails_at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever step the system refuses: no table of tomorrow among those of yesterday."""
    old, new = (generate_instance(n, 2, seed=1, name="day") for n in (6, 5))
    write(old, tmp_path / "day")
    steps = 0

    def refused(step: Callable[..., Any]) -> Callable[..., Any]:
        def tried(*arguments: Any) -> Any:
            nonlocal steps
            steps += 1
            if steps == fails_at:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return step(*arguments)

        return tried

    monkeypatch.setattr(os, "fsync", refused(os.fsync))
    monkeypatch.setattr(Path, "replace", refused(Path.replace))
    with pytest.raises(InputError, match=NO_ROOM):
        write(new, tmp_path / "day")
    assert read(tmp_path / "day") == old
    assert names_in(tmp_path / "day") == {"customers.csv", "items.csv", "vehicle.json"}
    # The refused step was not repeated; now all of them go through.
    write(new, tmp_path / "day")
    assert read(tmp_path / "day") == new


def test_a_row_that_cannot_be_stored_is_told_and_measured_again(tmp_path: Path, disk: Disk) -> None:
    """Rows before it stay; half a line is dropped by whoever goes on."""
    path = tmp_path / "rows.jsonl"
    store = RowStore(path)
    store.add("first", {"seconds": 1.5})
    disk.is_full = True
    with pytest.raises(InputError, match=NO_ROOM):
        store.add("second", {"seconds": 2.5})
    content = path.read_bytes()
    path.write_bytes(content[:-5])
    assert RowStore(path).rows == {"first": {"seconds": 1.5}}
