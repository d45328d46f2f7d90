"""Stores every loading question of a run as a table, for whoever wants to learn from them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from tailgate.errors import TailgateError
from tailgate.instance import Instance
from tailgate.loading import Query
from tailgate.text_file import cannot_be_written, replacing

FORMAT = "tailgate-queries-1"
# Some megabytes in memory, and large enough to compress well.
ROWS_PER_GROUP = 10_000


class QueryRecorder:
    """Writes loading questions to a Parquet file, which appears when the recorder is closed.

    To be used in a ``with`` statement. A block that ends early (an error, Ctrl-C) leaves a whole
    file with the questions up to then. For one thread; the oracle that records may have many.
    """

    def __init__(self, path: str | os.PathLike[str], instance: Instance, *, lifo: bool) -> None:
        self._path = path
        self._constants: dict[str, Any] = {
            "instance": instance.name,
            "instance_sha256": instance.sha256,
            "lifo": lifo,
            "floor_width": instance.vehicle.width,
            "floor_length": instance.vehicle.length,
        }
        self._widths = [[item.width for item in c.items] for c in instance.customers]
        self._lengths = [[item.length for item in c.items] for c in instance.customers]
        self._pyarrow, self._parquet = _import_pyarrow()
        self._schema = _schema(self._pyarrow)
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
        phase: str,
        iteration: int,
        reduced_cost: Callable[[tuple[int, ...]], float] | None = None,
    ) -> None:
        """Add the questions of one round; `reduced_cost` prices a route, where that makes sense."""
        for query in queries:
            stops = [customer - 1 for customer in query.route]
            self._rows.append(
                {
                    **self._constants,
                    "route": query.route,
                    "items_per_stop": [len(self._widths[stop]) for stop in stops],
                    "item_widths": [width for stop in stops for width in self._widths[stop]],
                    "item_lengths": [length for stop in stops for length in self._lengths[stop]],
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


def _import_pyarrow() -> tuple[Any, Any]:
    # Loaded only by those who record: it is large and optional.
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise TailgateError(
            "recording writes Parquet and needs pyarrow; install it with: "
            "pip install 'tailgate[record]'"
        ) from error
    return pyarrow, pyarrow.parquet


def _schema(pyarrow: Any) -> Any:
    text, numbers = pyarrow.string(), pyarrow.list_(pyarrow.int32())
    return pyarrow.schema(
        [
            pyarrow.field("instance", text, nullable=False),
            pyarrow.field("instance_sha256", text, nullable=False),
            pyarrow.field("lifo", pyarrow.bool_(), nullable=False),
            pyarrow.field("floor_width", pyarrow.int32(), nullable=False),
            pyarrow.field("floor_length", pyarrow.int32(), nullable=False),
            pyarrow.field("route", numbers, nullable=False),
            pyarrow.field("items_per_stop", numbers, nullable=False),
            pyarrow.field("item_widths", numbers, nullable=False),
            pyarrow.field("item_lengths", numbers, nullable=False),
            pyarrow.field("verdict", text, nullable=False),
            pyarrow.field("decided_by", text, nullable=False),
            pyarrow.field("nodes", pyarrow.int64(), nullable=False),
            pyarrow.field("seconds", pyarrow.float64(), nullable=False),
            pyarrow.field("max_nodes", pyarrow.int64()),
            pyarrow.field("phase", text, nullable=False),
            pyarrow.field("iteration", pyarrow.int32(), nullable=False),
            pyarrow.field("reduced_cost", pyarrow.float64()),
        ],
        metadata={"format": FORMAT},
    )
