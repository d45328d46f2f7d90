"""``optima``: every instance solved as far as the time allows, with its plan.

Over files of one's own it is ``tailgate solve`` for many instances.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from tailgate.io import write_solution
from tailgate.model.errors import InputError
from tailgate.model.rounding import bound_text, cost_text, gap_text
from tailgate.research.experiments.experiment import Experiment, Report, Setting
from tailgate.research.experiments.figures import Figure, draw_shares
from tailgate.research.experiments.instances import PAPER_ROOTS, Chosen, Series
from tailgate.research.experiments.optima.file import (
    ContradictionError,
    OptimaFile,
    refuse_wrong_value,
)
from tailgate.research.experiments.optima.reference import PAPER_SEARCHES
from tailgate.research.experiments.optima.row import Row, problems_of, solution_of
from tailgate.research.experiments.optima.rules import CONVENTIONS, conventions_name
from tailgate.research.experiments.optima.solving import plain_row, result_text, solve_instance
from tailgate.research.experiments.row_store import Row as StoredRow
from tailgate.research.experiments.tables import DASH, Table, by_class, number_text
from tailgate.solver.workers import Task

TIME_LIMIT, QUICK_TIME_LIMIT = 3600.0, 10.0
QUICK_SECONDS = 60.0
LEAST_SECONDS = 0.001
"""Drawn on a logarithmic axis, which has no zero."""
TABLE_FILE = "optima.csv"
"""In the folder of all results, so that several runs may share it."""
SOLUTIONS_FOLDER = "solutions"
PARTS = (range(1, 20), range(20, 37))
_NOT_OF_OPEN = ("K", "nodes", "loading checks")
TOTALS_HEADER = ("instances", "proven", f"within {QUICK_SECONDS:g} s", "seconds", "longest s")


class Optima(Experiment):
    """Status, bound, optimum and seconds of all 180 instances, or of others."""

    name: ClassVar[str] = "optima"
    title: ClassVar[str] = "Proven optima"
    explanation: ClassVar[str] = (
        "Every instance is solved by `tailgate solve` on one thread. A plan counts when the judge "
        f"has accepted it; it is stored in {TABLE_FILE} beside this folder, and as a solution file "
        f"in {SOLUTIONS_FOLDER}/. The table only gets better: a proof, a cheaper plan or a higher "
        "bound stays, whatever a later run finds, and two results that cannot both be true are "
        "reported as wrong."
    )
    options: ClassVar[frozenset[str]] = frozenset(
        {"instances", "time_limit", "conventions", "lifo", "turn", "checkpoints"}
    )
    main_table: ClassVar[str] = "totals"
    series: ClassVar[Series] = Series(classes=(1, 2, 3, 4, 5), quick_sizes=(8,))
    """Where items may be turned or leave in any order, those of the paper's root relaxations."""

    def __init__(self) -> None:
        self._chosen: list[Chosen] = []

    def tasks(self, setting: Setting) -> list[Task]:
        """Solve all that the table has no proof of, unless it was tried for as long already."""
        limit = setting.seconds(TIME_LIMIT, QUICK_TIME_LIMIT)
        series = PAPER_ROOTS if setting.turn or setting.lifo is False else self.series
        self._chosen = [_under(one, setting) for one in series.choose(setting)]
        done = {
            row.key
            for row in _table_file(setting).rows
            if row.is_proven or (row.is_complete and row.seconds >= limit)
        }
        tasks = []
        for chosen in self._chosen:
            if _key(chosen) not in done:
                key = f"{_stem(chosen)}/seed {setting.seed}"
                checkpoint = _checkpoint(chosen, setting)
                arguments = (chosen, limit, setting.seed, setting.commit, "exact", checkpoint)
                tasks.append(Task(key, solve_instance, arguments))
        return tasks

    def line(self, row: StoredRow) -> str:
        """Say how it ended."""
        return result_text(row)

    def report(self, setting: Setting, rows: Mapping[str, StoredRow]) -> Report:
        """Merge what was found with the table, and list what is proven and what is open."""
        problems = [
            f"{row['instance']}: {problem}" for row in rows.values() for problem in row["problems"]
        ]
        file = _table_file(setting)
        for stored in rows.values():
            row = plain_row(stored)
            try:
                if stored["source"] == "published":
                    refuse_wrong_value(row)
                file.add(row)
            except ContradictionError as error:
                problems.append(str(error))
        problems += self._write_solutions(setting, file.rows)
        groups = {chosen.name: chosen.packing_class for chosen in self._chosen}
        rules = {conventions_name(chosen.instance.conventions) for chosen in self._chosen}
        results = [row for row in file.rows if row.conventions in rules or not rules]
        unproven = [row for row in results if not row.is_proven]
        tables = [_totals(results, groups)]
        if any(row.is_published for row in results):
            tables.append(_parts(results))
        if unproven:
            tables.append(_every("open", "Not proven", unproven, leave_out=_NOT_OF_OPEN))
        if any(_is_in_paper(row) for row in results):
            tables.append(_paper(results))
        tables.append(_every("instances", "Every instance", results))
        return Report(
            tables=tables,
            figures=[_figure(results, groups)],
            problems=problems,
        )

    def _write_solutions(self, setting: Setting, rows: Sequence[Row]) -> list[str]:
        """Write every plan of this run's instances as a file; return what the judge has against."""
        folder = setting.out / self.name / SOLUTIONS_FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        problems = []
        by_key = {_key(one): one for one in self._chosen}
        for row in rows:
            chosen = by_key.get(row.key)
            if chosen is None or not row.routes:
                continue
            found = problems_of(row, chosen.instance)
            solution = None if found else solution_of(row, chosen.instance)
            if solution is not None:
                write_solution(solution, folder / f"{_stem(chosen)}.json")
            problems += [f"{row.instance}: {problem}" for problem in found]
        return problems


