"""Runs experiments: tasks that have no row yet, then tables, figures and the manifest."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tailgate.errors import InputError, TailgateError
from tailgate.experiments.experiment import Experiment, Report, Setting, Watch
from tailgate.experiments.figures import require_matplotlib
from tailgate.experiments.manifest import FILE as MANIFEST_FILE
from tailgate.experiments.manifest import describe_run, write_manifest
from tailgate.experiments.page import PAGE_FILE, refresh_page
from tailgate.experiments.row_store import Row, RowStore
from tailgate.experiments.tables import csv_of_rows
from tailgate.text_file import write_text
from tailgate.work import Lost, Workers

ROWS_FILE = "rows.jsonl"
CSV_FILE = "rows.csv"


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
        return {
            "name": self.name,
            "folder": str(self.folder),
            "tasks": self.tasks,
            "measured": self.measured,
            "files": list(self.files),
            "remarks": list(self.remarks),
            "problems": list(self.problems),
        }


def check_experiments(experiments: Sequence[Experiment], setting: Setting) -> None:
    """Complain now, not after hours: about options, extras, and results that would be lost."""
    for option in ("instances", "time_limit", "repeats", "data"):
        if getattr(setting, option):
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
    left = [task for task in tasks if not _has_answer(experiment, setting, store, task.key)]
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
    report = experiment.report(setting, rows).with_remarks(*experiment.missing(setting), *lost)
    limits = sorted({row["time_limit"] for row in rows.values() if "time_limit" in row})
    options = {**setting.options(), **report.facts, "time_limits": limits}
    runs = write_manifest(
        folder, experiment=experiment.name, options=options, run=run, measured=len(left)
    )
    files = _write(experiment, setting, report, runs, folder)
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


def _has_answer(experiment: Experiment, setting: Setting, store: RowStore, key: str) -> bool:
    row: Row | None = store.rows.get(key)
    return row is not None and experiment.answers(setting, row)


def _write(
    experiment: Experiment,
    setting: Setting,
    report: Report,
    runs: Sequence[Mapping[str, Any]],
    folder: Path,
) -> list[str]:
    """Write everything and return the names of the files."""
    texts = {PAGE_FILE: _page(experiment, setting, report, runs)}
    if report.rows:
        texts[CSV_FILE] = csv_of_rows(report.rows)
    for table in report.tables:
        texts[f"{table.name}.md"] = table.markdown
        texts[f"{table.name}.csv"] = table.csv
    for name, text in texts.items():
        write_text(folder / name, text)
    drawn = [path.name for figure in report.figures for path in figure.save(folder)]
    return [*texts, *drawn]


def _page(
    experiment: Experiment,
    setting: Setting,
    report: Report,
    runs: Sequence[Mapping[str, Any]],
) -> str:
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
    if setting.instances:
        words += ["--instances", *(Path(word).name for word in setting.instances)]
    if setting.time_limit is not None:
        words += ["--time-limit", f"{setting.time_limit:g}"]
    if setting.repeats is not None:
        words += ["--repeats", str(setting.repeats)]
    if setting.seed:
        words += ["--seed", str(setting.seed)]
    if setting.data is not None:
        words += ["--data", "data"]
    if setting.quick:
        words.append("--quick")
    return shlex.join(words)
