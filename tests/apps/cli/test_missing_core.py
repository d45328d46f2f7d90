"""An installation whose compiled core is missing or broken, seen from a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

NO_CORE = """
import sys

sys.modules["tailgate._core"] = None
"""

# Found, but refused when it is loaded, as a core built for another machine is.
BROKEN_CORE = """
import sys
from importlib.machinery import ModuleSpec

class BrokenCore:
    def find_spec(self, name, path=None, target=None):
        return ModuleSpec(name, self, origin="core.so") if name == "tailgate._core" else None

    def create_module(self, spec):
        raise ImportError("core.so: undefined symbol")

    def exec_module(self, module):
        pass

sys.meta_path.insert(0, BrokenCore())
"""

PROGRAM = """
from tailgate.apps.cli.main import main

sys.exit(main(sys.argv[1:]))
"""

both_ways = pytest.mark.parametrize(
    ("damage", "symptom"),
    [
        pytest.param(NO_CORE, "not there", id="missing"),
        pytest.param(BROKEN_CORE, "core.so: undefined symbol", id="broken"),
    ],
)


def run(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in a fresh process."""
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@both_ways
@pytest.mark.parametrize(
    "argv",
    [
        ["pack", "city.txt", "--route", "1-2"],
        ["verify", "city.txt", "solution.json"],
        ["generate", "--customers", "5", "--class", "2"],
    ],
    ids=lambda argv: argv[0],
)
def test_every_command_says_it_in_one_line(damage: str, symptom: str, argv: list[str]) -> None:
    """A planner who sees a traceback does not know whom to call."""
    del symptom
    finished = run(damage + PROGRAM, *argv)
    assert finished.returncode == 2
    assert finished.stdout == ""
    assert finished.stderr.startswith("tailgate: the installation is incomplete or broken: ")
    assert finished.stderr.endswith("; see: tailgate doctor\n")
    assert finished.stderr.count("\n") == 1


@both_ways
def test_the_doctor_tells_missing_from_broken(damage: str, symptom: str) -> None:
    """The doctor is the one who must be able to come."""
    finished = run(damage + PROGRAM, "doctor", "--json")
    assert finished.returncode == 2, finished.stderr
    report = json.loads(finished.stdout)
    assert report["healthy"] is False
    assert symptom in report["self_test"]["compiled core"]
    assert "install it again" in report["self_test"]["compiled core"]
    told = run(damage + PROGRAM, "doctor")
    assert told.returncode == 2
    assert told.stdout.startswith("NOT HEALTHY")
    assert symptom in told.stdout


@both_ways
@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_do_not_need_the_core(damage: str, symptom: str, option: str) -> None:
    """They are what one asks first."""
    del symptom
    finished = run(damage + PROGRAM, option)
    assert finished.returncode == 0, finished.stderr
    assert "tailgate" in finished.stdout


def test_data_and_judge_do_not_need_the_core() -> None:
    """The judge shares nothing with the solver, not even what must be installed."""
    finished = run(
        NO_CORE + "import tailgate\n"
        "tailgate.Item(1, 2)\n"
        "assert callable(tailgate.verify)\n"
        "try:\n"
        "    tailgate.LoadingOracle\n"
        "except ImportError as error:\n"
        "    print('told:', error)\n"
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.startswith("told: ")
    assert "_core" in finished.stdout
