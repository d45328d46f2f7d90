"""Distinct loading queries of one instance as a Parquet file, and many such files as arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tailgate.io.text_file import source_text, writing
from tailgate.model.aliases import RoutePath
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.solver import recording
from tailgate.solver.loading import Verdict
from tailgate.solver.recording import make_schema

FORMAT = "tailgate-distinct-queries-1"
FORMAT_2 = "tailgate-distinct-queries-2"
"""Of instances with items that may be turned: it says which."""
_TYPES = {
    **{"key": "binary", "instance": "string", "packing_class": "int8"},
    **dict.fromkeys(("floor_width", "floor_length"), "int32"),
    **dict.fromkeys(("route", "items_per_stop", "item_widths", "item_lengths"), "numbers"),
    **{"verdict": "string", "decided_by": "string", "is_cheap": "bool"},
    **{"nodes": "int64", "seconds": "float64", "phase": "string"},
}

Integers = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class AskedQuery:
    """A distinct query with the best answer that was found."""

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
    """Write the queries about one instance; the file appears when it is whole."""
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
    }
    for name in ("decided_by", "is_cheap", "nodes", "seconds", "phase"):
        columns[name] = [getattr(query, name) for query in queries]
    types, file_format = _TYPES, FORMAT
    if instance.has_turning:
        columns["item_turns"] = [
            [int(instance.may_turn(item)) for stop in route for item in stop] for route in stops
        ]
        types, file_format = _TYPES | recording.TURNS, FORMAT_2
    schema = make_schema(pyarrow, types, file_format=file_format)
    table = pyarrow.Table.from_pydict(columns, schema=schema)
    with writing(path) as file:
        parquet.write_table(table, file, compression="zstd")


@dataclass(frozen=True)
class QueryTable:
    """Queries as arrays: one entry per query, and flat lists of stops and items."""

    keys: NDArray[np.bytes_]
    instance: NDArray[np.str_]
    packing_class: NDArray[np.int8]
    floor: Integers
    """Width and length, one row per query."""
    stop_count: Integers
    items_per_stop: Integers
    """Of all stops of all queries, one after the other."""
    item_sizes: Integers
    """Width and length of all items of all queries, one after the other."""
    item_turns: NDArray[np.bool_]
    """Which of these items may be turned."""
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
        """Where the stops of each query begin, and the end of the last."""
        return np.concatenate([[0], np.cumsum(self.stop_count, dtype=np.int64)])

    @property
    def item_starts(self) -> NDArray[np.int64]:
        """Where the items of each stop begin, and the end of the last."""
        return np.concatenate([[0], np.cumsum(self.items_per_stop, dtype=np.int64)])

    def select(self, rows: NDArray[Any]) -> QueryTable:
        """Return some of the queries: a mask, or indices in the order wanted."""
        if rows.dtype == bool:
            rows = np.flatnonzero(rows)
        stop_starts, item_starts = self.stop_starts, self.item_starts
        stops = ranges(stop_starts[rows], self.stop_count[rows])
        items = ranges(item_starts[stops], self.items_per_stop[stops])
        index = {"items_per_stop": stops, "item_sizes": items, "item_turns": items}
        columns = {
            one.name: getattr(self, one.name)[index.get(one.name, rows)] for one in fields(self)
        }
        return QueryTable(**columns)


def ranges(starts: NDArray[Any], counts: NDArray[Any]) -> NDArray[np.int64]:
    """Return start, start + 1, ... of every pair, one after the other."""
    counts = np.asarray(counts, dtype=np.int64)
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    shifts = np.asarray(starts, dtype=np.int64) - (ends - counts)
    spread: NDArray[np.int64] = np.arange(total, dtype=np.int64) + np.repeat(shifts, counts)
    return spread


def read_queries(paths: Iterable[Path]) -> QueryTable:
    """Read the queries of several files."""
    pyarrow, parquet = import_pyarrow()
    tables = []
    for path in paths:
        try:
            table = parquet.read_table(path)
        except (OSError, ValueError, RuntimeError) as error:
            raise InputError(f"is not a file of queries: {error}", source=str(path)) from error
        metadata = table.schema.metadata or {}
        stated = metadata.get(b"format", b"").decode(errors="replace")
        if stated not in (FORMAT, FORMAT_2):
            raise InputError(
                f"is not a file of queries in the format {FORMAT} or {FORMAT_2}",
                source=source_text(path),
            )
        tables.append(table if stated == FORMAT_2 else _with_nothing_turned(pyarrow, table))
    if not tables:
        raise InputError("there are no queries", field="data set")
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
        item_turns=flat("item_turns").astype(bool),
        verdict=words("verdict"),
        decided_by=words("decided_by"),
        is_cheap=table["is_cheap"].to_numpy().astype(bool),
        nodes=table["nodes"].to_numpy(),
        phase=words("phase"),
    )


def _with_nothing_turned(pyarrow: Any, table: Any) -> Any:
    """Return a table of format 1 with the column that it lacks, in the place of format 2."""
    field = make_schema(pyarrow, recording.TURNS, file_format=FORMAT_2).field(0)
    widths = table["item_widths"].combine_chunks()
    nothing = pyarrow.ListArray.from_arrays(
        widths.offsets, pyarrow.array(np.zeros(len(widths.values), dtype=np.int32))
    )
    return table.append_column(field, nothing.cast(field.type))


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def import_pyarrow() -> Any:
    """Load pyarrow, which is optional, or say how to get it."""
    return recording.import_pyarrow("data sets are Parquet files and need", "train")
