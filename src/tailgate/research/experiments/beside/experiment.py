"""``beside``: roots and proofs by this installation and by another one, such as an older commit's.

Every change of the solver wants this comparison: processor seconds, and whether the results and
the counts behind them are still the same.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, ClassVar

from tailgate.io import write
from tailgate.model.errors import InputError, TailgateError
from tailgate.research.experiments.beside import worker
from tailgate.research.experiments.experiment import Experiment, Report, Setting
from tailgate.research.experiments.instances import PAPER_ROOTS, Chosen, Series
from tailgate.research.experiments.machine import commit_of
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import DASH, Table, by_class, grouped, number_text
from tailgate.solver.workers import Task

KINDS = ("root", "proof")
TIME_LIMIT, QUICK_TIME_LIMIT = 600.0, 20.0
REPEATS, QUICK_REPEATS = 3, 2
OURS, THEIRS = "this", "other"
TOLERANCE = 1e-6
"""Relative, for objectives and bounds; counts must be equal."""
_WHERE = "import tailgate; tailgate.solve; print(tailgate.__file__)"
_VALUES = ("objective", "lp_value", "lower_bound")


def measure(chosen: Chosen, python: str, core: int | None, head: Row) -> Row:
    """Ask this installation and that of the interpreter, one right after the other."""
    interpreters = {OURS: sys.executable, THEIRS: python}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "instance.json")
        write(chosen.instance, path)
        request = {name: head[name] for name in ("kind", "screen", "seed", "time_limit")}
        request |= {"path": str(path), "core": core}
        order = (OURS, THEIRS) if head["first"] == OURS else (THEIRS, OURS)
        answers = {side: run_worker(interpreters[side], request) for side in order}
    return {
        "instance": chosen.name,
        "packing_class": chosen.packing_class,
        **head,
        "stopped": any(_is_stopped(answer["figures"]) for answer in answers.values()),
        **answers,
    }


def run_worker(python: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """Run the worker's script under an interpreter; it ends with this process."""
    command = [python, str(Path(worker.__file__).resolve()), json.dumps(request)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        output = process.stdout.read()
        message = process.stderr.read()
    if process.returncode:
        last = (message.strip().splitlines() or ["no message"])[-1]
        raise TailgateError(f"{python} does not solve {request['kind']} {request['path']}: {last}")
    answer: dict[str, Any] = json.loads(output)
    return answer


def _is_stopped(figures: Mapping[str, Any]) -> bool:
    return "time_limit" in (figures["status"], figures.get("reason"))


class Beside(Experiment):
    """Ratio of processor seconds, and differences of results."""

    name: ClassVar[str] = "beside"
    title: ClassVar[str] = "This installation beside another one"
    explanation: ClassVar[str] = (
        "Every instance is solved by this installation and by the one that `--python` names, one "
        "right after the other, in fresh processes; which of them is first alternates (A B, B A). "
        "The seconds are those of the processor around `tailgate.bound` (root) or "
        "`tailgate.solve` (proof), medians over the repetitions; a small instance solved before "
        "has loaded everything. The ratio is this / other: above 1, this one is slower. Without "
        "`--python` the installation stands beside itself, which shows the noise."
    )
    options: ClassVar[frozenset[str]] = frozenset(
        {"instances", "time_limit", "repeats", "python", "core", "screen", "kinds"}
    )
    main_table: ClassVar[str] = "ratios"
    series: ClassVar[Series] = PAPER_ROOTS

    _other_commit = "unknown"

    def require(self, setting: Setting) -> None:
        """The other installation must be able to solve at all."""
        command = [setting.python or sys.executable, "-c", _WHERE]
        try:
            found = subprocess.run(command, check=True, capture_output=True, text=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise InputError(f"has no Tailgate: {error}", field="--python") from error
        self._other_commit = commit_of(Path(found.stdout.strip()).parents[2])

    def missing(self, setting: Setting) -> list[str]:
        """Beside itself, it shows noise alone."""
        alone = ["No --python: this installation stands beside itself."]
        return [*super().missing(setting), *(alone if setting.python is None else [])]

    def tasks(self, setting: Setting) -> list[Task]:
        """All instances, then all again; a pair is one task, so that nothing comes between."""
        limit = setting.seconds(TIME_LIMIT, QUICK_TIME_LIMIT)
        repeats = setting.repeats or (QUICK_REPEATS if setting.quick else REPEATS)
        instances = self.series.choose(setting)
        tasks = []
        for repeat in range(repeats):
            for place, kind in enumerate(setting.kinds or KINDS):
                for number, chosen in enumerate(instances):
                    head = {
                        "kind": kind,
                        "screen": setting.screen or "exact",
                        "seed": setting.seed,
                        "repeat": repeat,
                        "first": (OURS, THEIRS)[(number + place + repeat) % 2],
                        "time_limit": limit,
                        "commit": setting.commit,
                        "other_commit": self._other_commit,
                    }
                    key = f"{kind}/{chosen.name}/{head['screen']}/seed {setting.seed}/{repeat}"
                    python = setting.python or sys.executable
                    tasks.append(Task(key, measure, (chosen, python, setting.core, head)))
        return tasks

    def answers(self, setting: Setting, row: Row) -> bool:
        """Rows of other commits tell nothing of these."""
        commits = (setting.commit, self._other_commit)
        return (row["commit"], row["other_commit"]) == commits and super().answers(setting, row)

    def line(self, row: Row) -> str:
        """Say how the two compare."""
        ours, theirs = (row[side]["processor_seconds"] for side in (OURS, THEIRS))
        differences = ", ".join(differing(row)) or "same results"
        return f"{row['kind']} {row['instance']}: {ours:.2f} / {theirs:.2f} s, {differences}"

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Compare seconds and results of every instance and in total."""
        pairs = [
            _Pair(group)
            for _, of_kind in grouped(rows.values(), "kind")
            for _, group in grouped(of_kind, "instance")
        ]
        stopped = sum(pair.is_stopped for pair in pairs)
        return Report(
            tables=[_ratios(pairs), _every(pairs)],
            rows=[_flat(row) for row in rows.values()],
            remarks=[f"{stopped} hit the time limit and are in no total."] if stopped else [],
            problems=[problem for pair in pairs for problem in pair.problems],
            facts={"screen": setting.screen or "exact"},
        )


def differing(row: Row) -> list[str]:
    """Name what the two results do not agree on; figures that one lacks are not compared."""
    ours, theirs = (row[side]["figures"] for side in (OURS, THEIRS))
    return [
        f"{name} {ours[name]} / {theirs[name]}"
        for name in ours
        if name in theirs and not _agree(name, ours[name], theirs[name])
    ]


def _agree(name: str, ours: Any, theirs: Any) -> bool:
    if name in _VALUES and ours is not None and theirs is not None:
        return bool(abs(ours - theirs) <= TOLERANCE * max(1.0, abs(theirs)))
    return bool(ours == theirs)


class _Pair:
    """All repetitions of one instance."""

    def __init__(self, rows: Sequence[Row]) -> None:
        first = rows[0]
        self.kind: str = first["kind"]
        self.instance: str = first["instance"]
        self.packing_class: int = first["packing_class"]
        self.figures: dict[str, Any] = first[OURS]["figures"]
        self.is_stopped = any(row["stopped"] for row in rows)
        self.seconds = {
            side: median(row[side]["processor_seconds"] for row in rows) for side in (OURS, THEIRS)
        }
        self.differences = list(dict.fromkeys(one for row in rows for one in differing(row)))

    @property
    def ratio(self) -> float | None:
        """How much longer this one takes."""
        return self.seconds[OURS] / self.seconds[THEIRS] if self.seconds[THEIRS] else None

    @property
    def problems(self) -> list[str]:
        """Values that cannot both be true; other counts alone are no mistake."""
        if self.is_stopped:
            return []
        wrong = ("status", *_VALUES)
        return [
            f"{self.kind} {self.instance}: {difference}"
            for difference in self.differences
            if difference.split()[0] in wrong
        ]


def _ratios(pairs: Sequence[_Pair]) -> Table:
    header = (
        *("kind", "class", "instances", "this s", "other s", "ratio", "median ratio"),
        *("highest ratio", "same results"),
    )
    lines = []
    for kind in KINDS:
        members = [pair for pair in pairs if pair.kind == kind and not pair.is_stopped]
        for name, group in by_class(members, lambda pair: pair.packing_class):
            ours, theirs = (sum(pair.seconds[side] for pair in group) for side in (OURS, THEIRS))
            known = [(pair.ratio, pair.instance) for pair in group if pair.ratio is not None]
            highest, instance = max(known, default=(None, ""))
            lines.append(
                (
                    *(kind, name, str(len(group)), f"{ours:.2f}", f"{theirs:.2f}"),
                    number_text(ours / theirs if theirs else None, 3),
                    number_text(median(one for one, _ in known) if known else None, 3),
                    f"{number_text(highest)} ({instance})",
                    str(sum(not pair.differences for pair in group)),
                )
            )
    note = "Sums of the instances' medians. Same results: all figures of the next table agree."
    return Table("ratios", "Seconds of the processor", header, tuple(lines), note=note)


def _every(pairs: Sequence[_Pair]) -> Table:
    header = (
        *("kind", "instance", "status", "value", "bound", "nodes", "columns", "checks"),
        *("labels", "this s", "other s", "ratio", "differences (this / other)"),
    )
    lines = []
    for pair in sorted(pairs, key=lambda pair: (pair.kind, pair.packing_class, pair.instance)):
        figures = pair.figures
        value = figures.get("objective", figures.get("lp_value"))
        counts = ("nodes", "columns", "exact_checks", "pricing_labels")
        lines.append(
            (
                *(pair.kind, pair.instance, str(figures["status"]), number_text(value, 4)),
                number_text(figures["lower_bound"], 4),
                *(number_text(figures.get(name), 0) for name in counts),
                *(f"{pair.seconds[side]:.3f}" for side in (OURS, THEIRS)),
                number_text(pair.ratio, 3),
                "; ".join(pair.differences) or DASH,
            )
        )
    return Table("instances", "Every instance", header, tuple(lines))


def _flat(row: Row) -> Row:
    """Return a line of the CSV file: what is of one side is named after it."""
    flat = {name: value for name, value in row.items() if name not in (OURS, THEIRS)}
    for side in (OURS, THEIRS):
        answer = row[side]
        flat |= {f"{side} {name}": answer[name] for name in ("processor_seconds", "seconds")}
        flat |= {f"{side} {name}": value for name, value in answer["figures"].items()}
    return flat
