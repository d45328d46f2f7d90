"""``tailgate template``: tables to overwrite with one's own orders."""

from __future__ import annotations

import argparse
from pathlib import Path

from tailgate.apps.cli import arguments as options
from tailgate.apps.cli.exit_codes import ExitCode
from tailgate.apps.cli.output import print_json
from tailgate.apps.cli.output_file import check_folder_of
from tailgate.io.csv_folder import ALL_FILES, write_tables
from tailgate.io.templates import template_files, template_workbook
from tailgate.io.text_file import write_bytes
from tailgate.model.errors import InputError

_DESCRIPTION = """\
Write a small day's orders to overwrite with your own: customers with addresses and opening hours,
their items, the vehicles with shifts and costs, and the settings. They can be solved as they are.
A name that ends in .xlsx is a workbook, any other a folder of CSV files."""

_EXAMPLES = """\
  tailgate template my_orders.xlsx
  tailgate template my_orders"""


def add_command(commands: options.Commands) -> None:
    """Add the command and its options."""
    parser = commands.add("template", run, _DESCRIPTION, _EXAMPLES)
    parser.add_argument(
        "path", type=Path, metavar="PATH", help="workbook (.xlsx), or a folder without a dot"
    )
    parser.add_argument("--force", action="store_true", help="overwrite what exists")


def run(arguments: argparse.Namespace) -> ExitCode:
    """Write the template and print where it is."""
    path: Path = arguments.path
    check_folder_of(path)
    is_workbook = not path.is_dir() and path.suffix.casefold() == ".xlsx"
    if path.suffix and not is_workbook and not path.is_dir():
        raise InputError(
            f"ends in {path.suffix}; choose .xlsx, or a folder without a dot", source=str(path)
        )
    files = [path] if is_workbook else [path / name for name in ALL_FILES]
    if not arguments.force and any(file.exists() for file in files):
        raise InputError("exists already; overwrite it with --force", source=str(path))
    written = [path] if is_workbook else [path / name for name in template_files()]
    if is_workbook:
        write_bytes(path, template_workbook(path))
    else:
        write_tables(template_files(), path)
    if arguments.json:
        print_json({"path": str(path), "files": [str(file) for file in written]})
    elif arguments.quiet:
        print(path)
    else:
        print(f"{path}: overwrite it with your orders, then: tailgate solve {path}")
    return ExitCode.DONE
