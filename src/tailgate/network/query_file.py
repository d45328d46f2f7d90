"""Distinct loading questions of one instance as a Parquet file, and many such files as arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tailgate.errors import InputError, TailgateError
from tailgate.instance import Instance
from tailgate.loading import Verdict
from tailgate.text_file import source_text, writing

FORMAT = "tailgate-distinct-queries-1"

Integers = NDArray[np.int32]
RoutePath = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AskedQuery:
    """A distinct question with the best answer that was found."""

    key: bytes
    route: RoutePath
    verdict: Verdict
    decided_by: str
    """In the run that asked; its cache may have known."""
    is_cheap: bool
    """Whether bounds and dives alone settle it: a network is never asked then."""
    nodes: int
    seconds: float
    phase: str


def write_queries(
    path: Path, instance: Instance, packing_class: int, queries: Sequence[AskedQuery]
) -> None:
    """Write the questions about one instance; the file appears when it is whole."""
    pyarrow, parquet = import_pyarrow()
    items = [customer.items for customer in instance.customers]
    stops = [[items[customer - 1] for customer in query.route] for query in queries]
    count = len(queries)
    columns: dict[str, list[Any]] = {
        "key": [query.key for query in queries],
        "instance": [instance.name] * count,
        "packing_class": [packing_class] * count,
        "floor_width": [instance.vehicle.width] * count,
        "floor_length": [instance.vehicle.length] * count,
        "route": [query.route for query in queries],
        "items_per_stop": [[len(stop) for stop in route] for route in stops],
        "item_widths": [[item.width for stop in route for item in stop] for route in stops],
        "item_lengths": [[item.length for stop in route for item in stop] for route in stops],
        "verdict": [query.verdict.value for query in queries],
        "decided_by": [query.decided_by for query in queries],
        "is_cheap": [query.is_cheap for query in queries],
        "nodes": [query.nodes for query in queries],
        "seconds": [query.seconds for query in queries],
        "phase": [query.phase for query in queries],
    }
    table = pyarrow.Table.from_pydict(columns, schema=_schema(pyarrow))
    with writing(path) as file:
        parquet.write_table(table, file, compression="zstd")


def _schema(pyarrow: Any) -> Any:
    numbers = pyarrow.list_(pyarrow.int32())
    types = {
        "key": pyarrow.binary(),
        "instance": pyarrow.string(),
        "packing_class": pyarrow.int8(),
        "floor_width": pyarrow.int32(),
        "floor_length": pyarrow.int32(),
        "route": numbers,
        "items_per_stop": numbers,
        "item_widths": numbers,
        "item_lengths": numbers,
        "verdict": pyarrow.string(),
        "decided_by": pyarrow.string(),
        "is_cheap": pyarrow.bool_(),
        "nodes": pyarrow.int64(),
        "seconds": pyarrow.float64(),
        "phase": pyarrow.string(),
    }
    fields = [pyarrow.field(name, kind, nullable=False) for name, kind in types.items()]
    return pyarrow.schema(fields, metadata={"format": FORMAT})


@dataclass(frozen=True)
class QueryTable:
    """Questions as arrays: one entry per question, and flat lists of stops and items."""

    keys: NDArray[np.bytes_]
    instance: NDArray[np.str_]
    packing_class: NDArray[np.int8]
    floor: Integers
    """Width and length, one row per question."""
    stop_count: Integers
    items_per_stop: Integers
    """Of all stops of all questions, one after the other."""
    item_sizes: Integers
    """Width and length of all items of all questions, one after the other."""
    verdict: NDArray[np.str_]
    decided_by: NDArray[np.str_]
    is_cheap: NDArray[np.bool_]
    nodes: NDArray[np.int64]
    phase: NDArray[np.str_]

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def is_feasible(self) -> NDArray[np.bool_]:
        """Whether the verdict is yes; means nothing where it is unknown."""
        return np.asarray(self.verdict == Verdict.FEASIBLE.value)

    @property
    def is_known(self) -> NDArray[np.bool_]:
        """Whether there is a verdict."""
        return np.asarray(self.verdict != Verdict.UNKNOWN.value)

    @property
    def stop_starts(self) -> NDArray[np.int64]:
        """Where the stops of each question begin, and the end of the last."""
        return np.concatenate([[0], np.cumsum(self.stop_count, dtype=np.int64)])

    @property
    def item_starts(self) -> NDArray[np.int64]:
        """Where the items of each stop begin, and the end of the last."""
        return np.concatenate([[0], np.cumsum(self.items_per_stop, dtype=np.int64)])

    def select(self, rows: NDArray[Any]) -> QueryTable:
        """Return some of the questions: a mask, or indices in the order wanted."""
        if rows.dtype == bool:
            rows = np.flatnonzero(rows)
        stop_starts, item_starts = self.stop_starts, self.item_starts
        stops = ranges(stop_starts[rows], self.stop_count[rows])
        items = ranges(item_starts[stops], self.items_per_stop[stops])
        return QueryTable(
            keys=self.keys[rows],
            instance=self.instance[rows],
            packing_class=self.packing_class[rows],
            floor=self.floor[rows],
            stop_count=self.stop_count[rows],
            items_per_stop=self.items_per_stop[stops],
            item_sizes=self.item_sizes[items],
            verdict=self.verdict[rows],
            decided_by=self.decided_by[rows],
            is_cheap=self.is_cheap[rows],
            nodes=self.nodes[rows],
            phase=self.phase[rows],
        )


def ranges(starts: NDArray[Any], counts: NDArray[Any]) -> NDArray[np.int64]:
    """Return start, start + 1, ... of every pair, one after the other."""
    counts = np.asarray(counts, dtype=np.int64)
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    shifts = np.asarray(starts, dtype=np.int64) - (ends - counts)
    spread: NDArray[np.int64] = np.arange(total, dtype=np.int64) + np.repeat(shifts, counts)
    return spread


def read_queries(paths: Iterable[Path]) -> QueryTable:
    """Read the questions of several files."""
    pyarrow, parquet = import_pyarrow()
    tables = []
    for path in paths:
        try:
            table = parquet.read_table(path)
        except (OSError, ValueError, RuntimeError) as error:
            raise InputError(f"is not a file of questions: {error}", source=str(path)) from error
        metadata = table.schema.metadata or {}
        if metadata.get(b"format") != FORMAT.encode():
            raise InputError(
                f"is not a file of questions in the format {FORMAT}", source=source_text(path)
            )
        tables.append(table)
    if not tables:
        raise InputError("there are no questions", field="data set")
    table = pyarrow.concat_tables(tables)

    def flat(name: str) -> Integers:
        return np.asarray(table[name].combine_chunks().flatten().to_numpy(), dtype=np.int32)

    def words(name: str) -> NDArray[np.str_]:
        encoded = table[name].combine_chunks().dictionary_encode()
        names = np.array(encoded.dictionary.to_pylist() or [""], dtype=np.str_)
        return np.asarray(names[encoded.indices.to_numpy()])

    lists = table["items_per_stop"].combine_chunks()
    return QueryTable(
        keys=np.array([key.hex() for key in table["key"].to_pylist()], dtype="S32"),
        instance=words("instance"),
        packing_class=table["packing_class"].to_numpy().astype(np.int8),
        floor=np.stack(
            [table["floor_width"].to_numpy(), table["floor_length"].to_numpy()], axis=1
        ).astype(np.int32),
        stop_count=lists.value_lengths().to_numpy().astype(np.int32),
        items_per_stop=flat("items_per_stop"),
        item_sizes=np.stack([flat("item_widths"), flat("item_lengths")], axis=1),
        verdict=words("verdict"),
        decided_by=words("decided_by"),
        is_cheap=table["is_cheap"].to_numpy().astype(bool),
        nodes=table["nodes"].to_numpy(),
        phase=words("phase"),
    )


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def import_pyarrow() -> tuple[Any, Any]:
    """Load pyarrow, which is optional, or say how to get it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise TailgateError(
            "data sets are Parquet files and need pyarrow; install it with: "
            "pip install 'tailgate[train]'"
        ) from error
    return pyarrow, pyarrow.parquet
