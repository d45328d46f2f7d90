"""Who is trained on what: a split of a data set, kept as a file."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tailgate.io.text_file import read_text, write_text
from tailgate.model.errors import InputError
from tailgate.research.learning.dataset import Dataset
from tailgate.research.learning.query_file import QueryTable

FORMAT = "tailgate-split-1"
PARTS = ("train", "validation", "test")
HELD_OUT = 0.1
"""Of each class: for validation, and again as much for the test."""

By = Literal["instance", "row"]
"""By instance; or by row as in the paper, where routes of one instance are on both sides."""


@dataclass(frozen=True)
class Split:
    """Which instances, or which keys, belong to which part."""

    by: By
    dataset: str
    seed: int
    instances: dict[str, tuple[str, ...]]
    """Of each part; empty where the split is by row."""

    def to_dict(self) -> dict[str, Any]:
        """Return what the file says."""
        return {"format": FORMAT, **asdict(self)}


def make_split(dataset: Dataset, *, by: By = "instance", seed: int = 0) -> Split:
    """Draw a split; by instance, every packing class is spread over all parts."""
    instances: dict[str, tuple[str, ...]] = dict.fromkeys(PARTS, ())
    if by == "instance":
        stream = np.random.default_rng(seed)
        table = dataset.queries
        for number in np.unique(table.packing_class):
            names = np.unique(table.instance[table.packing_class == number])
            if len(names) < len(PARTS):
                raise InputError(
                    f"class {number} has {len(names)} instances; a split needs {len(PARTS)}",
                    field="data set",
                )
            names = stream.permutation(names)
            held_out = max(1, round(HELD_OUT * len(names)))
            drawn = {
                "test": names[:held_out],
                "validation": names[held_out : 2 * held_out],
                "train": names[2 * held_out :],
            }
            for part in PARTS:
                instances[part] += tuple(sorted(map(str, drawn[part])))
    return Split(by, dataset.id, seed, instances)


def apply_split(split: Split, dataset: Dataset) -> dict[str, QueryTable]:
    """Return the queries of each part: with a verdict, each once, none in two parts.

    A query in two parts stays in the later one: the test is not thinned out.
    """
    if split.dataset != dataset.id:
        raise InputError(
            f"is of data set {split.dataset}, not {dataset.id}; make a new split", field="split"
        )
    table = dataset.queries.select(dataset.queries.is_known)
    part_of_row = _parts_by_row(split, table) if split.by == "row" else _parts(split, table)
    # The last part first, so that the first of equal keys is the one that stays.
    order = np.argsort(-part_of_row, kind="stable")
    _, first = np.unique(table.keys[order], return_index=True)
    kept = np.zeros(len(table), dtype=bool)
    kept[order[first]] = True
    return {part: table.select(kept & (part_of_row == number)) for number, part in enumerate(PARTS)}


def _parts(split: Split, table: QueryTable) -> NDArray[np.int64]:
    number_of = {
        name: number for number, part in enumerate(PARTS) for name in split.instances[part]
    }
    names, inverse = np.unique(table.instance, return_inverse=True)
    return np.array([number_of[str(name)] for name in names], dtype=np.int64)[inverse]


def _parts_by_row(split: Split, table: QueryTable) -> NDArray[np.int64]:
    names, inverse = np.unique(table.keys, return_inverse=True)
    draws = np.random.default_rng(split.seed).random(len(names))
    numbers = np.where(draws < HELD_OUT, 2, np.where(draws < 2 * HELD_OUT, 1, 0))
    return numbers.astype(np.int64)[inverse]


def write_split(split: Split, path: Path) -> None:
    """Write it down."""
    write_text(path, json.dumps(split.to_dict(), indent=1) + "\n")


def read_split(path: Path) -> Split:
    """Read it again."""
    content = json.loads(read_text(path))
    if content.get("format") != FORMAT:
        raise InputError(f"is not a split of the format {FORMAT}", source=str(path))
    instances = {part: tuple(content["instances"][part]) for part in PARTS}
    return Split(content["by"], content["dataset"], content["seed"], instances)
