"""The table of optima on disk: it only ever gets better, and two runs may share it."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tailgate.io.text_file import write_text
from tailgate.model.solution import relative_gap
from tailgate.research.experiments.optima.reference import KNOWN_OPTIMA
from tailgate.research.experiments.optima.row import (
    COLUMNS,
    FAILED,
    Number,
    Row,
    csv_text,
    meets,
    row_from_cells,
)
from tailgate.research.experiments.optima.rules import conventions_of

_WHOLE_TOLERANCE = 1e-9
_REAL_TOLERANCE = 1e-6


class ContradictionError(Exception):
    """Two results that cannot both be true: one of them is wrong, and so is a part of Tailgate."""


class OptimaFile:
    """One row per instance and rules, in order of their names."""

    def __init__(self, path: Path) -> None:
        """Read what is there; ``ValueError`` says why the file will not do."""
        self._path = path
        self._rows = {row.key: row for row in _read(path)}

    @property
    def rows(self) -> list[Row]:
        """All rows, in order."""
        return [row for _, row in sorted(self._rows.items())]

    def add(self, row: Row) -> Row:
        """Store a result with what was known before, and return both as one row.

        ``ContradictionError`` names the two that cannot both be true; the file then stays as it is.
        """
        with _locked(self._path.parent):
            # Another run may have added to it.
            rows = {one.key: one for one in _read(self._path)}
            known = rows.get(row.key)
            merged = row if known is None else merge(known, row)
            rows[row.key] = merged
            write_text(self._path, csv_text(one for _, one in sorted(rows.items())))
        self._rows = rows
        return merged


def _read(path: Path) -> list[Row]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))
    if not lines or tuple(lines[0]) != COLUMNS:
        raise ValueError(f"{path} is not a table of this benchmark: other columns")
    rows: dict[tuple[str, str], Row] = {}
    for number, cells in enumerate(lines[1:], start=2):
        try:
            row = row_from_cells(cells)
            if row.key in rows:
                raise ValueError(f"{row.instance} ({row.conventions}) stands there twice")
        except ValueError as error:
            raise ValueError(f"{path}:{number}: {error}") from error
        rows[row.key] = row
    return list(rows.values())


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other runs out; the folder is locked, so that no file is left behind."""
    try:
        import fcntl
    except ImportError:  # not on this system: then one run at a time
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def merge(known: Row, new: Row) -> Row:
    """Return the best of two results for one problem.

    Of two that are as good the newer one stays, for its seconds are those of the newer program. A
    row that takes the plan from one and the bound from the other counts the effort of both.
    """
    if new.status == FAILED:
        return new if known.status == FAILED else known
    if known.status == FAILED:
        return new
    refuse_contradiction(known, new)
    if new.is_proven:
        return new
    if known.is_proven:
        return known
    has_better_plan = _is_cheaper(new.objective, known.objective)
    has_worse_plan = _is_cheaper(known.objective, new.objective)
    difference = (new.lower_bound or 0) - (known.lower_bound or 0)
    if not has_worse_plan and difference >= 0:
        return new
    if not has_better_plan and difference <= 0:
        return known
    plan, bound = (new, known) if has_better_plan else (known, new)
    return _combined(plan, bound, known, new)


def _is_cheaper(cost: Number | None, other: Number | None) -> bool:
    return cost is not None and (other is None or cost < other)


def _combined(plan: Row, bound: Row, known: Row, new: Row) -> Row:
    objective, lower_bound = plan.objective, bound.lower_bound
    assert objective is not None
    assert lower_bound is not None
    lower_bound = min(objective, lower_bound)
    proven = meets(objective, lower_bound)
    commits = dict.fromkeys((*known.commit.split(" + "), *new.commit.split(" + ")))
    return replace(
        new,
        status="optimal" if proven else "feasible",
        reason="proven" if proven else new.reason,
        objective=objective,
        lower_bound=lower_bound,
        gap=round(relative_gap(objective, lower_bound), 9),
        seconds=round(known.seconds + new.seconds, 3),
        nodes=known.nodes + new.nodes,
        exact_checks=known.exact_checks + new.exact_checks,
        commit=" + ".join(commits),
        routes=plan.routes,
        placements=plan.placements,
    )


def refuse_contradiction(known: Row, new: Row) -> None:
    """Raise ``ContradictionError`` if two results for one problem cannot both be true."""
    problem = ""
    if (known.n, known.vehicles) != (new.n, new.vehicles):
        problem = "they are of different instances"
    for one, other in ((known, new), (new, known)):
        if one.status == "infeasible" and other.objective is not None:
            problem = "one has a plan where the other has proven that there is none"
        elif _is_above(one.lower_bound, other.objective, one.conventions):
            problem = f"the lower bound {one.lower_bound} is above the cost {other.objective}"
    if problem:
        raise ContradictionError(
            f"{problem}:\n  known: {known.claim}; routes {known.routes or '-'}\n"
            f"  new:   {new.claim}; routes {new.routes or '-'}\nThe new one is not stored."
        )


def refuse_wrong_value(row: Row) -> None:
    """Raise ``ContradictionError`` if a published optimum says otherwise."""
    optimum = KNOWN_OPTIMA.get(row.instance) if row.conventions == "benchmark" else None
    if optimum is None:
        return
    too_cheap = row.objective is not None and row.objective < optimum
    too_expensive = row.status == "optimal" and row.objective != optimum
    too_high = row.lower_bound is not None and row.lower_bound > optimum
    if too_cheap or too_expensive or too_high or row.status == "infeasible":
        raise ContradictionError(f"{row.claim}: the published optimum is {optimum}")


def _is_above(bound: Number | None, cost: Number | None, conventions: str) -> bool:
    if bound is None or cost is None:
        return False
    is_real = conventions_of(conventions).distance == "exact"
    return bound > cost + (_REAL_TOLERANCE * max(1.0, cost) if is_real else _WHOLE_TOLERANCE)
