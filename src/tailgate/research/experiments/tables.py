"""Tables of results, as Markdown and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tailgate.research.experiments.row_store import Row

DASH = "-"
ALL = "all"
_Member = TypeVar("_Member")


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a report; its cells are texts as they are to be read."""

    name: str
    """Of its files."""
    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    @property
    def markdown(self) -> str:
        """The table alone."""
        return "\n".join(markdown_table(self.header, self.rows)) + "\n"

    @property
    def csv(self) -> str:
        """The same for programs."""
        return csv_text(self.header, self.rows)


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a table that can be read as it is, too."""
    lines = [list(header), *(list(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    padded = [
        "| "
        + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        + " |"
        for line in lines
    ]
    divider = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return [padded[0], divider, *padded[1:]]


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a CSV table; None is an empty cell."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
    return text.getvalue()


def csv_of_rows(rows: Sequence[Mapping[str, object]]) -> str:
    """Return measurements as a CSV table, with the columns of all of them."""
    header = list(dict.fromkeys(name for row in rows for name in row))
    return csv_text(header, ([row.get(name) for name in header] for row in rows))


def by_class(
    members: Sequence[_Member], class_of: Callable[[_Member], int]
) -> list[tuple[str, list[_Member]]]:
    """Return the members of every packing class and, where there are several, all."""
    classes = sorted({class_of(member) for member in members})
    groups = [
        (str(number), [member for member in members if class_of(member) == number])
        for number in classes
    ]
    return [*groups, (ALL, list(members))] if len(groups) > 1 else groups


def grouped(rows: Iterable[Row], column: str) -> list[tuple[str, list[Row]]]:
    """Return the rows by what they have in a column, in the order of first appearance."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(str(row[column]), []).append(row)
    return list(groups.items())


def number_text(value: float | None, decimals: int = 2) -> str:
    """Return a number, or a dash where there is none."""
    return DASH if value is None else f"{value:,.{decimals}f}"
