"""``tailgate show``: loading plans, sheets to print, and a report, from a solution file."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

from tailgate.apps.cli.arguments import (
    Commands,
    add_files,
    add_instance_argument,
    add_solution_argument,
)
from tailgate.apps.cli.exit_codes import ExitCode
from tailgate.apps.cli.output import print_json, print_note
from tailgate.apps.cli.output_file import check_report_file
from tailgate.apps.cli.standard_streams import read_orders, read_plan, refuse_both
from tailgate.io.text_file import write_bytes, write_text
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.judge import Violation, verify
from tailgate.model.rounding import counted
from tailgate.model.solution import Solution
from tailgate.report import html_report, loading_plan_svg, sheets_html
from tailgate.report.csv_tables import OCCASIONAL_TABLES, csv_tables
from tailgate.report.filmstrip_svg import filmstrip_svg
from tailgate.report.globe import refuse_without_globe
from tailgate.report.picture_formats import PICTURE_FORMATS, load_converter, picture_bytes
from tailgate.report.plan import Plan
from tailgate.report.truck import Truck
from tailgate.report.words import NOT_VERIFIED

_DESCRIPTION = f"""\
Draw the loading plans of a solution. The folder gets

  sheets.html            to be printed on A4: per truck a sheet for loading and one for unloading
  report.html            map, tables, and plans that a slider unloads stop by stop
  truck-1.svg            the loading plan of truck 1, seen from above
  truck-1-unloading.svg  what leaves at each stop

and with --format csv the tables of trucks, stops, legs and items, of the fleet where it has several
kinds of vehicles, and of the orders left out; with geojson or gpx the routes for a map or a
navigation device, where places have latitudes and longitudes; with --format html the two pages
alone. Every truck is drawn with the floor of its own kind. Every file needs nothing but itself, and
no network. The chart of the gap over time is in reports by tailgate solve --report alone: a
solution file does not hold how it was found.

