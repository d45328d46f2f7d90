"""``vrptw``: the 2L-VRPTW of the literature, beside the published solutions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from tailgate.io.vrptw_rows import DECIMALS
from tailgate.research.experiments.experiment import Experiment, Report, Setting
from tailgate.research.experiments.instances import Chosen
from tailgate.research.experiments.optima.row import PROVEN
from tailgate.research.experiments.optima.solving import result_text, solve_instance
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import ALL, DASH, Table, number_text
from tailgate.research.experiments.vrptw.instances import FOLDER, choose, published_folder
from tailgate.research.experiments.vrptw.reference import (
    EXACT,
    METHODS,
    REFERENCE_FILE,
    PublishedPlan,
    problem_of,
    read_published_plans,
)
from tailgate.solver.workers import Task

TIME_LIMIT, QUICK_TIME_LIMIT = 60.0, 10.0
SECONDS_PER_PUBLISHED_ROUTE = 5.0
_TOLERANCE = 1e-6

ABSENT = (
    f"The published instances are absent: they belong into the folder {FOLDER} beside that of the "
    "2L-CVRP. Instances are generated."
)
NO_PLANS = (
    f"The published solutions are absent: {REFERENCE_FILE.as_posix()} belongs beside the folder of "
    "the 2L-CVRP instances."
)


def solve_beside(
    chosen: Chosen, plans: Sequence[PublishedPlan], time_limit: float, seed: int, commit: str
) -> Row:
    """Search for the optimum, and check the published plans; only the search takes its seconds."""
    return {
        **solve_instance(chosen, time_limit, seed, commit),
        "published": {
            plan.method: {
                "objective": plan.objective,
                "problem": problem_of(
                    plan, chosen.instance, time_limit=SECONDS_PER_PUBLISHED_ROUTE
                ),
            }
            for plan in plans
        },
    }


class Vrptw(Experiment):
    """Proven optima with time windows, and how far the published solutions are from them."""

    name: ClassVar[str] = "vrptw"
    title: ClassVar[str] = "The 2L-VRPTW of the literature"
    explanation: ClassVar[str] = (
        "Instances of Khebbache-Hadji et al. (2013), solved by `tailgate solve` on one thread "
        "under the conventions of Zhang et al. (2022): distances rounded to one decimal, travel "
        "time = distance, weights ignored, as many trucks as wanted, single customers allowed, "
        "loading without LIFO. BP-ED is their exact branch-and-price, BP-AD the one whose loading "
        "is predicted. Every plan of ours has passed the judge; every published plan is checked, "
        "too: customers, times, cost, and the loading of each truck."
    )
    main_table: ClassVar[str] = "totals"

    def missing(self, setting: Setting) -> list[str]:
        """Say what it has to do without."""
        if setting.quick or setting.instances:
            return []
        if published_folder(setting) is None:
            return [ABSENT]
        return [] if _plans(setting) else [NO_PLANS]

    def tasks(self, setting: Setting) -> list[Task]:
        """Solve each, and check what is published of it."""
        limit, plans = setting.seconds(TIME_LIMIT, QUICK_TIME_LIMIT), _plans(setting)
        return [
            Task(
                f"{chosen.name}/seed {setting.seed}",
                solve_beside,
                (
                    chosen,
                    plans.get(chosen.name, []) if chosen.source == "published" else [],
                    limit,
                    setting.seed,
                    setting.commit,
                ),
            )
            for chosen in choose(setting)
        ]

    def line(self, row: Row) -> str:
        """Say how it ended."""
        return result_text(row)

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Set the published values beside ours."""
        del setting
        measured = list(rows.values())
        return Report(
            tables=[_totals(measured), _every(measured)],
            rows=[_flat(row) for row in measured],
            remarks=[remark for row in measured for remark in _remarks(row)],
            problems=[
                f"{row['instance']}: {problem}" for row in measured for problem in _problems(row)
            ],
        )


def _plans(setting: Setting) -> dict[str, list[PublishedPlan]]:
    return {} if setting.benchmark is None else read_published_plans(setting.benchmark)


def _value(row: Row, method: str) -> float | None:
    published = row["published"].get(method)
    return None if published is None else float(published["objective"])


def _difference(row: Row) -> float | None:
    """Return how much cheaper our plan is than the exact method's, in percent of the latter."""
    theirs, ours = _value(row, EXACT), row["objective"]
    return None if theirs is None or ours is None else 100 * (theirs - ours) / theirs


def _flat(row: Row) -> dict[str, Any]:
    """Return a row as a line of a table."""
    flat = {name: value for name, value in row.items() if name != "published"}
    for method in METHODS:
        published = row["published"].get(method, {})
        flat[method] = published.get("objective")
        flat[f"{method} problem"] = published.get("problem")
    return flat


def _problems(row: Row) -> list[str]:
    """Say what cannot be: what the judge says, or a bound above a sound published plan."""
    found = list(row["problems"])
    for method, published in row["published"].items():
        bound = row["lower_bound"]
        if not published["problem"] and (
            row["status"] == "infeasible"
            or (bound is not None and bound > published["objective"] + _TOLERANCE)
        ):
            found.append(
                f"the bound {bound} is above the plan {published['objective']} of {method}"
            )
    return found


def _remarks(row: Row) -> list[str]:
    return [
        f"{row['instance']}: the plan of {method} ({published['objective']:g}): "
        f"{published['problem']}"
        for method, published in row["published"].items()
        if published["problem"]
    ]


def _totals(rows: Sequence[Row]) -> Table:
    header = (
        *("series", "instances", "proven", f"{EXACT} values", "met", "improved", "worse"),
        "seconds",
    )
    groups: dict[str, list[Row]] = {}
    for row in rows:
        is_published = row["source"] == "published"
        groups.setdefault(row["instance"][0] if is_published else row["source"], []).append(row)
    if len(groups) > 1:
        groups[ALL] = list(rows)
    lines = []
    for name, group in groups.items():
        compared = [one for row in group if (one := _difference(row)) is not None]
        lines.append(
            (
                *(name, str(len(group)), str(sum(row["status"] in PROVEN for row in group))),
                str(sum(_value(row, EXACT) is not None for row in group)),
                str(sum(abs(one) <= _TOLERANCE for one in compared)),
                str(sum(one > _TOLERANCE for one in compared)),
                str(sum(one < -_TOLERANCE for one in compared)),
                f"{sum(row['seconds'] for row in group):,.1f}",
            )
        )
    return Table("totals", "Proven, met and improved", header, tuple(lines))


def _every(rows: Sequence[Row]) -> Table:
    header = (
        *("instance", "customers", "ours", "bound", "status", "seconds", *METHODS, "cheaper %"),
    )
    lines = tuple(
        (
            *(row["instance"], str(row["n"])),
            *(number_text(row[name], DECIMALS) for name in ("objective", "lower_bound")),
            *(row["status"], f"{row['seconds']:.2f}"),
            *(_published_text(row, method) for method in METHODS),
            number_text(_difference(row)),
        )
        for row in rows
    )
    note = (
        f"Cheaper: our plan than that of {EXACT}, in percent of the latter; 0.00 is the same. "
        "A star marks a published plan that our check has not accepted; the remarks say why."
    )
    return Table("instances", "Every instance", header, lines, note=note)


def _published_text(row: Row, method: str) -> str:
    published = row["published"].get(method)
    if published is None:
        return DASH
    star = "*" if published["problem"] else ""
    return f"{number_text(published['objective'], DECIMALS)}{star}"
