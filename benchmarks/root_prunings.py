"""What each way of saving work in column generation is worth: the same roots without it.

Each variant leaves one thing out and must reach the same value. Counts (loading checks, paths of
pricing) do not depend on the machine; seconds are of one run, variants in turns per instance.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

import tailgate
from tailgate.column_generation import BoundResult, ColumnGeneration
from tailgate.experiments.machine import describe_machine
from tailgate.experiments.published import benchmark_folder, published_path
from tailgate.loading import Verdict
from tailgate.pricing import Pricer, RoutePool
from tailgate.screening import SCREENS, ExactScreen
from tailgate.screening.proving import COLUMNS_PER_ROUND
from tailgate.time_limit import TimeLimit

RoutePath = tuple[int, ...]
DEFAULT_INSTANCES = "0103,0302,0503,0703,0802,0904,1002,1103,1204,1302,1303,1402,1903"
VALUE_TOLERANCE = 1e-4


class WithoutCores(ExactScreen):
    """Forbids a refuted route as it is, not the part that is to blame."""

    def _check(self, route: RoutePath, max_nodes: int | None, time_limit: TimeLimit) -> Verdict:
        result = self.oracle.check(route, max_nodes=max_nodes, time_limit=time_limit.remaining)
        if result.verdict is Verdict.INFEASIBLE:
            self.pricer.forbid(route)
        return result.verdict


class OrderByOrder(ExactScreen):
    """Asks for all orders of the same customers in the same round."""

    def _glance(self, routes: Iterable[RoutePath], time_limit: TimeLimit) -> tuple[RoutePath, ...]:
        columns: list[RoutePath] = []
        for route in routes:
            columns += super()._glance([route], time_limit)
            if time_limit.expired or len(columns) >= COLUMNS_PER_ROUND:
                break
        return tuple(columns)


class WithoutPairs(ColumnGeneration):
    """Does not look at pairs beforehand."""

    def _look_at_pairs(self) -> None:
        pass


class WithoutPool(ColumnGeneration):
    """Starts from one solution and not from all routes proven on the way to it."""

    def find_first_columns(self) -> None:
        """Forget what is no part of the solution."""
        super().find_first_columns()
        self.pool = RoutePool(self.instance, [])


class WithoutWalkBounds(ColumnGeneration):
    """Lets labels grow that no walk makes into a cheap route."""

    def _make_pricer(self) -> Pricer:
        return Pricer(self.instance, walk_bounds=False)


class WithoutGrowth(ColumnGeneration):
    """Keeps the first neighbourhoods of the ng relaxation."""

    def _make_pricer(self) -> Pricer:
        return Pricer(self.instance, growing_neighbourhoods=False)


VARIANTS: dict[str, tuple[type[ColumnGeneration], type[ExactScreen]]] = {
    "everything": (ColumnGeneration, ExactScreen),
    "without cores": (ColumnGeneration, WithoutCores),
    "all orders at once": (ColumnGeneration, OrderByOrder),
    "without pairs": (WithoutPairs, ExactScreen),
    "without pool": (WithoutPool, ExactScreen),
    "without walk bounds": (WithoutWalkBounds, ExactScreen),
    "without growing neighbourhoods": (WithoutGrowth, ExactScreen),
}


def main() -> int:
    """Print a Markdown table of every variant's sums over the instances."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--instances", default=DEFAULT_INSTANCES, help="names, as 0102,1202")
    parser.add_argument("--time-limit", type=float, default=120.0, metavar="S")
    arguments = parser.parse_args()
    folder = benchmark_folder()
    if folder is None:
        parser.error("the published instances are not there; name them in TAILGATE_BENCHMARK_DIR")
    results: dict[str, list[BoundResult]] = {name: [] for name in VARIANTS}
    for name in arguments.instances.split(","):
        instance = tailgate.read(published_path(folder, name))
        for variant, (generation, screen) in VARIANTS.items():
            SCREENS["variant"] = screen
            limit = TimeLimit(arguments.time_limit)
            results[variant].append(generation(instance, screen="variant", time_limit=limit).run())
        values = {
            round(result.lp_value / VALUE_TOLERANCE)
            for result in (of_variant[-1] for of_variant in results.values())
            if result.status == "converged" and result.lp_value is not None
        }
        if max(values) - min(values) > 1:
            raise SystemExit(f"{name}: the variants converge to different values")
    print("# What the prunings are worth\n")
    print(f"Sums over {arguments.instances}, {arguments.time_limit:g} s each at most.")
    print(
        ", ".join(f"{key} {value}" for key, value in describe_machine(("numpy", "highspy")).items())
    )
    print()
    print("| variant | converged | seconds | loading checks | labels | paths | iterations |")
    print("|---|---|---|---|---|---|---|")
    for variant, of_variant in results.items():
        converged = sum(result.status == "converged" for result in of_variant)
        seconds = sum(result.seconds["total"] for result in of_variant)
        checks = sum(result.exact_checks for result in of_variant)
        labels = sum(result.statistics["pricing_labels"] for result in of_variant)
        paths = sum(result.statistics["pricing_paths"] for result in of_variant)
        iterations = sum(result.iterations for result in of_variant)
        print(
            f"| {variant} | {converged} of {len(of_variant)} | {seconds:.1f} | {checks:,} "
            f"| {labels:,.0f} | {paths:,.0f} | {iterations:,} |"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
