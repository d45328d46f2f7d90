"""``tailgate experiment``: the paper's tables and figures, ours beside them."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from tailgate.cli.arguments import Commands, add_ray_option, positive_number, positive_seconds
from tailgate.cli.exit_codes import ExitCode
from tailgate.cli.output import counted, print_json, print_note
from tailgate.cli.task_progress import watching_tasks
from tailgate.errors import InputError
from tailgate.experiments.experiment import Setting
from tailgate.experiments.machine import describe_machine
from tailgate.experiments.page import begin_page
from tailgate.experiments.published import FOLDER_VARIABLE, benchmark_folder
from tailgate.experiments.registry import ALL, NAMES, make_experiments
from tailgate.experiments.running import Finished, check_experiments, run_experiment
from tailgate.work import choose_workers

_DESCRIPTION = """\
Measure, and write tables (CSV and Markdown), figures (PNG and SVG) and a manifest of how they were
made, into a folder of the experiment's name:

  root-cg          root relaxations: exact, neural and lazy, beside the paper's two pipelines
  search-screens   whole searches with and without the network
  network          rates of the network and its ablations beside the paper's, ROC curves
  training-curves  validation loss with and without augmentation
  optima           status, bound, optimum and seconds of every instance, with its plan
  loading          the loading check beside CP-SAT
  scaling          how the effort grows with customers, trucks, items and fill
  unloading-price  optima with and without unloading in order
  all              everything

A run that was interrupted or killed goes on with --resume. Seconds are fair only on a machine that
does nothing else: with one job (the default). Without the published instances
(tailgate benchmark-instances) generated ones are taken, and the results say so."""

_EXAMPLES = """\
  tailgate experiment all --quick --out results
  tailgate experiment root-cg --out results --instances 0102 0103 12
  tailgate experiment optima --out results --time-limit 600 --jobs 2
  tailgate experiment optima --out plans --instances monday.json tuesday.json
  tailgate experiment optima --out results --resume --ray auto"""


def add_command(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add(
        "experiment",
        run,
        description=_DESCRIPTION,
        examples=_EXAMPLES,
        randomness="the first seed; repetitions take the numbers after it",
    )
    parser.add_argument("name", metavar="NAME", choices=(*NAMES, ALL), help="which, as above")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="the folder of all results"
    )
    parser.add_argument(
        "--instances",
        nargs="+",
        default=[],
        metavar="WHICH",
        help="files; or published ones: 0102 by name, 3 or 1-19 by number in the classes of the "
        "experiment (default: those of the paper)",
    )
    parser.add_argument(
        "--time-limit",
        type=positive_seconds,
        metavar="S",
        help="seconds for one instance, or one loading question (default: that of the experiment)",
    )
    parser.add_argument(
        "--repeats",
        type=positive_number,
        metavar="N",
        help="measure everything so often, each time with another seed (default: that of "
        "the experiment)",
    )
    parser.add_argument(
        "--jobs",
        type=positive_number,
        default=1,
        metavar="N",
        help="processes at a time (default 1); more disturb each other's seconds",
    )
    add_ray_option(parser)
    parser.add_argument(
        "--resume", action="store_true", help="go on with the results that are in the folder"
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="minutes instead of hours, on small generated instances, to see that all works",
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        help="for network and training-curves: a data set (default: one is made)",
    )


def run(arguments: argparse.Namespace) -> ExitCode:
    """Run one experiment or all, and print where the results are."""
    if arguments.out.exists() and not arguments.out.is_dir():
        raise InputError("is a file; name a folder", field="--out")
    setting = Setting(
        out=arguments.out,
        instances=tuple(arguments.instances),
        time_limit=arguments.time_limit,
        repeats=arguments.repeats,
        seed=arguments.seed,
        quick=arguments.quick,
        resume=arguments.resume,
        benchmark=benchmark_folder(),
        data=arguments.data,
        commit=describe_machine(())["commit"],
    )
    experiments = make_experiments(arguments.name)
    check_experiments(experiments, setting)
    if arguments.name == ALL:
        begin_page(setting.out, experiments)
    if setting.benchmark is None and not (setting.quick or setting.instances):
        print_note(
            f"the published instances are absent; to have them, name their folder in "
            f"{FOLDER_VARIABLE} (see: tailgate benchmark-instances)"
        )
    workers = choose_workers(arguments.jobs, arguments.ray)
    finished = []
    for experiment in experiments:
        with watching_tasks(experiment.name, quiet=arguments.quiet) as watch:
            try:
                finished.append(run_experiment(experiment, setting, workers, watch))
            except KeyboardInterrupt:
                print_note("interrupted; the same command with --resume goes on where it was")
                return ExitCode.INTERRUPTED
        if not (arguments.json or arguments.quiet):
            print(_summary(finished[-1]))
        # What one experiment has made is no obstacle to the next.
        setting = replace(setting, resume=True)
    if arguments.json:
        print_json({"experiments": [one.to_dict() for one in finished]})
    elif arguments.quiet:
        print(arguments.out)
    wrong = any(one.problems for one in finished)
    return ExitCode.VERIFICATION_FAILED if wrong else ExitCode.DONE


def _summary(one: Finished) -> str:
    lines = [
        f"{one.name}: {counted(one.tasks, 'task')}, {one.measured} of them now; "
        f"{counted(len(one.files), 'file')} in {one.folder}"
    ]
    lines += [f"  {remark}" for remark in one.remarks]
    lines += [f"  WRONG: {problem}" for problem in one.problems]
    return "\n".join(lines)
