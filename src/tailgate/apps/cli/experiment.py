"""``tailgate experiment``: the paper's tables and figures, ours beside them."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from tailgate.apps.cli.arguments import (
    Commands,
    add_loading_options,
    add_number,
    add_ray_option,
    natural_number,
    positive_seconds,
)
from tailgate.apps.cli.exit_codes import ExitCode
from tailgate.apps.cli.output import counted, print_json, print_note
from tailgate.apps.cli.task_progress import watching_tasks
from tailgate.model.errors import InputError
from tailgate.research.experiments.experiment import Setting
from tailgate.research.experiments.machine import describe_machine
from tailgate.research.experiments.page import begin_page
from tailgate.research.experiments.published import FOLDER_VARIABLE, benchmark_folder
from tailgate.research.experiments.registry import ALL, NAMES, make_experiments
from tailgate.research.experiments.running import (
    OPTIONS,
    Finished,
    check_experiments,
    run_experiment,
)
from tailgate.solver.workers import choose_workers

_DESCRIPTION = """\
Measure, and write tables (CSV and Markdown), figures (PNG and SVG) and a manifest of how they were
made, into a folder of the experiment's name:

  root-cg          root relaxations: exact, neural and lazy, beside the paper's two pipelines
  root-profile     where their time goes, and which stage decides a loading query
  root-prunings    roots with one way of saving work left out at a time
  root-growth      how they grow with the number of customers, by class
  perfect-network  what a network that is never wrong would save on them
  search-screens   complete searches with and without the network
  network          rates of the network and its ablations beside the paper's, ROC curves
  network-speed    microseconds of the network for a route
  training-curves  validation loss with and without augmentation
  optima           status, bound, optimum and seconds of every instance, with its plan
  first-solutions  how soon the route search has a plan, and how good it is later
  loading          the loading check beside CP-SAT: as given and turned, LIFO and not
  loading-labels   the loading check against verdicts proven by others
  sawn-floors      the loading check on full floors in millimetres, in the same four variants
  loading-memory   the memory of a loading oracle over a million queries
  scaling          how the effort grows with customers, trucks, items and fill
  lifo-price       optima with and without LIFO: what unloading in order costs
  turning-price    optima as given, with turned items, without LIFO, and both
  vrptw            the 2L-VRPTW of the literature beside its published solutions
  fleet            a mixed fleet with optional orders beside PyVRP, without and with loading
  beside           roots and proofs beside another installation, such as an older commit's
  all              everything

A run that was interrupted or killed goes on with --resume. Seconds are fair only on a machine that
does nothing else: with one job (the default). Without the published instances
(tailgate benchmark-instances) generated ones are taken, and the results say so."""

_EXAMPLES = """\
  tailgate experiment all --quick --out results
  tailgate experiment root-cg --out results --instances 0102 0103 12
  tailgate experiment optima --out results --time-limit 600 --jobs 2
  tailgate experiment optima --out plans --instances monday.json tuesday.json
  tailgate experiment optima --out results --resume --ray auto
  tailgate experiment optima --out results/turned --turn --time-limit 600
  tailgate experiment beside --out ratios --python ../old/.venv/bin/python --repeats 5"""


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
        default=(),
        metavar="WHICH",
        help="files; or published ones: 0102 by name, 3 or 1-19 by number in the classes of the "
        "experiment, for vrptw A102 or C101-25-PC2 (default: those of the paper)",
    )
    words = "seconds for one instance, or one loading query (default: the experiment's)"
    parser.add_argument("--time-limit", type=positive_seconds, metavar="S", help=words)
    words = "measure all so often, each time with another seed (default: the experiment's)"
    add_number(parser, "--repeats", "N", words)
    words = "processes at a time (default 1); more disturb each other's seconds"
    add_number(parser, "--jobs", "N", words, default=1)
    add_ray_option(parser)
    parser.add_argument(
        "--resume", action="store_true", help="go on with the results that are in the folder"
    )
    words = "minutes instead of hours, on small generated instances, to see that all works"
    parser.add_argument("--quick", action="store_true", help=words)
    words = "for network and training-curves: a data set (default: one is made)"
    parser.add_argument("--data", type=Path, metavar="FOLDER", help=words)
    optima = parser.add_argument_group("for optima")
    optima.add_argument(
        "--conventions",
        choices=("benchmark", "heuristic"),
        help="of the exact literature (distances truncated, all vehicles, no route with one "
        "customer), or of the heuristic one (exact, at most all, allowed); default: the file's",
    )
    words = "store every search here, and resume those that are stored; their seconds count"
    optima.add_argument("--checkpoints", type=Path, metavar="DIR", help=words)
    add_loading_options(parser, default="what the instance says; for optima and root-cg")
    parser.add_argument(
        "--weights", metavar="FILE", help="for network-speed: a network (default: the package's)"
    )
    words = "for root-cg, root-profile and beside: this pipeline alone"
    parser.add_argument("--screen", choices=("exact", "neural", "lazy"), help=words)
    beside = parser.add_argument_group("for beside")
    words = "the interpreter of the other installation (default: this one, which shows the noise)"
    beside.add_argument("--python", metavar="PATH", help=words)
    words = "bind both to this core of the processor"
    beside.add_argument("--core", type=natural_number, metavar="N", help=words)
    words = "the root relaxation, the proven optimum (default both)"
    beside.add_argument("--kinds", nargs="+", choices=("root", "proof"), default=(), help=words)


def run(arguments: argparse.Namespace) -> ExitCode:
    """Run one experiment or all, and print where the results are."""
    if arguments.out.exists() and not arguments.out.is_dir():
        raise InputError("is a file; name a folder", field="--out")
    setting = Setting(
        **{name: getattr(arguments, name) for name in ("out", "seed", "quick", "resume", *OPTIONS)},
        benchmark=benchmark_folder(),
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
