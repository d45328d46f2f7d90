"""Too little memory: a valid answer or an honest word, and never a wrong answer."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tailgate.apps.cli.main import main
from tailgate.io import write
from tailgate.model.judge import verify
from tailgate.model.solution import Solution
from tailgate.research.generate import generate_instance
from tailgate.solver.column_generation import bound
from tailgate.solver.loading import read
from tailgate.solver.master import RestrictedMaster
from tailgate.solver.search import memory
from tailgate.solver.search.solver import solve

pytestmark = pytest.mark.programs

MEGABYTE = 1_000_000


def test_no_memory_in_the_midst_ends_the_search_with_what_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Plan and bound were true before, and are so still."""
    instance = generate_instance(7, 2, seed=15)

    def no_memory(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(RestrictedMaster, "solve", no_memory)
    result = solve(instance)
    assert (result.status, result.reason) == ("feasible", "memory_limit")
    assert result.solution is not None
    assert not verify(instance, result.solution)
    relaxation = bound(instance)
    assert (relaxation.status, relaxation.lower_bound) == ("memory_limit", 0)


def test_a_limit_on_addresses_counts_what_is_merely_reserved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Stacks and arenas take addresses and no memory; the system refuses them all the same."""
    unused = memory.unused_address_bytes()
    assert unused > 0
    limits = {resource.RLIMIT_AS: unused + 500 * MEGABYTE, resource.RLIMIT_DATA: -1}
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (limits[kind], limits[kind]))
    monkeypatch.setattr(memory, "_CONTAINER", ())
    most = memory.most_bytes()
    assert most is not None
    # What is reserved may have changed a little meanwhile.
    assert abs(most - 500 * MEGABYTE) < 100 * MEGABYTE


@pytest.mark.parametrize("megabytes", [170, 210, 225, 240, 300])
@pytest.mark.parametrize("command", ["solve", "bound"])
def test_a_process_with_little_memory_tells_the_truth(
    command: str, megabytes: int, tmp_path: Path
) -> None:
    """From too little to load the program to nearly enough."""
    path, out = tmp_path / "day.json", tmp_path / "plan.json"
    write(generate_instance(25, 3, seed=1), path)
    least = megabytes * MEGABYTE
    argv = [command, str(path), "--json", "--time-limit", "3"]
    program = subprocess.run(
        [sys.executable, "-m", "tailgate", *argv]
        + (["--out", str(out)] if command == "solve" else []),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (least, least)),
    )
    assert "Traceback" not in program.stderr
    if program.returncode != 0:
        # Where even the words for it cannot be stored, the system's own library has the last one.
        assert program.stderr.strip()
        assert program.stdout == ""
        assert not out.exists()
        return
    told = json.loads(program.stdout)
    assert told["lower_bound"] <= _optimum_bound(path)
    if command == "solve":
        assert main(["verify", str(path), str(out)]) == 0
        solution = Solution.from_dict(json.loads(out.read_text(encoding="utf-8")))
        assert solution.objective == told["objective"]
        assert told["objective"] >= told["lower_bound"]


def _optimum_bound(path: Path) -> float:
    """Return the cost of a plan, which no bound may exceed."""
    result = solve(read(path), time_limit=1)
    assert result.objective is not None
    return result.objective


@pytest.mark.parametrize("megabytes", [30, 60, 100, 120, 140, 150, 170, 200, 300, 500])
@pytest.mark.parametrize("command", ["solve", "generate", "doctor", "pack"])
def test_too_little_memory_to_begin_is_one_sentence_and_a_documented_code(
    command: str, megabytes: int, tmp_path: Path
) -> None:
    """The library that numpy brings ends the process itself, or sends it a SIGINT."""
    path = tmp_path / "day.json"
    write(generate_instance(5, 2, seed=1), path)
    arguments = {
        "solve": [str(path), "--time-limit", "20"],
        "generate": ["-n", "5", "--class", "2", "--out", str(tmp_path / "made.json")],
        "doctor": [],
        "pack": [str(path), "--route", "1-2"],
    }
    most = megabytes * MEGABYTE
    program = subprocess.run(
        [sys.executable, "-m", "tailgate", command, *arguments[command], "--quiet"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)),
    )
    if megabytes >= 300:
        assert program.returncode == 0, program.stderr
    assert program.returncode in (0, 2), program.stderr
    if program.returncode == 2:
        assert program.stdout == ""
        assert program.stderr.startswith("tailgate: ")
        assert "memory" in program.stderr
        assert program.stderr.count("\n") == 1
    else:
        assert program.stderr == ""


def test_help_comes_with_little_memory() -> None:
    """It needs no more than Python itself."""
    most = 40 * MEGABYTE
    program = subprocess.run(
        [sys.executable, "-m", "tailgate", "--help"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)),
    )
    assert (program.returncode, program.stderr) == (0, "")
