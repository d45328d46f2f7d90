"""``tailgate dataset``: loading questions with their verdicts, to train a network on."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from tailgate.cli.arguments import Commands, add_ray_option, positive_number, positive_seconds
from tailgate.cli.exit_codes import ExitCode
from tailgate.cli.output import counted, print_json, print_note, table
from tailgate.cli.task_progress import Watcher, watching_tasks
from tailgate.dataset import DatasetOptions, Done, make_dataset
from tailgate.errors import InputError
from tailgate.work import ThisProcess, Workers, choose_workers

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
  tailgate dataset --out data --instances 5000 --ray auto
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
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="folder of the data set; one that is there goes on",
    )
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
        "--processes",
        type=positive_number,
        default=1,
        metavar="N",
        help="solve so many instances at a time (default 1)",
    )
    add_ray_option(parser)
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
    with watching_tasks("solving", quiet=arguments.quiet) as watch:
        try:
            manifest = make_dataset(
                arguments.out, options, workers=_workers(arguments), on_progress=_Telling(watch)
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


def _workers(arguments: argparse.Namespace) -> Workers:
    if arguments.ray is None and arguments.processes == 1:
        return ThisProcess()
    return choose_workers(arguments.processes, arguments.ray)


class _Telling:
    """Says what the last instance gave, and counts questions, each once."""

    def __init__(self, watch: Watcher) -> None:
        self._watch = watch
        self._keys: set[bytes] = set()

    def __call__(self, done: int, total: int, last: Done) -> None:
        self._keys.update(last.keys)
        what = last.problem or counted(last.asked, "question")
        self._watch(done, total, f"{last.name}: {what}; {len(self._keys):,} distinct in this run")


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
