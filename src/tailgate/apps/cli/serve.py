"""``tailgate serve``: the planner's page, on this machine."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tailgate.apps.cli.arguments import Commands, add_files, add_number
from tailgate.apps.cli.exit_codes import ExitCode
from tailgate.apps.cli.output import print_json, print_note
from tailgate.model.errors import InputError

if TYPE_CHECKING:
    from tailgate.apps.serve.address import Address

_DESCRIPTION = """\
Open a page in your browser on which trucks are planned: drop in orders (benchmark text, JSON, CSV
files or a spreadsheet), edit them in a table, watch the search, stop it when the plan is good
enough, compare runs, and print the loading sheets.

The page can be reached from this machine only, unless --host says otherwise; then it asks for a
token. Runs are kept in a folder and outlive the server: what was being solved when it ended goes
on with the next one. Ctrl-C ends it.

This needs the extra serve: pip install 'tailgate[serve]'"""

_EXAMPLES = """\
  tailgate serve
  tailgate serve --port 9000 --data monday
  tailgate serve --host 0.0.0.0 --token
  tailgate serve --host 192.168.1.20 --token --allow-host planning.example.org"""

DEFAULT_PORT = 8765
_MOST_PORT = 65_535
TOKEN_VARIABLE = "TAILGATE_TOKEN"
_MADE = ""


def add_command(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add("serve", run, _DESCRIPTION, _EXAMPLES)
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to listen on (default 127.0.0.1: this machine only)",
    )
    port = f"port to listen on; 0 takes any that is free (default {DEFAULT_PORT})"
    add_number(parser, "--port", "N", port, least=0, default=DEFAULT_PORT)
    parser.add_argument(
        "--token",
        metavar="WORD",
        nargs="?",
        const=_MADE,
        default=os.environ.get(TOKEN_VARIABLE),
        help="ask every visitor for this word; without WORD one is made and printed. The variable "
        f"{TOKEN_VARIABLE} does the same unseen",
    )
    parser.add_argument(
        "--allow-host",
        metavar="NAME",
        action="append",
        default=[],
        help="a name under which the page may be opened from elsewhere; may be repeated",
    )
    data = "where runs are kept (default: .tailgate in your home folder)"
    add_files(parser, {"--data FOLDER": data})
    jobs = "search for at most N plans at once; others wait (default: one per processor, less one)"
    add_number(parser, "--jobs", "N", jobs)


def run(arguments: argparse.Namespace) -> ExitCode:
    """Serve until Ctrl-C."""
    if arguments.port > _MOST_PORT:
        raise InputError(f"must be at most {_MOST_PORT}, got {arguments.port}", field="--port")
    try:
        from tailgate.apps.serve.address import Address, make_token
        from tailgate.apps.serve.limits import Limits
        from tailgate.apps.serve.server import serve
    except ModuleNotFoundError as error:
        raise InputError(
            f"this command needs the extra serve ({error.name} is missing): "
            "pip install 'tailgate[serve]'"
        ) from error
    folder: Path = arguments.data or Path.home() / ".tailgate"
    address = Address(
        arguments.host,
        arguments.port,
        make_token() if arguments.token == _MADE else arguments.token,
        frozenset(name.casefold() for name in arguments.allow_host),
    )
    limits = Limits() if arguments.jobs is None else replace(Limits(), running_jobs=arguments.jobs)
    serve(folder, address, limits, on_ready=lambda ready: _announce(ready, folder, arguments))
    return ExitCode.DONE


def _announce(address: Address, folder: Path, arguments: argparse.Namespace) -> None:
    if arguments.json:
        print_json({"url": address.url(), "data": str(folder)})
        return
    print(address.url(), flush=True)
    if not arguments.quiet:
        print_note(f"Open this address in a browser. Runs are kept in {folder}; Ctrl-C ends.")
        if not address.is_loopback:
            print_note(
                "The connection is not encrypted: on a network that is not yours, go through an "
                "SSH tunnel or a proxy with TLS."
            )
