"""How long the network takes for a route, class by class.

Routes are drawn as pricing finds them: many share their beginning, and their floor is well filled.
Each is asked for alone, as the screens do, in a random order and sorted; and all at once.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

from tailgate.experiments.machine import describe_machine
from tailgate.generate import generate_instance
from tailgate.instance import Instance
from tailgate.network import Predictor, Weights, read_weights

RoutePath = tuple[int, ...]
CLASSES = (2, 3, 4, 5)
CUSTOMERS = 50
ROUTES = 20_000
REPEATS = 5
LEAST_FILLED, MOST_FILLED = 0.6, 1.0


def draw_routes(instance: Instance, count: int, seed: int) -> list[RoutePath]:
    """Draw routes that fill the floor, and variations of each that begin alike."""
    dice = random.Random(seed)
    routes: list[RoutePath] = []
    while len(routes) < count:
        stops: list[int] = []
        target = dice.uniform(LEAST_FILLED, MOST_FILLED) * instance.vehicle.area
        filled = 0
        for customer in dice.sample(range(1, instance.n + 1), instance.n):
            area = instance.customer(customer).area
            if filled + area <= target:
                filled += area
                stops.append(customer)
        for _ in range(5):
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


def measure(weights: Weights, packing_class: int) -> str:
    """Return a row of the table."""
    instance = generate_instance(CUSTOMERS, packing_class, seed=packing_class)
    routes = draw_routes(instance, ROUTES, packing_class)
    in_order = sorted(routes)
    started = time.process_time()
    predictor = Predictor(instance, weights)
    preparing = 1e3 * (time.process_time() - started)

    def one_by_one(of: list[RoutePath]) -> float:
        return microseconds(lambda: [predictor.predicts_feasible(route) for route in of], ROUTES)

    stops = sum(map(len, routes)) / ROUTES
    items = sum(len(instance.customer(stop).items) for route in routes for stop in route) / ROUTES
    return (
        f"| {packing_class} | {stops:.1f} | {items:.1f} | {preparing:.1f} | "
        f"{one_by_one(routes):.2f} | {one_by_one(in_order):.2f} | "
        f"{microseconds(lambda: predictor.probabilities(routes), ROUTES):.2f} |"
    )


def main() -> int:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", help="a file of weights, or a network of the package")
    weights = read_weights(parser.parse_args().weights)
    print(
        f"Network {weights.architecture}, {ROUTES:,} routes of instances with {CUSTOMERS} "
        f"customers, best of {REPEATS}, processor time of one thread."
    )
    print(", ".join(f"{key} {value}" for key, value in describe_machine(("numpy",)).items()))
    print()
    print(
        "| class | stops | items | preparing (ms) | random order (us) | sorted (us) | batch (us) |"
    )
    print("|---|---|---|---|---|---|---|")
    for packing_class in CLASSES:
        print(measure(weights, packing_class))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
