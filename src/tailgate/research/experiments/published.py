"""Where the published instances and the published figures are, if this machine has them."""

from __future__ import annotations

import os
from pathlib import Path

from tailgate.research.experiments.machine import REPOSITORY

FOLDER_VARIABLE = "TAILGATE_BENCHMARK_DIR"


def benchmark_folder() -> Path | None:
    """Return the folder of the published instances, if this machine has it."""
    default = REPOSITORY.parent / "shared" / "benchmark" / "2l_cvrp"
    folder = Path(os.environ.get(FOLDER_VARIABLE) or default)
    return folder if folder.is_dir() else None


def published_path(folder: Path, name: str) -> Path:
    """Return the file of an instance that is called by its four digits: number and class."""
    return folder / f"2l_cvrp{name}.txt"
