"""``tailgate solve``: the cheapest plan, with a proof, or the best one and how good it is."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import get_args

from tailgate.apps.cli import arguments as options
from tailgate.apps.cli.exit_codes import ExitCode
from tailgate.apps.cli.instance_warnings import read_with_warnings
from tailgate.apps.cli.interrupts import Interrupts
from tailgate.apps.cli.keeping import add_keeping, kept_orders, kept_plan, refuse_other_orders
from tailgate.apps.cli.leaving_out import add_leave_out, leaves_out_any, refuse_without_costs
from tailgate.apps.cli.output import print_note
from tailgate.apps.cli.solve_files import check_files, write_orders
from tailgate.apps.cli.solve_output import History, print_and_write
from tailgate.apps.cli.standard_streams import is_standard_stream, read_plan
from tailgate.apps.cli.watching import watching
from tailgate.apps.wording import TERMINAL, worded
from tailgate.model.cost_unit import CostUnit
from tailgate.model.instance import Instance
from tailgate.model.solution import Solution
from tailgate.solver.search.cuts import CUTS
from tailgate.solver.search.incumbent import InvalidPlanError
from tailgate.solver.search.large_instance import is_large
from tailgate.solver.search.options import Focus
from tailgate.solver.search.result import ContradictoryResultError, SolveProgress, SolveResult
from tailgate.solver.search.solver import solve

_DESCRIPTION = """\
Find the cheapest plan, every truck with its loading plan, and prove that no plan is cheaper
(branch-price-and-cut). A good plan comes within seconds; plan and bound then draw nearer to each
other until they meet or a limit is reached. The result has one of four statuses:

  status      means                                                                  exit code
  optimal     proven: no plan is cheaper                                                     0
  feasible    a plan, a lower bound, and the gap between them, when a limit was reached      0
  infeasible  proven: there is no plan under these conventions; it is explained why          3
  bound_only  no plan found before a limit was reached; the lower bound holds                0

An order that has a leave-out cost is left out where that is cheaper; the plan lists such orders
with the reason. On a day on which not everything fits, --leave-out says what stays. --keep plans
anew what is not locked of a plan that is there, and says what has changed.

Ctrl-C or SIGTERM ends the search at once with the best plan and bound so far, which are printed
and written as always, and the exit code is 130. A second signal changes nothing of this; a third
leaves at once, without what is not written yet.

