"""``tailgate doctor``: what is installed here, and does its core work?"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import os
import platform
import subprocess
import sys
from pathlib import Path

from tailgate.apps.cli.arguments import Commands
from tailgate.apps.cli.exit_codes import ExitCode
from tailgate.apps.cli.output import print_result
from tailgate.apps.cli.signals import PROGRAM
from tailgate.model.errors import HighsImportError, TailgateError
from tailgate.model.instance import Customer, Instance, Item, Vehicle

BENCHMARK_VARIABLE = "TAILGATE_BENCHMARK_DIR"
_BENCHMARK_DEFAULT = Path("..", "shared", "benchmark", "2l_cvrp")
_BENCHMARK_PATTERN = "2l_cvrp*.txt"
_BENCHMARK_FILES = 180
_PACKAGES = ("tailgate", "numpy", "highspy", "rich")
_NOT_INSTALLED = "not installed"
_CORE = "compiled core"
_HIGHS = "HiGHS"
_BOTH = "import highspy; from ortools.sat.python import cp_model"
_BOTH_SECONDS = 60

_DESCRIPTION = """\
Print the versions of Tailgate and of what it stands on, how its core was compiled, and the
outcome of a small test of the core: a load that fits and one that does not. HiGHS is loaded, and
where OR-Tools is installed, both in one process. Checksums show whether the networks of the screens
neural and lazy are whole, and which they are. Put this output into a bug report.

