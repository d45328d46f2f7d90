"""The program ``tailgate``: finds the command, runs it, and turns errors into one message."""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import TextIO

from tailgate.cli.arguments import CommandParser, Commands
from tailgate.cli.exit_codes import EXIT_CODES_HELP, ExitCode
from tailgate.errors import TailgateError

_DESCRIPTION = """\
Plan truck routes whose loads can be unloaded: exact vehicle routing with two-dimensional loading,
where every stop's goods leave straight through the door (last in, first out)."""

# Each is a file of this folder with a function add_command.
_COMMANDS = ("pack", "verify", "generate", "doctor")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; nothing but a bug ends in a traceback."""
    for stream in (sys.stdout, sys.stderr):
        _never_fail_on_letters(stream)
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
        return _fail(
            f"the installation is incomplete: {error}; see: tailgate doctor", ExitCode.BAD_INPUT
        )
    except MemoryError:
        return _fail("out of memory; try a smaller instance", ExitCode.BAD_INPUT)


def _run(argv: Sequence[str] | None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    parser = build_parser(_needed_commands(words))
    try:
        arguments = parser.parse_args(words)
        if "run" not in arguments:
            parser.print_help(sys.stderr)
            return ExitCode.BAD_INPUT
    except SystemExit as stop:
        # argparse leaves this way after --help, --version and mistakes.
        return stop.code if isinstance(stop.code, int) else ExitCode.BAD_INPUT
    code: ExitCode = arguments.run(arguments)
    return code


def _needed_commands(words: Sequence[str]) -> Sequence[str]:
    """Load the one command that is asked for: the doctor must come even if others cannot."""
    if words and words[0] in _COMMANDS:
        return words[:1]
    return () if words == ["--version"] else _COMMANDS


def build_parser(command_names: Sequence[str] = _COMMANDS) -> CommandParser:
    """Return the parser of the command line, with all commands or some."""
    parser = CommandParser(
        prog="tailgate",
        description=_DESCRIPTION,
        epilog=f"tailgate COMMAND --help explains a command, with examples.\n{EXIT_CODES_HELP}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    version = importlib.metadata.version("tailgate")
    parser.add_argument("--version", action="version", version=f"tailgate {version}")
    commands = Commands(parser)
    for name in command_names:
        add_command: Callable[[Commands], None]
        add_command = importlib.import_module(f"tailgate.cli.{name}").add_command
        add_command(commands)
    return parser


def _fail(message: str, code: ExitCode) -> int:
    if sys.stderr is not None:
        print(f"tailgate: {message}", file=sys.stderr)
    return int(code)


def _never_fail_on_letters(stream: TextIO | None) -> None:
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
