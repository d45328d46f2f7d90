"""Solves one instance and prints what came out; run as a script by either installation.

It uses public names alone, so that installations of other commits can run it, too.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import tailgate

_ATTRIBUTES = (
    *("status", "reason", "objective", "lp_value", "lower_bound", "nodes", "iterations"),
    *("columns", "exact_checks", "checks_feasible", "checks_infeasible", "checks_unknown"),
    *("network_calls", "false_positive_cuts"),
)
_STATISTICS = ("columns", "pricing_labels", "pricing_paths", "loading_queries", "loading_nodes")


def main(request: dict[str, Any]) -> None:
    """Measure what the request asks for, after a first run that loads everything."""
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    if request["core"] is not None:
        os.sched_setaffinity(0, {request["core"]})
    functions: dict[str, Callable[..., Any]] = {"root": tailgate.bound, "proof": tailgate.solve}
    function = functions[request["kind"]]
    instance = tailgate.read(request["path"])
    options = {name: request[name] for name in ("screen", "seed", "time_limit")}
    function(tailgate.generate_instance(6, 2, seed=1), **options)
    started, processor_started = time.perf_counter(), time.process_time()
    result = function(instance, **options)
    processor_seconds = time.process_time() - processor_started
    seconds = time.perf_counter() - started
    figures = {name: getattr(result, name) for name in _ATTRIBUTES if hasattr(result, name)}
    figures |= {name: result.statistics[name] for name in _STATISTICS if name in result.statistics}
    answer = {"processor_seconds": processor_seconds, "seconds": seconds, "figures": figures}
    print(json.dumps(answer), flush=True)


def _leave_with_parent() -> None:
    """Wait for the end of the standard input, which is that of the process that asks."""
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
