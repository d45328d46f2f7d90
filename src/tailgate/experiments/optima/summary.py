"""From rows to what a reader wants to know: how many are proven, how fast, and what is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from tailgate.experiments.optima.row import FAILED, Number, Row
from tailgate.experiments.tables import markdown_table
from tailgate.rounding import bound_text, cost_text, gap_text

QUICK_SECONDS = 60.0
# The exact literature solves the first part.
PARTS = (range(1, 20), range(20, 37))
ABSENT = "-"

TOTALS_HEADER = ("instances", "class", "rows", "proven", "within 60 s", "seconds", "longest s")
ROW_HEADER = (
    *("instance", "n", "K", "status", "reason", "objective", "lower bound", "gap"),
    *("seconds", "nodes", "loading checks"),
)
OPEN_HEADER = ("instance", "n", "status", "reason", "objective", "lower bound", "gap", "seconds")


@dataclass(frozen=True, slots=True)
class Totals:
    """The sums of one class among the instances of a part, or of all classes."""

    instances: str
    packing_class: str
    rows: int
    proven: int
    quick: int
    """Proven within a minute."""
    seconds: float
    longest_seconds: float
    longest_instance: str

    @property
    def cells(self) -> list[str]:
        """The line of the table."""
        return [
            self.instances,
            self.packing_class,
            str(self.rows),
            str(self.proven),
            str(self.quick),
            seconds_text(self.seconds),
            f"{seconds_text(self.longest_seconds)} ({self.longest_instance})",
        ]


def totals_of(rows: Sequence[Row]) -> list[Totals]:
    """Return the sums by part and class, and of every part that has several classes."""
    found = []
    for part in PARTS:
        inside = [row for row in rows if row.is_published and int(row.instance[:2]) in part]
        label = f"{part[0]:02}-{part[-1]:02}"
        classes = sorted({row.packing_class for row in inside})
        for group in classes:
            members = [row for row in inside if row.packing_class == group]
            found.append(_totals(label, str(group), members))
        if len(classes) > 1:
            found.append(_totals(label, "all", inside))
    return found


def _totals(label: str, group: str, rows: Sequence[Row]) -> Totals:
    longest = max(rows, key=lambda row: row.seconds)
    return Totals(
        instances=label,
        packing_class=group,
        rows=len(rows),
        proven=sum(row.is_proven for row in rows),
        quick=sum(row.is_proven and row.seconds <= QUICK_SECONDS for row in rows),
        seconds=sum(row.seconds for row in rows),
        longest_seconds=longest.seconds,
        longest_instance=longest.instance,
    )


def row_cells(row: Row) -> list[str]:
    """Return the line of an instance."""
    return [
        row.instance,
        str(row.n),
        str(row.vehicles),
        row.status,
        row.reason,
        *_value_cells(row),
        seconds_text(row.seconds),
        f"{row.nodes:,}",
        f"{row.exact_checks:,}",
    ]


def open_cells(row: Row) -> list[str]:
    """Return the line of an instance that is not proven."""
    return [
        row.instance,
        str(row.n),
        row.status,
        row.reason,
        *_value_cells(row),
        seconds_text(row.seconds),
    ]


def _value_cells(row: Row) -> list[str]:
    objective, bound = row.objective, row.lower_bound
    if row.status == "optimal":
        # One that is reached reads like the objective.
        bound = objective
    return [
        ABSENT if objective is None else cost_text(objective),
        ABSENT if bound is None else bound_text(bound) if bound != objective else cost_text(bound),
        ABSENT if row.gap is None else gap_text(row.gap),
    ]


def markdown_page(rows: Sequence[Row], *, processors: Sequence[str] = ()) -> str:
    """Return the page: how it was made, proven by class, what is open, and every instance."""
    made_on = f" on {'; '.join(processors)}" if processors else ""
    commits = sorted({row.commit for row in rows})
    lines = [
        "# Proven optima",
        "",
        f"Made by `python benchmarks/optima.py`{made_on}, at commit {', '.join(commits)}. Seconds "
        "of a search that was resumed are those of all its runs.",
    ]
    for conventions in sorted({row.conventions for row in rows}):
        chosen = [row for row in rows if row.conventions == conventions]
        lines += ["", f"## Conventions `{conventions}`", ""]
        lines += markdown_table(TOTALS_HEADER, (totals.cells for totals in totals_of(chosen)))
        still_open = [row for row in chosen if not row.is_proven]
        if still_open:
            lines += ["", f"Not proven ({len(still_open)}):", ""]
            lines += markdown_table(OPEN_HEADER, map(open_cells, still_open))
        lines += ["", "Every instance:", ""]
        lines += markdown_table(ROW_HEADER, map(row_cells, chosen))
    return "\n".join(lines) + "\n"


def summary_lines(rows: Sequence[Row]) -> list[str]:
    """Return the same in short, for the terminal: proven by class, and what is open."""
    lines: list[str] = []
    for conventions in sorted({row.conventions for row in rows}):
        chosen = [row for row in rows if row.conventions == conventions]
        lines += ["", f"Conventions {conventions}:", ""]
        lines += markdown_table(TOTALS_HEADER, (totals.cells for totals in totals_of(chosen)))
        still_open = [row for row in chosen if not row.is_proven]
        if still_open:
            lines += ["", f"Not proven ({len(still_open)}):", ""]
            lines += markdown_table(OPEN_HEADER, map(open_cells, still_open))
    return lines


def result_line(row: Row) -> str:
    """Return the result of one instance in a line."""
    if row.status == FAILED:
        return f"{row.instance} FAILED: {row.reason}, {seconds_text(row.seconds)} s"
    objective, bound, gap = _value_cells(row)
    if row.is_proven:
        value = f" {objective}" if row.objective is not None else ""
        return (
            f"{row.instance} {row.status}{value}, {seconds_text(row.seconds)} s, "
            f"{row.nodes:,} nodes, {row.exact_checks:,} checks"
        )
    return (
        f"{row.instance} {row.status} ({row.reason}): objective {objective}, lower bound {bound}, "
        f"gap {gap}, {seconds_text(row.seconds)} s, {row.nodes:,} nodes"
    )


def seconds_text(seconds: Number) -> str:
    """Return seconds with as many decimals as can be meant."""
    return f"{Decimal(str(seconds)):.2f}" if seconds < 100 else f"{seconds:,.0f}"