Exit code 0 means healthy, 4 that the core gave a wrong answer, 2 that something is missing."""

_EXAMPLES = """\
  tailgate doctor
  tailgate doctor --json"""


def add_command(commands: Commands) -> None:
    """Add the command and its options."""
    commands.add("doctor", run, _DESCRIPTION, _EXAMPLES)


def run(arguments: argparse.Namespace) -> ExitCode:
    """Examine the installation."""
    packages = {name: _version(name) for name in _PACKAGES}
    build, self_test = _examine_core()
    self_test[_HIGHS] = _examine_highs()
    weights, damages = _examine_weights()
    or_tools = _examine_or_tools()
    if PROGRAM.received:
        # What was being loaded may have turned the interrupt into an error of its own.
        raise KeyboardInterrupt
    incomplete = (
        _CORE in self_test
        or self_test[_HIGHS] != "ok"
        or _NOT_INSTALLED in packages.values()
        or bool(damages)
    )
    healthy = not incomplete and all(outcome == "ok" for outcome in self_test.values())
    content: dict[str, object] = {
        "healthy": healthy,
        "versions": {"python": platform.python_version(), **packages},
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cpu_count": os.cpu_count(),
        "build": build,
        "weights": weights | damages,
        "self_test": self_test,
        "or_tools": or_tools,
        **_examine_benchmark(),
    }
    bare = "healthy" if healthy else "not healthy"
    print_result(arguments, content, bare=bare, text=_report(content))
    if incomplete:
        return ExitCode.BAD_INPUT
    return ExitCode.DONE if healthy else ExitCode.VERIFICATION_FAILED


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return _NOT_INSTALLED


def _examine_core() -> tuple[dict[str, str], dict[str, str]]:
    """Return how the core was built and what it answers to two tiny queries."""
    try:
        from tailgate import _core
        from tailgate.solver.loading import Verdict, check_loading
    except ImportError as error:
        return {}, {_CORE: _diagnosis(error)}
    # Two items side by side or behind each other, on a floor of 2 x 2.
    queries = {
        "feasible load": ((Item(width=1, length=2), Item(width=1, length=2)), Verdict.FEASIBLE),
        "infeasible load": ((Item(width=2, length=1), Item(width=1, length=2)), Verdict.INFEASIBLE),
    }
    outcomes = {}
    for name, (items, expected) in queries.items():
        instance = Instance(
            name="self test",
            depot=(0, 0),
            customers=tuple(Customer(x=0, y=0, weight=0, items=(item,)) for item in items),
            vehicle=Vehicle(width=2, length=2, capacity=1),
            vehicle_count=1,
        )
        try:
            answer = check_loading(instance, (1, 2)).verdict
        except TailgateError as error:
            outcomes[name] = f"failed: {error}"
            continue
        outcomes[name] = "ok" if answer is expected else f"wrong: {answer.value}"
    return dict(_core.build_info()), outcomes


def _examine_highs() -> str:
    """Load HiGHS; what is wrong with it is explained where it is imported."""
    try:
        from tailgate.solver import highs
    except TailgateError as error:
        return f"failed: {error}"
    return "ok" if highs.highspy.Highs().version() else "wrong: it has no version"


def _examine_or_tools() -> str:
    """Load OR-Tools after HiGHS in a process of its own; Tailgate itself does not need it."""
    version = _version("ortools")
    if version == _NOT_INSTALLED:
        return f"{version}; only comparisons need it"
    try:
        subprocess.run(
            [sys.executable, "-c", _BOTH], check=True, capture_output=True, timeout=_BOTH_SECONDS
        )
    except (subprocess.SubprocessError, OSError):
        return (
            f"{version} cannot be loaded into one process with highspy {_version('highspy')}, "
            f"which matters to a notebook that compares the two; {HighsImportError.REMEDY}"
        )
    return f"{version} works beside highspy in one process"


def _examine_weights() -> tuple[dict[str, str], dict[str, str]]:
    """Return the checksums of the networks that come with the package, and what is wrong."""
    try:
        from tailgate.solver.network.weights import PACKAGED, read_weights
    except ImportError:
        # Without the core or numpy, which the other lines report.
        return {}, {}
    sums, damages = {}, {}
    for name in PACKAGED:
        try:
            sums[name] = read_weights(name).sha256
        except TailgateError as error:
            damages[name] = f"failed: {error}"
    return sums, damages


def _diagnosis(error: ImportError) -> str:
    """Say whether the core was never built, or was built for something else."""
    remedy = (
        "install it again: pip install --force-reinstall tailgate, or in a clone make clean demo"
    )
    spec = importlib.util.find_spec("tailgate._core")
    if spec is None:
        return f"not there: this copy of Tailgate was not built for this Python; {remedy}"
    return (
        f"there, but cannot be loaded: {error}; it was probably built for another Python or "
        f"C++ library ({spec.origin}); {remedy}"
    )


def _examine_benchmark() -> dict[str, object]:
    """Return the benchmark's folder, if it is one, how many files it holds, and what is wrong."""
    named = os.environ.get(BENCHMARK_VARIABLE)
    folder = Path(named or _BENCHMARK_DEFAULT)
    files = sum(1 for _ in folder.glob(_BENCHMARK_PATTERN)) if folder.is_dir() else 0
    if files:
        state = f"{folder}: {files} of {_BENCHMARK_FILES} files"
    elif not named:
        state = f"not found; name its folder in {BENCHMARK_VARIABLE}"
    else:
        problem = f"has no {_BENCHMARK_PATTERN}" if folder.is_dir() else "is not a folder"
        state = f"not found: {folder}, named in {BENCHMARK_VARIABLE}, {problem}"
    return {
        "benchmark_folder": str(folder) if files else None,
        "benchmark_files": files,
        "benchmark": state,
    }


def _report(content: dict[str, object]) -> str:
    lines = ["healthy" if content["healthy"] else "NOT HEALTHY: see below"]
    for title in ("versions", "build", "weights", "self_test"):
        section = content[title]
        if isinstance(section, dict) and section:
            lines += ["", title.replace("_", " ")]
            width = max(len(name) for name in section)
            lines += [f"  {name:<{width}}  {value}" for name, value in section.items()]
    lines += [
        "",
        "machine",
        f"  system      {content['system']}",
        f"  processors  {content['cpu_count']}",
        f"  benchmark   {content['benchmark']}",
        f"  OR-Tools    {content['or_tools']}",
    ]
    return "\n".join(lines)
