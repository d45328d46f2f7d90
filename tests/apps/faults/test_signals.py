"""SIGINT and SIGTERM at every moment of the program: one sentence, code 130, no traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command_runs import ended, started, started_search
from tailgate.io import read_solution, write
from tailgate.model.judge import verify
from tailgate.research.generate import generate_instance
from tailgate.solver.loading import read

pytestmark = [
    pytest.mark.programs,
    pytest.mark.skipif(os.name != "posix", reason="signals to a process are a POSIX matter"),
]

# Says when the program has done the first thing that it does: what comes before belongs to Python.
READY = """
import sys

class Ready:
    def find_spec(self, name, path=None, target=None):
        if name == "tailgate.apps.cli.main":
            print("ready", flush=True)

sys.meta_path.insert(0, Ready())
from tailgate.__main__ import main
sys.exit(main())
"""

BOTH = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])


def start(script: str, *arguments: str) -> subprocess.Popen[str]:
    """Start the program, and wait for its first line."""
    process = started(*arguments, program=[sys.executable, "-c", script])
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.fixture
def city(tmp_path: Path) -> str:
    """Return a file that takes longer to be solved than any of these tests."""
    path = tmp_path / "city.json"
    write(generate_instance(60, 3, seed=1), path)
    return str(path)


@BOTH
def test_a_signal_in_the_first_second_is_answered_with_one_sentence_or_a_result(
    number: signal.Signals, city: str, tmp_path: Path
) -> None:
    """Whatever is being loaded just then: numpy and HiGHS turn an exception into one of theirs."""
    told = 0
    for hundredths in range(101):
        plan = tmp_path / "plan.json"
        plan.unlink(missing_ok=True)
        process = start(READY, "solve", city, "--quiet", "--out", str(plan))
        time.sleep(hundredths / 100)
        process.send_signal(number)
        output, errors = process.communicate(timeout=60)
        assert process.returncode == 130, (hundredths, errors)
        if plan.exists():
            assert errors == "", hundredths
            assert output != "", hundredths
        else:
            assert (output, errors) == ("", "tailgate: interrupted\n"), hundredths
            told += 1
    assert told > 5


@BOTH
@pytest.mark.parametrize("module", ["numpy", "highspy", "tailgate._core", "argparse", "rich"])
def test_a_signal_in_the_middle_of_an_import_leaves_no_traceback(
    number: signal.Signals, module: str, city: str
) -> None:
    """Sent from within the import itself, so that no moment is missed by luck."""
    script = f"""
import os, sys

class Signalling:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), {int(number)})

sys.meta_path.insert(0, Signalling())
from tailgate.__main__ import main
sys.exit(main())
"""
    program = [sys.executable, "-c", script, "solve", city, "--time-limit", "3"]
    finished = subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)
    if module == "rich":
        # Loaded to print the result of a search that was not interrupted.
        assert finished.returncode == 0
        assert "objective" in finished.stdout
        assert finished.stderr == ""
    else:
        assert finished.returncode == 130
        assert (finished.stdout, finished.stderr) == ("", "tailgate: interrupted\n")


@BOTH
@pytest.mark.parametrize("command", ["generate", "pack", "bound", "doctor"])
def test_other_commands_end_in_the_same_way(
    number: signal.Signals, command: str, city: str, tmp_path: Path
) -> None:
    """SIGTERM used to kill them without a word, and left half files behind."""
    arguments = {
        "generate": ["-n", "9000", "--class", "5", "--out", str(tmp_path / "made.json")],
        "pack": [city, "--route", "-".join(map(str, range(1, 40)))],
        "bound": [city],
        "doctor": [],
    }
    for delay in (0.0, 0.05, 0.1, 0.2, 0.4):
        process = start(READY, command, *arguments[command])
        time.sleep(delay)
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
        # It may have been done before.
        assert process.returncode in (0, 130), (delay, errors)
        assert "Traceback" not in errors
        if process.returncode == 130 and command != "bound":
            assert errors == "tailgate: interrupted\n"
    assert {path.name for path in tmp_path.iterdir()} <= {"city.json", "made.json"}


# Says when the search is over and the result is about to be written, which then takes its time.
SLOW_TO_WRITE = """
import sys, time
import tailgate.apps.cli.solve_output as command
from tailgate.__main__ import main

write = command.write_text

def slowly(path, text):
    print("ready", flush=True)
    end = time.monotonic() + 1
    while time.monotonic() < end:
        time.sleep(0.01)
    write(path, text)

command.write_text = slowly
sys.exit(main())
"""


@BOTH
@pytest.mark.parametrize("count", [1, 2])
def test_a_second_signal_while_the_result_is_written_does_not_cost_it(
    number: signal.Signals, count: int, city: str, tmp_path: Path
) -> None:
    """Whoever stops a service sends it twice, and wants the plan all the same."""
    plan = tmp_path / "plan.json"
    process = start(SLOW_TO_WRITE, "solve", city, "--time-limit", "3", "--out", str(plan))
    for _ in range(count):
        process.send_signal(number)
        time.sleep(0.1)
    output, errors = process.communicate(timeout=60)
    assert process.returncode in (0, 130), errors
    assert "objective" in output
    assert verify(read(city), read_solution(plan)) == []
    assert ("a third" in errors) == (count == 2)


@BOTH
def test_a_second_signal_while_the_search_ends_does_not_cost_the_result(
    number: signal.Signals, city: str, tmp_path: Path
) -> None:
    """Both may come before the first was noticed."""
    plan = tmp_path / "plan.json"
    process = started_search(city, "--out", str(plan))
    process.send_signal(number)
    time.sleep(0.001)
    process.send_signal(number)
    ended(process, 130)
    assert verify(read(city), read_solution(plan)) == []


@BOTH
def test_a_third_signal_leaves_at_once(number: signal.Signals, city: str, tmp_path: Path) -> None:
    """Nobody wants to look for the process and kill it; a file is whole or not there."""
    plan = tmp_path / "plan.json"
    process = start(SLOW_TO_WRITE, "solve", city, "--time-limit", "3", "--out", str(plan))
    for _ in range(3):
        process.send_signal(number)
        time.sleep(0.1)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.endswith("tailgate: left at once\n")
    assert not plan.exists()
