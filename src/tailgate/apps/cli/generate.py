"""``tailgate generate``: random instances after the literature's rules."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from tailgate.apps.cli import arguments as options
from tailgate.apps.cli.exit_codes import ExitCode
from tailgate.apps.cli.generate_files import InstanceFiles
from tailgate.apps.cli.output import print_json, print_note, searching
from tailgate.model.conventions import ConventionOverrides, Conventions
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.rounding import counted
from tailgate.research.generate import (
    DISTRIBUTIONS,
    PACKING_CLASS_NUMBERS,
    FleetOptions,
    RoadOptions,
    default_name,
    generate_instance,
)

_DESCRIPTION = """\
Make random instances that are sure to have a solution: the number of vehicles is that of routes
which were really found, each with two customers or more and a proven loading.

The packing class says what customers order: class 1 no loading problem at all (one 1 x 1 item),
class 2 one or two large items, and so on to class 5, up to five small ones. Item sizes scale with
the floor, which may be given in any unit: 20 x 40 as in the benchmark, or 2450 x 13600
millimetres. The same options and seed give the same instance on every machine.

Distances are straight lines, and time is measured in distance. With --roads they are those of a
random road network instead: kilometres and minutes that differ by direction, places with latitude
and longitude, opening hours by the clock; with shifts and euros if you ask for them.

