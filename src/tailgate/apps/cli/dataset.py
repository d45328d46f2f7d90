"""``tailgate dataset``: loading queries with their verdicts, to train a network on."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from tailgate.apps.cli.arguments import Commands, add_number, add_ray_option, positive_seconds
from tailgate.apps.cli.exit_codes import ExitCode
from tailgate.apps.cli.output import print_json, print_note, table
from tailgate.apps.cli.task_progress import Watcher, watching_tasks
from tailgate.model.errors import InputError
from tailgate.research.dataset import DatasetOptions, Done, make_dataset
from tailgate.research.learning.data_card import contents_table
from tailgate.solver.workers import choose_workers

_DESCRIPTION = """\
Solve many instances and keep every loading query that comes up on the way, with its verdict, the
stage that settled it and its effort. Without --from the instances are generated: all distributions,
with and without time windows, in turns through the packing classes.

The folder gets a file per instance, a manifest with checksums and a README with all counts. A run
that was interrupted goes on where it was when it is started again; with a larger --instances, a
finished one grows. Instances are the same for the same seed; how many queries come up in the time
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
    words = "folder of the data set; one that is there goes on"
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help=words)
    words = f"how many to generate (default {_DEFAULT.instances})"
    add_number(parser, "--instances", "N", words)
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
    words = f"for one instance, about (default {_DEFAULT.seconds:g})"
    parser.add_argument("--seconds", type=positive_seconds, metavar="S", help=words)
    words = "solve these files instead of generated instances"
    parser.add_argument("--from", dest="files", nargs="+", metavar="INSTANCE", help=words)
    words = "solve so many instances at a time (default 1)"
    add_number(parser, "--processes", "N", words, default=1)
    add_ray_option(parser)
    words = "a tiny data set in less than a minute, to see that all works"
    parser.add_argument("--quick", action="store_true", help=words)


def run(arguments: argparse.Namespace) -> ExitCode:
    """Make the data set and print what is in it."""
    options = _options(arguments)
    if arguments.out.exists() and not arguments.out.is_dir():
        raise InputError("is a file; name a folder", field="--out")
    alone = arguments.ray is None and arguments.processes == 1
    workers = None if alone else choose_workers(arguments.processes, arguments.ray)
    with watching_tasks("solving", quiet=arguments.quiet) as watch:
        try:
            manifest = make_dataset(
                arguments.out, options, workers=workers, on_progress=_Telling(watch)
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


class _Telling:
    """Says what the last instance gave, and counts queries, each once."""

    def __init__(self, watch: Watcher) -> None:
        self._watch = watch
        self._keys: set[bytes] = set()

    def __call__(self, done: int, total: int, last: Done) -> None:
        self._keys.update(last.keys)
        asked = len(last.keys)
        what = last.problem or f"{asked:,} {'query' if asked == 1 else 'queries'}"
        self._watch(done, total, f"{last.name}: {what}; {len(self._keys):,} distinct in this run")


def _summary(manifest: dict[str, Any], out: Path) -> str:
    header, rows = contents_table(manifest["by_class"])
    return (
        f"{table(header, rows, left=frozenset())}\n\n{manifest['distinct']:,} distinct queries, "
        f"{manifest['labelled']:,} with a verdict; data set {manifest['id']} in {out}"
    )
