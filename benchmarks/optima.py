"""Proves optima of the published instances, as many as it can; see benchmarks/README.md."""

from __future__ import annotations

import argparse
import datetime
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from rich.console import Console

from optima_run import Job, Outcome, Progress, is_failure, run_job
from tailgate.errors import TailgateError
from tailgate.experiments.machine import describe_machine
from tailgate.experiments.optima.file import (
    ContradictionError,
    OptimaFile,
    processors,
    refuse_wrong_value,
)
from tailgate.experiments.optima.judging import judge_rows, stem
from tailgate.experiments.optima.row import Row
from tailgate.experiments.optima.rules import CONVENTIONS, instance_names, instance_path
from tailgate.experiments.optima.summary import (
    markdown_page,
    result_line,
    seconds_text,
    summary_lines,
)
from tailgate.experiments.published import FOLDER_VARIABLE, benchmark_folder
from tailgate.rounding import bound_text, cost_text, gap_text
from tailgate.text_file import write_text

EXIT_DONE = 0
EXIT_WRONG = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
TIME_LIMIT = 3600.0
PACKAGES = ("numpy", "highspy")
# A log has no line that changes; so often it gets one more.
LOG_SECONDS = 300.0


def main(argv: Sequence[str] | None = None) -> int:
    """Run, or verify; the exit code is 1 if something is wrong or a run failed."""
    arguments = _parse(argv)
    # A log is read while it is written, and lines in it are as long as they are.
    console = Console(soft_wrap=True, highlight=False, markup=False)
    try:
        folder = benchmark_folder()
        if folder is None:
            raise FileNotFoundError(
                f"the published instances are absent: name their folder in {FOLDER_VARIABLE}"
            )
        if arguments.verify is not None:
            return _verify(arguments, folder, console)
        return _solve_all(arguments, folder, console)
    except ContradictionError as error:
        console.print(f"CONTRADICTION: {error}")
        return EXIT_WRONG
    except (OSError, ValueError, TailgateError) as error:
        console.print(str(error))
        return EXIT_USAGE


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--instances",
        type=_words,
        metavar="NAMES",
        help="as 0102,0103-0104,1-19: names, or numbers in the classes (default all 180)",
    )
    parser.add_argument(
        "--classes", type=_classes, default="1-5", help="as 2-4 or 2,3 (default %(default)s)"
    )
    parser.add_argument(
        "--conventions",
        choices=tuple(CONVENTIONS),
        default="benchmark",
        help="benchmark: as the exact literature; heuristic: distance exact, fleet at-most, "
        "single-customer-routes allow (default %(default)s)",
    )
    parser.add_argument(
        "--time-limit",
        type=_positive,
        default=TIME_LIMIT,
        metavar="S",
        help="seconds per instance (default %(default)g)",
    )
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="default 1")
    parser.add_argument("--seed", type=int, default=0, help="of the search (default 0)")
    parser.add_argument("--memory-limit", type=_positive, metavar="MB", help="as of tailgate solve")
    parser.add_argument("--csv", type=Path, help="the table; an existing one only gets better")
    parser.add_argument(
        "--resume", action="store_true", help="with --csv: leave out what the table has already"
    )
    parser.add_argument(
        "--retry-open",
        action="store_true",
        help="with --csv: leave out what is proven there, and solve the rest (again)",
    )
    parser.add_argument(
        "--checkpoints",
        type=Path,
        metavar="DIR",
        help="store every search here, and go on with those that are stored",
    )
    parser.add_argument("--table", type=Path, metavar="FILE.md", help="write the summary here")
    parser.add_argument(
        "--verify",
        type=Path,
        metavar="CSV",
        help="solve nothing, but have every plan of this table judged",
    )
    parser.add_argument(
        "--solutions",
        type=Path,
        metavar="DIR",
        help="with --verify: write the plans here as files for tailgate verify",
    )
    arguments = parser.parse_args(argv)
    if arguments.csv is None and (arguments.resume or arguments.retry_open):
        parser.error("--resume and --retry-open need --csv")
    if arguments.verify is None and arguments.solutions is not None:
        parser.error("--solutions needs --verify")
    if arguments.verify is not None and arguments.csv is not None:
        parser.error("--verify solves nothing; leave out --csv")
    if arguments.threads < 1:
        parser.error("--threads must be 1 or more")
    return arguments


