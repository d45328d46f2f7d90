"""``tailgate show``: loading plans, sheets to print, and a report, from a solution file."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from tailgate.cli.arguments import Commands, add_instance_argument
from tailgate.cli.exit_codes import ExitCode
from tailgate.cli.output import counted, print_json, print_note
from tailgate.cli.report_file import check_report_file
from tailgate.errors import InputError
from tailgate.formats import read
from tailgate.instance import Instance
from tailgate.report import html_report, loading_plan_svg, sheets_html
from tailgate.report.csv_tables import csv_tables
from tailgate.report.filmstrip_svg import filmstrip_svg
from tailgate.report.picture_formats import converted, load_converter
from tailgate.report.plan import Plan
from tailgate.report.truck import NOT_VERIFIED, Truck
from tailgate.solution import Solution, read_solution
from tailgate.text_file import write_bytes, write_text
from tailgate.verify import Violation, verify

_DESCRIPTION = f"""\
Draw the loading plans of a solution. The folder gets

  sheets.html            to be printed on A4: per truck a sheet for loading and one for unloading
  report.html            map, tables, and plans that a slider unloads stop by stop
  truck-1.svg            the loading plan of truck 1, seen from above
  truck-1-unloading.svg  what leaves at each stop

and with --format csv the tables loading.csv, unloading.csv and legs.csv. Every file needs nothing
but itself, and no network. The chart of the gap over time is in reports by tailgate solve --report
alone: a solution file does not tell how it was found.

The solution is checked first, as by tailgate verify. One that does not pass is not drawn: its
violations are listed, and the exit code is 4. With --unverified it is drawn all the same, every
picture says {NOT_VERIFIED} in red, and the exit code is 4 as well."""

_EXAMPLES = """\
  tailgate show city.txt plan.json --out plans
  tailgate show city.txt plan.json --out plans --report monday.html
  tailgate show city.txt plan.json --out plans --format svg,png,pdf,csv"""

_FORMATS = ("svg", "png", "pdf", "csv")


_SHEETS, _REPORT = "sheets.html", "report.html"
_PURPOSES = {_SHEETS: "to print, from a browser", _REPORT: "to look at, in a browser"}


def add_command(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add("show", run, description=_DESCRIPTION, examples=_EXAMPLES)
    add_instance_argument(parser)
    parser.add_argument("solution", metavar="SOLUTION", help="solution file (JSON)")
    parser.add_argument(
        "--out", metavar="DIR", type=Path, required=True, help="folder to fill; made if need be"
    )
    parser.add_argument(
        "--report",
        metavar="R.html",
        type=Path,
        help="write the report here (default: report.html in the folder)",
    )
    parser.add_argument(
        "--format",
        dest="formats",
        metavar="LIST",
        type=_formats,
        default=("svg",),
        help=f"pictures and tables to make, of {','.join(_FORMATS)} (default svg); png and pdf "
        "need the extra `pictures`",
    )
    parser.add_argument(
        "--unverified",
        action="store_true",
        help=f"draw a solution that does not pass, too, marked {NOT_VERIFIED}",
    )


def run(arguments: argparse.Namespace) -> ExitCode:
    """Judge the solution, then draw it."""
    instance = read(arguments.instance, check_loading=False)
    solution = read_solution(arguments.solution)
    violations = verify(instance, solution)
    if violations and not arguments.unverified:
        _tell(violations, [], arguments)
        return ExitCode.VERIFICATION_FAILED
    if not solution.routes:
        raise InputError(
            "has no routes, so there is nothing to draw",
            source=str(arguments.solution),
            field="routes",
        )
    written = _write(instance, solution, arguments)
    _tell(violations, written, arguments)
    return ExitCode.VERIFICATION_FAILED if violations else ExitCode.DONE


def _write(instance: Instance, solution: Solution, arguments: argparse.Namespace) -> list[Path]:
    folder: Path = arguments.out
    plan = Plan.of(instance, solution)
    _prepare(folder, plan, arguments)
    report = arguments.report or folder / _REPORT
    pages = {folder / _SHEETS: sheets_html, report: html_report}
    for path, page in pages.items():
        write_text(path, page(instance, solution))
    written = list(pages)
    for truck in plan.trucks:
        for name, svg in zip(_names(truck), _pictures(truck), strict=True):
            written += _write_picture(folder, name, svg, arguments.formats)
    if "csv" in arguments.formats:
        for name, text in csv_tables(plan).items():
            write_text(folder / name, text)
            written.append(folder / name)
    return written


def _prepare(folder: Path, plan: Plan, arguments: argparse.Namespace) -> None:
    """Make the folder, having refused what would fail or mislead later."""
    if arguments.report is not None:
        check_report_file(arguments.report, folder_to_make=folder)
    if {"png", "pdf"} & set(arguments.formats):
        load_converter()
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


def _names(truck: Truck) -> tuple[str, str]:
    """Return what the pictures of a truck are called."""
    return f"truck-{truck.number}", f"truck-{truck.number}-unloading"


def _pictures(truck: Truck) -> tuple[str, str]:
    loading = loading_plan_svg(
        truck.instance, truck.route, title=truck.title, verified=truck.verified
    )
    return loading, filmstrip_svg(truck)


def _write_picture(folder: Path, name: str, svg: str, formats: tuple[str, ...]) -> Iterator[Path]:
    if "svg" in formats:
        path = folder / f"{name}.svg"
        write_text(path, svg)
        yield path
    for picture_format in ("png", "pdf"):
        if picture_format in formats:
            path = folder / f"{name}.{picture_format}"
            write_bytes(path, converted(svg, picture_format))
            yield path


def _tell(violations: list[Violation], written: list[Path], arguments: argparse.Namespace) -> None:
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
