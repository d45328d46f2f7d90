"""``tailgate pack``: can this route be loaded so that every stop unloads straight out?"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from tailgate.apps.cli import arguments as options
from tailgate.apps.cli.broken_limits import broken_limits
from tailgate.apps.cli.exit_codes import ExitCode
from tailgate.apps.cli.instance_warnings import LOADING, read_with_warnings, warnings_content
from tailgate.apps.cli.late_arrivals import late_arrivals, late_text
from tailgate.apps.cli.output import (
    duration_text,
    json_text,
    print_note,
    print_result,
    searching,
    table,
)
from tailgate.apps.cli.pack_table import pack_table
from tailgate.apps.cli.route_text import RouteReader
from tailgate.apps.cli.standard_streams import is_standard_stream
from tailgate.apps.cli.turning_text import may_turn_text
from tailgate.io.text_file import write_text
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.rounding import counted
from tailgate.model.solution import Route
from tailgate.model.units import with_unit
from tailgate.model.validation import did_you_mean, shown
from tailgate.report import loading_plan_svg
from tailgate.report.tables import item_lengths
from tailgate.report.truck import Truck
from tailgate.report.words import share_text
from tailgate.solver.loading import LoadingOracle, LoadingResult, Verdict, planned_route

_DESCRIPTION = """\
Decide whether a route can be loaded so that, at every stop, that stop's items leave straight
through the door without another stop's item being moved. The answer is one of three:

  feasible    a plan exists, and is shown: where every item lies, and in which order to load
  infeasible  it is proven that no plan exists
  unknown     a limit was reached before a proof either way

All three are results: the exit code is 0. The verdict is about the floor alone; a route that is
too heavy, misses a time window or breaks another limit is pointed out, but not called infeasible.

A route is written as customer numbers, 3-7-12, in visiting order without the depot, or as names
with commas between: "Bakery North,Hotel Adler". A batch reads a CSV table with a column "route"
and writes route,verdict,decided_by,seconds and then the table's other columns, row by row: after
Ctrl-C the rows that were done are there. Where the orders have time windows, a column "late" comes
after the four, with the windows that a route misses; where trucks have limits of stops, distance or
duration, or roads are missing, a column "broken_limits"."""

_EXAMPLES = """\
  tailgate pack city.txt --route 3-7-12
  tailgate pack city.txt --route 3-7-12 --svg truck.svg
  tailgate pack fleet.json --route 3-7-12 --vehicle van
  tailgate pack city.txt --routes routes.csv --out verdicts.csv --time-limit 10"""


def add_command(commands: options.Commands) -> None:
    """Add the command and its options."""
    parser = commands.add("pack", run, _DESCRIPTION, _EXAMPLES)
    options.add_instance_argument(parser)
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("--route", metavar="3-7-12", help="one route, in visiting order")
    asked.add_argument(
        "--routes", metavar="IN.csv", type=Path, help='a table of routes with a column "route"'
    )
    files = {
        "--out FILE": "write the table of verdicts here (else to the standard output); with "
        "--route, the same JSON that --json prints",
        "--svg FILE": "with --route: draw the loading plan",
    }
    options.add_files(parser, files)
    parser.add_argument(
        "--vehicle",
        metavar="KIND",
        help="where there are several kinds of vehicles: the one that is loaded, by its name",
    )
    options.add_time_limit(parser, "stop a route's search after S seconds with the verdict unknown")
    options.add_number(
        parser,
        "--max-nodes",
        "N",
        "stop a route's search after N search nodes with the verdict unknown; unlike a time limit, "
        "this gives the same verdict on every machine",
    )
    options.add_loading_options(parser, default="what the instance says")


def run(arguments: argparse.Namespace) -> ExitCode:
    """Pack one route or a table of routes."""
    if arguments.routes is not None and arguments.svg is not None:
        raise InputError("draws one route; give it with --route", field="--svg")
    if arguments.route is not None and arguments.out is not None and arguments.out.suffix == ".csv":
        raise InputError("the result of one route is JSON; name it .json", field="--out")
    if is_standard_stream(arguments.out):
        # A table goes there anyhow.
        arguments.json |= arguments.route is not None
        arguments.out = None
    instance = _with_one_kind(read_with_warnings(arguments, LOADING), arguments.vehicle)
    if arguments.routes is not None:
        return pack_table(instance, arguments)
    return _pack_one(instance, arguments)


def _with_one_kind(instance: Instance, name: str | None) -> Instance:
    """Return the orders with the kind of vehicle that is loaded."""
    names = [vehicle.name for vehicle in instance.vehicles]
    if name is None and len(names) == 1:
        return instance
    if name is None or name not in names:
        problem = "there are several kinds" if name is None else f"there is no kind {shown(name)}"
        remedy = f"; name one of {', '.join(map(shown, names))}"
        hint = "" if name is None else did_you_mean(name, names)
        raise InputError(problem + (hint or remedy), field="--vehicle")
    return instance.of_kind(names.index(name))


def _pack_one(instance: Instance, arguments: argparse.Namespace) -> ExitCode:
    try:
        customers = RouteReader(instance).read(arguments.route)
    except InputError as error:
        raise InputError(error.problem, field="--route") from error
    with searching(quiet=arguments.quiet):
        result = LoadingOracle(instance).check(
            customers, max_nodes=arguments.max_nodes, time_limit=arguments.time_limit
        )
    route = planned_route(instance, customers, result.placements)
    content = _content(instance, route, result)
    if arguments.out is not None:
        write_text(arguments.out, json_text(content))
    drawn = arguments.svg is not None and result.verdict is Verdict.FEASIBLE
    if drawn:
        write_text(arguments.svg, loading_plan_svg(instance, route))
    text = _report(instance, route, result)
    print_result(arguments, content, bare=result.verdict.value, text=text)
    if arguments.svg is not None and not arguments.quiet:
        print_note(
            f"drawn: {arguments.svg}" if drawn else f"{arguments.svg}: not drawn, there is no plan"
        )
    return ExitCode.DONE


def _content(instance: Instance, route: Route, result: LoadingResult) -> dict[str, object]:
    """Return the result for machines; lengths and weights are the instance's integers."""
    return {
        "instance": {"name": instance.name, "sha256": instance.sha256},
        "route": list(route.customers),
        "vehicle": instance.vehicle.name,
        "lifo": instance.conventions.lifo,
        "turn": instance.conventions.turn,
        "verdict": result.verdict.value,
        "decided_by": result.decided_by,
        "seconds": result.seconds,
        "nodes": result.nodes,
        "weight": route.weight,
        "capacity": instance.vehicle.capacity,
        "overweight": route.weight > instance.vehicle.capacity,
        "area": route.area,
        "floor_area": instance.vehicle.area,
        "length_scale": instance.units.length_scale,
        "weight_scale": instance.units.weight_scale,
        "late": [one.to_dict() for one in late_arrivals(instance, route.customers)],
        "broken_limits": broken_limits(Truck(instance, route).trip),
        "placements": [placement.to_dict() for placement in route.placements],
        **warnings_content(instance, LOADING),
    }


