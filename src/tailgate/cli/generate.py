"""``tailgate generate``: random instances after the literature's rules."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Literal

from tailgate.cli.arguments import (
    Commands,
    add_convention_options,
    convention_overrides,
    natural_number,
    positive_number,
)
from tailgate.cli.exit_codes import ExitCode
from tailgate.cli.output import counted, print_json, searching
from tailgate.conventions import ConventionOverrides, Conventions
from tailgate.errors import InputError
from tailgate.formats import write_benchmark, write_csv_folder, write_json
from tailgate.formats.csv_folder import CUSTOMERS_FILE, ITEMS_FILE, VEHICLE_FILE
from tailgate.generate import (
    DISTRIBUTIONS,
    PACKING_CLASS_NUMBERS,
    default_name,
    generate_instance,
)
from tailgate.instance import Instance

_DESCRIPTION = """\
Make random instances that are sure to have a solution: the number of vehicles is that of routes
which were really found, each with two customers or more and a proven loading.

The packing class says what customers order: class 1 no loading problem at all (one 1 x 1 item),
class 2 one or two large items, and so on to class 5, up to five small ones. Item sizes scale with
the floor, which may be given in any unit: 20 x 40 as in the benchmark, or 2450 x 13600
millimetres. The same options and seed give the same instance on every machine."""

_EXAMPLES = """\
  tailgate generate --customers 30 --class 3 --out city.json
  tailgate generate --customers 25 --class 2 --distribution clustered --out town.txt
  tailgate generate --customers 20 --class 4 --time-windows --width 2450 --length 13600 --out lorry
  tailgate generate --customers 50 --class 5 --count 10 --seed 100 --out many --format txt"""

_Format = Literal["json", "txt", "csv"]
_FORMAT_OF_SUFFIX: dict[str, _Format] = {".json": "json", ".txt": "txt", "": "csv"}
_CSV_FILES = (CUSTOMERS_FILE, ITEMS_FILE, VEHICLE_FILE)
_MOST_INSTANCES = 100_000


def add_command(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add(
        "generate",
        run,
        description=_DESCRIPTION,
        examples=_EXAMPLES,
        randomness="seed of the first instance; the next ones take the numbers after it",
    )
    parser.add_argument(
        "--customers",
        "-n",
        type=natural_number,
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
        help="customers may be visited at some times only (travel time is distance)",
    )
    parser.add_argument(
        "--width",
        type=positive_number,
        default=20,
        metavar="W",
        help="floor width, across the truck, in any unit (default 20)",
    )
    parser.add_argument(
        "--length",
        type=positive_number,
        default=40,
        metavar="H",
        help="floor length, from cab to door (default 40)",
    )
    parser.add_argument(
        "--capacity", type=positive_number, metavar="Q", help="weight per vehicle (default 200)"
    )
    parser.add_argument("--name", help="name of the instance (default: made from the options)")
    parser.add_argument(
        "--count",
        type=positive_number,
        default=1,
        metavar="N",
        help="make so many, each with the next seed (default 1)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="PATH",
        help="file ending in .json or .txt, or a folder for CSV files; with --count, the folder "
        "that takes all instances (default: the instance's name, in the current folder)",
    )
    parser.add_argument(
        "--format",
        choices=("json", "txt", "csv"),
        help="what to write, where --out does not tell: JSON, benchmark text, or a folder of CSV "
        "files (default json)",
    )
    parser.add_argument("--force", action="store_true", help="overwrite what exists")
    add_convention_options(parser)


def run(arguments: argparse.Namespace) -> ExitCode:
    """Make the instances one by one and tell about each."""
    overrides = convention_overrides(arguments)
    _check_out(arguments)
    written_format = _format(arguments)
    if arguments.count > _MOST_INSTANCES:
        raise InputError(f"must be at most {_MOST_INSTANCES}", field="--count")
    if arguments.count > 1 and arguments.name is not None:
        raise InputError("names one instance; leave it out with --count", field="--name")
    if written_format == "txt":
        _refuse_what_text_cannot_hold(arguments, overrides)
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    jobs = [(seed, _name(arguments, seed)) for seed in seeds]
    paths = [_path(arguments, name, written_format) for _, name in jobs]
    if not arguments.force:
        _refuse_to_overwrite(paths, written_format)
    made = []
    for (seed, name), path in zip(jobs, paths, strict=True):
        with searching(f"making {name}", quiet=arguments.quiet):
            instance = _generate(arguments, seed, name, overrides)
        _write(instance, path, written_format, arguments.packing_class)
        made.append(_content(instance, path, seed, arguments.packing_class))
        if arguments.quiet and not arguments.json:
            print(path)
        elif not arguments.json:
            print(_line(instance, path, seed))
    if arguments.json:
        print_json({"instances": made})
    return ExitCode.DONE


def _generate(
    arguments: argparse.Namespace, seed: int, name: str, overrides: ConventionOverrides
) -> Instance:
    try:
        return generate_instance(
            arguments.customers,
            arguments.packing_class,
            distribution=arguments.distribution,
            time_windows=arguments.time_windows,
            width=arguments.width,
            length=arguments.length,
            capacity=arguments.capacity,
            seed=seed,
            name=name,
            conventions=Conventions.BENCHMARK.overridden(overrides),
        )
    except InputError as error:
        # Named as on the command line.
        option = {"n": "customers"}.get(error.field or "", error.field)
        raise InputError(error.problem, field=f"--{option}") from error


def _check_out(arguments: argparse.Namespace) -> None:
    """Refuse a path that says something else than the other options, or leads nowhere."""
    out: Path | None = arguments.out
    if out is None or out.is_dir():
        return
    if not out.parent.is_dir():
        raise InputError(
            f"cannot be written: the folder {out.parent} does not exist; make it first",
            source=str(out),
        )
    by_suffix = _FORMAT_OF_SUFFIX.get(out.suffix.lower()) if out.suffix else None
    if by_suffix is not None and arguments.count > 1:
        raise InputError(
            f"is the folder for all instances where --count is given; leave out {out.suffix}, and "
            f"say --format {by_suffix}",
            field="--out",
        )
    if by_suffix is not None and arguments.format not in (None, by_suffix):
        raise InputError(
            f"{arguments.format} contradicts --out, which ends in {out.suffix}; leave out one of "
            "the two",
            field="--format",
        )


def _refuse_what_text_cannot_hold(
    arguments: argparse.Namespace, overrides: ConventionOverrides
) -> None:
    if arguments.time_windows:
        raise InputError(
            "benchmark text has no place for time windows; write .json or a CSV folder",
            field="--time-windows",
        )
    for convention in overrides:
        raise InputError(
            "benchmark text has no place for conventions; write .json or a CSV folder",
            field=f"--{convention.replace('_', '-')}",
        )


def _refuse_to_overwrite(paths: list[Path], written_format: _Format) -> None:
    """Look at all files before the first instance is made."""
    for path in paths:
        files = [path / name for name in _CSV_FILES] if written_format == "csv" else [path]
        if any(file.exists() for file in files):
            raise InputError("exists already; overwrite it with --force", source=str(path))


def _write(instance: Instance, path: Path, written_format: _Format, packing_class: int) -> None:
    try:
        # The folder of all instances; that it can stand where it shall has been checked.
        path.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(
            f"the folder cannot be made: {error.strerror}", source=str(path.parent)
        ) from error
    match written_format:
        case "json":
            write_json(instance, path)
        case "txt":
            write_benchmark(instance, path, item_class=packing_class)
        case "csv":
            write_csv_folder(instance, path)


def _format(arguments: argparse.Namespace) -> _Format:
    """Take the format that was asked for, else what the file's name says."""
    asked: _Format | None = arguments.format
    if asked is not None:
        return asked
    if arguments.out is None or arguments.count > 1:
        return "json"
    suffix = arguments.out.suffix.lower()
    if suffix not in _FORMAT_OF_SUFFIX:
        raise InputError(
            f"ends in {suffix}; choose .json, .txt, a folder without a dot, or say --format",
            field="--out",
        )
    return _FORMAT_OF_SUFFIX[suffix]