def _under(chosen: Chosen, setting: Setting) -> Chosen:
    """Put an instance under the conventions that were asked for."""
    name = setting.conventions
    return chosen.under(
        lambda own: setting.loading_rules(own if name is None else CONVENTIONS[name])
    )


def _key(chosen: Chosen) -> tuple[str, str]:
    return conventions_name(chosen.instance.conventions), chosen.name


def _stem(chosen: Chosen) -> str:
    """Return a name for files: the instance, and what is not as in the exact literature."""
    rules = chosen.instance.conventions
    heuristic = CONVENTIONS["heuristic"]
    words = {
        "heuristic": replace(rules, lifo=heuristic.lifo, turn=heuristic.turn) == heuristic,
        "any-order": not rules.lifo,
        "turned": rules.turn == "all",
    }
    return "-".join((chosen.name, *(word for word, holds in words.items() if holds)))


def _checkpoint(chosen: Chosen, setting: Setting) -> Path | None:
    if setting.checkpoints is None:
        return None
    setting.checkpoints.mkdir(parents=True, exist_ok=True)
    return setting.checkpoints / f"{_stem(chosen)}.checkpoint"


def _table_file(setting: Setting) -> OptimaFile:
    path = setting.out / TABLE_FILE
    try:
        return OptimaFile(path)
    except ValueError as error:
        raise InputError(str(error), source=str(path)) from error


def _group(row: Row, groups: Mapping[str, int]) -> int:
    return groups.get(row.instance, row.packing_class if row.is_published else 0)


def _every(name: str, title: str, rows: Sequence[Row], leave_out: Sequence[str] = ()) -> Table:
    lines = [
        {column: text for column, text in _cells(row).items() if column not in leave_out}
        for row in rows
    ]
    header = tuple(lines[0]) if lines else ("instance",)
    return Table(name, title, header, tuple(tuple(line.values()) for line in lines))


