"""The task of solving one instance: what came out, judged, as a row."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path

from tailgate.research.experiments.instances import Chosen
from tailgate.research.experiments.optima.row import FAILED, Row, failed_row, problems_of, row_of
from tailgate.research.experiments.optima.rules import conventions_name
from tailgate.research.experiments.row_store import Row as StoredRow
from tailgate.solver.search.solver import solve


def solve_instance(
    chosen: Chosen,
    time_limit: float,
    seed: int,
    commit: str,
    screen: str = "exact",
    checkpoint: Path | None = None,
) -> StoredRow:
    """Search for the optimum on one thread, and have the plan judged as the row gives it back.

    A checkpoint that exists is resumed.
    """
    instance = chosen.instance
    result = solve(
        instance,
        time_limit=time_limit,
        seed=seed,
        screen=screen,
        checkpoint=checkpoint,
        resume=checkpoint if checkpoint is not None and checkpoint.exists() else None,
    )
    conventions = conventions_name(instance.conventions)
    row = row_of(result, chosen.name, instance, conventions, commit)
    problems = problems_of(row, instance)
    if problems:
        row = failed_row(
            chosen.name,
            conventions,
            "refused by the judge",
            seconds=row.seconds,
            commit=commit,
            size=(row.n, row.vehicles),
        )
    return {
        **asdict(row),
        "source": chosen.source,
        "packing_class": chosen.packing_class,
        "lifo": instance.conventions.lifo,
        "turn": instance.conventions.turn,
        "screen": screen,
        "seed": seed,
        "time_limit": time_limit,
        "stopped": row.status != FAILED and result.reason == "time_limit",
        "problems": problems,
    }


def plain_row(stored: StoredRow) -> Row:
    """Return the part of a stored row that the table of optima has."""
    return Row(**{field.name: stored[field.name] for field in fields(Row)})


def result_text(stored: StoredRow) -> str:
    """Return a result in a few words."""
    objective = "" if stored["objective"] is None else f" {stored['objective']:g}"
    turned = ", turned" if stored.get("turn") == "all" else ""
    order = "" if stored["lifo"] else ", any order"
    seconds = f"{stored['seconds']:.1f} s"
    return f"{stored['instance']}{turned}{order}: {stored['status']}{objective}, {seconds}"
