"""What holds for the whole test run."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from builders import benchmark_folder, four_in_a_row
from tailgate.io import write_json
from tailgate.model.instance import Instance

# Without a deadline, for a busy machine is no failure. A run that decides about a change must say
# the same of the same code, so there the examples are not random.
settings.register_profile("at the desk", deadline=None)
settings.register_profile("in CI", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("in CI" if os.environ.get("CI") else "at the desk")

# Started in the background, with nohup say, a run is deaf to Ctrl-C, and so would be every process
# that a test starts and interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header() -> str:
    """Say at the top whether the published benchmark takes part."""
    folder = benchmark_folder()
    if folder is None:
        return "benchmark: NOT FOUND, its tests are skipped; name it in TAILGATE_BENCHMARK_DIR"
    return f"benchmark: {folder}"


@pytest.fixture
def instance() -> Instance:
    """Two trucks, and the optimum is known: 60."""
    return four_in_a_row()


@pytest.fixture
def instance_path(instance: Instance, tmp_path: Path) -> str:
    """Write the instance."""
    path = tmp_path / "row.json"
    write_json(instance, path)
    return str(path)
