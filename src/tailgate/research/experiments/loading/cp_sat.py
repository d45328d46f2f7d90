"""The loading query asked of OR-Tools CP-SAT, in a process of its own.

OR-Tools and highspy bring different builds of HiGHS: in one process a bad pair of them would fail,
and either would be measured with the other's memory.
"""

from __future__ import annotations

import functools
import multiprocessing
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Literal

from tailgate.model.instance import Instance
from tailgate.solver.workers.local_processes import follow_parent


@dataclass(frozen=True, slots=True)
class CpSatQuery:
    """Can a route of an instance be loaded, under the instance's conventions?"""

    instance: Instance
    route: Sequence[int]
    time_limit: float | None = None
    work_limit: float | None = None
    """CP-SAT's deterministic time: much like seconds, but the same everywhere."""


@dataclass(frozen=True, slots=True)
class CpSatAnswer:
    """A verdict, the seconds inside the solver, and those for writing the model down before."""

    verdict: Literal["feasible", "infeasible", "unknown"]
    seconds: float
    writing_seconds: float


def ask_cp_sat(query: CpSatQuery) -> CpSatAnswer:
    """Ask in the other process."""
    process = _process()
    process.send(query)
    try:
        answer: CpSatAnswer = process.recv()
    except EOFError as error:
        raise RuntimeError("the process that asks CP-SAT has died") from error
    return answer


@functools.cache
def _process() -> Connection:
    """Start the process at the first query; it ends with this one."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    context.Process(target=_answer, args=(theirs,), daemon=True).start()
    theirs.close()
    return ours


def _answer(queries: Connection) -> None:
    follow_parent()
    # Only here, in the process of its own.
    from tailgate.research.experiments.loading.cp_sat_model import solve_with_cp_sat

    while True:
        try:
            query = queries.recv()
        except EOFError:  # nobody asks any more
            return
        queries.send(solve_with_cp_sat(query))
