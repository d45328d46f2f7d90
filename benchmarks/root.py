"""Solves root relaxations and puts them beside published figures; see benchmarks/README.md."""

from __future__ import annotations

import argparse
import importlib
import json
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console

from root_instances import (
    GROWTH_SIZES,
    LARGE_NUMBERS,
    PAPER_NUMBERS,
    Task,
    growth_tasks,
    instance_names,
    published_tasks,
)
from root_profile import Profile, profile_markdown
from root_summary import Totals, totals_by_class
from root_tables import (
    fit_table,
    growth_table,
    instance_table,
    seconds_text,
    share_table,
    totals_table,
)
from tailgate.errors import TailgateError
from tailgate.experiments.machine import describe_machine
from tailgate.experiments.published import FOLDER_VARIABLE, benchmark_folder
from tailgate.experiments.roots.growth import QUANTITIES, PowerFit, fit_class, summarise_sizes
from tailgate.experiments.roots.measurement import MeasurementFile, RootMeasurement, measure_root
from tailgate.experiments.roots.reference import PaperFigures, read_paper_figures, wrong_values

EXIT_DONE = 0
EXIT_WRONG_VALUE = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
# The widest table; a log file has no width of its own.
TABLE_WIDTH = 180
TIME_LIMIT = 600.0
LARGE_TIME_LIMIT = 1800.0
PACKAGES = ("numpy", "highspy")


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be solved, and what it is compared with."""

    tasks: list[Task]
    paper: dict[str, PaperFigures]


@dataclass(frozen=True, slots=True)
class Outcome:
    """All measurements, in the order of the tasks, and whether Ctrl-C ended them early."""

    measurements: list[RootMeasurement]
    interrupted: bool


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; the exit code is 1 if a value is not the known one."""
    arguments = _parse(argv)
    console = Console(width=TABLE_WIDTH)
    machine = describe_machine(PACKAGES)
    for name, value in machine.items():
        console.print(f"{name}: {value}", highlight=False)
    profile = Profile() if arguments.profile is not None else None
    try:
        work = _work(arguments, console)
        file = _measurement_file(arguments)
    except (OSError, ValueError) as error:
        console.print(str(error), highlight=False)
        return EXIT_USAGE
    try:
        outcome = _measure_all(work.tasks, arguments, machine["commit"], file, profile, console)
    except TailgateError as error:
        console.print(str(error), highlight=False)
        return EXIT_USAGE
    if not outcome.measurements:
        console.print("nothing was measured")
        return EXIT_INTERRUPTED if outcome.interrupted else EXIT_USAGE
    wrong = wrong_values(outcome.measurements)
    _report(outcome, work, arguments, machine, profile, wrong, console)
    if wrong:
        return EXIT_WRONG_VALUE
    return EXIT_INTERRUPTED if outcome.interrupted else EXIT_DONE


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--large", action="store_true", help="instances 20-24 instead of the paper's 01-19"
    )
    what.add_argument(
        "--growth", action="store_true", help="generated instances of growing size instead"
    )
    parser.add_argument(
        "--instances",
        type=_words,
        metavar="NAMES",
        help="published ones only: 0102,1202 by name, or 3,7-9 by number in the classes",
    )
    parser.add_argument(
        "--classes", type=_numbers, default="2-4", help="as 2-4 or 2,3 (default %(default)s)"
    )
    parser.add_argument(
        "--sizes",
        type=_numbers,
        default=",".join(map(str, GROWTH_SIZES)),
        help="with --growth: numbers of customers (default %(default)s)",
    )
    parser.add_argument(
        "--seeds",
        type=int,
        default=3,
        metavar="N",
        help="with --growth: instances per size and class (default %(default)s)",
    )
    parser.add_argument(
        "--time-limit",
        type=float,
        metavar="S",
        help=f"seconds per instance (default {TIME_LIMIT:g}, with --large {LARGE_TIME_LIMIT:g})",
    )
    parser.add_argument("--screen", default="exact", help="as of tailgate bound (default exact)")
    parser.add_argument("--seed", type=int, default=0, help="of the solver (default 0)")
    parser.add_argument("--csv", type=Path, help="append a row per instance as it is solved")
    parser.add_argument(
        "--resume", action="store_true", help="with --csv: skip what the file has already"
    )
    parser.add_argument("--json", type=Path, help="write everything for machines here")
    parser.add_argument(
        "--profile",
        type=Path,
        metavar="FILE.md",
        help="write here where the time goes and which stage decides; every query is recorded "
        "for it, which takes some time itself",
    )
    arguments = parser.parse_args(argv)
    if arguments.time_limit is None:
        arguments.time_limit = LARGE_TIME_LIMIT if arguments.large else TIME_LIMIT
    if arguments.resume and arguments.csv is None:
        parser.error("--resume needs --csv")
    if arguments.resume and arguments.profile is not None:
        parser.error("--profile needs the queries of every instance, which --resume skips")
    if arguments.profile is not None:
        # Now, not after an hour of measuring.
        arguments.profile.parent.mkdir(parents=True, exist_ok=True)
    if arguments.growth and arguments.instances is not None:
        parser.error("--instances are published ones, --growth has --sizes and --seeds")
    return arguments


