"""``root-profile``: where the time of the roots goes, and which stage decides a loading query."""

from __future__ import annotations

import importlib
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from tailgate.research.experiments.experiment import Experiment, Report, Setting
from tailgate.research.experiments.instances import PAPER_ROOTS, Chosen, Series, task_for_each
from tailgate.research.experiments.roots.measurement import PARTS, measure
from tailgate.research.experiments.roots.reference import wrong_values
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import Table, by_class
from tailgate.solver.workers import Task

TIME_LIMIT, QUICK_TIME_LIMIT = 120.0, 20.0
VERDICTS = ("feasible", "infeasible", "unknown")
_COLUMNS = ("phase", "decided_by", "verdict", "seconds")


def measure_profile(chosen: Chosen, screen: str, seed: int, time_limit: float, commit: str) -> Row:
    """Solve one relaxation, and count the loading queries that it has recorded."""
    # Loaded before the clock runs; if it is absent, the run itself says what to install.
    with suppress(ImportError):
        importlib.import_module("pyarrow.parquet")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "queries.parquet")
        row = measure(chosen, screen, seed, time_limit, commit, record=path)
        return row | {"queries": count_queries(path)}


def count_queries(path: Path) -> dict[str, dict[str, dict[str, float]]]:
    """Return by phase and deciding stage how many of each verdict there are, and their seconds."""
    parquet = importlib.import_module("pyarrow.parquet")
    counts: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(columns=list(_COLUMNS)):
            columns = (batch.column(name).to_pylist() for name in _COLUMNS)
            for phase, stage, verdict, seconds in zip(*columns, strict=True):
                counts[phase][stage].update({verdict: 1, "seconds": seconds})
    return {phase: {key: dict(one) for key, one in of.items()} for phase, of in counts.items()}


class RootProfile(Experiment):
    """Every loading query of every root is recorded."""

    name: ClassVar[str] = "root-profile"
    title: ClassVar[str] = "Where the time of the roots goes"
    explanation: ClassVar[str] = (
        "Every root relaxation is solved once, and every loading query recorded; seconds include "
        "the recording. Packing is the time of all loading checks, also of those in the heuristic "
        "and in pricing, which are counted without them."
    )
    options: ClassVar[frozenset[str]] = frozenset({"instances", "time_limit", "screen"})
    main_table: ClassVar[str] = "parts"
    series: ClassVar[Series] = PAPER_ROOTS

    def tasks(self, setting: Setting) -> list[Task]:
        """One after the other."""
        limit = setting.seconds(TIME_LIMIT, QUICK_TIME_LIMIT)
        screen = setting.screen or "exact"
        return task_for_each(self.series, setting, measure_profile, limit, screen)

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Add up seconds by part, and queries by phase, stage and verdict."""
        del setting
        measured = list(rows.values())
        return Report(
            tables=[_parts(measured), _stages(measured)],
            rows=[{name: row[name] for name in row if name != "queries"} for row in measured],
            problems=[problem for row in measured for problem in wrong_values([row])],
        )


def _class_of(row: Row) -> int:
    return int(row["packing_class"])


def _total(rows: Sequence[Row], name: str) -> Any:
    return sum(row[name] for row in rows)


def _shares(rows: Sequence[Row]) -> list[str]:
    """Return the share of every part and, last, of what is none."""
    seconds = _total(rows, "seconds")
    known = [_total(rows, f"{name}_seconds") for name in PARTS]
    known.append(max(0.0, seconds - sum(known)))
    return [f"{100 * part / seconds if seconds else 0:.1f} %" for part in known]


def _parts(rows: Sequence[Row]) -> Table:
    lines = tuple(
        (
            name,
            str(len(group)),
            str(sum(row["status"] == "converged" for row in group)),
            f"{_total(group, 'seconds'):.1f}",
            *_shares(group),
            *(f"{_total(group, f'checks_{verdict}'):,}" for verdict in VERDICTS),
        )
        for name, group in by_class(rows, _class_of)
    )
    checks = (f"checks {verdict}" for verdict in VERDICTS)
    header = ("class", "instances", "converged", "seconds", *PARTS, "other", *checks)
    return Table("parts", "Share of the time by part", header, lines)


def _stages(rows: Sequence[Row]) -> Table:
    header = ("class", "phase", "stage", "queries", "share", *VERDICTS, "seconds")
    lines = []
    for name, group in by_class(rows, _class_of):
        counts: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
        for row in group:
            for phase, stages in row["queries"].items():
                for stage, count in stages.items():
                    counts[phase][stage].update(count)
        for phase, of in sorted(counts.items()):
            queries = {stage: sum(count[one] for one in VERDICTS) for stage, count in of.items()}
            for stage in sorted(queries, key=lambda stage: -queries[stage]):
                share = 100 * queries[stage] / sum(queries.values())
                lines.append(
                    (
                        *(name, phase, stage, f"{queries[stage]:,}", f"{share:.1f} %"),
                        *(f"{of[stage][verdict]:,}" for verdict in VERDICTS),
                        f"{of[stage]['seconds']:.2f}",
                    )
                )
    return Table("stages", "Loading queries by deciding stage", header, tuple(lines))