def _report(instance: Instance, route: Route, result: LoadingResult) -> str:
    vehicle, units, truck = instance.vehicle, instance.units, Truck(instance, route)
    overweight = "  TOO HEAVY" if route.weight > vehicle.capacity else ""
    stops = " -> ".join(["depot", *(instance.label(i) for i in route.customers), "depot"])
    rule = "straight out of the door (LIFO)" if instance.conventions.lifo else "in any order"
    lines = [
        _verdict_line(result),
        f"  route      {stops}",
        f"  unloading  {rule}",
        *_turning_lines(instance, route),
        f"  floor      {share_text(route.area / vehicle.area)} of "
        + with_unit(
            f"{units.length_text(vehicle.width)} x {units.length_text(vehicle.length)}",
            units.length_unit,
        ),
        f"  weight     {truck.load_text}{overweight}",
    ]
    trip, limits = truck.trip, broken_limits(truck.trip)
    if not vehicle.costs_distance_only and math.isfinite(trip.cost):
        way = f", {trip.distance_text}" if trip.shows_distance else ""
        lines.append(f"  cost       {trip.cost_words}{way}")
    if trip.is_timed:
        lines.append(f"  times      {_times_text(truck)}")
    if limits:
        lines.append(f"  limits     BROKEN, {_NOT_COUNTED}: {'; '.join(limits)}")
    if result.placements:
        lines += ["", _placement_table(truck)]
    return "\n".join(lines)


def _turning_lines(instance: Instance, route: Route) -> list[str]:
    """Return how many items of the route may be turned, and how many are; nothing if none may."""
    text = may_turn_text(instance, route.customers)
    if not text:
        return []
    turned = sum(placement.turned for placement in route.placements)
    are = f"{turned or 'none'} {'are' if turned > 1 else 'is'}"
    return [f"  turning    {text}{f', {are}' if route.placements else ''}"]


_NOT_COUNTED = "which the verdict does not count (it is about loading alone)"


def _times_text(truck: Truck) -> str:
    late = late_arrivals(truck.instance, truck.route.customers)
    if late:
        return f"LATE, {_NOT_COUNTED}: {late_text(late)}"
    trip = truck.trip
    if trip.timetable is None:
        return trip.hours_text
    kept = "every time window is kept: " if truck.instance.has_time_windows else ""
    return f"{kept}{trip.hours_text}, duration {trip.duration_words}"


def _verdict_line(result: LoadingResult) -> str:
    how = f"(decided by {result.decided_by}, {duration_text(result.seconds)})"
    match result.verdict:
        case Verdict.FEASIBLE:
            return f"feasible: the route can be loaded {how}"
        case Verdict.INFEASIBLE:
            return f"infeasible: proven that no loading exists {how}"
        case Verdict.UNKNOWN:
            remedy = (
                "the memory of the check is full, so that higher limits would not help"
                if result.is_memory_full
                else "raise --time-limit or --max-nodes"
            )
            return (
                f"unknown: no proof either way after {duration_text(result.seconds)} and "
                f"{counted(result.nodes, 'search node')}; {remedy}"
            )


def _placement_table(truck: Truck) -> str:
    instance, placements = truck.instance, truck.loading_order
    sizes = ["x", "y", "width", "length"]
    # Not there if nothing is turned, which is how most plans are.
    says_turned = any(placement.turned for placement in placements)
    header = ["load step", "stop", "customer", "item", *sizes, *[""] * says_turned]
    rows = []
    for placement, lengths in zip(placements, item_lengths(truck, placements), strict=True):
        item = instance.customer(placement.customer).items[placement.item - 1]
        steps = [str(placement.load_step), str(placement.stop_index)]
        names = [instance.label(placement.customer), f"{placement.item} {item.name}".rstrip()]
        turned = ["turned" if placement.turned else ""] * says_turned
        rows.append([*steps, *names, *(lengths[name] for name in sizes), *turned])
    unit = f"; lengths in {instance.units.length_unit}" if instance.units.length_unit else ""
    return (
        f"Load in this order; x from the left wall, y from the cab, stop 1 unloads first{unit}:\n"
        + table(header, rows, left=frozenset({"customer", "item", ""}))
    )
