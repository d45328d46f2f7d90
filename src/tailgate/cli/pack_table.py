"""The batch of ``tailgate pack``: a table of routes in, a table of verdicts out."""

from __future__ import annotations

import argparse
import io
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tailgate.cli.exit_codes import ExitCode
from tailgate.cli.output import (
    counted,
    duration_text,
    print_json,
    print_note,
    progress_is_welcome,
)
from tailgate.cli.route_table import RouteRow, RouteTable, VerdictWriter, read_route_table
from tailgate.cli.route_text import RouteReader
from tailgate.errors import InputError
from tailgate.instance import Instance
from tailgate.loading import LoadingOracle, LoadingResult, Verdict
from tailgate.text_file import cannot_be_written, replacing


def pack_table(instance: Instance, arguments: argparse.Namespace) -> ExitCode:
    """Decide every route of the table, and keep what was decided when interrupted."""
    routes = read_route_table(arguments.routes, RouteReader(instance))
    batch = _Batch(instance, routes, arguments)
    # With --json and no file, the verdicts go into the JSON document.
    sink = nullcontext(None) if arguments.json and arguments.out is None else _table_file(arguments)
    with sink as file:
        batch.run(file)
    batch.tell()
    return ExitCode.INTERRUPTED if batch.interrupted else ExitCode.DONE


class _Batch:
    """One run over the table, and what came out of it."""

    def __init__(
        self, instance: Instance, routes: RouteTable, arguments: argparse.Namespace
    ) -> None:
        self._oracle = LoadingOracle(instance)
        self._routes = routes
        self._arguments = arguments
        self._verdicts: Counter[Verdict] = Counter()
        self._results: list[dict[str, object]] = []
        self._seconds = 0.0
        self.interrupted = False

    def run(self, file: TextIO | None) -> None:
        writer = VerdictWriter(file, self._routes.other_columns) if file is not None else None
        started = time.perf_counter()
        try:
            with _progress(len(self._routes.rows), quiet=self._arguments.quiet) as advance:
                for row in self._routes.rows:
                    result = self._oracle.check(
                        row.customers,
                        max_nodes=self._arguments.max_nodes,
                        time_limit=self._arguments.time_limit,
                    )
                    self._verdicts[result.verdict] += 1
                    if writer is not None:
                        writer.write(row, result)
                    else:
                        self._results.append(self._result_content(row, result))
                    advance()
        except KeyboardInterrupt:
            self.interrupted = True
        self._seconds = time.perf_counter() - started

    def _result_content(self, row: RouteRow, result: LoadingResult) -> dict[str, object]:
        return {
            "route": row.text,
            "verdict": result.verdict.value,
            "decided_by": result.decided_by,
            "seconds": result.seconds,
            **dict(zip(self._routes.other_columns, row.others, strict=True)),
        }

    def tell(self) -> None:
        """Print the sums; the table itself may have gone to the standard output already."""
        arguments = self._arguments
        decided = self._verdicts.total()
        if arguments.json:
            content: dict[str, object] = {
                "routes": len(self._routes.rows),
                "decided": decided,
                **{verdict.value: self._verdicts[verdict] for verdict in Verdict},
                "seconds": self._seconds,
                "interrupted": self.interrupted,
            }
            if arguments.out is not None:
                content["out"] = str(arguments.out)
            else:
                content["results"] = self._results
            print_json(content)
        elif not arguments.quiet:
            counts = ", ".join(
                f"{self._verdicts[verdict]:,} {verdict.value}" for verdict in Verdict
            )
            where = f"; written: {arguments.out}" if arguments.out is not None else ""
            summary = (
                f"{counted(decided, 'route')} in {duration_text(self._seconds)}: {counts}{where}"
            )
            print(summary, file=sys.stdout if arguments.out is not None else sys.stderr)
        if self.interrupted:
            print_note(
                f"interrupted after {decided:,} of {counted(len(self._routes.rows), 'route')}"
            )


@contextmanager
def _table_file(arguments: argparse.Namespace) -> Iterator[TextIO]:
    """Open the table of verdicts before any work is done: a bad path must not cost a batch.

    It takes its name when it is whole, or interrupted: nobody takes half a table for all of it.
    """
    path: Path | None = arguments.out
    if path is None:
        yield sys.stdout
        return
    if path.exists() and path.samefile(arguments.routes):
        raise InputError("is the table that is read; choose another file", field="--out")
    try:
        with replacing(path) as file:
            text = io.TextIOWrapper(file, encoding="utf-8", newline="")
            yield text
            # The file itself is closed by whoever has opened it.
            text.detach()
    except BrokenPipeError:
        # The reader of a pipe has seen enough, which is no error.
        raise
    except OSError as error:
        # Also in the midst of the batch, or at its end: a full disk may show only then.
        raise cannot_be_written(path, error) from error


@contextmanager
def _progress(total: int, *, quiet: bool) -> Iterator[Callable[[], None]]:
    """Show a bar where someone can see it, and yield what moves it on."""
    if not progress_is_welcome(quiet=quiet):
        yield lambda: None
        return
    bar = Progress(
        TextColumn("packing"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("routes,"),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task("packing", total=total)
        yield lambda: bar.advance(task)