def _words(text: str) -> list[str]:
    words = text.split(",")
    if not all(part.isdecimal() for word in words for part in word.split("-", 1)):
        raise argparse.ArgumentTypeError(f"must be as 0102,0103-0104,1-19, got {text!r}")
    return words


def _classes(text: str) -> list[int]:
    numbers: set[int] = set()
    for word in _words(text):
        first, _, last = word.partition("-")
        numbers |= set(range(int(first), int(last or first) + 1))
    return sorted(numbers)


def _positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not number > 0:
        raise argparse.ArgumentTypeError(f"must be a number above 0, got {text!r}")
    return number


# Solving.


def _solve_all(arguments: argparse.Namespace, folder: Path, console: Console) -> int:
    names = instance_names(arguments.instances, arguments.classes)
    # All of them now, not after hours of solving.
    paths = {name: instance_path(folder, name) for name in names}
    for path in (arguments.csv, arguments.table):
        if path is not None and not path.resolve().parent.is_dir():
            raise FileNotFoundError(f"{path} cannot be written: its folder does not exist")
    file = None if arguments.csv is None else OptimaFile(arguments.csv)
    if arguments.checkpoints is not None:
        arguments.checkpoints.mkdir(parents=True, exist_ok=True)
    machine = describe_machine(PACKAGES)
    for name, value in machine.items():
        console.print(f"{name}: {value}")
    todo = [name for name in names if not _is_done(name, arguments, file)]
    if len(todo) < len(names):
        console.print(f"{len(names) - len(todo)} of {len(names)} are in {arguments.csv} already")
    if file is not None and todo:
        file.note_run(_run_note(arguments, machine, todo))
    # Whoever stops us gets what Ctrl-C gets.
    before = signal.signal(signal.SIGTERM, _interrupt)
    rows: list[Row] = []
    failures: list[Outcome] = []
    interrupted = False
    try:
        for position, name in enumerate(todo, start=1):
            # Asked every time: the program may have changed since the last one was started.
            commit = describe_machine(PACKAGES)["commit"]
            job = _job(name, paths[name], arguments, commit)
            place = f"{position} of {len(todo)}"
            outcome = _run(job, place, console)
            interrupted = outcome.interrupted
            if is_failure(outcome):
                failures.append(outcome)
            if not interrupted or outcome.row.objective is not None:
                _keep(outcome, place, rows, file, console)
            if interrupted:
                break
    except KeyboardInterrupt:
        # Between two instances, or a second time: what is in the table stays.
        interrupted = True
    finally:
        signal.signal(signal.SIGTERM, before)
    _tell(rows if file is None else file.rows, arguments, arguments.csv, console)
    for outcome in failures:
        console.print(f"FAILED: {outcome.row.instance}: {outcome.row.reason}")
    if failures:
        return EXIT_WRONG
    return EXIT_INTERRUPTED if interrupted else EXIT_DONE


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _is_done(name: str, arguments: argparse.Namespace, file: OptimaFile | None) -> bool:
    known = None if file is None else file.find(arguments.conventions, name)
    if known is None:
        return False
    if arguments.retry_open:
        return known.is_proven
    return bool(arguments.resume) and known.is_complete


def _run_note(
    arguments: argparse.Namespace, machine: Mapping[str, str], todo: Sequence[str]
) -> dict[str, Any]:
    """Return where and how the rows of this run are made, without any path."""
    return {
        "started": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "machine": dict(machine),
        "conventions": arguments.conventions,
        "time_limit": arguments.time_limit,
        "threads": arguments.threads,
        "seed": arguments.seed,
        "memory_limit": arguments.memory_limit,
        "with_checkpoints": arguments.checkpoints is not None,
        "instances": list(todo),
    }


