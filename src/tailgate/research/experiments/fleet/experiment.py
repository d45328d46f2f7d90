"""``fleet``: kinds of vehicles and orders that may be left out, beside PyVRP."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from tailgate.model.instance import Instance
from tailgate.research.experiments.experiment import Experiment, Report, Setting
from tailgate.research.experiments.fleet.instances import (
    COUNT,
    QUICK_COUNT,
    fleet_instance,
    without_loading,
)
from tailgate.research.experiments.fleet.pyvrp_model import is_installed, plan_of_pyvrp
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import Table, number_text
from tailgate.solver.column import Column, views_of
from tailgate.solver.loading import LoadingOracle, Verdict
from tailgate.solver.search.solver import solve
from tailgate.solver.workers import Task

TIME_LIMIT, QUICK_TIME_LIMIT = 10.0, 1.0
SECONDS_PER_ROUTE = 5.0
_TOLERANCE = 1e-6

ABSENT = "PyVRP is not installed: ours stands alone. See: pip install 'tailgate[compare]'"


def plan_beside(number: int, quick: bool, seed: int, time_limit: float, commit: str) -> Row:
    """Plan a day by both solvers, and ask how many of PyVRP's routes could be loaded."""
    instance = fleet_instance(number, seed, quick=quick)
    routing = without_loading(instance)
    started = time.perf_counter()
    result = solve(routing, time_limit=time_limit, seed=seed)
    seconds = time.perf_counter() - started
    row: Row = {
        "instance": instance.name,
        "customers": instance.n,
        "optional": len(instance.optional),
        "vehicles": " + ".join(str(kind.count) for kind in instance.vehicles),
        "seed": seed,
        "time_limit": time_limit,
        "commit": commit,
        "status": result.status,
        "objective": result.objective,
        "lower_bound": result.lower_bound,
        "seconds": seconds,
        "stopped": result.reason == "time_limit",
        **dict.fromkeys(("pyvrp", "pyvrp_problem", "routes", "refused", "undecided")),
    }
    if not is_installed():
        return row
    plan = plan_of_pyvrp(routing, time_limit, seed=seed)
    if plan is not None:
        row["pyvrp"] = _cost(routing, plan)
        row["pyvrp_problem"] = _problem(routing, plan)
    loaded = plan_of_pyvrp(instance, time_limit, seed=seed, with_areas=True)
    if loaded is not None:
        verdicts = _verdicts(instance, loaded)
        row["routes"] = len(loaded)
        row["refused"] = verdicts.count(Verdict.INFEASIBLE)
        row["undecided"] = verdicts.count(Verdict.UNKNOWN)
    return row


def _cost(instance: Instance, plan: Sequence[Column]) -> int | float:
    served = {number for _, route in plan for number in route}
    left_out = [number for number in range(1, instance.n + 1) if number not in served]
    return instance.total_cost(plan, left_out)


def _problem(instance: Instance, plan: Sequence[Column]) -> str:
    """Say what is wrong with a plan of PyVRP; empty if nothing is."""
    views = views_of(instance)
    for kind, route in plan:
        weight = sum(instance.customer(number).weight for number in route)
        if not views[kind].is_allowed(route) or weight > views[kind].vehicle.capacity:
            return f"{views[kind].vehicle.name} must not drive {'-'.join(map(str, route))}"
    return ""


def _verdicts(instance: Instance, plan: Sequence[Column]) -> list[Verdict]:
    oracles = [LoadingOracle(view) for view in views_of(instance)]
    return [
        oracles[kind].check(route, time_limit=SECONDS_PER_ROUTE).verdict for kind, route in plan
    ]


