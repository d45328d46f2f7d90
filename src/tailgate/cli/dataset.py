"""``tailgate dataset``: loading questions with their verdicts, to train a network on."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tailgate.cli.arguments import Commands, positive_number, positive_seconds
from tailgate.cli.exit_codes import ExitCode
from tailgate.cli.output import counted, print_json, print_note, progress_is_welcome, table
from tailgate.dataset import DatasetOptions, Done, make_dataset
from tailgate.errors import InputError

_DESCRIPTION = """\
Solve many instances and keep every loading question that comes up on the way, with its verdict, the
stage that settled it and its effort. Without --from the instances are generated: all distributions,
with and without time windows, in turns through the packing classes.

The folder gets a file per instance, a manifest with checksums and a README with all counts. A run
that was interrupted goes on where it was when it is started again; with a larger --instances, a
finished one grows. Instances are the same for the same seed; how many questions come up in the time
of an instance depends on the machine."""

_EXAMPLES = """\
  tailgate dataset --out data
  tailgate dataset --out data --instances 500 --processes 2
  tailgate dataset --out small --quick
  tailgate dataset --out ours --from monday.json tuesday.json --seconds 60"""

_QUICK = DatasetOptions(
    instances=12, classes=(2, 3, 4), least_customers=12, most_customers=16, seconds=3.0
)
_DEFAULT = DatasetOptions()
_CLASSES = (2, 3, 4, 5)


def add_command(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add(
        "dataset",
        run,
        description=_DESCRIPTION,
        examples=_EXAMPLES,
        randomness="seed of the instances and of the runs that solve them",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where it goes")
    parser.add_argument(
        "--instances",
        type=positive_number,
        metavar="N",
        help=f"how many to generate (default {_DEFAULT.instances})",
    )
    parser.add_argument(
        "--classes",
        type=_classes,
        metavar="LIST",
        help="packing classes in turns, such as 2,3,4; one that stands there twice gets twice as "
        f"many (default {','.join(map(str, _DEFAULT.classes))})",
    )
    parser.add_argument(
        "--customers",
        type=_range,
        metavar="A-B",
        help="how many customers an instance has (default "
        f"{_DEFAULT.least_customers}-{_DEFAULT.most_customers})",
    )
    parser.add_argument(
        "--seconds",
        type=positive_seconds,
        metavar="S",
        help=f"for one instance, about (default {_DEFAULT.seconds:g})",
    )
    parser.add_argument(
        "--from",
        dest="files",
        nargs="+",
        metavar="INSTANCE",
        help="solve these files instead of generated instances",
    )
    parser.add_argument(
        "--processes", type=positive_number, default=1, metavar="N", help="in parallel (default 1)"
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="a tiny data set in less than a minute, to see that all works",
    )


def run(arguments: argparse.Namespace) -> ExitCode:
    """Make the data set and print what is in it."""
    options = _options(arguments)
    if arguments.out.exists() and not arguments.out.is_dir():
        raise InputError("is a file; name a folder", field="--out")
    with _watching(quiet=arguments.quiet) as on_progress:
        try:
            manifest = make_dataset(
                arguments.out, options, processes=arguments.processes, on_progress=on_progress
            )
        except KeyboardInterrupt:
            print_note("interrupted; the same command goes on where it was")
            return ExitCode.INTERRUPTED
    if arguments.json:
        print_json({name: value for name, value in manifest.items() if name != "files"})
    elif arguments.quiet:
        print(arguments.out)
    else:
        print(_summary(manifest, arguments.out))
    return ExitCode.DONE


def _options(arguments: argparse.Namespace) -> DatasetOptions:
    base = _QUICK if arguments.quick else _DEFAULT
    if arguments.files and (arguments.instances or arguments.classes or arguments.customers):
        raise InputError(
            "takes the instances as they are; leave out --instances, --classes and --customers",
            field="--from",
        )
    least, most = arguments.customers or (base.least_customers, base.most_customers)
    return DatasetOptions(
        instances=arguments.instances or base.instances,
        classes=arguments.classes or base.classes,
        least_customers=least,
        most_customers=most,
        seconds=arguments.seconds or base.seconds,
        seed=arguments.seed,
        files=tuple(arguments.files or ()),
    )


def _classes(text: str) -> tuple[int, ...]:
    words = text.split(",")
    if not all(word in map(str, _CLASSES) for word in words):
        raise argparse.ArgumentTypeError(f"must be classes from 2 to 5, as 2,3,4; got {text!r}")
    return tuple(int(word) for word in words)


def _range(text: str) -> tuple[int, int]:
    least, _, most = text.partition("-")
    if not (least.isascii() and least.isdecimal() and most.isascii() and most.isdecimal()):
        raise argparse.ArgumentTypeError(f"must be two numbers, as 15-40; got {text!r}")
    if not 2 <= int(least) <= int(most) <= 200:
        raise argparse.ArgumentTypeError(f"must be from 2 to 200, the lower first; got {text!r}")
    return int(least), int(most)


Watcher = Callable[[int, int, Done], None]


@contextmanager
def _watching(*, quiet: bool) -> Iterator[Watcher | None]:
    """Show a bar on a terminal, else a line per instance; nothing if quiet."""
    if quiet:
        yield None
    elif not progress_is_welcome(quiet=quiet):
        yield _Log().show
    else:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeRemainingColumn as Remaining

        bar = Progress(
            TextColumn("solving"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("instances, {task.fields[questions]:,} questions,"),
            Remaining(),
            TextColumn("left"),
            console=Console(stderr=True),
            transient=True,
        )
        with bar:
            task = bar.add_task("solving", total=None, questions=0)
            asked = _Distinct()

            def show(done: int, total: int, last: Done) -> None:
                bar.update(task, completed=done, total=total, questions=asked.add(last))

            yield show


class _Distinct:
    """Counts questions, each once."""

    def __init__(self) -> None:
        self._keys: set[bytes] = set()

    def add(self, done: Done) -> int:
        """Return how many there are now."""
        self._keys.update(done.keys)
        return len(self._keys)


class _Log:
    """Prints a line per instance."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._distinct = _Distinct()

    def show(self, done: int, total: int, last: Done) -> None:
        """Tell what the last instance gave."""
        distinct = self._distinct.add(last)
        what = last.problem or counted(last.asked, "question")
        print_note(
            f"{time.monotonic() - self._started:.0f} s, {done} of {total}: {last.name}: {what}; "
            f"{distinct:,} distinct in this run"
        )


def _summary(manifest: dict[str, Any], out: Path) -> str:
    rows = []
    for number, part in manifest["by_class"].items():
        known = part["feasible"] + part["infeasible"]
        rows.append(
            (
                number,
                str(part["instances"]),
                f"{part['queries']:,}",
                f"{part['feasible']:,}",
                f"{part['infeasible']:,}",
                f"{part['unknown']:,}",
                f"{part['cheap'] / max(1, known):.1%}",
                f"{part['rest_feasible']:,}",
                f"{part['rest_infeasible']:,}",
            )
        )
    header = (
        "class",
        "instances",
        "distinct",
        "feasible",
        "infeasible",
        "unknown",
        "cheap",
        "rest feasible",
        "rest infeasible",
    )
    return (
        f"{table(header, rows, left=frozenset())}\n\n{manifest['distinct']:,} distinct questions, "
        f"{manifest['labelled']:,} with a verdict; data set {manifest['id']} in {out}"
    )
