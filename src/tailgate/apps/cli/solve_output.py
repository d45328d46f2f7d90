"""The end of ``tailgate solve``: judges the result, writes its files and prints it."""

from __future__ import annotations

import argparse
import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from tailgate.apps.cli.exit_codes import ExitCode
from tailgate.apps.cli.instance_warnings import warnings_content
from tailgate.apps.cli.output import (
    print_note,
    print_result,
    progress_is_welcome,
    table,
    times_text,
)
from tailgate.apps.cli.standard_streams import is_standard_stream
from tailgate.apps.cli.turning_text import turning_lines
from tailgate.io.text_file import write_text
from tailgate.model.cost_unit import CostUnit
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.judge import verify
from tailgate.model.rounding import cost_text, counted, gap_text
from tailgate.model.solution import Route, Solution
from tailgate.model.units import with_equal_decimals, with_unit
from tailgate.report import html_report
from tailgate.report.gap_chart import Progress
from tailgate.report.kind_views import trips_of
from tailgate.report.trip import Trip
from tailgate.report.trip_columns import TripColumn, trip_columns, trip_totals
from tailgate.solver.search.incumbent import solution_without_routes
from tailgate.solver.search.result import SolveResult

# Two parts of the search go by other names in its statistics, which files rely on.
_PARTS = {"listing": "enumeration", "closing": "finish"}

History = list[Progress]
"""Bound and best plan at every moment at which the search has reported them."""


def print_and_write(
    instance: Instance, result: SolveResult, arguments: argparse.Namespace, history: History
) -> ExitCode:
    """Print the result and write it into files; what the judge refuses is neither."""
    solution = result.solution or _without_routes(instance, result, arguments)
    violations = verify(instance, solution)
    if violations:
        print_note(
            f"tailgate: the result does not pass the judge: {violations[0]}; this is a bug in "
            "Tailgate, please report it with the instance and the options"
        )
        return ExitCode.VERIFICATION_FAILED
    failures = _write_files(instance, solution, arguments, history)
    if is_standard_stream(arguments.out):
        print(solution.to_json(), end="")
        if not arguments.quiet:
            print_note(_report(instance, result))
    else:
        print_result(
            arguments,
            {**result.to_dict(), **_fleet_content(instance, result), **warnings_content(instance)},
            bare=result.status if result.objective is None else cost_text(result.objective),
            text=_report(instance, result),
        )
    if failures:
        # Raised after the result is printed: a full disk must not cost it.
        raise failures[0]
    for path in (arguments.out, arguments.report):
        if path is not None and not is_standard_stream(path) and not arguments.quiet:
            print_note(f"written: {path}")
    if result.solution is not None and result.solution.routes:
        _suggest_next_step(arguments)
    if result.status == "infeasible":
        return ExitCode.INFEASIBLE
    return ExitCode.INTERRUPTED if result.reason == "interrupted" else ExitCode.DONE


def _suggest_next_step(arguments: argparse.Namespace) -> None:
    """Say at a terminal how to get the loading sheets."""
    if arguments.json or not progress_is_welcome(quiet=arguments.quiet):
        return
    if is_standard_stream(arguments.instance) or is_standard_stream(arguments.out):
        # The instance cannot be read again, or another program has the plan.
        return
    if arguments.out is None:
        print_note("to keep this plan and to print its loading sheets, add --out plan.json")
    else:
        words = ("tailgate", "show", arguments.instance, arguments.out, "--out", "plans")
        print_note(f"loading sheets to print: {shlex.join(map(str, words))}")


def _write_files(
    instance: Instance, solution: Solution, arguments: argparse.Namespace, history: History
) -> list[InputError]:
    """Write what can be written, and return what went wrong."""
    texts: dict[Path | None, Callable[[], str]] = {
        arguments.out: solution.to_json,
        arguments.report: lambda: html_report(instance, solution, history=history),
    }
    failures = []
    for path, text in texts.items():
        try:
            if path is not None and not is_standard_stream(path):
                write_text(path, text())
        except InputError as error:
            failures.append(error)
    return failures


def _without_routes(
    instance: Instance, result: SolveResult, arguments: argparse.Namespace
) -> Solution:
    return solution_without_routes(
        instance,
        result.status,
        result.lower_bound,
        seed=arguments.seed,
        seconds=result.seconds,
        options={"screen": arguments.screen, "time_limit": arguments.time_limit},
    )


