"""``optima``: every instance solved as far as the time allows, with its plan.

Over files of one's own it is ``tailgate solve`` for many instances.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from tailgate.errors import InputError
from tailgate.experiments.experiment import Experiment, Report, Setting
from tailgate.experiments.figures import Figure, draw_shares
from tailgate.experiments.instances import ABSENT, Chosen, Series
from tailgate.experiments.optima.file import ContradictionError, OptimaFile, refuse_wrong_value
from tailgate.experiments.optima.reference import PAPER_SEARCHES
from tailgate.experiments.optima.row import Row, problems_of, solution_of
from tailgate.experiments.optima.rules import conventions_name
from tailgate.experiments.optima.solving import plain_row, result_text, solve_instance
from tailgate.experiments.optima.summary import (
    OPEN_HEADER,
    QUICK_SECONDS,
    ROW_HEADER,
    open_cells,
    row_cells,
    seconds_text,
)
from tailgate.experiments.row_store import Row as StoredRow
from tailgate.experiments.tables import Table, by_class, number_text
from tailgate.solution import write_solution
from tailgate.work import Task

TIME_LIMIT, QUICK_TIME_LIMIT = 3600.0, 10.0
LEAST_SECONDS = 0.001
"""Drawn on a logarithmic axis, which has no zero."""
TABLE_FILE = "optima.csv"
"""In the folder of all results: the table that ``benchmarks/optima.py`` goes on with."""
SOLUTIONS_FOLDER = "solutions"


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
    main_table: ClassVar[str] = "totals"
    series: ClassVar[Series] = Series(classes=(1, 2, 3, 4, 5), quick_sizes=(8,))

    def __init__(self) -> None:
        self._chosen: list[Chosen] = []

    def missing(self, setting: Setting) -> list[str]:
        """Without the publication there are no published instances to close."""
        is_given = setting.instances or setting.quick
        return [ABSENT] if setting.published is None and not is_given else []

    def tasks(self, setting: Setting) -> list[Task]:
        """Solve all that the table has no proof of, unless it was tried for as long already."""
        limit = setting.time_limit or (QUICK_TIME_LIMIT if setting.quick else TIME_LIMIT)
        self._chosen = self.series.choose(setting)
        done = {
            row.key
            for row in _table_file(setting).rows
            if row.is_proven or (row.is_complete and row.seconds >= limit)
        }
        return [
            Task(
                f"{chosen.name}/seed {setting.seed}",
                solve_instance,
                (chosen, limit, setting.seed, setting.commit),
            )
            for chosen in self._chosen
            if (conventions_name(chosen.instance.conventions), chosen.name) not in done
        ]

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
        if unproven:
            cells = tuple(tuple(open_cells(row)) for row in unproven)
            tables.append(Table("open", "Not proven", OPEN_HEADER, cells))
        if any(_is_in_paper(row) for row in results):
            tables.append(_paper(results))
        every = tuple(tuple(row_cells(row)) for row in results)
        tables.append(Table("instances", "Every instance", ROW_HEADER, every))
        return Report(
            tables=tables,
            figures=[_figure(results, groups)],
            rows=list(rows.values()),
            problems=problems,
            facts={"seeds": [setting.seed]},
        )

    def _write_solutions(self, setting: Setting, rows: Sequence[Row]) -> list[str]:
        """Write every plan of this run's instances as a file; return what the judge has against."""
        folder = setting.out / self.name / SOLUTIONS_FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        problems = []
        by_key = {
            (conventions_name(one.instance.conventions), one.name): one for one in self._chosen
        }
        for row in rows:
            chosen = by_key.get(row.key)
            if chosen is None or not row.routes:
                continue
            found = problems_of(row, chosen.instance)
            solution = None if found else solution_of(row, chosen.instance)
            if solution is not None:
                write_solution(solution, folder / f"{row.instance}.json")
            problems += [f"{row.instance}: {problem}" for problem in found]
        return problems


def _table_file(setting: Setting) -> OptimaFile:
    path = setting.out / TABLE_FILE
    try:
        return OptimaFile(path)
    except ValueError as error:
        raise InputError(str(error), source=str(path)) from error


def _group(row: Row, groups: Mapping[str, int]) -> int:
    return groups.get(row.instance, row.packing_class if row.is_published else 0)


def _totals(rows: Sequence[Row], groups: Mapping[str, int]) -> Table:
    header = ("class", "instances", "proven", f"within {QUICK_SECONDS:g} s", "seconds", "longest s")
    lines = []
    for name, group in by_class(rows, lambda row: _group(row, groups)):
        proven = [row for row in group if row.is_proven]
        longest = max(group, key=lambda row: row.seconds)
        lines.append(
            (
                name,
                str(len(group)),
                str(len(proven)),
                str(sum(row.seconds <= QUICK_SECONDS for row in proven)),
                seconds_text(round(sum(row.seconds for row in group), 3)),
                f"{seconds_text(longest.seconds)} ({longest.instance})",
            )
        )
    return Table("totals", "Proven by class", header, tuple(lines))


def _is_in_paper(row: Row) -> bool:
    return row.instance in PAPER_SEARCHES and row.conventions == "benchmark"


def _paper(rows: Sequence[Row]) -> Table:
    header = ["instance", "status", "cost", "lower bound", "seconds", "paper", "paper s"]
    header += ["before: bound", "before: cost", "before: s"]
    lines = []
    for row in filter(_is_in_paper, rows):
        theirs = PAPER_SEARCHES[row.instance]
        lines.append(
            (
                row.instance,
                row.status,
                number_text(row.objective, 0),
                number_text(row.lower_bound),
                seconds_text(row.seconds),
                str(theirs.optimum),
                f"{theirs.seconds:,.0f}",
                f"{theirs.bound_before}",
                str(theirs.cost_before),
                f"{theirs.seconds_before:,.0f}",
            )
        )
    note = (
        "The paper: its branch-price-and-cut with a network. Before: the same without one, which "
        "ran out of memory. Both on another machine."
    )
    title = "The instance that the paper has closed"
    return Table("paper", title, tuple(header), tuple(lines), note=note)


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
