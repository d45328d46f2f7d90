"""Where and with what something was measured: without it, seconds say nothing."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tailgate import _core

REPOSITORY = Path(__file__).resolve().parents[4]
"""Where the package is installed in editable mode; otherwise some folder of the environment."""


def describe_machine(packages: Sequence[str] = ("numpy", "ortools")) -> dict[str, str]:
    """Return processor, system, commit, versions of Tailgate and the packages, and the build."""
    build = _core.build_info()
    return {
        "processor": f"{_processor_name()}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "commit": commit_of(REPOSITORY),
        "python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in ("tailgate", *packages)},
        "core": f"{build['compiler']}, {build['build_type']}, {build['flags'].strip()}",
    }


def _processor_name() -> str:
    cpu_info = Path("/proc/cpuinfo")
    if cpu_info.is_file():
        for line in cpu_info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def commit_of(repository: Path) -> str:
    """Return the commit of a checkout from which the package is installed in editable mode."""
    git = shutil.which("git")
    # An environment may lie in the repository of something else.
    if git is None or not (repository / "src" / "tailgate").is_dir():
        return "unknown"
    commit = _git_output(git, repository, "rev-parse", "--short", "HEAD")
    if commit is None:
        return "unknown"
    changes = _git_output(git, repository, "status", "--porcelain", "--untracked-files=no")
    return f"{commit} with local changes" if changes else commit


def _git_output(git: str, repository: Path, *arguments: str) -> str | None:
    finished = subprocess.run(
        [git, "-C", str(repository), *arguments], capture_output=True, text=True, check=False
    )
    return finished.stdout.strip() if finished.returncode == 0 else None
