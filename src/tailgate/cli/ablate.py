"""``tailgate ablate``: the paper's table of its network with parts left out."""

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
from tailgate.errors import InputError
from tailgate.network.configuration import ABLATIONS, PRESETS, Configuration
from tailgate.text_file import write_text

_DESCRIPTION = """\
Train the paper's network, the same without augmentation, without attention and without recurrence,
and ours, each with several seeds on one split; measure them and the simple baselines on the test
part; print the paper's table with mean and standard deviation.

Runs that are finished stay in the folder and are not repeated: an interrupted command goes on."""

_EXAMPLES = """\
  tailgate ablate --data data --out ablation
  tailgate ablate --data data --out ablation --seeds 5 --epochs 10
  tailgate ablate --data data --out rows --split row --models paper
  tailgate ablate --data small --out try --quick"""

_DEFAULT_MODELS = (*ABLATIONS, "default")
_TABLE_FILE = "ablation.md"
_DEFAULT_SEEDS = 3


def add_command(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add(
        "ablate",
        run,
        description=_DESCRIPTION,
        examples=_EXAMPLES,
        randomness="the first seed; the next ones take the numbers after it",
    )
    add_data_options(parser, split=True)
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="folder of the runs and the table; one that is there goes on",
    )
    parser.add_argument(
        "--models",
        type=_models,
        default=_DEFAULT_MODELS,
        metavar="LIST",
        help=f"which, with commas between (default {','.join(_DEFAULT_MODELS)})",
    )
    parser.add_argument(
        "--seeds",
        type=positive_number,
        metavar="N",
        help=f"how many for each model (default {_DEFAULT_SEEDS})",
    )
    parser.add_argument(
        "--epochs",
        type=positive_number,
        metavar="N",
        help="go through the data so often at most (default: as configured)",
    )
    parser.add_argument(
        "--quick", action="store_true", help="two epochs and one seed, to see that all works"
    )


def _models(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    for name in names:
        if name not in PRESETS:
            raise argparse.ArgumentTypeError(f"knows no {name!r}; there are {', '.join(PRESETS)}")
    return names


def run(arguments: argparse.Namespace) -> ExitCode:
    """Train all, measure all, print the table."""
    require_torch()
    from tailgate.network.ablation import ablation_table, evaluate_baselines, run_ablation

    if arguments.out.exists() and not arguments.out.is_dir():
        raise InputError("is a file; name a folder", field="--out")
    dataset, split = read_data(arguments)
    arguments.out.mkdir(parents=True, exist_ok=True)
    epochs = arguments.epochs or (QUICK_EPOCHS if arguments.quick else None)
    count = arguments.seeds or (1 if arguments.quick else _DEFAULT_SEEDS)
    seeds = range(arguments.seed, arguments.seed + count)

    def change(configuration: Configuration) -> Configuration:
        if arguments.quick:
            configuration = configuration.with_training(batch=QUICK_BATCH)
        return configuration if epochs is None else configuration.with_training(epochs=epochs)

    most = max(change(PRESETS[model]).training.epochs for model in arguments.models)
    with watching_epochs(most, quiet=arguments.quiet) as on_epoch:
        try:
            rows = run_ablation(
                dataset,
                split,
                arguments.out,
                models=arguments.models,
                seeds=seeds,
                change=change,
                on_epoch=on_epoch,
            )
        except KeyboardInterrupt:
            print_note("interrupted; the same command goes on where it was")
            return ExitCode.INTERRUPTED
    cost = change(PRESETS["default"]).training.false_positive_cost
    rows += evaluate_baselines(dataset, split, seeds=seeds, false_positive_cost=cost)
    text = (
        f"Split by {split.by}, data set {dataset.id}, {count} seeds: mean and standard deviation, "
        "in percent.\n\n"
        f"All questions:\n\n{ablation_table(rows, 'all')}\n\n"
        f"After bounds and dives:\n\n{ablation_table(rows, 'rest')}\n"
    )
    write_text(arguments.out / _TABLE_FILE, text)
    if arguments.json:
        print_json({"data": dataset.id, "models": [row.to_dict() for row in rows]})
    else:
        print(text)
    return ExitCode.DONE
