"""Measures how soon the route search has a solution, and how good it is then and later."""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from root_instances import instance_names, published_tasks
from tailgate.errors import TailgateError
from tailgate.experiments.machine import describe_machine
from tailgate.experiments.published import FOLDER_VARIABLE, benchmark_folder
from tailgate.instance import Instance
from tailgate.loading import LoadingOracle
from tailgate.routing import RouteSearch
from tailgate.solution import Route, Solution
from tailgate.verify import verify

EXIT_DONE = 0
EXIT_NOT_ALL_SOLVED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
TABLE_WIDTH = 140
NUMBERS = range(1, 37)
# The processor's clock is read between slices of the search; within one it is taken to have run
# evenly. Short slices would interrupt the search too often.
SLICE_SECONDS = 0.5
Steps = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Measurement:
    """One search; all of it fits one CSV row.

    Seconds are those of the processor: those of the wall would count other work on the machine.
    """

    instance: str
    customers: int
    vehicles: int
    seed: int
    time_limit: float
    first_only: bool
    commit: str
    steps: Steps  # seconds and cost, whenever it became better
    seconds: float
    iterations: int
    checks: int
    pool: int
    faults: int  # found by the judge

    def cost_at(self, seconds: float) -> float | None:
        """Return the best cost that was known at this time."""
        return min((cost for when, cost in self.steps if when <= seconds), default=None)

    def answers(self, *, seed: int, time_limit: float, first_only: bool) -> bool:
        """Tell whether a run with these options need not be made again."""
        is_long_enough = self.time_limit >= time_limit or (first_only and bool(self.steps))
        return self.seed == seed and is_long_enough and (first_only or not self.first_only)


def _read_steps(text: str) -> Steps:
    pairs = (word.split(":") for word in text.split())
    return tuple((float(seconds), float(cost)) for seconds, cost in pairs)


def _write_steps(steps: Steps) -> str:
    return " ".join(f"{seconds:.2f}:{cost:.10g}" for seconds, cost in steps)


_PARSERS: dict[str, Callable[[str], Any]] = {
    "int": int,
    "float": float,
    "str": str,
    "bool": lambda text: text == "True",
    "Steps": _read_steps,
}
COLUMNS = tuple(field.name for field in fields(Measurement))


def measure(
    instance: Instance, name: str, *, seed: int, time_limit: float, first_only: bool, commit: str
) -> Measurement:
    """Search until the time is over, or until there is a solution, and let the judge look at it."""
    oracle = LoadingOracle(instance)
    started = time.process_time()
    search = RouteSearch(instance, oracle, seed=seed)
    steps: list[tuple[float, float]] = []
    seconds = time.process_time() - started
    while seconds < time_limit and not (first_only and steps):
        seconds_before, slice_started = seconds, search.statistics["seconds"]
        search.run(time_limit=min(SLICE_SECONDS, time_limit - seconds))
        seconds = time.process_time() - started
        slice_length = search.statistics["seconds"] - slice_started
        share = (seconds - seconds_before) / slice_length if slice_length > 0 else 0.0
        for step in search.improvements[len(steps) :]:
            steps.append((seconds_before + share * (step.seconds - slice_started), step.cost))
    return Measurement(
        instance=name,
        customers=instance.n,
        vehicles=instance.vehicle_count,
        seed=seed,
        time_limit=time_limit,
        first_only=first_only,
        commit=commit,
        steps=tuple(steps),
        seconds=seconds,
        iterations=int(search.statistics["iterations"]),
        checks=int(search.statistics["checks"]),
        pool=len(search.pool),
        faults=_count_faults(instance, search.routes),
    )


def _count_faults(instance: Instance, routes: Sequence[tuple[int, ...]] | None) -> int:
    """Plan every truck anew and ask the judge, who shares no code with the search."""
    if routes is None:
        return 0
    oracle = LoadingOracle(instance)
    solution = Solution(
        instance_name=instance.name,
        instance_sha256=instance.sha256,
        conventions=instance.conventions,
        status="feasible",
        objective=sum(instance.route_cost(route) for route in routes),
        lower_bound=None,
        gap=None,
        routes=tuple(
            Route(
                customers=route,
                cost=instance.route_cost(route),
                weight=sum(instance.customer(number).weight for number in route),
                area=sum(instance.customer(number).area for number in route),
                placements=oracle.check(route).placements,
            )
            for route in routes
        ),
        solver={"version": "0", "seed": 0, "options": {}, "seconds": 0.0},
    )
    return len(verify(instance, solution))


