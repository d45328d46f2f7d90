"""HiGHS beside OR-Tools in one process, and what is said where HiGHS cannot be loaded."""

from __future__ import annotations

import ast
import importlib.util
import json
import subprocess
import sys
import types
import warnings

import pytest

from builders import REPOSITORY
from tailgate.solver import highs

SOLVE = """
import tailgate

result = tailgate.solve(tailgate.generate_instance(5, 2, seed=1), time_limit=60)
assert result.status == "optimal", result
"""

CP_SAT = """
from ortools.sat.python import cp_model

model = cp_model.CpModel()
count = model.new_int_var(0, 5, "count")
model.maximize(count)
solver = cp_model.CpSolver()
assert solver.solve(model) == cp_model.OPTIMAL
assert solver.value(count) == 5
"""

# As it is refused beside a library of the same name that OR-Tools has brought.
REFUSED = """
import sys
from importlib.machinery import ModuleSpec

class Refusing:
    def find_spec(self, name, path=None, target=None):
        return ModuleSpec(name, self) if name == "highspy" else None

    def create_module(self, spec):
        raise ImportError("_core.so: undefined symbol: _ZN5Highs13releaseMemoryEv")

    def exec_module(self, module):
        pass

sys.meta_path.insert(0, Refusing())
"""

ABSENT = """
import sys

sys.modules["highspy"] = None
"""

# Loaded, but its calls go to another version's library.
MIXED = """
import sys
import highspy

highspy.Highs.version = lambda _: "1.99.0"
"""

OR_TOOLS = """
import types

sys.modules["ortools"] = types.ModuleType("ortools")
"""

PROGRAM = """
from tailgate.apps.cli.main import main

sys.exit(main(sys.argv[1:]))
"""

REMEDY = "pip install 'highspy>=1.10,<1.15'"


def run(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in a fresh process."""
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("script", [SOLVE + CP_SAT, CP_SAT + SOLVE], ids=["ours", "or-tools"])
def test_tailgate_and_or_tools_work_in_one_process_whichever_comes_first(script: str) -> None:
    """A notebook that compares the two must not die at the second."""
    finished = run(script)
    assert finished.returncode == 0, finished.stderr


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        pytest.param(REFUSED, "undefined symbol", id="refused"),
        pytest.param(REFUSED + OR_TOOLS, "beside OR-Tools", id="beside OR-Tools"),
        pytest.param(ABSENT, "not installed", id="absent"),
        pytest.param(MIXED, "1.99.0", id="mixed"),
    ],
)
def test_a_highs_that_cannot_be_used_is_explained_before_anything_is_solved(
    damage: str, words: str
) -> None:
    """An undefined symbol means nothing to anybody; what to install does."""
    finished = run(damage + PROGRAM, "solve", "city.txt")
    assert finished.returncode == 2
    assert finished.stdout == ""
    assert finished.stderr.startswith("tailgate: HiGHS, which solves the linear programmes, ")
    assert words in finished.stderr
    assert REMEDY in finished.stderr
    assert finished.stderr.count("\n") == 1


def test_the_python_interface_raises_the_same_message() -> None:
    """It is an ImportError to those who look for one, and one of ours to the others."""
    script = """
import tailgate

try:
    tailgate.solve
except ImportError as error:
    assert isinstance(error, tailgate.TailgateError)
    print(error)
"""
    finished = run(REFUSED + OR_TOOLS + script)
    assert finished.returncode == 0, finished.stderr
    assert "start Python again" in finished.stdout
    assert REMEDY in finished.stdout


@pytest.mark.parametrize(
    ("damage", "code", "words"),
    [
        pytest.param("import sys", 0, "ok", id="whole"),
        pytest.param(REFUSED, 2, "undefined symbol", id="refused"),
        pytest.param(MIXED, 2, "1.99.0", id="mixed"),
    ],
)
def test_the_doctor_tries_highs(damage: str, code: int, words: str) -> None:
    """Whoever is sent to the doctor must find there what is wrong."""
    finished = run(damage + PROGRAM, "doctor", "--json")
    assert finished.returncode == code, finished.stderr
    report = json.loads(finished.stdout)
    assert words in report["self_test"]["HiGHS"]
    assert report["healthy"] is (code == 0)


def test_the_doctor_tries_or_tools_beside_highs() -> None:
    """OR-Tools is no part of Tailgate: a bad pair is reported, and is no fault of the program."""
    finished = run("import sys" + PROGRAM, "doctor", "--json")
    assert json.loads(finished.stdout)["or_tools"].endswith("works beside highspy in one process")
    # Only for the process that the doctor starts: it loads what is first on the path.
    bad = (
        "import os, pathlib, sys, tempfile\n"
        "folder = pathlib.Path(tempfile.mkdtemp())\n"
        "(folder / 'ortools').mkdir()\n"
        "(folder / 'ortools' / '__init__.py').write_text('raise ImportError(\"no such symbol\")')\n"
        "os.environ['PYTHONPATH'] = str(folder)\n"
    )
    finished = run(bad + PROGRAM, "doctor", "--json")
    assert finished.returncode == 0
    report = json.loads(finished.stdout)
    assert "cannot be loaded into one process" in report["or_tools"]
    assert REMEDY in report["or_tools"]


@pytest.mark.parametrize(
    ("minor", "installed", "loaded", "warned"),
    [
        (15, True, False, True),
        (14, True, False, False),
        (15, False, False, False),
        (15, True, True, False),
    ],
    ids=["shared", "static", "no OR-Tools", "works already"],
)
def test_or_tools_after_a_bad_highs_is_warned_of_before_anything_is_solved(
    minor: int, installed: bool, loaded: bool, warned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a notebook would solve first, and die at the import of the other package."""
    monkeypatch.setattr(highs.highspy, "HIGHS_VERSION_MINOR", minor)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: object() if installed else None)
    monkeypatch.delitem(sys.modules, "ortools", raising=False)
    if loaded:
        monkeypatch.setitem(sys.modules, "ortools", types.ModuleType("ortools"))
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        highs.warn_of_or_tools()
    assert [REMEDY in str(one.message) for one in seen] == [True] * warned


def test_highs_is_imported_in_one_place() -> None:
    """An import elsewhere would fail without the explanation."""
    importing = set()
    package = REPOSITORY / "src" / "tailgate"
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            if any(name.split(".")[0] == "highspy" for name in names):
                importing.add(path.relative_to(package).as_posix())
    assert importing == {"solver/highs.py"}


def test_the_remedy_is_what_the_package_asks_for() -> None:
    """Limited in one place and recommended in another, a version would go round in circles."""
    project = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    assert REMEDY.split("'")[1] in project
