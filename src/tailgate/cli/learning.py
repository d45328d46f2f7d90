"""What the commands that train and test networks share."""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tailgate.cli.arguments import CommandParser, natural_number
from tailgate.cli.output import print_note, progress_is_welcome
from tailgate.errors import TailgateError

if TYPE_CHECKING:
    from tailgate.network.dataset import Dataset
    from tailgate.network.splits import Split

EpochWatcher = Callable[[str, dict[str, Any]], None]

QUICK_EPOCHS = 2
QUICK_BATCH = 256


def add_data_options(parser: CommandParser, *, split: bool) -> None:
    """Add the data set, and how it is split."""
    parser.add_argument(
        "--data", type=Path, required=True, metavar="FOLDER", help="made by: tailgate dataset"
    )
    if split:
        parser.add_argument(
            "--split",
            choices=("instance", "row"),
            default="instance",
            help="what training and test must not share: instances, or merely questions, as in the "
            "paper (default instance)",
        )
        parser.add_argument(
            "--split-seed",
            type=natural_number,
            default=0,
            metavar="N",
            help="seed of the split (default 0)",
        )


def require_torch() -> None:
    """Say how to get torch, before anything is read."""
    if importlib.util.find_spec("torch") is None:
        raise TailgateError(
            "training and testing networks needs torch; install it with: "
            "pip install 'tailgate[train]'"
        )


def read_data(arguments: argparse.Namespace) -> tuple[Dataset, Split]:
    """Read the data set and draw its split."""
    from tailgate.network.dataset import read_dataset
    from tailgate.network.splits import make_split

    dataset = read_dataset(arguments.data)
    return dataset, make_split(dataset, by=arguments.split, seed=arguments.split_seed)


@contextmanager
def watching_epochs(epochs: int, *, quiet: bool) -> Iterator[EpochWatcher]:
    """Show a bar per run on a terminal, else a line per epoch; nothing if quiet."""
    if quiet:
        yield lambda _name, _record: None
    elif not progress_is_welcome(quiet=quiet):
        yield lambda name, record: print_note(f"{name}: {epoch_text(record)}")
    else:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn
        from rich.progress import TimeRemainingColumn as Remaining

        bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("epochs, {task.fields[text]};"),
            Remaining(),
            TextColumn("left"),
            console=Console(stderr=True),
        )
        tasks: dict[str, TaskID] = {}
        with bar:

            def show(name: str, record: dict[str, Any]) -> None:
                if name not in tasks:
                    tasks[name] = bar.add_task(name, total=epochs, text="")
                bar.update(tasks[name], completed=record["epoch"], text=epoch_text(record))

            yield show


def epoch_text(record: dict[str, Any]) -> str:
    """Return how an epoch went, in a line."""
    areas = [record["validation_auc"], record["validation_auc_rest"]]
    first, rest = ("-" if area is None else f"{area:.4f}" for area in areas)
    return (
        f"epoch {record['epoch']}: loss {record['train_loss']:.4f}, "
        f"validation {record['validation_loss']:.4f}, area {first}, "
        f"after bounds and dives {rest}, {record['seconds']:.1f} s"
    )
