"""``tailgate train``: a network that predicts loading verdicts."""

from __future__ import annotations

import argparse
import importlib.util
from pathlib import Path
from typing import Any

from tailgate.apps.cli.arguments import CommandParser, Commands, add_number
from tailgate.apps.cli.exit_codes import ExitCode
from tailgate.apps.cli.output import print_json, print_note
from tailgate.apps.cli.task_progress import watching_tasks
from tailgate.model.errors import TailgateError
from tailgate.research.learning.configuration import PRESETS, Configuration, read_configuration

_DESCRIPTION = """\
Train a network on a data set. The folder of the run gets the configuration, the split, a line of
metrics per epoch, curves (where matplotlib is installed), checkpoints, and at the end the weights,
which --weights of other commands takes. The same configuration, data and seed give the same
network; a run that was interrupted and resumed does, too."""

_EXAMPLES = """\
  tailgate train --data data --out run
  tailgate train --data data --out run --resume
  tailgate train --data data --out paper --model paper --seed 1
  tailgate train --data data --out mine --configuration mine.toml
  tailgate train --data small --out try --quick"""

QUICK_EPOCHS = 2
QUICK_BATCH = 256


def add_command(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add(
        "train",
        run,
        description=_DESCRIPTION,
        examples=_EXAMPLES,
        randomness="seed of the first weights and of the order of the queries",
    )
    add_data_option(parser)
    parser.add_argument(
        "--split",
        choices=("instance", "row"),
        default="instance",
        help="what training and test must not share: instances, or merely queries, as in the "
        "paper (default instance)",
    )
    add_number(parser, "--split-seed", "N", "seed of the split (default 0)", least=0, default=0)
    words = "folder of the run: weights, curves, settings; a new one, unless with --resume"
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help=words)
    parser.add_argument(
        "--model",
        choices=tuple(PRESETS),
        default="default",
        help="our network, the paper's, or the paper's with a part left out (default default)",
    )
    words = "TOML with other values, as configuration.toml of a run has them"
    parser.add_argument("--configuration", type=Path, metavar="FILE", help=words)
    words = "go through the data so often at most (default: as configured)"
    add_number(parser, "--epochs", "N", words)
    parser.add_argument("--resume", action="store_true", help="go on with the run in the folder")
    parser.add_argument("--quick", action="store_true", help="two epochs, to see that all works")


def run(arguments: argparse.Namespace) -> ExitCode:
    """Train, or go on training."""
    require_torch()
    from tailgate.research.learning.dataset import read_dataset
    from tailgate.research.learning.splits import make_split, read_split
    from tailgate.research.learning.training import CONFIGURATION_FILE, SPLIT_FILE, Training

    configuration = _configuration(arguments)
    dataset = read_dataset(arguments.data)
    split = make_split(dataset, by=arguments.split, seed=arguments.split_seed)
    if arguments.resume and (arguments.out / CONFIGURATION_FILE).exists():
        configuration = read_configuration(arguments.out / CONFIGURATION_FILE, configuration)
        split = read_split(arguments.out / SPLIT_FILE)
    training = Training(configuration, dataset, split, arguments.out)
    if arguments.resume:
        training.resume()
    else:
        training.begin()
    epochs = configuration.training.epochs
    with watching_tasks(arguments.model, quiet=arguments.quiet) as watch:
        try:
            result = training.run(lambda one: watch(one["epoch"], epochs, _epoch_text(one)))
        except KeyboardInterrupt:
            print_note("interrupted; go on with --resume")
            return ExitCode.INTERRUPTED
    if arguments.json:
        print_json({**result, "out": str(arguments.out)})
    elif arguments.quiet:
        print(arguments.out)
    else:
        print(
            f"trained on {result['train_queries']:,} queries in {result['seconds']:.0f} s, best "
            f"epoch {result['best_epoch']} of {result['epochs']}; temperature "
            f"{result['temperature']:.3f}, threshold {result['threshold']:.3f}\n"
            f"measure it with: tailgate evaluate {arguments.out} --data {arguments.data}"
        )
    return ExitCode.DONE


def _configuration(arguments: argparse.Namespace) -> Configuration:
    configuration = PRESETS[arguments.model]
    if arguments.configuration is not None:
        configuration = read_configuration(arguments.configuration, configuration)
    if arguments.quick:
        configuration = configuration.with_training(epochs=QUICK_EPOCHS, batch=QUICK_BATCH)
    if arguments.epochs is not None:
        configuration = configuration.with_training(epochs=arguments.epochs)
    return configuration.with_training(seed=arguments.seed)


def add_data_option(parser: CommandParser) -> None:
    """Add the data set."""
    parser.add_argument(
        "--data", type=Path, required=True, metavar="FOLDER", help="made by: tailgate dataset"
    )


def require_torch() -> None:
    """Say how to get torch, before anything is read."""
    if importlib.util.find_spec("torch") is None:
        raise TailgateError(
            "training and testing networks needs torch; install it with: "
            "pip install 'tailgate[train]'"
        )


def _epoch_text(record: dict[str, Any]) -> str:
    areas = [record["validation_auc"], record["validation_auc_rest"]]
    first, rest = ("-" if area is None else f"{area:.4f}" for area in areas)
    return (
        f"loss {record['train_loss']:.4f}, validation {record['validation_loss']:.4f}, "
        f"area {first}, after bounds and dives {rest}, {record['seconds']:.1f} s"
    )
