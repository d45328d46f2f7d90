"""Rebuilds every plan of a table of optima and has it judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tailgate.experiments.optima.file import ContradictionError, refuse_wrong_value
from tailgate.experiments.optima.row import FAILED, Row, problems_of, solution_of
from tailgate.experiments.optima.rules import read_instance
from tailgate.solution import write_solution


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the judge says about a row: no problems, or these."""

    row: Row
    has_plan: bool
    problems: tuple[str, ...]


def judge_rows(
    rows: Sequence[Row], path_of: Callable[[str], Path], *, solutions: Path | None = None
) -> Iterator[Judgement]:
    """Judge one row after the other, and write the valid plans as solution files if asked to."""
    for row in rows:
        if row.status == FAILED:
            yield Judgement(row, has_plan=False, problems=())
            continue
        instance = read_instance(path_of(row.instance), row.conventions, check_loading=False)
        problems = problems_of(row, instance)
        try:
            refuse_wrong_value(row)
        except ContradictionError as error:
            problems.append(str(error))
        if not problems and solutions is not None:
            solution = solution_of(row, instance)
            if solution is not None:
                write_solution(solution, solutions / f"{file_stem(row)}.json")
        yield Judgement(row, bool(row.routes), tuple(problems))


def file_stem(row: Row) -> str:
    """Return a name for files of this row: the instance, and the rules if they are others."""
    return stem(row.instance, row.conventions)


def stem(instance: str, conventions: str) -> str:
    """Return a name for files of an instance under these rules."""
    return instance if conventions == "benchmark" else f"{instance}-{conventions}"
