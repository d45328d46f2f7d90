"""Stores every loading query of a run as a table, for whoever wants to learn from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from tailgate.io.text_file import cannot_be_written, replacing
from tailgate.model.aliases import PathLike
from tailgate.model.errors import TailgateError
from tailgate.model.instance import Instance
from tailgate.solver.loading import Query

FORMAT = "tailgate-queries-1"
FORMAT_2 = "tailgate-queries-2"
"""Of instances with items that may be turned: it says which."""
# Some megabytes in memory, and large enough to compress well.
ROWS_PER_GROUP = 10_000
_TYPES = {
    **dict.fromkeys(("instance", "instance_sha256"), "string"),
    "lifo": "bool",
    **dict.fromkeys(("floor_width", "floor_length"), "int32"),
    **dict.fromkeys(("route", "items_per_stop", "item_widths", "item_lengths"), "numbers"),
    **dict.fromkeys(("verdict", "decided_by"), "string"),
    **{"nodes": "int64", "seconds": "float64", "max_nodes": "int64?", "phase": "string"},
    **{"iteration": "int32", "reduced_cost": "float64?"},
}
TURNS = {"item_turns": "numbers"}
"""1 for an item that may be turned, else 0; only where some item may be."""


class QueryRecorder:
    """Writes loading queries to a Parquet file, which appears when the recorder is closed.

    To be used in a ``with`` statement. A block that ends early (an error, Ctrl-C) leaves a whole
    file with the queries up to then. For one thread; the oracle that records may have many.
    """

    def __init__(self, path: PathLike, instance: Instance, *, lifo: bool) -> None:
        self._path = path
        self._constants: dict[str, Any] = {
            "instance": instance.name,
            "instance_sha256": instance.sha256,
            "lifo": lifo,
        }
        self._floors = [
            {"floor_width": vehicle.width, "floor_length": vehicle.length}
            for vehicle in instance.vehicles
        ]
        self._widths = [[item.width for item in c.items] for c in instance.customers]
        self._lengths = [[item.length for item in c.items] for c in instance.customers]
        self._turns = [
            [int(instance.may_turn(item)) for item in c.items] for c in instance.customers
        ]
        self._says_turns = instance.has_turning
        self._pyarrow, self._parquet = import_pyarrow()
        types, file_format = (_TYPES | TURNS, FORMAT_2) if self._says_turns else (_TYPES, FORMAT)
        self._schema = make_schema(self._pyarrow, types, file_format=file_format)
        self._rows: list[dict[str, Any]] = []
        self._writer: Any = None
        self._is_broken = False
        self._open_file = ExitStack()

    def __enter__(self) -> Self:
        """Open the file now, so that a path that cannot be written is refused before the work."""
        try:
            with ExitStack() as opened:
                file = opened.enter_context(replacing(self._path))
                # By its name, for Ctrl-C must not come between the pieces that pyarrow writes.
                self._writer = self._parquet.ParquetWriter(
                    str(file.name), self._schema, compression="zstd"
                )
                self._open_file = opened.pop_all()
        except (OSError, ValueError, RuntimeError) as error:
            raise cannot_be_written(self._path, error) from error
        return self

    def record(
        self,
        queries: Iterable[Query],
        *,
        kind: int = 0,
        phase: str,
        iteration: int,
        reduced_cost: Callable[[tuple[int, ...]], float] | None = None,
    ) -> None:
        """Add the queries of one round about the floor of a kind of vehicle.

        `reduced_cost` prices a route, where that makes sense.
        """
        for query in queries:
            stops = [customer - 1 for customer in query.route]
            self._rows.append(
                {
                    **self._constants,
                    **self._floors[kind],
                    "route": query.route,
                    "items_per_stop": [len(self._widths[stop]) for stop in stops],
                    "item_widths": [width for stop in stops for width in self._widths[stop]],
                    "item_lengths": [length for stop in stops for length in self._lengths[stop]],
                    **self._turns_of(stops),
                    "verdict": query.verdict.value,
                    "decided_by": query.decided_by,
                    "nodes": query.nodes,
                    "seconds": query.seconds,
                    "max_nodes": query.max_nodes,
                    "phase": phase,
                    "iteration": iteration,
                    "reduced_cost": None if reduced_cost is None else reduced_cost(query.route),
                }
            )
            if len(self._rows) >= ROWS_PER_GROUP:
                self._write_group()

    def _turns_of(self, stops: list[int]) -> dict[str, list[int]]:
        if not self._says_turns:
            return {}
        return {"item_turns": [turn for stop in stops for turn in self._turns[stop]]}

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Put the file in its place, whatever ended the block: what was recorded is true."""
        if self._is_broken:
            # Told already; half a file is no file.
            self._open_file.__exit__(kind, error, traceback)
            return
        try:
            with self._open_file:
                self._write_group()
                self._writer.close()
        except (OSError, ValueError, RuntimeError) as failure:
            raise cannot_be_written(self._path, failure) from failure

    def _write_group(self) -> None:
        if not self._rows:
            return
        table = self._pyarrow.Table.from_pylist(self._rows, schema=self._schema)
        self._rows = []
        try:
            self._writer.write_table(table)
        except (OSError, ValueError, RuntimeError) as error:
            self._is_broken = True
            raise cannot_be_written(self._path, error) from error


def import_pyarrow(who: str = "recording writes Parquet and needs", extra: str = "record") -> Any:
    """Load pyarrow and its part for Parquet, which are optional, or say how to get them."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise TailgateError(
            f"{who} pyarrow; install it with: pip install 'tailgate[{extra}]'"
        ) from error
    return pyarrow, pyarrow.parquet


def make_schema(pyarrow: Any, types: Mapping[str, str], *, file_format: str) -> Any:
    """Return a schema of columns by the names of their types; a question mark allows nulls."""
    numbers = pyarrow.list_(pyarrow.int32())
    fields = []
    for name, word in types.items():
        plain = word.removesuffix("?")
        kind = numbers if plain == "numbers" else pyarrow.type_for_alias(plain)
        fields.append(pyarrow.field(name, kind, nullable=word != plain))
    return pyarrow.schema(fields, metadata={"format": file_format})
