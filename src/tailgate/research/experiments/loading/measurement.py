"""Routes put to our oracle, in units and in millimetres, and to CP-SAT."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import asdict

from tailgate.research.experiments.instances import Chosen
from tailgate.research.experiments.loading.cases import (
    Stops,
    in_millimetres,
    instance_of,
    stops_of,
)
from tailgate.research.experiments.loading.cp_sat import CpSatQuery, ask_cp_sat
from tailgate.research.experiments.loading.random_routes import RouteSampler
from tailgate.research.experiments.row_store import Row
from tailgate.solver.loading import LoadingOracle

Query = tuple[int, int, Stops]
"""Width and length of the floor, and the items of all stops in visiting order."""


def measure(
    chosen: Chosen, count: int, cp_sat_every: int, time_limit: float, seed: int, commit: str
) -> Row:
    """Ask about so many routes of one instance, and CP-SAT about one of so many of them, or none.

    All are asked in turn, so that a busy moment of the machine hits all alike. Each gets all
    queries before the next one does: in use, too, query follows query.
    """
    vehicle = chosen.instance.vehicle
    routes = RouteSampler(chosen.instance, f"{seed} {chosen.name}").sample_distinct(count)
    queries: list[Query] = [
        (vehicle.width, vehicle.length, stops_of(chosen.instance, route)) for route in routes
    ]
    ours = _ask_ours(queries, time_limit)
    cp_sat = [
        asdict(ask_cp_sat(CpSatQuery(*query, True, time_limit)))
        if cp_sat_every and place % cp_sat_every == 0
        else None
        for place, query in enumerate(queries)
    ]
    blown_up = [
        in_millimetres(*query, random.Random(f"{seed} {chosen.name} {route}"))
        for query, route in zip(queries, routes, strict=True)
    ]
    millimetres = _ask_ours(blown_up, time_limit)
    answers = []
    for place, route in enumerate(routes):
        items = [size for stop in queries[place][2] for size in stop]
        area = sum(width * length for width, length in items)
        answers.append(
            {
                "route": "-".join(map(str, route)),
                "items": len(items),
                "fill": round(area / vehicle.area, 4),
                "ours": ours[place],
                "millimetres": millimetres[place],
                "cp_sat": cp_sat[place],
            }
        )
    return {
        "instance": chosen.name,
        "source": chosen.source,
        "packing_class": chosen.packing_class,
        "time_limit": time_limit,
        "seed": seed,
        "commit": commit,
        "answers": answers,
    }


def _ask_ours(queries: Sequence[Query], time_limit: float) -> list[Row]:
    # Every one is put to a new oracle without a cache: nothing is known from an earlier query.
    oracles = [LoadingOracle(instance_of(*query), use_cache=False) for query in queries]
    return [_timed(oracle, time_limit) for oracle in oracles]


def _timed(oracle: LoadingOracle, time_limit: float) -> Row:
    route = range(1, oracle.instance.n + 1)
    started = time.perf_counter()
    result = oracle.check(route, time_limit=time_limit)
    call_seconds = time.perf_counter() - started
    return {
        "verdict": result.verdict.value,
        "decided_by": result.decided_by,
        "call_seconds": call_seconds,
        "core_seconds": result.seconds,
        "nodes": result.nodes,
    }