class MeasurementFile:
    """A CSV table that grows row by row, so that a long run can be stopped and resumed."""

    def __init__(self, path: Path, *, resume: bool) -> None:
        """Read what is there; ``ValueError`` says why the file will not do."""
        self._path = path
        self.rows: list[Measurement] = []
        if not path.exists():
            self._write(COLUMNS, mode="w")
            return
        if not resume:
            raise ValueError(f"{path} exists; go on with --resume, or name another file")
        self.rows = list(self._read())

    def append(self, measurement: Measurement) -> None:
        """Add a row at once."""
        self.rows.append(measurement)
        cells = asdict(measurement) | {"steps": _write_steps(measurement.steps)}
        self._write(list(cells.values()), mode="a")

    def _write(self, cells: Sequence[object], *, mode: str) -> None:
        with self._path.open(mode, encoding="utf-8", newline="") as file:
            csv.writer(file).writerow(cells)

    def _read(self) -> Iterator[Measurement]:
        with self._path.open(encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file))
        if not lines or tuple(lines[0]) != COLUMNS:
            raise ValueError(f"{self._path} is not a table of this benchmark: other columns")
        for number, cells in enumerate(lines[1:], start=2):
            try:
                values = {
                    field.name: _PARSERS[str(field.type)](cell)
                    for field, cell in zip(fields(Measurement), cells, strict=True)
                }
            except ValueError as error:
                raise ValueError(f"{self._path}:{number}: {error}") from error
            yield Measurement(**values)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; the exit code is 1 if an instance has no solution, or a wrong one."""
    arguments = _parse(argv)
    console = Console(width=TABLE_WIDTH)
    machine = describe_machine(("numpy",))
    for name, value in machine.items():
        console.print(f"{name}: {value}", highlight=False)
    measurements: list[Measurement] = []
    is_interrupted = False
    try:
        for measurement in _measure_all(arguments, machine["commit"], console):
            measurements.append(measurement)
    except KeyboardInterrupt:
        is_interrupted = True
    except (TailgateError, OSError, ValueError) as error:
        console.print(f"error: {error}", highlight=False)
        return EXIT_USAGE
    console.print(_table(measurements, arguments.at))
    _print_summary(measurements, console)
    if is_interrupted:
        return EXIT_INTERRUPTED
    is_good = all(measurement.steps and not measurement.faults for measurement in measurements)
    return EXIT_DONE if is_good else EXIT_NOT_ALL_SOLVED


def _measure_all(
    arguments: argparse.Namespace, commit: str, console: Console
) -> Iterator[Measurement]:
    folder = benchmark_folder()
    if folder is None:
        raise FileNotFoundError(
            f"the published instances are absent: name their folder in {FOLDER_VARIABLE}"
        )
    tasks = published_tasks(folder, instance_names(arguments.instances, NUMBERS, arguments.classes))
    file = None
    if arguments.csv is not None:
        file = MeasurementFile(arguments.csv, resume=arguments.resume)
    options = {
        "seed": arguments.seed,
        "time_limit": arguments.time_limit,
        "first_only": arguments.first_only,
    }
    for position, task in enumerate(tasks, start=1):
        rows = () if file is None else reversed(file.rows)
        known = next(
            (row for row in rows if row.instance == task.name and row.answers(**options)), None
        )
        if known is not None:
            yield known
            continue
        measurement = measure(task.make(), task.name, commit=commit, **options)
        if file is not None:
            file.append(measurement)
        console.print(f"{position} of {len(tasks)}: {_line(measurement)}", highlight=False)
        yield measurement


def _line(measurement: Measurement) -> str:
    if not measurement.steps:
        return f"{measurement.instance} no solution in {measurement.seconds:.1f} s"
    first, last = measurement.steps[0], measurement.steps[-1]
    wrong = f", WRONG: {measurement.faults} faults" if measurement.faults else ""
    return (
        f"{measurement.instance} first {first[1]:g} after {first[0]:.2f} s, "
        f"{last[1]:g} after {last[0]:.2f} s{wrong}"
    )


def _table(measurements: Sequence[Measurement], marks: Sequence[float]) -> Table:
    table = Table(title="Cost of the best solution after seconds of one core")
    names = ["instance", "customers", "trucks", "first s", *(f"{mark:g} s" for mark in marks)]
    for name in [*names, "at the end", "iterations", "checks", "pool", "verified"]:
        table.add_column(name, justify="right")
    for each in measurements:
        cells = [each.instance, f"{each.customers}", f"{each.vehicles}"]
        cells.append(f"{each.steps[0][0]:.2f}" if each.steps else "-")
        for seconds in [*marks, each.seconds]:
            is_over = seconds > each.seconds + 0.1
            cost = None if is_over else each.cost_at(seconds)
            cells.append("-" if cost is None else f"{cost:g}")
        cells += [f"{each.iterations:,}", f"{each.checks:,}", f"{each.pool:,}"]
        cells.append("-" if not each.steps else "no" if each.faults else "yes")
        table.add_row(*cells)
    return table


def _print_summary(measurements: Sequence[Measurement], console: Console) -> None:
    times = sorted(each.steps[0][0] for each in measurements if each.steps)
    console.print(f"{len(times)} of {len(measurements)} instances have a solution", highlight=False)
    if times:
        console.print(
            f"seconds to the first: median {times[len(times) // 2]:.2f}, longest {times[-1]:.2f}",
            highlight=False,
        )
    faulty = [each.instance for each in measurements if each.faults]
    if faulty:
        console.print(f"WRONG: {', '.join(faulty)}", highlight=False)


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--instances",
        type=lambda text: text.split(","),
        metavar="LIST",
        help="as 0102,1202 or 3,7-9: without a class, the number in the classes",
    )
    parser.add_argument(
        "--classes",
        type=lambda text: [int(word) for word in text.split(",")],
        default="1,2,3,4,5",
        help="default %(default)s",
    )
    parser.add_argument(
        "--time-limit",
        type=float,
        default=30.0,
        metavar="S",
        help="processor seconds per instance (default %(default)s)",
    )
    parser.add_argument(
        "--at",
        type=lambda text: [float(word) for word in text.split(",")],
        default="1,2,5,10,30",
        metavar="LIST",
        help="seconds at which the cost is shown (default %(default)s)",
    )
    parser.add_argument("--first-only", action="store_true", help="stop at the first solution")
    parser.add_argument("--seed", type=int, default=0, help="of the search (default %(default)s)")
    parser.add_argument("--csv", type=Path, help="append a row per instance as it is done")
    parser.add_argument(
        "--resume", action="store_true", help="with --csv: skip what the file has already"
    )
    arguments = parser.parse_args(argv)
    if arguments.resume and arguments.csv is None:
        parser.error("--resume needs --csv")
    arguments.at = [mark for mark in arguments.at if mark <= arguments.time_limit]
    return arguments


if __name__ == "__main__":
    sys.exit(main())
