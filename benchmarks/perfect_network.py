"""What a network that is never wrong would save: the ceiling of screening on the paper's roots.

Three pipelines in turns: exact, lazy with the network of the package, and lazy with predictions
that are the truth. The truth comes from a loading oracle of its own, whose time is not counted;
where it takes longer than a limit, the prediction is "infeasible". In both lazy pipelines the
network of the package guides the route search and the choice of cores. Seconds are those of the
processor.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Mapping, Sequence

import tailgate
from tailgate.experiments.machine import describe_machine
from tailgate.experiments.published import benchmark_folder, published_path
from tailgate.instance import Instance
from tailgate.loading import LoadingOracle, Verdict
from tailgate.network import Predictor
from tailgate.pricing import Pricer
from tailgate.screening import SCREENS, LazyScreen
from tailgate.screening.lazy import LOADABLE

PERFECT = "never wrong"
PIPELINES = ("exact", "lazy", PERFECT)
VALUE_TOLERANCE = 1e-4
SLOWER = 1.1


class Truth:
    """Predicts what an oracle of its own has found out, and knows how long that took."""

    uncounted = 0.0
    """Processor seconds of all truths."""
    limit = 10.0

    def __init__(self, instance: Instance) -> None:
        self.calls = 0
        self.seconds = 0.0
        self._oracle = LoadingOracle(instance)

    def predicts_feasible(self, route: Sequence[int]) -> bool:
        """Tell whether a route can be loaded."""
        self.calls += 1
        started = time.process_time()
        verdict = self._oracle.check(route, time_limit=Truth.limit).verdict
        Truth.uncounted += time.process_time() - started
        return verdict is Verdict.FEASIBLE


class NeverWrong(LazyScreen):
    """The lazy screen with true predictions."""

    def __init__(self, pricer: Pricer, oracle: LoadingOracle) -> None:
        super().__init__(pricer, oracle, Truth(oracle.instance))
        self.guide = Predictor(oracle.instance)
        oracle.guess_cores(self.guide, loadable=LOADABLE)

    def _is_sure_of(self, route: tuple[int, ...]) -> bool:
        return self._predictions[route]


def main() -> int:
    """Print a Markdown table of what is saved by class."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--numbers", default="1-19", metavar="FIRST-LAST")
    parser.add_argument("--repeats", type=int, default=3, help="seeds (default 3)")
    parser.add_argument("--truth-limit", type=float, default=Truth.limit, metavar="S")
    arguments = parser.parse_args()
    folder = benchmark_folder()
    if folder is None:
        parser.error("the published instances are not there; name them in TAILGATE_BENCHMARK_DIR")
    machine = describe_machine(("numpy", "highspy"))  # before the code may change on disk
    Truth.limit = arguments.truth_limit
    SCREENS[PERFECT] = NeverWrong
    first, _, last = arguments.numbers.partition("-")
    seconds: dict[int, list[dict[str, float]]] = {}
    for packing_class in (2, 3, 4):
        for number in range(int(first), int(last or first) + 1):
            name = f"{number:02}{packing_class:02}"
            instance = tailgate.read(published_path(folder, name))
            found = _measure(name, instance, arguments.repeats)
            seconds.setdefault(packing_class, []).append(found)
    print("# What a network that is never wrong would save\n")
    print(
        f"Made by `python benchmarks/perfect_network.py --numbers {arguments.numbers} --repeats "
        f"{arguments.repeats} --truth-limit {Truth.limit:g}` ("
        + "; ".join(f"{key} {value}" for key, value in machine.items())
        + ")."
    )
    print("Processor seconds, sums of medians over the seeds; saved is 1 - T / T_exact.\n")
    _print_table(seconds)
    return 0


def _measure(name: str, instance: Instance, repeats: int) -> dict[str, float]:
    """Return the median seconds of each pipeline."""
    found: dict[str, list[float]] = {pipeline: [] for pipeline in PIPELINES}
    values = []
    for seed in range(repeats):
        for pipeline in PIPELINES:
            uncounted, started = Truth.uncounted, time.process_time()
            result = tailgate.bound(instance, screen=pipeline, seed=seed)
            spent = time.process_time() - started - (Truth.uncounted - uncounted)
            found[pipeline].append(spent)
            values.append(result.lp_value or 0.0)
    if max(values) - min(values) > VALUE_TOLERANCE:
        raise SystemExit(f"{name}: the pipelines converge to different values")
    return {pipeline: statistics.median(spent) for pipeline, spent in found.items()}


def _print_table(seconds: Mapping[int, Sequence[Mapping[str, float]]]) -> None:
    header = ["class", "instances", *(f"{pipeline} s" for pipeline in PIPELINES)]
    for pipeline in PIPELINES[1:]:
        header += [f"{pipeline}: total saved %", "median saved %", "over 10 % slower on"]
    print("|", " | ".join(header), "|")
    print("|" + "---|" * len(header))
    every = [found for of_class in seconds.values() for found in of_class]
    for name, group in [*((str(key), value) for key, value in seconds.items()), ("all", every)]:
        totals = {pipeline: sum(found[pipeline] for found in group) for pipeline in PIPELINES}
        cells = [name, str(len(group)), *(f"{total:.2f}" for total in totals.values())]
        for pipeline in PIPELINES[1:]:
            ratios = [found[pipeline] / found["exact"] for found in group]
            cells.append(f"{100 * (1 - totals[pipeline] / totals['exact']):.1f}")
            cells.append(f"{100 * (1 - statistics.median(ratios)):.1f}")
            cells.append(str(sum(ratio > SLOWER for ratio in ratios)))
        print("|", " | ".join(cells), "|")


if __name__ == "__main__":
    raise SystemExit(main())