All vehicles are alike and all customers are served, unless --kinds, --optional and --rules say
otherwise. Rules contradict neither each other nor the routes that were found."""

_EXAMPLES = """\
  tailgate generate --customers 30 --class 3 --out city.json
  tailgate generate --customers 25 --class 2 --distribution clustered --out town.txt
  tailgate generate --customers 20 --class 4 --time-windows --width 2450 --length 13600 --out lorry
  tailgate generate --customers 50 --class 5 --count 10 --seed 100 --out many --format txt
  tailgate generate --customers 30 --class 3 --roads --time-windows --shift 8 --costs 120 0.9 0.4
  tailgate generate --customers 12 --class 2 --roads --no-triangle --closed-roads 20
  tailgate generate --customers 30 --class 3 --roads --kinds 3 --optional 20 --rules 30"""

_MOST_INSTANCES = 100_000
_VEHICLE_AND_WINDOWS = ("time_windows", "width", "length", "capacity")
_OPTION_OF_FIELD = {
    "closed_percent": "--closed-roads",
    "shift_hours": "--shift",
    "costs": "--costs",
    "kinds": "--kinds",
    "optional_percent": "--optional",
    "rules_percent": "--rules",
}
_RANDOMNESS = "seed of the first instance; the next ones take the numbers after it"


def add_command(commands: options.Commands) -> None:
    """Add the command and its options."""
    parser = commands.add("generate", run, _DESCRIPTION, _EXAMPLES, randomness=_RANDOMNESS)
    _add_orders(parser)
    _add_roads(parser)
    _add_fleet(parser)
    options.add_number(
        parser, "--count", "N", "make so many, each with the next seed (default 1)", default=1
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="PATH",
        help="file ending in .json or .txt, or a folder for CSV files; with --count, the folder "
        "that takes all instances (default: the instance's name, in the current folder); - is the "
        "standard output",
    )
    parser.add_argument(
        "--format",
        choices=("json", "txt", "csv"),
        help="what to write, where --out does not say it: JSON, benchmark text, or a folder of CSV "
        "files (default json)",
    )
    parser.add_argument("--force", action="store_true", help="overwrite what exists")
    options.add_convention_options(parser)


def _add_orders(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--customers",
        "-n",
        type=options.natural_number,
        required=True,
        metavar="N",
        help="how many customers an instance has, 2 or more",
    )
    parser.add_argument(
        "--class",
        dest="packing_class",
        type=int,
        choices=PACKING_CLASS_NUMBERS,
        required=True,
        help="what customers order: 1 nothing to load, 2 few large items, to 5 many small ones",
    )
    parser.add_argument(
        "--distribution",
        choices=DISTRIBUTIONS,
        default="random",
        help="where customers are: anywhere, in groups, or half of them so (default random)",
    )
    parser.add_argument(
        "--time-windows",
        action="store_true",
        help="customers may be visited at some times only (travel time is distance; with --roads: "
        "opening hours such as 08:00-12:00)",
    )
    width = "floor width, across the truck, in any unit (default 20)"
    options.add_number(parser, "--width", "W", width, default=20)
    length = "floor length, from cab to door (default 40)"
    options.add_number(parser, "--length", "H", length, default=40)
    options.add_number(parser, "--capacity", "Q", "weight per vehicle (default 200)")
    parser.add_argument("--name", help="name of the instance (default: made from the options)")


def _add_roads(parser: argparse.ArgumentParser) -> None:
    roads = parser.add_argument_group(
        "roads", "a random network of main roads, streets and one-way streets, 40 km wide"
    )
    roads.add_argument(
        "--roads",
        action="store_true",
        help="distances (km) and durations (min) of the fastest way instead of straight lines; "
        "service takes 5 to 25 minutes",
    )
    roads.add_argument(
        "--no-triangle",
        action="store_true",
        help="every direct way has traffic of its own, so that a detour may be faster: durations "
        "break the triangle inequality",
    )
    roads.add_argument(
        "--closed-roads",
        type=options.natural_number,
        metavar="PERCENT",
        help="so many of a hundred ways from customer to customer cannot be driven directly "
        "(default 0, at most 50)",
    )
    roads.add_argument(
        "--shift",
        type=float,
        metavar="HOURS",
        help="a truck is out for so many hours at most, waiting and service included, between "
        "06:00 and 18:00",
    )
    roads.add_argument(
        "--costs",
        type=float,
        nargs=3,
        metavar=("TRUCK", "KM", "MIN"),
        help="what a truck costs that leaves, a kilometre and a minute until it is back, in EUR, "
        "such as 120 0.9 0.4 (default: a plan costs its kilometres)",
    )


def _add_fleet(parser: argparse.ArgumentParser) -> None:
    fleet = parser.add_argument_group("fleet", "kinds of vehicles, orders that may wait, rules")
    fleet.add_argument(
        "--kinds",
        type=options.natural_number,
        metavar="N",
        help="kinds of vehicles: 2 are a truck with the floor above and a van, 3 also a small "
        "truck; smaller ones cost less (default 1, at most 3)",
    )
    fleet.add_argument(
        "--optional",
        type=options.natural_number,
        metavar="PERCENT",
        help="so many of a hundred customers may be left out, for about what a route to them costs "
        "(default 0)",
    )
    fleet.add_argument(
        "--rules",
        type=options.natural_number,
        metavar="PERCENT",
        help="so many of a hundred customers have a rule: kinds that may come, another customer "
        "that must or must not be on the same vehicle, first or last on the route (default 0)",
    )


def run(arguments: argparse.Namespace) -> ExitCode:
    """Make the instances one by one and print a line about each."""
    overrides = options.convention_overrides(arguments)
    roads, fleet = _road_options(arguments, overrides), _fleet_options(arguments)
    files = InstanceFiles(arguments, overrides)
    if arguments.count > _MOST_INSTANCES:
        raise InputError(f"must be at most {_MOST_INSTANCES}", field="--count")
    if arguments.count > 1 and arguments.name is not None:
        raise InputError("names one instance; leave it out with --count", field="--name")
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    names = [_name(arguments, seed, roads, fleet) for seed in seeds]
    files.refuse_to_overwrite(names)
    made = []
    for seed, name in zip(seeds, names, strict=True):
        with searching(f"making {name}", quiet=arguments.quiet):
            instance = _generate(arguments, seed, name, overrides, roads, fleet)
        if files.is_stream:
            print(files.text(instance), end="")
            if not arguments.quiet:
                print_note(_line(instance, Path(instance.name), seed))
            continue
        path = files.write(instance)
        made.append(_content(instance, path, seed, arguments.packing_class))
        if not arguments.json:
            print(path if arguments.quiet else _line(instance, path, seed))
    if arguments.json:
        print_json({"instances": made})
    return ExitCode.DONE


def _road_options(
    arguments: argparse.Namespace, overrides: ConventionOverrides
) -> RoadOptions | None:
    given = {
        "--no-triangle": arguments.no_triangle,
        "--closed-roads": arguments.closed_roads is not None,
        "--shift": arguments.shift is not None,
        "--costs": arguments.costs is not None,
    }
    if not arguments.roads:
        useless = [option for option, is_given in given.items() if is_given]
        if useless:
            raise InputError("goes with --roads; add that option", field=useless[0])
        return None
    if "distance" in overrides:
        raise InputError("measures straight lines, not roads; leave it out", field="--distance")
    try:
        return RoadOptions(
            keeps_triangle=not arguments.no_triangle,
            closed_percent=arguments.closed_roads or 0,
            shift_hours=arguments.shift,
            costs=None if arguments.costs is None else tuple(arguments.costs),
        )
    except InputError as error:
        raise InputError(error.problem, field=_OPTION_OF_FIELD[error.field or ""]) from error


def _fleet_options(arguments: argparse.Namespace) -> FleetOptions | None:
    given = {
        "kinds": arguments.kinds,
        "optional_percent": arguments.optional,
        "rules_percent": arguments.rules,
    }
    stated = {field: value for field, value in given.items() if value is not None}
    if not stated:
        return None
    try:
        return FleetOptions(**stated)
    except InputError as error:
        raise InputError(error.problem, field=_OPTION_OF_FIELD[error.field or ""]) from error


def _generate(
    arguments: argparse.Namespace,
    seed: int,
    name: str,
    overrides: ConventionOverrides,
    roads: RoadOptions | None,
    fleet: FleetOptions | None,
) -> Instance:
    conventions = Conventions.BENCHMARK if roads is None else Conventions.PLANNER
    try:
        return generate_instance(
            arguments.customers,
            arguments.packing_class,
            distribution=arguments.distribution,
            seed=seed,
            name=name,
            conventions=conventions.overridden(overrides),
            roads=roads,
            fleet=fleet,
            **_vehicle_and_windows(arguments),
        )
    except InputError as error:
        # Named as on the command line.
        option = {"n": "customers"}.get(error.field or "", error.field)
        raise InputError(error.problem, field=f"--{option}") from error


def _name(
    arguments: argparse.Namespace,
    seed: int,
    roads: RoadOptions | None,
    fleet: FleetOptions | None,
) -> str:
    if arguments.name is not None:
        return str(arguments.name)
    orders = (arguments.customers, arguments.packing_class, arguments.distribution)
    return default_name(*orders, seed, roads=roads, fleet=fleet, **_vehicle_and_windows(arguments))


def _vehicle_and_windows(arguments: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(arguments, name) for name in _VEHICLE_AND_WINDOWS}


def _content(instance: Instance, path: Path, seed: int, packing_class: int) -> dict[str, object]:
    return {
        "name": instance.name,
        "path": str(path),
        "sha256": instance.sha256,
        "seed": seed,
        "packing_class": packing_class,
        "customers": instance.n,
        "items": _item_count(instance),
        "vehicles": instance.vehicle_count,
        "kinds": len(instance.vehicles),
        "optional_customers": len(instance.optional),
        "time_windows": _has_time_windows(instance),
        "roads": instance.travel.metric == "matrix",
        "conventions": instance.conventions.to_dict(),
    }


def _line(instance: Instance, path: Path, seed: int) -> str:
    vehicles = ", ".join(
        f"{counted(one.count, one.name or 'vehicle')} of {one.width} x {one.length} and "
        f"{one.capacity}"
        for one in instance.vehicles
    )
    optional = f" ({len(instance.optional)} may be left out)" if instance.optional else ""
    windows = ", time windows" if _has_time_windows(instance) else ""
    roads = ", roads" if instance.travel.metric == "matrix" else ""
    return (
        f"{path}: {counted(instance.n, 'customer')}{optional}, "
        f"{counted(_item_count(instance), 'item')}, {vehicles}{roads}{windows}, seed {seed}"
    )


def _has_time_windows(instance: Instance) -> bool:
    kinds = range(len(instance.vehicles))
    return any(instance.of_kind(kind).has_time_windows for kind in kinds)


def _item_count(instance: Instance) -> int:
    return sum(len(customer.items) for customer in instance.customers)
