"""Small instances and solutions, built by hand, that several test files share."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from tailgate.instance import Conventions, Customer, Instance, Item, Vehicle
from tailgate.solution import Placement, Route, Solution

REPOSITORY = Path(__file__).resolve().parent.parent


def benchmark_folder() -> Path | None:
    """Return the folder of the published benchmark files, if this machine has it."""
    default = REPOSITORY.parent / "shared" / "benchmark" / "2l_cvrp"
    folder = Path(os.environ.get("TAILGATE_BENCHMARK_DIR", default))
    return folder if folder.is_dir() else None


def small_instance(**changes: Any) -> Instance:
    """Four customers at integral distances, two vehicles with a floor 4 wide and 6 long."""
    arguments: dict[str, Any] = {
        "name": "small",
        "depot": (0, 0),
        "customers": (
            Customer(3, 4, 10, (Item(2, 3), Item(2, 2)), due=9, service=1),
            Customer(6, 8, 20, (Item(4, 2),), ready=12),
            Customer(0, 5, 30, (Item(2, 2),)),
            Customer(0, 12, 40, (Item(3, 3), Item(1, 2))),
        ),
        "vehicle": Vehicle(width=4, length=6, capacity=70),
        "vehicle_count": 2,
        "conventions": Conventions.BENCHMARK,
        "depot_due": 30,
    }
    return Instance(**(arguments | changes))


def small_solution(instance: Instance | None = None, **changes: Any) -> Solution:
    """Return the valid solution of ``small_instance``; all distances are integers, so any rule fits.

    Route 1 waits at customer 2 (arrival 11, ready 12) and is back at 22. Customer 2 lies across the
    cab end of the floor, customer 1 in two columns before it. In route 2 customer 4 is at the cab.
    """
    instance = small_instance() if instance is None else instance
    arguments: dict[str, Any] = {
        "instance_name": instance.name,
        "instance_sha256": instance.sha256,
        "conventions": instance.conventions,
        "status": "optimal",
        "objective": 44,
        "lower_bound": 44,
        "gap": 0,
        "routes": (
            Route(
                customers=(1, 2),
                cost=20,
                weight=30,
                area=18,
                placements=(
                    Placement(2, 1, x=0, y=0, width=4, length=2, stop_index=2, load_step=1),
                    Placement(1, 1, x=0, y=2, width=2, length=3, stop_index=1, load_step=2),
                    Placement(1, 2, x=2, y=2, width=2, length=2, stop_index=1, load_step=3),
                ),
            ),
            Route(
                customers=(3, 4),
                cost=24,
                weight=70,
                area=15,
                placements=(
                    Placement(4, 1, x=0, y=0, width=3, length=3, stop_index=2, load_step=1),
                    Placement(4, 2, x=3, y=0, width=1, length=2, stop_index=2, load_step=2),
                    Placement(3, 1, x=0, y=3, width=2, length=2, stop_index=1, load_step=3),
                ),
            ),
        ),
        "solver": {"version": "0", "seed": 1, "options": {}, "seconds": 0.5},
    }
    return Solution(**(arguments | changes))


def with_route(solution: Solution, index: int, **changes: Any) -> Solution:
    """Return the solution with one route (counted from 0) changed."""
    routes = list(solution.routes)
    routes[index] = replace(routes[index], **changes)
    return replace(solution, routes=tuple(routes))


def with_placement(solution: Solution, route: int, index: int, **changes: Any) -> Solution:
    """Return the solution with one placement of one route (both from 0) changed."""
    placements = list(solution.routes[route].placements)
    placements[index] = replace(placements[index], **changes)
    return with_route(solution, route, placements=tuple(placements))
