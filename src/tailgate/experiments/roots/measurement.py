"""One root relaxation solved and timed, and the same as a line of a table that can be resumed."""

from __future__ import annotations

import csv
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from tailgate.column_generation import BoundResult, bound
from tailgate.instance import Instance

PARTS = ("heuristic", "master", "pricing", "packing", "network")


@dataclass(frozen=True, slots=True)
class RootMeasurement:
    """What was run, what came out, and where the seconds went; all of it fits one CSV row.

    ``seconds`` is measured around the call; the parts are what the run itself says.
    """

    instance: str
    source: str
    packing_class: int
    customers: int
    vehicles: int
    screen: str
    seed: int
    time_limit: float
    commit: str
    status: str
    lp_value: float | None
    lower_bound: float | None
    iterations: int
    columns: int
    exact_checks: int
    checks_feasible: int
    checks_infeasible: int
    checks_unknown: int
    labels: int
    seconds: float
    heuristic_seconds: float
    master_seconds: float
    pricing_seconds: float
    packing_seconds: float
    network_seconds: float

    def part_seconds(self, part: str) -> float:
        """Return the seconds of one of ``PARTS``, or of "other": what no part accounts for."""
        if part == "other":
            return max(0.0, self.seconds - sum(self.part_seconds(name) for name in PARTS))
        value: float = getattr(self, f"{part}_seconds")
        return value

    def answers(self, *, screen: str, seed: int, time_limit: float) -> bool:
        """Tell whether a run with these options need not be made again."""
        stopped_early = self.status == "time_limit" and self.time_limit < time_limit
        return (self.screen, self.seed) == (screen, seed) and not stopped_early


_PARSERS: dict[str, Callable[[str], Any]] = {
    "int": int,
    "float": float,
    "str": str,
    "float | None": lambda text: float(text) if text else None,
}
COLUMNS = tuple(field.name for field in fields(RootMeasurement))


def measure_root(
    instance: Instance,
    *,
    name: str,
    source: str,
    packing_class: int,
    screen: str,
    seed: int,
    time_limit: float,
    commit: str,
    record: Path | None = None,
) -> tuple[RootMeasurement, BoundResult]:
    """Solve one relaxation; Ctrl-C ends it with the status ``interrupted``."""
    started = time.perf_counter()
    result = bound(instance, screen=screen, time_limit=time_limit, seed=seed, record=record)
    seconds = time.perf_counter() - started
    measurement = RootMeasurement(
        instance=name,
        source=source,
        packing_class=packing_class,
        customers=instance.n,
        vehicles=instance.vehicle_count,
        screen=screen,
        seed=seed,
        time_limit=time_limit,
        commit=commit,
        status=result.status,
        lp_value=result.lp_value,
        lower_bound=result.lower_bound,
        iterations=result.iterations,
        columns=result.columns,
        exact_checks=result.exact_checks,
        checks_feasible=result.checks_feasible,
        checks_infeasible=result.checks_infeasible,
        checks_unknown=result.checks_unknown,
        labels=int(result.statistics["pricing_labels"]),
        seconds=seconds,
        **{f"{part}_seconds": result.seconds.get(part, 0.0) for part in PARTS},
    )
    return measurement, result


class MeasurementFile:
    """A CSV table that grows row by row, so that a long run can be stopped and resumed."""

    def __init__(self, path: Path, *, resume: bool) -> None:
        """Read what is there; ``ValueError`` says why the file will not do."""
        self._path = path
        self.rows: list[RootMeasurement] = []
        if path.exists():
            if not resume:
                raise ValueError(f"{path} exists; go on with --resume, or name another file")
            self.rows = _read_rows(path)
        else:
            self._write(COLUMNS, mode="w")

    def find(
        self, instance: str, *, screen: str, seed: int, time_limit: float
    ) -> RootMeasurement | None:
        """Return the newest row that makes a run needless."""
        for row in reversed(self.rows):
            if row.instance == instance and row.answers(
                screen=screen, seed=seed, time_limit=time_limit
            ):
                return row
        return None

    def append(self, measurement: RootMeasurement) -> None:
        """Add a row at once."""
        self.rows.append(measurement)
        values = asdict(measurement).values()
        self._write(["" if value is None else value for value in values], mode="a")

    def _write(self, cells: Any, *, mode: str) -> None:
        with self._path.open(mode, encoding="utf-8", newline="") as file:
            csv.writer(file).writerow(cells)


def _read_rows(path: Path) -> list[RootMeasurement]:
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))
    if not lines or tuple(lines[0]) != COLUMNS:
        raise ValueError(f"{path} is not a table of this benchmark: other columns")
    rows = []
    for number, cells in enumerate(lines[1:], start=2):
        if len(cells) != len(COLUMNS):
            raise ValueError(f"{path}:{number}: has {len(cells)} fields instead of {len(COLUMNS)}")
        try:
            values = {
                field.name: _PARSERS[str(field.type)](cell)
                for field, cell in zip(fields(RootMeasurement), cells, strict=True)
            }
        except ValueError as error:
            raise ValueError(f"{path}:{number}: {error}") from error
        rows.append(RootMeasurement(**values))
    return rows