def _job(name: str, path: Path, arguments: argparse.Namespace, commit: str) -> Job:
    checkpoint = None
    if arguments.checkpoints is not None:
        checkpoint = str(arguments.checkpoints / f"{stem(name, arguments.conventions)}.checkpoint")
    return Job(
        name=name,
        path=str(path),
        conventions=arguments.conventions,
        time_limit=arguments.time_limit,
        threads=arguments.threads,
        commit=commit,
        memory_limit=arguments.memory_limit,
        seed=arguments.seed,
        checkpoint=checkpoint,
    )


def _run(job: Job, place: str, console: Console) -> Outcome:
    start = f"{place}: {job.name}"
    if not console.is_terminal:
        console.print(f"{start} ...")
        return run_job(job, _logging(start, console))
    with console.status(start, refresh_per_second=2) as status:
        return run_job(job, lambda seconds, now: status.update(_doing(start, seconds, now)))


def _logging(start: str, console: Console) -> Callable[[float, Progress | None], None]:
    last = time.monotonic()

    def log(seconds: float, progress: Progress | None) -> None:
        nonlocal last
        if time.monotonic() - last >= LOG_SECONDS:
            last = time.monotonic()
            console.print(_doing(start, seconds, progress))

    return log


def _doing(start: str, seconds: float, progress: Progress | None) -> str:
    text = f"{start}, {seconds:,.0f} s"
    if progress is None:
        return text
    objective, gap = progress["objective"], progress["gap"]
    plan = "no plan" if objective is None else f"plan {cost_text(objective)}"
    text += f", {plan}, bound {bound_text(progress['lower_bound'])}"
    if gap is not None:
        text += f", gap {gap_text(gap)}"
    return f"{text}, {progress['nodes']:,} nodes, {progress['doing']}"


def _keep(
    outcome: Outcome, place: str, rows: list[Row], file: OptimaFile | None, console: Console
) -> None:
    row = outcome.row
    console.print(f"{place}: {result_line(row)}")
    if outcome.complaint:
        console.print(outcome.complaint)
    refuse_wrong_value(row)
    rows.append(row)
    if file is None:
        return
    stored = file.add(row)
    if stored != row:
        console.print(f"  in the table: {result_line(stored)}, commit {stored.commit}")


def _tell(
    rows: Sequence[Row], arguments: argparse.Namespace, csv: Path | None, console: Console
) -> None:
    """Print the summary, and write the page of it."""
    for line in summary_lines(rows):
        console.print(line)
    if arguments.table is not None and rows:
        made_on = [] if csv is None else processors(csv)
        write_text(arguments.table, markdown_page(rows, processors=made_on))
        console.print(f"written: {arguments.table}")


# Verifying.


def _verify(arguments: argparse.Namespace, folder: Path, console: Console) -> int:
    path: Path = arguments.verify
    if not path.is_file():
        raise FileNotFoundError(f"{path} is no file")
    rows = OptimaFile(path).rows
    if arguments.solutions is not None:
        arguments.solutions.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    valid = wrong = 0
    for judgement in judge_rows(
        rows, lambda name: instance_path(folder, name), solutions=arguments.solutions
    ):
        for problem in judgement.problems:
            console.print(f"WRONG: {judgement.row.instance}: {problem}")
        wrong += bool(judgement.problems)
        valid += judgement.has_plan and not judgement.problems
    proven = sum(row.is_proven for row in rows)
    console.print(
        f"{path}: {len(rows)} rows, {valid} plans found valid by the judge, {proven} proven, "
        f"{wrong} wrong ({seconds_text(round(time.monotonic() - started, 2))} s)"
    )
    if arguments.solutions is not None:
        console.print(f"written: {valid} solution files in {arguments.solutions}")
    _tell(rows, arguments, path, console)
    return EXIT_WRONG if wrong else EXIT_DONE


if __name__ == "__main__":
    sys.exit(main())
