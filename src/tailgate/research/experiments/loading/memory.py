"""``loading-memory``: does memory stay where it is when one oracle is asked a million times?"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from tailgate.research.experiments.experiment import Experiment, Report, Setting
from tailgate.research.experiments.loading.random_routes import RouteSampler
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import Table
from tailgate.research.generate import generate_instance
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.workers import Task

QUERIES, QUICK_QUERIES = 1_000_000, 5_000
LINES = 10
CACHE_MEGABYTES = 16
NODES_PER_QUERY = 200
MEGABYTE = 1024 * 1024


def measure(queries: int, seed: int, commit: str) -> Row:
    """Ask so many different routes of one oracle, and look at the memory now and then."""
    # Class 3 has both verdicts in plenty, so that plans, verdicts and cores are all stored.
    instance = generate_instance(80, 3, seed=seed)
    oracle = LoadingOracle(instance, cache_megabytes=CACHE_MEGABYTES)
    sampler = RouteSampler(instance, seed)
    lines: list[dict[str, Any]] = []
    started = time.perf_counter()
    for number in range(1, queries + 1):
        route = sampler.sample()
        if route is not None:
            oracle.check(route, max_nodes=NODES_PER_QUERY)
        if number % (queries // LINES) == 0:
            lines.append(
                {
                    "queries": number,
                    "resident_megabytes": _resident_bytes() / MEGABYTE,
                    "cache_megabytes": oracle.statistics["cache_bytes"] / MEGABYTE,
                    "seconds": time.perf_counter() - started,
                }
            )
    return {"instance": instance.name, "seed": seed, "commit": commit, "lines": lines}


def _resident_bytes() -> int:
    statm = Path("/proc/self/statm")
    if statm.is_file():
        return int(statm.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    # Elsewhere only the peak is to be had; it, too, stops growing if memory is stable.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


class LoadingMemory(Experiment):
    """Resident memory over many queries."""

    name: ClassVar[str] = "loading-memory"
    title: ClassVar[str] = "Memory of the loading check"
    explanation: ClassVar[str] = (
        "Different routes of one generated instance are put to one oracle, whose cache may hold "
        f"{CACHE_MEGABYTES} MB, with at most {NODES_PER_QUERY} nodes each."
    )
    options: ClassVar[frozenset[str]] = frozenset()
    main_table: ClassVar[str] = "memory"

    def tasks(self, setting: Setting) -> list[Task]:
        """All queries in one process."""
        queries = QUICK_QUERIES if setting.quick else QUERIES
        arguments = (queries, setting.seed, setting.commit)
        return [Task(f"{queries} queries/seed {setting.seed}", measure, arguments)]

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """List what was seen."""
        del setting
        lines = [line for row in rows.values() for line in row["lines"]]
        formats = {"queries": ",", "resident_megabytes": ".1f", "cache_megabytes": ".2f"}
        formats["seconds"] = ".1f"
        cells = tuple(
            tuple(format(line[name], how) for name, how in formats.items()) for line in lines
        )
        header = ("queries", "resident MB", "cache MB", "seconds")
        table = Table("memory", "Memory after so many queries", header, cells)
        return Report(tables=[table], rows=lines)
