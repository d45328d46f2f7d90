"""The batch of ``tailgate pack``: a table of routes in, a table of verdicts out."""

from __future__ import annotations

import argparse
import io
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TextIO

from tailgate.apps.cli.broken_limits import broken_limits, has_limits
from tailgate.apps.cli.exit_codes import ExitCode
from tailgate.apps.cli.instance_warnings import LOADING, warnings_content
from tailgate.apps.cli.late_arrivals import LateArrival, late_arrivals, late_text
from tailgate.apps.cli.output import duration_text, print_json, print_note
from tailgate.apps.cli.route_table import (
    LATE_COLUMN,
    LIMITS_COLUMN,
    RouteRow,
    RouteTable,
    VerdictWriter,
    read_route_table,
)
from tailgate.apps.cli.route_text import RouteReader
from tailgate.apps.cli.task_progress import watching_tasks
from tailgate.io.text_file import cannot_be_written, replacing
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.rounding import counted
from tailgate.report.trip import Trip
from tailgate.solver.loading import LoadingOracle, LoadingResult, Verdict


def pack_table(instance: Instance, arguments: argparse.Namespace) -> ExitCode:
    """Decide every route of the table, and keep what was decided when interrupted."""
    remarks = [LATE_COLUMN] if instance.has_time_windows else []
    remarks += [LIMITS_COLUMN] if has_limits(instance) else []
    routes = read_route_table(arguments.routes, RouteReader(instance), remarks)
    batch = _Batch(instance, routes, arguments)
    # With --json and no file, the verdicts go into the JSON document.
    sink = nullcontext(None) if arguments.json and arguments.out is None else _table_file(arguments)
    with sink as file:
        batch.run(file)
    batch.print_totals()
    return ExitCode.INTERRUPTED if batch.interrupted else ExitCode.DONE


class _Batch:
    """One run over the table, and what came out of it."""

    def __init__(
        self, instance: Instance, routes: RouteTable, arguments: argparse.Namespace
    ) -> None:
        self._instance = instance
        self._oracle = LoadingOracle(instance)
        self._routes = routes
        self._arguments = arguments
        self._verdicts: Counter[Verdict] = Counter()
        self._results: list[dict[str, object]] = []
        self._late_routes = 0
        self._routes_beyond_limits = 0
        self._seconds = 0.0
        self.interrupted = False

    def run(self, file: TextIO | None) -> None:
        writer = VerdictWriter(file, self._routes) if file is not None else None
        started = time.perf_counter()
        try:
            with watching_tasks("packing", quiet=self._arguments.quiet, is_logged=False) as watch:
                for count, row in enumerate(self._routes.rows, start=1):
                    result = self._oracle.check(
                        row.customers,
                        max_nodes=self._arguments.max_nodes,
                        time_limit=self._arguments.time_limit,
                    )
                    late = late_arrivals(self._instance, row.customers)
                    broken = self._broken_limits(row)
                    self._verdicts[result.verdict] += 1
                    self._late_routes += bool(late)
                    self._routes_beyond_limits += bool(broken)
                    if writer is not None:
                        remarks = {LATE_COLUMN: late_text(late), LIMITS_COLUMN: "; ".join(broken)}
                        writer.write(row, result, remarks)
                    else:
                        self._results.append(self._result_content(row, result, late, broken))
                    watch(count, len(self._routes.rows), row.text)
        except KeyboardInterrupt:
            self.interrupted = True
        self._seconds = time.perf_counter() - started

    def _broken_limits(self, row: RouteRow) -> list[str]:
        if LIMITS_COLUMN not in self._routes.remarks:
            return []
        return broken_limits(Trip(self._instance, row.customers))

    def _result_content(
        self,
        row: RouteRow,
        result: LoadingResult,
        late: Sequence[LateArrival],
        broken: Sequence[str],
    ) -> dict[str, object]:
        remarks = {LATE_COLUMN: [one.to_dict() for one in late], LIMITS_COLUMN: list(broken)}
        return {
            "route": row.text,
            "verdict": result.verdict.value,
            "decided_by": result.decided_by,
            "seconds": result.seconds,
            **{name: remarks[name] for name in self._routes.remarks},
            **dict(zip(self._routes.other_columns, row.others, strict=True)),
        }

    def print_totals(self) -> None:
        """Print the counts; the table itself may have gone to the standard output already."""
        arguments = self._arguments
        decided = self._verdicts.total()
        if arguments.json:
            content: dict[str, object] = {
                "routes": len(self._routes.rows),
                "decided": decided,
                **{verdict.value: self._verdicts[verdict] for verdict in Verdict},
                "late_routes": self._late_routes,
                "routes_beyond_limits": self._routes_beyond_limits,
                "seconds": self._seconds,
                "interrupted": self.interrupted,
                **warnings_content(self._instance, LOADING),
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
            if self._late_routes:
                # The verdicts are about loading alone.
                verb = "misses" if self._late_routes == 1 else "miss"
                counts += f"; {counted(self._late_routes, 'route')} {verb} a time window"
            if self._routes_beyond_limits:
                verb = "breaks" if self._routes_beyond_limits == 1 else "break"
                counts += f"; {counted(self._routes_beyond_limits, 'route')} {verb} another limit"
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

    It takes its name when it is complete, or interrupted: nobody takes half a table for all of it.
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
        # The reader of a pipe, such as head, may leave early.
        raise
    except OSError as error:
        # A full disk may show only in the middle of the batch, or at its end.
        raise cannot_be_written(path, error) from error