def _report(instance: Instance, result: SolveResult) -> str:
    unit = CostUnit.of_instance(instance)
    trips = trips_of(instance, result.routes)
    parts = {_PARTS.get(name, name): spent for name, spent in result.seconds_by_part.items()}
    lines = [result.headline]
    is_fleet = instance.has_kinds and bool(result.routes)
    if result.objective is not None:
        lines.append(f"  objective    {unit.cost_text(result.objective)}")
    if result.lower_bound is not None:
        lines.append(f"  lower bound  {unit.bound_text(result.lower_bound, result.objective)}")
    if result.gap is not None:
        lines.append(f"  gap          {gap_text(result.gap)}")
    totals = trip_totals(trips, result.objective)
    lines += [
        f"  {name.lower():<13}{totals[name]}"
        for name in ("Distance", "Duration", "Waiting")
        if name in totals
    ]
    lines += [
        *_least_left_out_lines(result, unit),
        *([f"  trucks       {_used_text(instance, result.routes)}"] * is_fleet),
        f"  conventions  {result.conventions.text}",
        *turning_lines(instance),
        f"  search       {counted(result.nodes, 'node')}, "
        f"{counted(result.exact_checks, 'loading check')}",
        f"  time         {times_text(result.seconds, parts)}",
    ]
    if result.routes:
        lines.append(
            f"  verified     {counted(len(result.routes), 'route')}, loading plans and costs "
            "found valid by the judge"
        )
        columns = trip_columns(trips, result.objective)
        lines += ["", _truck_table(instance, trips, result.routes, columns)]
    lines += _left_out_lines(instance, result.solution)
    lines += _change_lines(instance, result)
    return "\n".join(lines)


def _truck_table(
    instance: Instance,
    trips: Sequence[Trip],
    routes: Sequence[Route],
    columns: Sequence[TripColumn],
) -> str:
    """Return a row for every truck; the instance of a trip has the truck's own kind alone."""
    units, kinds = instance.units, [trip.instance.vehicle for trip in trips]
    has_kinds = instance.has_kinds
    # Of the instance, not of the route: a solution that was given may have another scale.
    loads = [[instance.customer(number) for number in trip.customers] for trip in trips]
    weights = with_equal_decimals(
        units.weight_text(sum(customer.weight for customer in load)) for load in loads
    )
    rows = [
        [
            str(index + 1),
            *([kinds[index].name] if has_kinds else []),
            *(column.cells[index] for column in columns),
            f"{100 * sum(customer.area for customer in load) / kinds[index].area:.1f} %",
            f"{weights[index]} of "
            + with_unit(units.weight_text(kinds[index].capacity), units.weight_unit),
            route_text(instance, routes[index]),
        ]
        for index, load in enumerate(loads)
    ]
    titles = [column.title.lower() for column in columns]
    header = ["truck", *(["vehicle"] if has_kinds else []), *titles, "floor", "weight", "route"]
    return table(header, rows, left=frozenset({"vehicle", "route"}))


def _used_text(instance: Instance, routes: Sequence[Route]) -> str:
    """Return how many vehicles of each kind leave."""
    used = Counter(route.vehicle for route in routes)
    return ", ".join(
        f'{used[kind.name]} of {kind.count} "{kind.name}"' for kind in instance.vehicles
    )


def _least_left_out_lines(result: SolveResult, unit: CostUnit) -> list[str]:
    """Return what is proven of what is left out, where as little as possible was to be."""
    least = result.least_left_out
    if least is None:
        return []
    if least.by == "number":
        left_out, at_least = counted(int(least.left_out), "order"), f"{least.at_least} of them"
    else:
        left_out = f"orders for {unit.cost_text(least.left_out)}"
        at_least = unit.bound_text(least.at_least)
    if least.is_proven:
        return [f"  left out     {left_out}: proven that no plan leaves out less"]
    return [f"  left out     {left_out}; every plan leaves out at least {at_least}"]


def _fleet_content(instance: Instance, result: SolveResult) -> dict[str, object]:
    """Return what is left out and what has changed, for programs, where that can be."""
    content: dict[str, object] = {}
    if instance.optional:
        left_out = () if result.solution is None else result.solution.left_out
        content["left_out"] = [asdict(one) for one in left_out]
    if result.least_left_out is not None:
        content["least_left_out"] = asdict(result.least_left_out)
    if result.change is not None:
        content["change"] = result.change.to_dict()
    return content


def _change_lines(instance: Instance, result: SolveResult) -> list[str]:
    """Return what the plan does otherwise than the one that was to be kept."""
    if result.change is None:
        return []
    sentences = result.change.sentences(instance)
    return ["", "beside the plan before:", *(f"  {one}" for one in sentences or ("no change",))]


def _left_out_lines(instance: Instance, solution: Solution | None) -> list[str]:
    """Return the orders that stay, what that costs, and why."""
    if solution is None or not solution.left_out:
        return []
    unit = CostUnit.of_instance(instance)
    rows = [
        [instance.label(one.customer), unit.cost_text(one.cost), one.reason]
        for one in solution.left_out
    ]
    header = ["left out", "cost", "why"]
    return ["", table(header, rows, left=frozenset({"left out", "why"}))]


def route_text(instance: Instance, route: Route) -> str:
    """Return the stops in order, in a form that ``tailgate pack --route`` takes, too."""
    labels = [instance.label(number) for number in route.customers]
    if all(label.isdecimal() for label in labels):
        return "-".join(labels)
    return ", ".join(f'"{label}"' if "," in label else label for label in labels)
