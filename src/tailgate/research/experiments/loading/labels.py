"""Loading queries whose verdicts others have proven, in files beside the published instances.

``reference/packing_verdicts*.csv`` name routes of published instances.
``packing_labels/class*.csv``, from the data of Zhang and others (2022), hold floors and their
items, which are to be unloaded in any order.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.research.experiments.loading.cases import instance_of
from tailgate.research.experiments.published import published_path
from tailgate.research.experiments.variants import ANY_ORDER, AS_GIVEN, TURNED, Variant
from tailgate.solver.loading import read


@dataclass(frozen=True, slots=True)
class LabelSet:
    """A column of verdicts in a file, and the variant that they are of."""

    file: str
    """Beside the folder of the published instances."""
    column: str
    variant: Variant

    @property
    def name(self) -> str:
        """The file and the variant in a few words."""
        return f"{Path(self.file).stem}, {self.variant.name}"


@dataclass(frozen=True, slots=True)
class Label:
    """A loading query and its verdict."""

    name: str
    instance: Instance
    route: tuple[int, ...]
    is_feasible: bool


_OF_ROUTES = (
    LabelSet("reference/packing_verdicts.csv", "feasible", AS_GIVEN),
    LabelSet("reference/packing_verdicts_turned.csv", "feasible_as_given", AS_GIVEN),
    LabelSet("reference/packing_verdicts_turned.csv", "feasible_turned", TURNED),
)


def label_sets(benchmark: Path) -> list[LabelSet]:
    """Return those whose files are there."""
    folder = benchmark.parent
    floors = sorted(folder.glob("packing_labels/class*.csv"))
    return [
        *(one for one in _OF_ROUTES if (folder / one.file).is_file()),
        *(LabelSet(f"packing_labels/{path.name}", "feasible", ANY_ORDER) for path in floors),
    ]


def count_labels(benchmark: Path, labels: LabelSet) -> int:
    """Return how many verdicts a file has."""
    return len(_lines(benchmark.parent / labels.file, labels.column))


def read_labels(benchmark: Path, labels: LabelSet, which: slice) -> Iterator[Label]:
    """Yield some of the labels of a set, in the order of the file."""
    path = benchmark.parent / labels.file
    for number, line in _lines(path, labels.column)[which]:
        try:
            is_feasible = {"1": True, "0": False}[line[labels.column]]
            if "items" in line:
                yield _floor(f"line {number}", line, labels.variant, is_feasible)
            else:
                yield _route(benchmark, line, labels.variant, is_feasible)
        except (KeyError, ValueError) as error:
            raise InputError(
                f"is no line of labels: {error}", source=str(path), line=number
            ) from error


def _floor(name: str, line: dict[str, str], variant: Variant, is_feasible: bool) -> Label:
    sizes = [word.partition("x") for word in line["items"].split()]
    stops = [[(int(width), int(length))] for width, _, length in sizes]
    instance = instance_of(int(line["floor_width"]), int(line["floor_length"]), stops)
    route = tuple(range(1, instance.n + 1))
    return Label(name, variant.of(instance), route, is_feasible)


def _route(benchmark: Path, line: dict[str, str], variant: Variant, is_feasible: bool) -> Label:
    name, route = line["instance"], line["route"]
    instance = variant.of(_published(benchmark, name))
    customers = tuple(int(number) for number in route.split("-"))
    return Label(f"{name} {route}", instance, customers, is_feasible)


@cache
def _published(benchmark: Path, name: str) -> Instance:
    return read(published_path(benchmark, name))


@cache
def _lines(path: Path, column: str) -> Sequence[tuple[int, dict[str, str]]]:
    """Return the numbered lines that have a verdict; its cell is empty where none was proven."""
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(enumerate(csv.DictReader(file), start=2))
    return [(number, line) for number, line in lines if line.get(column) != ""]
