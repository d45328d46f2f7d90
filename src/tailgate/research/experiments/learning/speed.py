"""``network-speed``: how long the network takes for a route, class by class."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from typing import ClassVar

from tailgate.model.aliases import RoutePath
from tailgate.model.instance import Instance
from tailgate.research.experiments.experiment import Experiment, Report, Setting
from tailgate.research.experiments.loading.random_routes import RouteSampler
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import Table
from tailgate.research.generate import generate_instance
from tailgate.solver.network import Predictor, read_weights
from tailgate.solver.workers import Task

CLASSES = (2, 3, 4, 5)
CUSTOMERS = 50
ROUTES, QUICK_ROUTES = 20_000, 500
REPEATS = 5
VARIATIONS = 5
"""Of every route, all with the same beginning."""
_COLUMNS = {
    "stops": ("stops", 1),
    "items": ("items", 1),
    "preparing (ms)": ("preparing", 1),
    "random order (us)": ("random", 2),
    "sorted (us)": ("sorted", 2),
    "batch (us)": ("batch", 2),
}


def draw_routes(instance: Instance, count: int, seed: int) -> list[RoutePath]:
    """Draw routes that fill the floor, and variations of each that begin alike."""
    dice = random.Random(seed)
    sampler = RouteSampler(instance, seed)
    routes: list[RoutePath] = []
    while len(routes) < count:
        stops = sampler.sample() or ()
        for _ in range(VARIATIONS):
            kept = dice.randint(0, len(stops))
            routes.append((*stops[:kept], *dice.sample(stops[kept:], len(stops) - kept)))
    dice.shuffle(routes)
    return routes[:count]


def microseconds(work: Callable[[], object], count: int) -> float:
    """Return the processor's time per route, the best of some repeats."""
    best = float("inf")
    for _ in range(REPEATS):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return 1e6 * best / count


def measure(weights_file: str | None, packing_class: int, count: int, commit: str) -> Row:
    """Ask about the same routes one by one, in a random order and sorted, and all at once."""
    weights = read_weights(weights_file)
    instance = generate_instance(CUSTOMERS, packing_class, seed=packing_class)
    routes = draw_routes(instance, count, packing_class)
    started = time.process_time()
    predictor = Predictor(instance, weights)
    preparing = 1e3 * (time.process_time() - started)

    def one_by_one(of: list[RoutePath]) -> float:
        return microseconds(lambda: [predictor.predicts_feasible(route) for route in of], count)

    items = sum(len(instance.customer(stop).items) for route in routes for stop in route)
    return {
        "instance": instance.name,
        "packing_class": packing_class,
        "architecture": weights.architecture,
        "commit": commit,
        "stops": sum(map(len, routes)) / count,
        "items": items / count,
        "preparing": preparing,
        "random": one_by_one(routes),
        "sorted": one_by_one(sorted(routes)),
        "batch": microseconds(lambda: predictor.probabilities(routes), count),
    }


class NetworkSpeed(Experiment):
    """Microseconds for a route."""

    name: ClassVar[str] = "network-speed"
    title: ClassVar[str] = "Microseconds of the network"
    explanation: ClassVar[str] = (
        f"Routes of generated instances with {CUSTOMERS} customers, drawn as pricing finds them: "
        "many share their beginning, and their floor is well filled. Each is asked for alone, as "
        "the screens do, in a random order and sorted; and all at once. Best of "
        f"{REPEATS}, processor time of one thread."
    )
    options: ClassVar[frozenset[str]] = frozenset({"weights"})
    main_table: ClassVar[str] = "microseconds"

    def tasks(self, setting: Setting) -> list[Task]:
        """One class after the other."""
        count = QUICK_ROUTES if setting.quick else ROUTES
        return [
            Task(f"class {group}/{count}", measure, (setting.weights, group, count, setting.commit))
            for group in CLASSES
        ]

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """One line per class."""
        del setting
        measured = list(rows.values())
        cells = tuple(
            (
                str(row["packing_class"]),
                *(f"{row[name]:.{decimals}f}" for name, decimals in _COLUMNS.values()),
            )
            for row in measured
        )
        title = f"Network {measured[0]['architecture']}"
        table = Table("microseconds", title, ("class", *_COLUMNS), cells)
        return Report(tables=[table])