def _cells(row: Row) -> dict[str, str]:
    """Return the line of an instance, by column."""
    objective, bound = row.objective, row.lower_bound
    if row.status == "optimal":
        # One that is reached reads like the objective.
        bound = objective
    bound_cell = DASH if bound is None else bound_text(bound)
    return {
        "instance": row.instance,
        "n": str(row.n),
        "K": str(row.vehicles),
        "status": row.status,
        "reason": row.reason,
        "objective": DASH if objective is None else cost_text(objective),
        "lower bound": cost_text(bound) if bound is not None and bound == objective else bound_cell,
        "gap": DASH if row.gap is None else gap_text(row.gap),
        "seconds": _seconds_text(row.seconds),
        "nodes": f"{row.nodes:,}",
        "loading checks": f"{row.exact_checks:,}",
    }


def _seconds_text(seconds: float) -> str:
    """Return seconds with as many decimals as can be meant."""
    return f"{Decimal(str(seconds)):.2f}" if seconds < 100 else f"{seconds:,.0f}"


def _totals(rows: Sequence[Row], groups: Mapping[str, int]) -> Table:
    lines = (
        (name, *_totals_cells(group))
        for name, group in by_class(rows, lambda row: _group(row, groups))
    )
    return Table("totals", "Proven by class", ("class", *TOTALS_HEADER), tuple(lines))


def _parts(rows: Sequence[Row]) -> Table:
    """Return the same by size: the exact literature solves the first part."""
    lines = [
        (f"{part[0]:02}-{part[-1]:02}", name, *_totals_cells(group))
        for part in PARTS
        for name, group in by_class(
            [row for row in rows if row.is_published and int(row.instance[:2]) in part],
            lambda row: row.packing_class,
        )
    ]
    header = ("numbers", "class", *TOTALS_HEADER)
    return Table("parts", "Proven by size and class", header, tuple(lines))


def _totals_cells(group: Sequence[Row]) -> tuple[str, ...]:
    proven = [row for row in group if row.is_proven]
    longest = max(group, key=lambda row: row.seconds)
    return (
        str(len(group)),
        str(len(proven)),
        str(sum(row.seconds <= QUICK_SECONDS for row in proven)),
        _seconds_text(round(sum(row.seconds for row in group), 3)),
        f"{_seconds_text(longest.seconds)} ({longest.instance})",
    )


def _is_in_paper(row: Row) -> bool:
    return row.instance in PAPER_SEARCHES and row.conventions == "benchmark"


def _paper(rows: Sequence[Row]) -> Table:
    header = (
        *("instance", "status", "cost", "lower bound", "seconds", "paper", "paper s"),
        *("before: bound", "before: cost", "before: s"),
    )
    lines = []
    for row in filter(_is_in_paper, rows):
        theirs = PAPER_SEARCHES[row.instance]
        ours = number_text(row.objective, 0), number_text(row.lower_bound)
        before = f"{theirs.bound_before}", f"{theirs.cost_before}", f"{theirs.seconds_before:,.0f}"
        lines.append(
            (
                *(row.instance, row.status, *ours, _seconds_text(row.seconds)),
                *(str(theirs.optimum), f"{theirs.seconds:,.0f}", *before),
            )
        )
    note = (
        "The paper: its branch-price-and-cut with a network. Before: the same without one, which "
        "ran out of memory. Both on another machine."
    )
    title = "The instance that the paper has closed"
    return Table("paper", title, header, tuple(lines), note=note)


def _figure(rows: Sequence[Row], groups: Mapping[str, int]) -> Figure:
    seconds: dict[str, list[float]] = {}
    totals: Counter[str] = Counter()
    for row in sorted(rows, key=lambda row: _group(row, groups)):
        name = f"class {_group(row, groups)}"
        totals[name] += 1
        seconds.setdefault(name, [])
        if row.is_proven:
            seconds[name].append(max(row.seconds, LEAST_SECONDS))
    return Figure(
        "proven",
        "Share of a class proven within a time",
        partial(_draw, seconds=seconds, totals=totals),
    )


def _draw(figure: Any, *, seconds: dict[str, list[float]], totals: dict[str, int]) -> None:
    draw_shares(figure.subplots(), seconds, totals, label="seconds")
