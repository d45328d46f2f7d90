"""Runs experiments: tasks that have no row yet, then tables, figures and the manifest."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tailgate.io.text_file import write_text
from tailgate.model.errors import InputError, TailgateError
from tailgate.research.experiments.experiment import Experiment, Report, Setting, Watch
from tailgate.research.experiments.figures import require_matplotlib
from tailgate.research.experiments.manifest import FILE as MANIFEST_FILE
from tailgate.research.experiments.manifest import describe_run, write_manifest
from tailgate.research.experiments.page import PAGE_FILE, refresh_page
from tailgate.research.experiments.row_store import Row, RowStore
from tailgate.research.experiments.tables import csv_of_rows
from tailgate.solver.workers import Lost, Workers

ROWS_FILE = "rows.jsonl"
CSV_FILE = "rows.csv"
OPTIONS = (
    *("instances", "time_limit", "repeats", "conventions", "lifo", "turn", "checkpoints"),
    *("data", "weights", "python", "core", "screen", "kinds"),
)
"""Those of a setting that not all experiments have."""
_PLACES = {
    "checkpoints": "searches",
    "data": "data",
    "weights": "FILE",
    "python": "other/bin/python",
}
"""What a page says in place of a path of this machine."""


@dataclass(frozen=True, slots=True)
class Finished:
    """What came of an experiment."""

    name: str
    folder: Path
    tasks: int
    measured: int
    """In this run; the others were there."""
    files: tuple[str, ...]
    remarks: tuple[str, ...]
    problems: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return what ``tailgate experiment --json`` prints."""
        return {**asdict(self), "folder": str(self.folder)}


def check_experiments(experiments: Sequence[Experiment], setting: Setting) -> None:
    """Complain now, not after hours: about options, extras, and results that would be lost."""
    for option in OPTIONS:
        if is_given(getattr(setting, option)):
            _refuse_if_useless(option, experiments)
    require_matplotlib()
    for experiment in experiments:
        experiment.require(setting)
        path = setting.out / experiment.store / ROWS_FILE
        if path.exists() and not setting.resume:
            raise InputError(
                "holds results already; go on with --resume, or name another folder",
                source=str(path.parent),
            )


def _refuse_if_useless(option: str, experiments: Sequence[Experiment]) -> None:
    """Complain about an option that is ignored, or that cannot be right for all."""
    users = [experiment.name for experiment in experiments if option in experiment.options]
    field = f"--{option.replace('_', '-')}"
    if not users:
        raise InputError(f"makes no difference to {experiments[0].name}; leave it out", field=field)
    if option in ("instances", "time_limit") and len(experiments) > 1:
        raise InputError("is not the same for all experiments; name one", field=field)


def run_experiment(
    experiment: Experiment, setting: Setting, workers: Workers, watch: Watch
) -> Finished:
    """Measure what is not there yet, and report everything; Ctrl-C loses what is under way."""
    run = describe_run()
    folder, store_folder = setting.out / experiment.name, setting.out / experiment.store
    for one in (folder, store_folder):
        one.mkdir(parents=True, exist_ok=True)
    store = RowStore(store_folder / ROWS_FILE)
    experiment.prepare(setting, workers, watch)
    tasks = experiment.tasks(setting)
    left = [
        task
        for task in tasks
        if (row := store.rows.get(task.key)) is None or not experiment.answers(setting, row)
    ]
    lost = []
    done = len(tasks) - len(left)
    for outcome in workers.run(left):
        done += 1
        if isinstance(outcome, Lost):
            lost.append(outcome.reason)
            watch(done, len(tasks), outcome.reason)
            continue
        store.add(outcome.key, outcome.value)
        watch(done, len(tasks), experiment.line(outcome.value))
    rows = {task.key: store.rows[task.key] for task in tasks if task.key in store.rows}
    if tasks and not rows:
        raise TailgateError(f"{experiment.name}: nothing was measured: {'; '.join(lost)}")
    report = experiment.report(setting, rows)
    report = replace(
        report,
        rows=report.rows or list(rows.values()),
        remarks=(*experiment.missing(setting), *lost, *report.remarks),
    )
    options = {
        **setting.options(),
        **report.facts,
        "seeds": _distinct(rows, "seed"),
        "time_limits": _distinct(rows, "time_limit"),
    }
    runs = write_manifest(
        folder, experiment=experiment.name, options=options, run=run, measured=len(left)
    )
    files = _write(report, _page(experiment, setting, report, runs), folder)
    refresh_page(setting.out)
    return Finished(
        name=experiment.name,
        folder=folder,
        tasks=len(tasks),
        measured=len(left),
        files=tuple(sorted((*files, MANIFEST_FILE))),
        remarks=tuple(report.remarks),
        problems=tuple(report.problems),
    )


def _distinct(rows: Mapping[str, Row], column: str) -> list[Any]:
    return sorted({row[column] for row in rows.values() if column in row})


def _write(report: Report, page: str, folder: Path) -> list[str]:
    """Write everything and return the names of the files."""
    texts = {PAGE_FILE: page}
    if report.rows:
        texts[CSV_FILE] = csv_of_rows(report.rows)
    for table in report.tables:
        texts[f"{table.name}.md"] = table.markdown
        texts[f"{table.name}.csv"] = table.csv
    for name, text in texts.items():
        write_text(folder / name, text)
    drawn = [path.name for figure in report.figures for path in figure.save(folder)]
    return [*texts, *drawn]


def _page(experiment: Experiment, setting: Setting, report: Report, runs: Sequence[Row]) -> str:
    parts = [f"# {experiment.title}", experiment.explanation]
    if report.remarks:
        parts.append("\n".join(f"- {remark}" for remark in report.remarks))
    if report.problems:
        parts.append("\n".join(f"- **WRONG**: {problem}" for problem in report.problems))
    processors, commits = (
        "; ".join(dict.fromkeys(str(run[name]) for run in runs)) for name in ("processor", "commit")
    )
    parts.append(
        f"Made by `{command_text(experiment.name, setting)}` on {processors}, at commit {commits}. "
        f"[{MANIFEST_FILE}]({MANIFEST_FILE}) has versions, seeds and options; intervals are 95 % "
        "by the bootstrap."
    )
    for table in report.tables:
        parts += [f"## {table.title}", table.markdown.rstrip()]
        if table.note:
            parts.append(table.note)
    parts += [f"![{figure.title}]({figure.name}.svg)" for figure in report.figures]
    return "\n\n".join(parts) + "\n"


def command_text(name: str, setting: Setting) -> str:
    """Return how to make the same again, without where this machine keeps its files."""
    words = ["tailgate", "experiment", name, "--out", "results"]
    for option in (*OPTIONS, "seed"):
        value = getattr(setting, option)
        if isinstance(value, bool):
            words.append(f"--{option}" if value else f"--no-{option}")
        elif is_given(value) and (option != "seed" or value):
            words += [f"--{option.replace('_', '-')}", *_words(option, value)]
    return shlex.join([*words, "--quick"] if setting.quick else words)


def is_given(value: object) -> bool:
    """Tell whether an option was set: a core may be 0, a list must not be empty."""
    return value not in (None, (), [])


def _words(option: str, value: Any) -> list[str]:
    if option in _PLACES:
        return [_PLACES[option]]
    if isinstance(value, list | tuple):
        return [Path(word).name for word in value]
    return [f"{value:g}" if isinstance(value, float) else str(value)]
