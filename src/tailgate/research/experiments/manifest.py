"""Says beside results where and how they were made."""

from __future__ import annotations

import datetime
import importlib.metadata
import json
from pathlib import Path
from typing import Any

from tailgate.io.text_file import read_text, write_text
from tailgate.research.experiments.machine import describe_machine
from tailgate.research.experiments.row_store import Row

FORMAT = "tailgate-experiment-1"
FILE = "manifest.json"
_PACKAGES = ("numpy", "highspy", "torch", "ortools", "pyvrp", "matplotlib", "ray")


def describe_run() -> dict[str, Any]:
    """Return the machine and the time, for the rows that are made now."""
    installed = [name for name in _PACKAGES if _is_installed(name)]
    return {
        "started": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        **describe_machine(installed),
    }


def _is_installed(name: str) -> bool:
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def write_manifest(
    folder: Path, *, experiment: str, options: Row, run: Row, measured: int
) -> list[Row]:
    """Write down what the results are made of, and return the runs that have made them.

    A run that has measured nothing, but only reported, is not one of them.
    """
    path = folder / FILE
    runs = list(json.loads(read_text(path)).get("runs", ())) if path.exists() else []
    if measured or not runs:
        runs.append({**run, "measured": measured})
    content = {"format": FORMAT, "experiment": experiment, "options": options, "runs": runs}
    write_text(path, json.dumps(content, indent=2) + "\n")
    return runs