def _name(arguments: argparse.Namespace, seed: int) -> str:
    given: str | None = arguments.name
    if given is not None:
        return given
    return default_name(
        arguments.customers,
        arguments.packing_class,
        arguments.distribution,
        seed,
        time_windows=arguments.time_windows,
        width=arguments.width,
        length=arguments.length,
        capacity=arguments.capacity,
    )


def _path(arguments: argparse.Namespace, name: str, written_format: _Format) -> Path:
    out: Path | None = arguments.out
    is_file = written_format != "csv"
    if out is not None and arguments.count == 1 and not (is_file and out.is_dir()):
        return out
    # A given name may hold what a file's name may not.
    file_name = "".join(letter if letter.isalnum() or letter in "-._ " else "-" for letter in name)
    folder = out if out is not None else Path()
    return folder / (f"{file_name}.{written_format}" if is_file else file_name)


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
        "time_windows": instance.has_time_windows,
        "conventions": instance.conventions.to_dict(),
    }


def _line(instance: Instance, path: Path, seed: int) -> str:
    vehicle = instance.vehicle
    windows = ", time windows" if instance.has_time_windows else ""
    return (
        f"{path}: {counted(instance.n, 'customer')}, {counted(_item_count(instance), 'item')}, "
        f"{counted(instance.vehicle_count, 'vehicle')} of {vehicle.width} x {vehicle.length} and "
        f"{vehicle.capacity}{windows}, seed {seed}"
    )


def _item_count(instance: Instance) -> int:
    return sum(len(customer.items) for customer in instance.customers)
