"""The program ``tailgate``: finds the command, runs it, and turns errors into one message."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import TextIO

import tailgate
from tailgate.apps.cli.arguments import CommandParser, Commands
from tailgate.apps.cli.exit_codes import EXIT_CODES_HELP, ExitCode
from tailgate.apps.cli.memory_at_start import (
    check_memory_at_start,
    is_lack_of_memory,
    memory_remedy,
)
from tailgate.apps.cli.signals import PROGRAM
from tailgate.model.errors import TailgateError

_DESCRIPTION = """\
Plan truck routes whose loads can be unloaded: exact vehicle routing with two-dimensional loading,
where every stop's goods leave straight through the door (last in, first out)."""

# Each is a file of this folder with a function add_command. What each does stands here, so that
# the program's help comes at once and even where the commands themselves cannot be loaded.
_COMMANDS = {
    "solve": "find the cheapest plan and prove that it is",
    "pack": "decide whether routes can be loaded, and how",
    "bound": "prove how little any plan can cost",
    "verify": "check a solution and list every violation",
    "compare": "put plans side by side: trucks, hours, costs, and who moved",
    "what-if": "solve with more or fewer trucks: what is one truck worth?",
    "show": "draw loading plans, sheets to print and a report",
    "template": "write tables to overwrite with your own orders",
    "generate": "make random instances",
    "serve": "open a page on which trucks are planned",
    "dataset": "collect loading queries to train a network on",
    "train": "train the network that predicts loading verdicts",
    "evaluate": "measure a network on queries it has not seen",
    "experiment": "measure what the paper measured, and more",
    "benchmark-instances": "obtain and check the published instances",
    "doctor": "show versions and build, and test the core",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; nothing but a bug ends in a traceback."""
    for stream in (sys.stdout, sys.stderr):
        _escape_unknown_letters(stream)
    try:
        code = _run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
        return int(code)
    except BrokenPipeError:
        # The reader, such as head, has seen enough: that is its right and no error.
        _discard_output()
        return int(ExitCode.DONE)
    except KeyboardInterrupt:
        return _fail("interrupted", ExitCode.INTERRUPTED)
    except TailgateError as error:
        return _fail(str(error), ExitCode.BAD_INPUT)
    except OSError as error:
        _discard_output()
        reason = error.strerror or str(error)
        named = f"{error.filename}: {reason}" if error.filename is not None else reason
        return _fail(named, ExitCode.BAD_INPUT)
    except ImportError as error:
        if PROGRAM.received:
            # What was being loaded has turned the interrupt into an error of its own.
            return _fail("interrupted", ExitCode.INTERRUPTED)
        if is_lack_of_memory(error):
            return _fail("too little memory to load the program", ExitCode.BAD_INPUT)
        return _fail(
            f"the installation is incomplete or broken: {error}; see: tailgate doctor",
            ExitCode.BAD_INPUT,
        )
    except MemoryError:
        return _fail(f"out of memory; {memory_remedy()}", ExitCode.BAD_INPUT)


def _run(argv: Sequence[str] | None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    command = _asked_command(words)
    if command:
        check_memory_at_start()
    parser = build_parser(command)
    try:
        arguments = parser.parse_args(words)
        if "run" not in arguments:
            parser.print_help(sys.stderr)
            return ExitCode.BAD_INPUT
    except SystemExit as stop:
        # argparse leaves this way after --help, --version and mistakes.
        return stop.code if isinstance(stop.code, int) else ExitCode.BAD_INPUT
    PROGRAM.command_begins()
    code: ExitCode = arguments.run(arguments)
    return code


def _asked_command(words: Sequence[str]) -> Sequence[str]:
    """Find the one command to load: the doctor must come even if others cannot."""
    # No option before the command takes a value, so the first word that is none is the command.
    return [word for word in words if not word.startswith("-")][:1]


def build_parser(loaded_commands: Sequence[str] = tuple(_COMMANDS)) -> CommandParser:
    """Return the parser of the command line, with all commands ready for use or some."""
    parser = CommandParser(
        prog="tailgate",
        description=_DESCRIPTION,
        epilog=f"tailgate COMMAND --help explains a command, with examples.\n{EXIT_CODES_HELP}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_PrintVersion)
    commands = Commands(parser, _COMMANDS)
    for name in _COMMANDS:
        if name in loaded_commands:
            add_command: Callable[[Commands], None]
            add_command = importlib.import_module(_module(name)).add_command
            add_command(commands)
        else:
            commands.announce(name)
    return parser


def _module(command: str) -> str:
    return f"tailgate.apps.cli.{command.replace('-', '_')}"


class _PrintVersion(argparse.Action):
    """Looks the version up only when asked: a copy that was never installed has none."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="show the version and leave")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"tailgate {tailgate.__version__}")
        parser.exit()


def _fail(message: str, code: ExitCode) -> int:
    if sys.stderr is not None:
        print(f"tailgate: {message}", file=sys.stderr)
    return int(code)


def _escape_unknown_letters(stream: TextIO | None) -> None:
    """Write a name that the terminal's encoding lacks with an escape, instead of failing."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Point the standard output nowhere, for Python would try to flush it once more at its end."""
    if sys.stdout is None:
        return
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


if __name__ == "__main__":
    raise SystemExit(main())