Every plan passes the judge of "tailgate verify" before it is shown. The result holds under the
conventions that are printed with it; another convention is another problem."""

_EXAMPLES = """\
  tailgate solve city.txt
  tailgate solve city.txt --time-limit 60 --out plan.json
  tailgate solve city.txt --time-limit 60 --out plan.json --report plan.html
  tailgate solve city.txt --gap 1% --json
  tailgate solve city.txt --focus plans --time-limit 30 --out plan.json
  tailgate solve city.txt --warm-start plan.json --out better-plan.json
  tailgate solve orders.json --leave-out cost
  tailgate solve orders.json --keep plan.json --keep-trucks 1,3 --keep-stops 2=1 --out new.json
  tailgate solve today.json --keep plan.json --keep-orders yesterday.json --out new.json
  tailgate solve city.txt --checkpoint city.checkpoint --out plan.json
  tailgate solve city.txt --resume city.checkpoint --out plan.json
  tailgate generate -n 15 --class 2 --out - | tailgate solve - --out - > plan.json
  tailgate solve city.json --distance exact --fleet at-most --single-customer-routes allow"""

END_PER_READING = 2.0
"""With many orders, judging and writing a plan takes so many times as long as reading them."""
LEAST_SHARE_FOR_SEARCH = 0.2
"""Of the time limit, however long the orders took to read."""
_ALL_CUTS = "all"
_RANDOMNESS = "seed of the search for good plans; it changes the way, not the optimum"


def add_command(commands: options.Commands) -> None:
    """Add the command and its options."""
    parser = commands.add("solve", run, _DESCRIPTION, _EXAMPLES, randomness=_RANDOMNESS)
    options.add_instance_argument(parser)
    _add_limits(parser)
    _add_files(parser)
    words = "use up to N processors, where that is safe (default 1)"
    options.add_number(parser, "--threads", "N", words, default=1)
    parser.add_argument(
        "--focus",
        choices=get_args(Focus),
        default="balanced",
        help="where most of the time goes: into better plans, into the proof that none is better, "
        "or wherever it brings more (default balanced)",
    )
    parser.add_argument(
        "--no-cuts",
        metavar="NAME",
        action="append",
        choices=(*CUTS, _ALL_CUTS),
        default=[],
        help="do without a kind of cuts, to measure what it is worth; may be repeated: "
        f"{', '.join(CUTS)}, or {_ALL_CUTS}",
    )
    add_leave_out(parser)
    add_keeping(parser)
    options.add_search_options(parser)


def _add_limits(parser: argparse.ArgumentParser) -> None:
    options.add_time_limit(parser, "stop after S seconds with the best plan and bound")
    options.add_gap(parser)
    options.add_number(
        parser, "--node-limit", "N", "stop after N nodes of the search tree (default: no limit)"
    )
    options.add_number(
        parser,
        "--memory-limit",
        "MB",
        "stop with a valid bound before the process takes more than MB megabytes (default: most "
        "of what the machine has)",
    )


def _add_files(parser: argparse.ArgumentParser) -> None:
    files = {
        "--out SOL.json": "write the solution with its loading plans here, whatever ended the "
        "search; - is the standard output, and the report then goes to the standard error",
        "--report R.html": "write a report here: map, gap over time, loading plans (see also: "
        "tailgate show)",
        "--warm-start SOL.json": "begin with this solution; nothing worse is returned; - is "
        "the standard input",
        "--checkpoint FILE": "store the search here every few seconds, so that it can be "
        "resumed after a crash",
        "--resume FILE": "go on with the search that is stored here, and store it here unless "
        "--checkpoint says otherwise",
    }
    options.add_files(parser, files)


def run(arguments: argparse.Namespace) -> ExitCode:
    """Solve, and print what came out, however it ended."""
    options.refuse_verbose_and_quiet(arguments)
    checkpoint: Path | None = arguments.checkpoint or arguments.resume
    check_files(arguments, checkpoint)
    started = time.monotonic()
    keep = kept_plan(arguments)
    history: History = []
    with Interrupts() as interrupts:
        instance = read_with_warnings(arguments)
        refuse_without_costs(arguments, instance)
        refuse_other_orders(arguments, keep, instance)
        seconds = _seconds_for_search(arguments, instance, started)
        try:
            result = _solve(instance, keep, arguments, checkpoint, interrupts, history, seconds)
            result = worded(result, TERMINAL)
        except (InvalidPlanError, ContradictoryResultError) as error:
            print_note(f"tailgate: {error}")
            return ExitCode.VERIFICATION_FAILED
        interrupts.search_is_over()
        history = [] if arguments.leave_out else history
        code = print_and_write(instance, result, arguments, history)
        if leaves_out_any(arguments):
            write_orders(instance, arguments)
        return code


def _seconds_for_search(
    arguments: argparse.Namespace, instance: Instance, started: float
) -> float | None:
    """Return the time limit of the search: with many orders the rest takes its time, too."""
    limit: float | None = arguments.time_limit
    if limit is None or not is_large(instance):
        return limit
    reading = time.monotonic() - started
    return max(limit - (1 + END_PER_READING) * reading, LEAST_SHARE_FOR_SEARCH * limit)


def _solve(
    instance: Instance,
    keep: Solution | None,
    arguments: argparse.Namespace,
    checkpoint: Path | None,
    interrupts: Interrupts,
    history: History,
    seconds: float | None,
) -> SolveResult:
    # Where as little as possible is left out, the first search is not about money.
    unit = CostUnit() if arguments.leave_out else CostUnit.of_instance(instance)
    with watching(unit, quiet=arguments.quiet, verbose=arguments.verbose) as show:
        return solve(
            instance,
            time_limit=seconds,
            gap=arguments.gap,
            screen=arguments.screen,
            weights=arguments.weights,
            seed=arguments.seed,
            threads=arguments.threads,
            node_limit=arguments.node_limit,
            memory_limit=arguments.memory_limit,
            warm_start=_warm_start(arguments.warm_start),
            keep=keep,
            keep_instance=kept_orders(arguments, keep),
            leave_out=arguments.leave_out,
            checkpoint=checkpoint,
            resume=arguments.resume,
            cuts=_cuts(arguments.no_cuts),
            focus=arguments.focus,
            on_progress=_showing(show, interrupts, history),
            cancel=interrupts.cancel,
        )


def _showing(
    show: Callable[[SolveProgress], None] | None, interrupts: Interrupts, history: History
) -> Callable[[SolveProgress], None]:
    def on_progress(progress: SolveProgress) -> None:
        history.append((progress.seconds, progress.lower_bound, progress.objective))
        if progress.event == "checkpoint":
            print_note(f"tailgate: {progress.doing}; the search goes on, and the last one is kept")
        if progress.event == "end":
            # A signal that comes while the result is put together must not cost it.
            interrupts.search_is_over()
        if show is not None:
            show(progress)

    return on_progress


def _warm_start(path: Path | None) -> Path | Solution | None:
    return read_plan(path) if path is not None and is_standard_stream(path) else path


def _cuts(left_out: list[str]) -> tuple[str, ...]:
    if _ALL_CUTS in left_out:
        return ()
    return tuple(name for name in CUTS if name not in left_out)
