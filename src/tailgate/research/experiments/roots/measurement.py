"""One root relaxation solved and timed, as a row."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from tailgate.research.experiments.instances import Chosen
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.variants import variant_name
from tailgate.solver.column_generation import (
    BoundResult,
    ColumnGeneration,
    FirstColumns,
    RootRelaxation,
    bound,
)
from tailgate.solver.screening import FleetScreen, Screen
from tailgate.solver.time_limit import TimeLimit

_COUNTS = (
    *("iterations", "columns", "exact_checks"),
    *("checks_feasible", "checks_infeasible", "checks_unknown"),
)
PARTS = ("heuristic", "master", "pricing", "packing", "network")


def measure(
    chosen: Chosen,
    screen: str,
    seed: int,
    time_limit: float,
    commit: str,
    *,
    record: Path | None = None,
    solve: Callable[..., BoundResult] = bound,
) -> Row:
    """Solve one relaxation by one pipeline, or by another program that takes the same options.

    ``seconds`` is measured around the call; the parts are what the run itself says.
    """
    instance = chosen.instance
    started, processor_started = time.perf_counter(), time.process_time()
    result = solve(instance, screen=screen, time_limit=time_limit, seed=seed, record=record)
    processor_seconds = time.process_time() - processor_started
    seconds = time.perf_counter() - started
    return {
        "instance": chosen.name,
        "source": chosen.source,
        "packing_class": chosen.packing_class,
        "variant": variant_name(instance.conventions),
        "customers": instance.n,
        "vehicles": instance.vehicle_count,
        "screen": screen,
        "seed": seed,
        "time_limit": time_limit,
        "commit": commit,
        "status": result.status,
        "lp_value": result.lp_value,
        "lower_bound": result.lower_bound,
        **{name: getattr(result, name) for name in _COUNTS},
        "labels": int(result.statistics["pricing_labels"]),
        "paths": int(result.statistics["pricing_paths"]),
        "seconds": seconds,
        **{f"{part}_seconds": result.seconds.get(part, 0.0) for part in PARTS},
        "processor_seconds": processor_seconds,
        "network_calls": result.network_calls,
        "false_positive_cuts": result.false_positive_cuts,
        "stopped": result.status == "time_limit",
    }


def solve_with(
    screen: Screen,
    seed: int,
    time_limit: float,
    first_columns: type[FirstColumns] = FirstColumns,
) -> BoundResult:
    """Solve a root relaxation with a screen that no option names."""
    generation = ColumnGeneration(FleetScreen(screen.oracle.instance, [screen]))
    limit = TimeLimit(time_limit)
    return RootRelaxation(generation, limit, seed=seed, first_columns=first_columns).run()
