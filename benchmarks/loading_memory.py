"""Does memory stay where it is when one oracle is asked a million times?"""

from __future__ import annotations

import os
import resource
import sys
import time
from pathlib import Path

from rich.console import Console

from tailgate.experiments.loading.random_routes import RouteSampler
from tailgate.generate import generate_instance
from tailgate.loading import LoadingOracle

QUERIES_PER_LINE = 100_000
NODES_PER_QUERY = 200
MEGABYTE = 1024 * 1024


def watch_memory(
    queries: int, cache_megabytes: int, seed: int, console: Console
) -> list[dict[str, float]]:
    """Ask so many different routes of one oracle, and report every 100,000."""
    # Class 3 has both verdicts in plenty, so that plans, verdicts and cores are all stored.
    instance = generate_instance(80, 3, seed=seed)
    oracle = LoadingOracle(instance, cache_megabytes=cache_megabytes)
    sampler = RouteSampler(instance, seed)
    lines: list[dict[str, float]] = []
    started = time.perf_counter()
    console.print(
        f"{queries:,} queries on one oracle, cache limit {cache_megabytes} MB, "
        f"at most {NODES_PER_QUERY} nodes each"
    )
    console.print(f"{'queries':>12} {'resident MB':>12} {'cache MB':>10} {'seconds':>9}")
    for number in range(1, queries + 1):
        route = sampler.sample()
        if route is not None:
            oracle.check(route, max_nodes=NODES_PER_QUERY)
        if number % QUERIES_PER_LINE == 0 or number == queries:
            line = {
                "queries": number,
                "resident_megabytes": _resident_bytes() / MEGABYTE,
                "cache_megabytes": oracle.statistics["cache_bytes"] / MEGABYTE,
                "seconds": time.perf_counter() - started,
            }
            lines.append(line)
            console.print(
                f"{number:>12,} {line['resident_megabytes']:>12.1f} "
                f"{line['cache_megabytes']:>10.2f} {line['seconds']:>9.1f}"
            )
    return lines


def _resident_bytes() -> int:
    statm = Path("/proc/self/statm")
    if statm.is_file():
        return int(statm.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    # Elsewhere only the peak is to be had; it, too, stops growing if memory is stable.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
