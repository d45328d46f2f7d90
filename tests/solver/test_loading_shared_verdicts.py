"""Routes of the published benchmark whose verdicts were proven elsewhere, twice."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from builders import benchmark_folder
from loading_cases import assert_sound
from tailgate.model.conventions import TurnConvention
from tailgate.model.instance import Instance
from tailgate.solver.loading import LoadingOracle, Verdict, read

SECONDS_PER_ROUTE = 10
# Every so many-th route is asked in the ordinary suite, all of them in the longer one.
SAMPLING_STEP = 12
Row = tuple[str, tuple[int, ...], bool]


@pytest.fixture(scope="module")
def folder() -> Path:
    """Return the benchmark folder, or skip where this machine does not have it."""
    return benchmark_folder() or pytest.skip("the published benchmark: TAILGATE_BENCHMARK_DIR")


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table of verdicts that lies beside the benchmark."""

    name: str
    column: str
    turn: TurnConvention = "as-given"

    def rows(self, folder: Path) -> list[Row]:
        """Return its rows, or skip without it."""
        table = folder.parent / "reference" / self.name
        if not table.is_file():
            pytest.skip(
                f"the table of verdicts is absent: {table.name} beside the benchmark folder"
            )
        with table.open(encoding="utf-8", newline="") as file:
            return [
                (
                    row["instance"],
                    tuple(int(customer) for customer in row["route"].split("-")),
                    row[self.column] == "1",
                )
                for row in csv.DictReader(file)
                if row[self.column]  # empty where nothing was proven
            ]


TURNED = "packing_verdicts_turned.csv"
TABLES = (
    Table(name="packing_verdicts.csv", column="feasible"),
    Table(name=TURNED, column="feasible_as_given"),
    Table(name=TURNED, column="feasible_turned", turn="all"),
)


def count_answers(folder: Path, rows: Sequence[Row], turn: TurnConvention) -> Counter[Verdict]:
    """Ask all; a wrong answer or a plan that the judge refuses fails at once."""
    by_instance: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_instance[row[0]].append(row)
    counts: Counter[Verdict] = Counter()
    for name, own in by_instance.items():
        instance: Instance = read(folder / f"2l_cvrp{name}.txt")
        instance = replace(instance, conventions=replace(instance.conventions, turn=turn))
        oracle = LoadingOracle(instance)
        for _, route, is_feasible in own:
            result = oracle.check(route, time_limit=SECONDS_PER_ROUTE)
            counts[result.verdict] += 1
            assert_sound(instance, route, result)
            if result.verdict is not Verdict.UNKNOWN:
                assert (result.verdict is Verdict.FEASIBLE) == is_feasible, (name, route)
    return counts


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.column)
def test_a_sample_of_the_shared_verdicts_is_reproduced(folder: Path, table: Table) -> None:
    """An even sample over all instances and classes, short enough for every run."""
    sample = table.rows(folder)[::SAMPLING_STEP]
    counts = count_answers(folder, sample, table.turn)
    assert counts.total() == len(sample) >= 100
    assert counts[Verdict.UNKNOWN] <= 0.01 * len(sample)


@pytest.mark.long
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.column)
def test_all_shared_verdicts_are_reproduced(folder: Path, table: Table) -> None:
    """None wrong, at most one in a hundred unknown at ten seconds a route."""
    verdicts = table.rows(folder)
    counts = count_answers(folder, verdicts, table.turn)
    assert counts.total() == len(verdicts)
    assert counts[Verdict.UNKNOWN] <= 0.01 * len(verdicts)
