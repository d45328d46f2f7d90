"""``tailgate train``: a network that predicts loading verdicts."""

from __future__ import annotations

import argparse
from pathlib import Path

from tailgate.cli.arguments import Commands, positive_number
from tailgate.cli.exit_codes import ExitCode
from tailgate.cli.learning import (
    QUICK_BATCH,
    QUICK_EPOCHS,
    add_data_options,
    read_data,
    require_torch,
    watching_epochs,
)
from tailgate.cli.output import print_json, print_note
from tailgate.network.configuration import PRESETS, Configuration, read_configuration

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


def add_command(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add(
        "train",
        run,
        description=_DESCRIPTION,
        examples=_EXAMPLES,
        randomness="seed of the first weights and of the order of the questions",
    )
    add_data_options(parser, split=True)
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="folder of the run: weights, curves, settings; a new one, unless with --resume",
    )
    parser.add_argument(
        "--model",
        choices=tuple(PRESETS),
        default="default",
        help="our network, the paper's, or the paper's with a part left out (default default)",
    )
    parser.add_argument(
        "--configuration",
        type=Path,
        metavar="FILE",
        help="TOML with other values, as configuration.toml of a run has them",
    )
    parser.add_argument(
        "--epochs",
        type=positive_number,
        metavar="N",
        help="go through the data so often at most (default: as configured)",
    )
    parser.add_argument("--resume", action="store_true", help="go on with the run in the folder")
    parser.add_argument("--quick", action="store_true", help="two epochs, to see that all works")


def run(arguments: argparse.Namespace) -> ExitCode:
    """Train, or go on training."""
    require_torch()
    from tailgate.network.splits import read_split
    from tailgate.network.training import CONFIGURATION_FILE, SPLIT_FILE, Training

    configuration = _configuration(arguments)
    dataset, split = read_data(arguments)
    if arguments.resume and (arguments.out / CONFIGURATION_FILE).exists():
        configuration = read_configuration(arguments.out / CONFIGURATION_FILE, configuration)
        split = read_split(arguments.out / SPLIT_FILE)
    training = Training(configuration, dataset, split, arguments.out)
    if arguments.resume:
        training.resume()
    else:
        training.begin()
    epochs = configuration.training.epochs
    with watching_epochs(epochs, quiet=arguments.quiet) as on_epoch:
        try:
            result = training.run(lambda record: on_epoch(arguments.model, record))
        except KeyboardInterrupt:
            print_note("interrupted; go on with --resume")
            return ExitCode.INTERRUPTED
    if arguments.json:
        print_json({**result, "out": str(arguments.out)})
    elif arguments.quiet:
        print(arguments.out)
    else:
        print(
            f"trained on {result['train_queries']:,} questions in {result['seconds']:.0f} s, best "
            f"epoch {result['best_epoch']} of {result['epochs']}; temperature "
            f"{result['temperature']:.3f}, threshold {result['threshold']:.3f}\n"
            f"measure it with: tailgate evaluate {arguments.out} --data {arguments.data}"
        )
    return ExitCode.DONE


def _configuration(arguments: argparse.Namespace) -> Configuration:
    configuration = PRESETS[arguments.model]
    if arguments.configuration is not None:
        configuration = read_configuration(arguments.configuration, configuration)
    configuration = configuration.with_training(seed=arguments.seed)
    if arguments.quick:
        configuration = configuration.with_training(epochs=QUICK_EPOCHS, batch=QUICK_BATCH)
    if arguments.epochs is not None:
        configuration = configuration.with_training(epochs=arguments.epochs)
    return configuration