class Fleet(Experiment):
    """Plans of a mixed fleet beside those of a solver that knows nothing of loading."""

    name: ClassVar[str] = "fleet"
    title: ClassVar[str] = "A mixed fleet, and orders that may be left out"
    explanation: ClassVar[str] = (
        "Generated days: roads that differ by direction, three kinds of vehicles with their own "
        "costs and shifts, two of five orders optional, in half of them too few vehicles for all. "
        "First without loading: `tailgate solve` on one thread, and PyVRP for the same seconds; "
        "the cost of its plan is computed anew, and its routes are checked. Then with loading: "
        "PyVRP knows the areas of the items as a second load beside the weight, and which kinds "
        "a customer's own items fit; the loading check decides which of its routes can be loaded "
        "in the order of the stops."
    )
    options: ClassVar[frozenset[str]] = frozenset({"time_limit"})
    main_table: ClassVar[str] = "totals"

    def missing(self, setting: Setting) -> list[str]:
        """Say if there is nothing to compare with."""
        del setting
        return [] if is_installed() else [ABSENT]

    def tasks(self, setting: Setting) -> list[Task]:
        """Plan each day by both."""
        limit = setting.seconds(TIME_LIMIT, QUICK_TIME_LIMIT)
        other = "pyvrp" if is_installed() else "alone"
        return [
            Task(
                f"{number}/{'quick' if setting.quick else 'full'}/{other}/seed {setting.seed}",
                plan_beside,
                (number, setting.quick, setting.seed, limit, setting.commit),
            )
            for number in range(QUICK_COUNT if setting.quick else COUNT)
        ]

    def line(self, row: Row) -> str:
        """Say both costs."""
        ours, theirs = (number_text(row[name]) for name in ("objective", "pyvrp"))
        return f"{row['instance']}: {row['status']} {ours}, PyVRP {theirs}"

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Set the costs side by side."""
        del setting
        measured = list(rows.values())
        return Report(
            tables=[_totals(measured), _every(measured)],
            rows=measured,
            problems=[
                f"{row['instance']}: {problem}" for row in measured for problem in _wrong(row)
            ],
        )


def _difference(row: Row) -> float | None:
    """Return by how much our plan costs more than PyVRP's, in percent of the latter."""
    ours, theirs = row["objective"], row["pyvrp"]
    return None if ours is None or not theirs else 100 * (ours - theirs) / theirs


def _wrong(row: Row) -> list[str]:
    """Say what must not be: a bound above a plan that is sound."""
    if row["pyvrp"] is None:
        return []
    if row["pyvrp_problem"]:
        return [f"PyVRP's plan: {row['pyvrp_problem']}"]
    bound = row["lower_bound"]
    is_refuted = bound is not None and bound > row["pyvrp"] + _TOLERANCE * max(1, row["pyvrp"])
    if row["status"] == "infeasible" or is_refuted:
        return [f"the bound {bound} is above PyVRP's plan {row['pyvrp']}"]
    return []


def _totals(rows: Sequence[Row]) -> Table:
    compared = [one for row in rows if (one := _difference(row)) is not None]
    checked = [row for row in rows if row["routes"] is not None]
    routes = sum(row["routes"] for row in checked)
    refused = sum(row["refused"] for row in checked)
    line: tuple[Any, ...] = (
        len(rows),
        sum(row["status"] == "optimal" for row in rows),
        sum(one < -_TOLERANCE for one in compared),
        sum(abs(one) <= _TOLERANCE for one in compared),
        sum(one > _TOLERANCE for one in compared),
        routes,
        refused,
        sum(row["undecided"] for row in checked),
        number_text(100 * refused / routes if routes else None, 1),
    )
    header = (
        *("instances", "proven", "cheaper", "same", "above", "PyVRP's routes", "refused"),
        *("undecided", "refused %"),
    )
    note = (
        "Cheaper, same, above: our plan beside PyVRP's, without loading. Refused: routes of "
        "PyVRP's plans that cannot be loaded, proven."
    )
    return Table(
        "totals", "Costs, and what can be loaded", header, (tuple(map(str, line)),), note=note
    )


def _every(rows: Sequence[Row]) -> Table:
    header = (
        *("instance", "vehicles", "ours", "bound", "status", "seconds", "PyVRP", "above %"),
        *("routes", "refused"),
    )
    lines = tuple(
        (
            *(row["instance"], row["vehicles"]),
            *(number_text(row[name]) for name in ("objective", "lower_bound")),
            *(row["status"], f"{row['seconds']:.1f}", number_text(row["pyvrp"])),
            number_text(_difference(row), 3),
            *(number_text(row[name], 0) for name in ("routes", "refused")),
        )
        for row in rows
    )
    return Table("instances", "Every instance", header, lines)
