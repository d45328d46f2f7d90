"""The loading question asked of OR-Tools CP-SAT, in a process of its own.

OR-Tools and highspy bring different builds of HiGHS and cannot be loaded into one process.
"""

from __future__ import annotations

import functools
import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Literal

Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class CpSatAnswer:
    """A verdict, the seconds inside the solver, and those for writing the model down before."""

    verdict: Literal["feasible", "infeasible", "unknown"]
    seconds: float
    writing_seconds: float


def ask_cp_sat(
    width: int,
    length: int,
    stops: Sequence[Sequence[Size]],
    *,
    lifo: bool,
    time_limit: float | None = None,
    work_limit: float | None = None,
) -> CpSatAnswer:
    """Ask whether the items (width, length) of all stops, in visiting order, can be loaded.

    ``work_limit`` is CP-SAT's deterministic time: much like seconds, but the same everywhere.
    """
    limits = (time_limit, work_limit)
    return _process().submit(_solve, width, length, stops, lifo, limits).result()


@functools.cache
def _process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))


def _solve(
    width: int,
    length: int,
    stops: Sequence[Sequence[Size]],
    lifo: bool,
    limits: tuple[float | None, float | None],
) -> CpSatAnswer:
    # Only here, in the process of its own.
    from cp_sat_model import solve_with_cp_sat

    return solve_with_cp_sat(
        width, length, stops, lifo=lifo, time_limit=limits[0], work_limit=limits[1]
    )
