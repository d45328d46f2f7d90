"""Options that several commands share, and the checks of single values."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

from tailgate.apps.cli.exit_codes import EXIT_CODES_HELP, ExitCode
from tailgate.model.errors import InputError
from tailgate.model.validation import did_you_mean

if TYPE_CHECKING:
    from tailgate.model.conventions import ConventionOverrides

Run = Callable[[argparse.Namespace], ExitCode]

_CONVENTIONS = ("distance", "fleet", "single_customer_routes", "lifo")


class CommandParser(argparse.ArgumentParser):
    """A parser that states a mistake in one line and says where to read more."""

    def error(self, message: str) -> NoReturn:
        """Leave with the code for wrong usage."""
        print(f"{self.prog}: {message}; see: {self.prog} --help", file=sys.stderr)
        raise SystemExit(int(ExitCode.BAD_INPUT))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse what is not known here, where the help is that has it."""
        parsed, unknown = super().parse_known_args(args, namespace)
        if unknown:
            hint = did_you_mean(unknown[0].partition("=")[0], self._option_string_actions)
            self.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
        return parsed, unknown


class Commands:
    """The commands of the program, to which each command's file adds itself."""

    def __init__(self, parser: CommandParser, summaries: Mapping[str, str]) -> None:
        """Prepare an empty list of commands, with what the program's help says of each."""
        self._summaries = summaries
        self._subparsers = parser.add_subparsers(
            title="commands", metavar="COMMAND", parser_class=CommandParser
        )

    def add(
        self, name: str, run: Run, description: str, examples: str, *, randomness: str | None = None
    ) -> CommandParser:
        """Add a command with what all of them have: examples, --json and --quiet.

        One that draws random numbers says by ``randomness`` what its --seed is for.
        """
        parser = self._subparsers.add_parser(
            name,
            help=self._summaries[name],
            description=description,
            epilog=f"examples:\n{examples}\n\n{EXIT_CODES_HELP}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        parser.set_defaults(run=run)
        common = parser.add_argument_group("for every command")
        common.add_argument("--json", action="store_true", help="print the result as JSON")
        common.add_argument(
            "--quiet",
            action="store_true",
            help="print the bare result only, without tables, hints and progress",
        )
        if randomness is not None:
            add_number(parser, "--seed", "N", f"{randomness} (default 0)", least=0, default=0)
        return parser

    def announce(self, name: str) -> None:
        """List a command in the program's help without loading it."""
        self._subparsers.add_parser(name, help=self._summaries[name])


def add_number(
    parser: argparse.ArgumentParser,
    option: str,
    metavar: str,
    words: str,
    *,
    least: int = 1,
    default: int | None = None,
) -> None:
    """Add an option that takes a whole number."""
    check = natural_number if least == 0 else positive_number
    parser.add_argument(option, metavar=metavar, type=check, default=default, help=words)


def add_time_limit(parser: argparse.ArgumentParser, words: str) -> None:
    """Add the limit on seconds; ``words`` say what it ends, and with which result."""
    parser.add_argument(
        "--time-limit", metavar="S", type=positive_seconds, help=f"{words} (default: no limit)"
    )


def add_gap(parser: argparse.ArgumentParser) -> None:
    """Add the gap that is good enough."""
    parser.add_argument(
        "--gap",
        metavar="G",
        type=share_of_cost,
        default=0.0,
        help="stop when (cost - bound) / cost is at most G, such as 0.01 or 1%% (default 0: the "
        "optimum)",
    )


def add_instance_argument(parser: argparse.ArgumentParser) -> None:
    """Add the orders, in whichever format."""
    parser.add_argument(
        "instance",
        metavar="INSTANCE",
        help="the orders: a folder of CSV files, a workbook (.xlsx), JSON, or benchmark text; - "
        "reads JSON or benchmark text from the standard input",
    )


def add_solution_argument(parser: argparse.ArgumentParser) -> None:
    """Add the plan that is judged or drawn."""
    parser.add_argument(
        "solution", metavar="SOLUTION", help="solution file (JSON); - is the standard input"
    )


def add_search_options(parser: argparse.ArgumentParser) -> None:
    """Add what both searches take, solve and bound: screen, log and conventions."""
    # Only here: most commands do without the solver.
    from tailgate.solver.screening import SCREENS

    parser.add_argument(
        "--screen",
        choices=tuple(SCREENS),
        default="exact",
        help="when routes that may lower the cost are checked for loading: exact, each one at "
        "once; neural, a network says which look promising; lazy, those that it doubts wait. The "
        "result is the same and as safe (default exact)",
    )
    parser.add_argument(
        "--weights",
        metavar="FILE",
        help="network of the screens neural and lazy: a file that tailgate train has written, or "
        "`paper` (default: the best of the package)",
    )
    parser.add_argument(
        "--verbose",
        action="store_true",
        help="print a line for every step to the standard error; without it a terminal shows one "
        "line that changes, and a file or a pipe gets nothing",
    )
    add_convention_options(parser, default="what the instance says")


def refuse_verbose_and_quiet(arguments: argparse.Namespace) -> None:
    """Refuse two options that contradict each other."""
    if arguments.verbose and arguments.quiet:
        raise InputError("contradicts --quiet; leave out one of the two", field="--verbose")


def add_convention_options(parser: argparse.ArgumentParser, *, default: str | None = None) -> None:
    """Add all conventions; ``default`` says where they come from, if not from the benchmark."""
    # The first choice is the benchmark's.
    rules = {
        "--distance": ("truncated", "rounded", "exact"),
        "--fleet": ("exactly", "at-most"),
        "--single-customer-routes": ("forbid", "allow"),
    }
    words = (
        "how Euclidean distances are turned into costs",
        "whether all vehicles must leave the depot, or as many as are useful",
        "whether a truck may visit one customer only",
    )
    for (option, choices), text in zip(rules.items(), words, strict=True):
        stated = f"{text} (default {default or choices[0]})"
        parser.add_argument(option, choices=choices, help=stated)
    add_loading_options(parser, default=default)


def add_loading_options(parser: argparse.ArgumentParser, *, default: str | None) -> None:
    """Add the conventions of the floor: the order of unloading, and which items may be turned."""
    parser.add_argument(
        "--lifo",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="every stop unloads straight out of the door (--lifo), or items may be moved aside "
        f"(--no-lifo); the default is {default or '--lifo'}",
    )
    parser.add_argument(
        "--turn",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="all items may be turned by a quarter (--turn), or none (--no-turn); the default is "
        f"{default or 'what the items say'}",
    )


def convention_overrides(arguments: argparse.Namespace) -> ConventionOverrides:
    """Return the conventions that were stated on the command line."""
    stated = {name: getattr(arguments, name, None) for name in _CONVENTIONS}
    turn = getattr(arguments, "turn", None)
    stated["turn"] = None if turn is None else "all" if turn else "none"
    kept = {name: value for name, value in stated.items() if value is not None}
    return cast("ConventionOverrides", kept)


def add_ray_option(parser: argparse.ArgumentParser) -> None:
    """Add the choice of many machines."""
    parser.add_argument(
        "--ray",
        metavar="ADDRESS",
        help="work on the Ray cluster there, instead of processes of this machine; auto: the one "
        "that this machine belongs to (needs the extra ray on all machines)",
    )


def add_files(parser: argparse.ArgumentParser, words: Mapping[str, str]) -> None:
    """Add options that name files; the keys are such as ``--out FILE``, the values their help."""
    for option, text in words.items():
        name, metavar = option.split()
        parser.add_argument(name, metavar=metavar, type=Path, help=text)


def natural_number(text: str) -> int:
    """Read a whole number of at least 0."""
    return _whole_number(text, 0)


def positive_number(text: str) -> int:
    """Read a whole number of at least 1."""
    return _whole_number(text, 1)


def positive_seconds(text: str) -> float:
    """Read a time limit."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not (math.isfinite(seconds) and seconds > 0):
        raise argparse.ArgumentTypeError(f"must be a number of seconds above 0, got {text!r}")
    return seconds


def share_of_cost(text: str) -> float:
    """Read a gap."""
    number, divisor = (text[:-1], 100.0) if text.endswith("%") else (text, 1.0)
    try:
        gap = float(number) / divisor
    except ValueError:
        gap = math.nan
    if not 0 <= gap < 1:
        raise argparse.ArgumentTypeError(
            f"must be a share from 0 to below 1, such as 0.01 or 1%, got {text!r}"
        )
    return gap


def _whole_number(text: str, least: int) -> int:
    # isdecimal alone would let through digits of other scripts; 18 of them fit 64 bits.
    if not (text.isascii() and text.isdecimal() and len(text) <= 18 and int(text) >= least):
        raise argparse.ArgumentTypeError(
            f"must be a whole number of at least {least} and at most 18 digits, got {text[:40]!r}"
        )
    return int(text)