def _words(text: str) -> list[str]:
    words = text.split(",")
    if not all(part.isdecimal() for word in words for part in word.split("-", 1)):
        raise argparse.ArgumentTypeError(f"must be as 0102,1202 or 3,7-9, got {text!r}")
    return words


def _numbers(text: str) -> list[int]:
    numbers: list[int] = []
    for word in _words(text):
        first, _, last = word.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def _work(arguments: argparse.Namespace, console: Console) -> Work:
    """Find the instances and the paper's figures; without the latter ours stand alone."""
    if arguments.growth:
        return Work(growth_tasks(arguments.sizes, arguments.classes, arguments.seeds), paper={})
    folder = benchmark_folder()
    if folder is None:
        raise FileNotFoundError(
            f"the published instances are absent: name their folder in {FOLDER_VARIABLE}; "
            "--growth needs none of them"
        )
    numbers = LARGE_NUMBERS if arguments.large else PAPER_NUMBERS
    names = instance_names(arguments.instances, numbers, arguments.classes)
    tasks = published_tasks(folder, names)
    try:
        figures = read_paper_figures(folder)
    except (FileNotFoundError, ValueError) as error:
        console.print(f"{error}; only ours are shown", highlight=False)
        figures = {}
    return Work(tasks, {name: theirs for name, theirs in figures.items() if name in set(names)})


def _measurement_file(arguments: argparse.Namespace) -> MeasurementFile | None:
    if arguments.csv is None:
        return None
    return MeasurementFile(arguments.csv, resume=arguments.resume)


def _measure_all(
    tasks: Sequence[Task],
    arguments: argparse.Namespace,
    commit: str,
    file: MeasurementFile | None,
    profile: Profile | None,
    console: Console,
) -> Outcome:
    """Solve one after the other in this process, on one thread."""
    measurements: list[RootMeasurement] = []
    for position, task in enumerate(tasks, start=1):
        place = f"{position} of {len(tasks)}"
        known = None
        if file is not None:
            known = file.find(
                task.name,
                screen=arguments.screen,
                seed=arguments.seed,
                time_limit=arguments.time_limit,
            )
        if known is not None:
            measurements.append(known)
            console.print(f"{place}: {task.name} from {arguments.csv}, commit {known.commit}")
            continue
        # Redrawn seldom: the display shares a core with what is measured.
        with console.status(f"{place}: {task.name}", refresh_per_second=1):
            try:
                measurement = _measure(task, arguments, commit, profile)
            except KeyboardInterrupt:
                return Outcome(measurements, interrupted=True)
        if measurement.status == "interrupted":
            # Its seconds say nothing.
            return Outcome(measurements, interrupted=True)
        measurements.append(measurement)
        if file is not None:
            file.append(measurement)
        console.print(f"{place}: {_line(measurement)}", highlight=False)
    return Outcome(measurements, interrupted=False)


def _measure(
    task: Task, arguments: argparse.Namespace, commit: str, profile: Profile | None
) -> RootMeasurement:
    instance = task.make()
    with _recording(profile, task.packing_class) as record:
        measurement, _ = measure_root(
            instance,
            name=task.name,
            source=task.source,
            packing_class=task.packing_class,
            screen=arguments.screen,
            seed=arguments.seed,
            time_limit=arguments.time_limit,
            commit=commit,
            record=record,
        )
    return measurement


