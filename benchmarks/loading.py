"""Measures the loading oracle against CP-SAT on realistic routes; see benchmarks/README.md."""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from loading_memory import watch_memory
from tailgate.experiments.loading.measurement import Measurement, measure
from tailgate.experiments.loading.questions import (
    Question,
    benchmark_questions,
    generated_questions,
)
from tailgate.experiments.loading.summary import Summary, Times, summarise
from tailgate.experiments.machine import describe_machine
from tailgate.experiments.published import benchmark_folder

EXIT_DONE = 0
EXIT_DISAGREEMENT = 1
EXIT_USAGE = 2
# The widest table; a log file has no width of its own.
TABLE_WIDTH = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; the exit code is 1 if two answers contradict each other."""
    arguments = _parse(argv)
    console = Console(stderr=arguments.json, width=TABLE_WIDTH)
    machine = describe_machine()
    for name, value in machine.items():
        console.print(f"{name}: {value}", highlight=False)
    if arguments.memory:
        lines = watch_memory(arguments.memory, arguments.cache_megabytes, arguments.seed, console)
        if arguments.json:
            print(json.dumps({"machine": machine, "memory": lines}, indent=2))
        return EXIT_DONE
    questions = _questions(arguments, console)
    if not questions:
        console.print("nothing to ask: no benchmark folder, and --generated 0")
        return EXIT_USAGE
    measurements = _measure_all(questions, arguments, console)
    summaries = summarise(measurements, arguments.time_limit)
    disagreements = [m for m in measurements if m.contradicts_itself]
    if arguments.out is not None:
        _write_table(arguments.out, measurements)
    _report(summaries, disagreements, arguments.time_limit, console)
    if arguments.json:
        content = {
            "machine": machine,
            "options": {name: str(value) for name, value in vars(arguments).items()},
            "summaries": [summary.to_dict() for summary in summaries],
            "disagreements": [_name(m) for m in disagreements],
        }
        print(json.dumps(content, indent=2))
    return EXIT_DISAGREEMENT if disagreements else EXIT_DONE


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument(
        "--instances", type=_numbers, default="1-24", help="of the benchmark, as 1-24 or 3,7,12"
    )
    parser.add_argument("--classes", type=_numbers, default="2-5", help="as 2-5 or 4")
    parser.add_argument("--routes-per-instance", type=int, default=50)
    parser.add_argument(
        "--generated", type=int, default=6, help="generated instances per class, 0 for none"
    )
    parser.add_argument("--time-limit", type=float, default=0.5, help="seconds per question")
    parser.add_argument(
        "--cp-sat-routes",
        type=int,
        default=200,
        help="questions per source and class that CP-SAT is asked, too, spread evenly; 0 for none",
    )
    parser.add_argument(
        "--no-millimetres", action="store_true", help="leave out the blown-up questions"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="write one CSV row per question here")
    parser.add_argument("--json", action="store_true", help="print the summary for machines")
    parser.add_argument(
        "--memory",
        type=int,
        default=0,
        metavar="N",
        help="instead: N queries on one oracle, printing resident memory every 100,000",
    )
    parser.add_argument(
        "--cache-megabytes", type=int, default=16, help="limit of the cache with --memory"
    )
    return parser.parse_args(argv)


def _numbers(text: str) -> list[int]:
    numbers: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def _questions(arguments: argparse.Namespace, console: Console) -> list[Question]:
    questions = []
    folder = benchmark_folder()
    if folder is None:
        console.print("the benchmark folder is absent (TAILGATE_BENCHMARK_DIR): generated only")
    else:
        questions += benchmark_questions(
            folder,
            arguments.instances,
            arguments.classes,
            arguments.routes_per_instance,
            arguments.seed,
        )
    return questions + generated_questions(
        arguments.generated, arguments.classes, arguments.routes_per_instance, arguments.seed
    )


def _measure_all(
    questions: Sequence[Question], arguments: argparse.Namespace, console: Console
) -> list[Measurement]:
    groups: dict[tuple[str, int], list[int]] = {}
    for index, question in enumerate(questions):
        groups.setdefault((question.source, question.packing_class), []).append(index)
    asked_of_cp_sat = {
        index for group in groups.values() for index in _spread(group, arguments.cp_sat_routes)
    }
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    measurements: list[Measurement] = []
    # Redrawn seldom: the display shares a core with what is measured.
    with Progress(*columns, console=console, refresh_per_second=1, transient=True) as progress:
        task = progress.add_task("routes", total=len(questions))
        for _, group in itertools.groupby(
            range(len(questions)), key=lambda index: questions[index].instance
        ):
            block = list(group)
            measurements += measure(
                [questions[index] for index in block],
                time_limit=arguments.time_limit,
                with_millimetres=not arguments.no_millimetres,
                asked_of_cp_sat=[
                    position for position, index in enumerate(block) if index in asked_of_cp_sat
                ],
                seed=arguments.seed,
            )
            progress.advance(task, len(block))
    return measurements


def _spread(group: Sequence[int], count: int) -> list[int]:
    """Return so many of the group, or all of it, at even distances."""
    if count >= len(group):
        return list(group)
    return [group[position * len(group) // count] for position in range(count)]


def _report(
    summaries: Sequence[Summary],
    disagreements: Sequence[Measurement],
    time_limit: float,
    console: Console,
) -> None:
    console.print(
        f"Milliseconds per question, limit {time_limit:g} s; an undecided question counts as the "
        "limit.\nOurs is timed around the Python call (core: inside it), a fresh oracle without "
        "cache;\nCP-SAT on one thread with the writing of its model (solve: without it)."
    )
    console.print(_times_table("Ours", [(s, s.call) for s in summaries], summaries))
    blown_up = [(s, s.millimetres) for s in summaries if s.millimetres is not None]
    if blown_up:
        console.print(_times_table("Ours, the same questions in odd millimetres", blown_up, ()))
    if any(summary.comparison for summary in summaries):
        console.print(_comparison_table(summaries))
    console.print(_stage_table(summaries))
    console.print(f"disagreements: {len(disagreements)}")
    for measurement in disagreements:
        console.print(f"  {_name(measurement)}")


def _times_table(
    title: str, rows: Sequence[tuple[Summary, Times]], with_core: Sequence[Summary]
) -> Table:
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    headings = ["source", "class", "count", "median", "mean", "p90", "p99", "undecided"]
    headings += ["core median", "longest", "feasible"] if with_core else []
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "source" else "right")
    for summary, times in rows:
        cells = [summary.source, str(summary.packing_class), str(times.count)]
        cells += [_milliseconds(v) for v in (times.median, times.mean, times.p90, times.p99)]
        cells.append(f"{times.undecided_percent:.2f} %")
        if with_core:
            cells += [
                _milliseconds(summary.core.median),
                _milliseconds(summary.longest_call),
                f"{summary.feasible_percent:.0f} %",
            ]
        table.add_row(*cells)
    return table


def _comparison_table(summaries: Sequence[Summary]) -> Table:
    table = Table(
        title="Ours and CP-SAT on the same questions", title_justify="left", box=box.SIMPLE_HEAD
    )
    for heading in ("source", "class", "count", "ours median", "CP-SAT median", "solve", "ratio"):
        table.add_column(heading, justify="left" if heading == "source" else "right")
    for heading in ("ours mean", "CP-SAT mean", "ratio", "ours undecided", "CP-SAT undecided"):
        table.add_column(heading, justify="right")
    for summary in summaries:
        comparison = summary.comparison
        if comparison is None:
            continue
        ours, theirs = comparison.ours, comparison.cp_sat
        table.add_row(
            summary.source,
            str(summary.packing_class),
            str(ours.count),
            _milliseconds(ours.median),
            _milliseconds(theirs.median),
            _milliseconds(comparison.cp_sat_solve_median),
            f"{comparison.ratio_of_medians:.0f}",
            _milliseconds(ours.mean),
            _milliseconds(theirs.mean),
            f"{comparison.ratio_of_means:.0f}",
            f"{ours.undecided_percent:.2f} %",
            f"{theirs.undecided_percent:.2f} %",
        )
    return table


def _stage_table(summaries: Sequence[Summary]) -> Table:
    stages = sorted({stage for summary in summaries for stage in summary.stage_percent})
    table = Table(title="Share settled by each stage", title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("source")
    for heading in ("class", *stages):
        table.add_column(heading, justify="right")
    for summary in summaries:
        shares = (f"{summary.stage_percent.get(stage, 0):.1f} %" for stage in stages)
        table.add_row(summary.source, str(summary.packing_class), *shares)
    return table


def _milliseconds(seconds: float) -> str:
    return f"{1_000 * seconds:.3f}" if seconds < 0.1 else f"{1_000 * seconds:.0f}"


def _name(measurement: Measurement) -> str:
    question = measurement.question
    answers = {
        "ours": measurement.in_units,
        "millimetres": measurement.in_millimetres,
        "CP-SAT": measurement.cp_sat,
    }
    said = ", ".join(f"{who} {a.verdict}" for who, a in answers.items() if a is not None)
    return f"{question.instance} {'-'.join(map(str, question.route))}: {said}"


def _write_table(path: Path, measurements: Sequence[Measurement]) -> None:
    rows = []
    for measurement in measurements:
        question, ours = measurement.question, measurement.in_units
        large, theirs = measurement.in_millimetres, measurement.cp_sat
        row = {
            "source": question.source,
            "class": question.packing_class,
            "instance": question.instance,
            "route": "-".join(map(str, question.route)),
            "items": question.item_count,
            "fill": f"{question.fill:.4f}",
            "verdict": ours.verdict,
            "decided_by": ours.decided_by,
            "nodes": ours.nodes,
            "call_seconds": f"{ours.call_seconds:.7f}",
            "core_seconds": f"{ours.core_seconds:.7f}",
            "millimetres_verdict": large.verdict if large else "",
            "millimetres_call_seconds": f"{large.call_seconds:.7f}" if large else "",
            "cp_sat_verdict": theirs.verdict if theirs else "",
            "cp_sat_seconds": f"{theirs.seconds:.7f}" if theirs else "",
        }
        rows.append(row)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    sys.exit(main())