The solution is checked first, as by tailgate verify. One that does not pass is not drawn: its
violations are listed, and the exit code is 4. With --unverified it is drawn all the same, every
picture says {NOT_VERIFIED} in red, and the exit code is 4 as well."""

_EXAMPLES = """\
  tailgate show city.txt plan.json --out plans
  tailgate show city.txt plan.json --out plans --report monday.html
  tailgate show city.txt plan.json --out plans --format html
  tailgate show city.txt plan.json --out plans --format svg,png,pdf,csv
  tailgate show city.json plan.json --out plans --format geojson,gpx"""

# The two pages are made whatever is asked for; html alone asks for nothing else.
_EXPORTS: dict[str, Callable[[Plan], str]] = {"geojson": Plan.to_geojson, "gpx": Plan.to_gpx}
_FORMATS = ("html", *PICTURE_FORMATS, "csv", *_EXPORTS)
_SHEETS, _REPORT = "sheets.html", "report.html"
_PURPOSES = {_SHEETS: "to print, from a browser", _REPORT: "to look at, in a browser"}


def add_command(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add("show", run, _DESCRIPTION, _EXAMPLES)
    add_instance_argument(parser)
    add_solution_argument(parser)
    parser.add_argument(
        "--out", metavar="DIR", type=Path, required=True, help="folder to fill; made if need be"
    )
    report = "write the report here (default: report.html in the folder)"
    add_files(parser, {"--report R.html": report})
    parser.add_argument(
        "--format",
        dest="formats",
        metavar="LIST",
        type=_formats,
        default=("svg",),
        help=f"what to make beside the pages, of {','.join(_FORMATS)} (default svg): pictures as "
        "svg, png or pdf (the last two need the extra `pictures`), tables as csv, routes as "
        "geojson or gpx; html is the "
        "pages, which are always made, so that it alone makes nothing else",
    )
    parser.add_argument(
        "--unverified",
        action="store_true",
        help=f"draw a solution that does not pass, too, marked {NOT_VERIFIED}",
    )


def run(arguments: argparse.Namespace) -> ExitCode:
    """Judge the solution, then draw it."""
    refuse_both(arguments.instance, arguments.solution, "SOLUTION")
    solution = read_plan(arguments.solution)
    instance = read_orders(arguments.instance, [solution])
    violations = verify(instance, solution)
    if violations and not arguments.unverified:
        _print_outcome(violations, [], arguments)
        return ExitCode.VERIFICATION_FAILED
    if not solution.routes and not solution.left_out:
        raise InputError(
            "has no routes, so there is nothing to draw",
            source=str(arguments.solution),
            field="routes",
        )
    written = _write(instance, solution, arguments)
    _print_outcome(violations, written, arguments)
    return ExitCode.VERIFICATION_FAILED if violations else ExitCode.DONE


def _write(instance: Instance, solution: Solution, arguments: argparse.Namespace) -> list[Path]:
    plan = Plan.of(instance, solution)
    _prepare(arguments.out, plan, arguments)
    written = []
    for path, content in _files(instance, plan, arguments):
        if isinstance(content, str):
            write_text(path, content)
        else:
            write_bytes(path, content)
        written.append(path)
    return written


def _files(
    instance: Instance, plan: Plan, arguments: argparse.Namespace
) -> Iterator[tuple[Path, str | bytes]]:
    """Yield what goes into the folder, and where the report goes."""
    folder: Path = arguments.out
    yield folder / _SHEETS, sheets_html(instance, plan.solution)
    yield arguments.report or folder / _REPORT, html_report(instance, plan.solution)
    for truck in plan.trucks:
        for name, svg in zip(_names(truck), _pictures(truck), strict=True):
            for picture_format in PICTURE_FORMATS:
                if picture_format in arguments.formats:
                    yield folder / f"{name}.{picture_format}", picture_bytes(svg, picture_format)
    if "csv" in arguments.formats:
        for name, text in csv_tables(plan).items():
            yield folder / name, text
    for file_format, export in _EXPORTS.items():
        if file_format in arguments.formats:
            yield folder / f"routes.{file_format}", export(plan)


def _prepare(folder: Path, plan: Plan, arguments: argparse.Namespace) -> None:
    """Make the folder, having refused what would fail or mislead later."""
    if arguments.report is not None:
        check_report_file(arguments.report, folder_to_make=folder)
    if {"png", "pdf"} & set(arguments.formats):
        load_converter()
    for file_format in _EXPORTS:
        if file_format in arguments.formats:
            refuse_without_globe(plan.instance, file_format, field="--format")
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: is a file, not a folder; name a folder", field="--out")
    folder.mkdir(parents=True, exist_ok=True)
    names = {name for truck in plan.trucks for name in _names(truck)}
    stale = sorted(path.name for path in folder.glob("truck-*") if path.stem not in names)
    if stale:
        # Someone might load a truck after a picture of yesterday.
        raise InputError(
            f"{folder}: holds pictures of another plan, such as {stale[0]}; name an empty folder",
            field="--out",
        )
    if "csv" not in arguments.formats:
        return
    tables = csv_tables(plan)
    for name in OCCASIONAL_TABLES:
        if name not in tables and (folder / name).exists():
            raise InputError(
                f"{folder}: holds {name} of another plan, which this one does not have; name an "
                "empty folder",
                field="--out",
            )


def _names(truck: Truck) -> tuple[str, str]:
    """Return what the pictures of a truck are called."""
    return f"truck-{truck.number}", f"truck-{truck.number}-unloading"


def _pictures(truck: Truck) -> tuple[str, str]:
    loading = loading_plan_svg(
        truck.instance, truck.route, title=truck.title, verified=truck.verified
    )
    return loading, filmstrip_svg(truck)


def _print_outcome(
    violations: list[Violation], written: list[Path], arguments: argparse.Namespace
) -> None:
    if arguments.json:
        print_json(
            {
                "valid": not violations,
                "violations": [violation.to_dict() for violation in violations],
                "files": [str(path) for path in written],
            }
        )
        return
    if violations:
        drawn = f"drawn, and marked {NOT_VERIFIED}" if written else "not drawn"
        print_note(
            f"tailgate: {arguments.solution}: {drawn}: the solution has "
            f"{counted(len(violations), 'violation')}"
        )
        for violation in violations:
            print_note(f"  {violation}")
    if written and not arguments.quiet:
        print("verified, and drawn:" if not violations else f"drawn, but {NOT_VERIFIED}:")
    for path in written:
        if arguments.quiet:
            print(path)
        else:
            purpose = _PURPOSES.get(path.name)
            print(f"  {path} ({purpose})" if purpose else f"  {path}")


def _formats(text: str) -> tuple[str, ...]:
    words = tuple(word.strip() for word in text.split(","))
    unknown = [word for word in words if word not in _FORMATS]
    if unknown:
        raise argparse.ArgumentTypeError(
            f"knows {', '.join(_FORMATS)}, got {unknown[0]!r}; separate several by commas"
        )
    return words