@contextmanager
def _recording(profile: Profile | None, packing_class: int) -> Iterator[Path | None]:
    """Yield a file for the queries, if they are wanted, and count them in the end."""
    if profile is None:
        yield None
        return
    # Loaded before the clock runs; if it is absent, the run itself says what to install.
    with suppress(ImportError):
        importlib.import_module("pyarrow.parquet")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "queries.parquet")
        yield path
        profile.add_file(packing_class, path)


def _line(measurement: RootMeasurement) -> str:
    value = "-" if measurement.lp_value is None else f"{measurement.lp_value:.4f}"
    return (
        f"{measurement.instance} {measurement.status}, LP value {value}, "
        f"{seconds_text(measurement.seconds)} s, {measurement.iterations:,} iterations, "
        f"{measurement.exact_checks:,} checks"
    )


def _report(
    outcome: Outcome,
    work: Work,
    arguments: argparse.Namespace,
    machine: Mapping[str, str],
    profile: Profile | None,
    wrong: Sequence[str],
    console: Console,
) -> None:
    measurements = outcome.measurements
    totals = totals_by_class(measurements, work.paper)
    console.print(instance_table(measurements, work.paper))
    console.print(totals_table(totals))
    console.print(share_table(totals))
    fits = _fits(measurements) if arguments.growth else {}
    if arguments.growth:
        console.print(growth_table(summarise_sizes(measurements)))
        console.print(fit_table(fits))
        left_out = sum(measurement.status != "converged" for measurement in measurements)
        if left_out:
            console.print(
                f"{left_out} of {len(measurements)} did not converge and are not in the medians "
                "and fits: the true growth is steeper"
            )
    if outcome.interrupted:
        console.print(f"interrupted: {len(measurements)} of {len(work.tasks)} instances")
    for line in wrong:
        console.print(f"WRONG: {line}", highlight=False)
    if profile is not None:
        page = profile_markdown(totals, profile, machine, _command(arguments))
        arguments.profile.write_text(page, encoding="utf-8")
        console.print(f"written: {arguments.profile}")
    if arguments.json is not None:
        content = _content(outcome, totals, fits, arguments, machine, profile, wrong)
        arguments.json.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
        console.print(f"written: {arguments.json}")


def _command(arguments: argparse.Namespace) -> str:
    """Return how to make the same figures again, without where this machine keeps its files."""
    words = ["python", "benchmarks/root.py"]
    words += [f"--{name}" for name in ("large", "growth") if vars(arguments)[name]]
    if arguments.growth:
        words += ["--sizes", ",".join(map(str, arguments.sizes)), "--seeds", str(arguments.seeds)]
    if arguments.instances is not None:
        words += ["--instances", ",".join(arguments.instances)]
    words += ["--classes", ",".join(map(str, arguments.classes))]
    words += ["--time-limit", f"{arguments.time_limit:g}", "--screen", arguments.screen]
    words += ["--seed", str(arguments.seed), "--profile", arguments.profile.name]
    return shlex.join(words)


def _fits(measurements: Sequence[RootMeasurement]) -> dict[int, dict[str, PowerFit | None]]:
    classes = sorted({measurement.packing_class for measurement in measurements})
    return {
        packing_class: {name: fit_class(measurements, packing_class, name) for name in QUANTITIES}
        for packing_class in classes
    }


def _content(
    outcome: Outcome,
    totals: Sequence[Totals],
    fits: Mapping[int, Mapping[str, PowerFit | None]],
    arguments: argparse.Namespace,
    machine: Mapping[str, str],
    profile: Profile | None,
    wrong: Sequence[str],
) -> dict[str, object]:
    return {
        "machine": machine,
        "options": {name: str(value) for name, value in vars(arguments).items()},
        "interrupted": outcome.interrupted,
        "wrong_values": wrong,
        "measurements": [asdict(measurement) for measurement in outcome.measurements],
        "totals": [total.to_dict() for total in totals],
        "fits": {
            packing_class: {
                name: None if fit is None else fit.to_dict() for name, fit in fitted.items()
            }
            for packing_class, fitted in fits.items()
        },
        "profile": None if profile is None else profile.to_dict(),
    }


if __name__ == "__main__":
    sys.exit(main())
