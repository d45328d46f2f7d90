"""``tailgate solve``: the cheapest plan, with a proof, or the best one and how good it is."""

from __future__ import annotations

import argparse
import math
import shlex
from collections.abc import Callable
from pathlib import Path

from tailgate.cli.arguments import (
    Commands,
    add_convention_options,
    add_instance_argument,
    add_screen_options,
    add_verbose_option,
    convention_overrides,
    positive_number,
    positive_seconds,
    refuse_verbose_and_quiet,
)
from tailgate.cli.exit_codes import ExitCode
from tailgate.cli.interrupts import Interrupts
from tailgate.cli.output import (
    conventions_text,
    counted,
    duration_text,
    print_json,
    print_note,
    progress_is_welcome,
    table,
    with_equal_decimals,
    with_unit,
)
from tailgate.cli.report_file import History
from tailgate.cli.solve_files import check_files
from tailgate.cli.solve_progress import watching_search
from tailgate.errors import InputError
from tailgate.formats import read
from tailgate.instance import Instance
from tailgate.report import html_report
from tailgate.rounding import cost_text, gap_text
from tailgate.search.cuts import CUTS
from tailgate.search.incumbent import InvalidPlanError, solution_without_routes
from tailgate.search.result import ContradictoryResultError, SolveProgress, SolveResult
from tailgate.search.solver import solve
from tailgate.solution import Route, Solution
from tailgate.text_file import write_text
from tailgate.verify import verify

_DESCRIPTION = """\
Find the cheapest plan, every truck with its loading plan, and prove that no plan is cheaper
(branch-price-and-cut). A good plan comes within seconds; plan and bound then draw nearer to each
other until they meet or a limit is reached. The result has one of four statuses:

  status      means                                                                  exit code
  optimal     proven: no plan is cheaper                                                     0
  feasible    a plan, a lower bound, and the gap between them, when a limit was reached      0
  infeasible  proven: there is no plan under these conventions; it is explained why          3
  bound_only  no plan found before a limit was reached; the lower bound holds                0

Ctrl-C or SIGTERM ends the search at once with the best plan and bound so far, which are printed
and written as always, and the exit code is 130. A second Ctrl-C leaves without them.

Every plan passes the judge of "tailgate verify" before it is shown. The result holds under the
conventions that are printed with it; another convention is another problem."""

_EXAMPLES = """\
  tailgate solve city.txt
  tailgate solve city.txt --time-limit 60 --out plan.json
  tailgate solve city.txt --time-limit 60 --out plan.json --report plan.html
  tailgate solve city.txt --gap 1% --json
  tailgate solve city.txt --warm-start plan.json --out better-plan.json
  tailgate solve city.txt --checkpoint city.checkpoint --out plan.json
  tailgate solve city.txt --resume city.checkpoint --out plan.json
  tailgate solve city.json --distance exact --fleet at-most --single-customer-routes allow"""

_ALL_CUTS = "all"


def add_command(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add(
        "solve",
        run,
        description=_DESCRIPTION,
        examples=_EXAMPLES,
        randomness="seed of the search for good plans; it changes the way, not the optimum",
    )
    add_instance_argument(parser)
    _add_limits(parser)
    _add_files(parser)
    add_screen_options(parser)
    parser.add_argument(
        "--threads",
        metavar="N",
        type=positive_number,
        default=1,
        help="use up to N processors, where that is safe (default 1)",
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
    add_verbose_option(parser)
    add_convention_options(parser, default="what the instance says")


def _add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--time-limit",
        metavar="S",
        type=positive_seconds,
        help="stop after S seconds with the best plan and bound (default: no limit)",
    )
    parser.add_argument(
        "--gap",
        metavar="G",
        type=_gap,
        default=0.0,
        help="stop when (cost - bound) / cost is at most G, such as 0.01 or 1%% (default 0: the "
        "optimum)",
    )
    parser.add_argument(
        "--node-limit",
        metavar="N",
        type=positive_number,
        help="stop after N nodes of the search tree (default: no limit)",
    )
    parser.add_argument(
        "--memory-limit",
        metavar="MB",
        type=positive_number,
        help="stop with a valid bound before the process takes more than MB megabytes (default: "
        "most of what the machine has)",
    )


def _add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out",
        metavar="SOL.json",
        type=Path,
        help="write the solution with its loading plans here, whatever ended the search",
    )
    parser.add_argument(
        "--report",
        metavar="R.html",
        type=Path,
        help="write a report here: map, gap over time, loading plans (see also: tailgate show)",
    )
    parser.add_argument(
        "--warm-start",
        metavar="SOL.json",
        type=Path,
        help="begin with this solution; nothing worse is returned",
    )
    parser.add_argument(
        "--checkpoint",
        metavar="FILE",
        type=Path,
        help="store the search here every few seconds, so that it can be resumed after a crash",
    )
    parser.add_argument(
        "--resume",
        metavar="FILE",
        type=Path,
        help="go on with the search that is stored here, and store it here unless --checkpoint "
        "says otherwise",
    )


def run(arguments: argparse.Namespace) -> ExitCode:
    """Solve, and tell what came out, however it ended."""
    refuse_verbose_and_quiet(arguments)
    checkpoint: Path | None = arguments.checkpoint or arguments.resume
    check_files(arguments, checkpoint)
    history = History()
    with Interrupts() as interrupts:
        instance = read(arguments.instance, **convention_overrides(arguments))
        try:
            result = _solve(instance, arguments, checkpoint, interrupts, history)
        except (InvalidPlanError, ContradictoryResultError) as error:
            print_note(f"tailgate: {error}")
            return ExitCode.VERIFICATION_FAILED
        interrupts.search_is_over()
        return _tell(instance, result, arguments, history)


def _solve(
    instance: Instance,
    arguments: argparse.Namespace,
    checkpoint: Path | None,
    interrupts: Interrupts,
    history: History,
) -> SolveResult:
    with watching_search(quiet=arguments.quiet, verbose=arguments.verbose) as show:
        return solve(
            instance,
            time_limit=arguments.time_limit,
            gap=arguments.gap,
            screen=arguments.screen,
            weights=arguments.weights,
            seed=arguments.seed,
            threads=arguments.threads,
            node_limit=arguments.node_limit,
            memory_limit=arguments.memory_limit,
            warm_start=arguments.warm_start,
            checkpoint=checkpoint,
            resume=arguments.resume,
            cuts=_cuts(arguments.no_cuts),
            on_progress=_showing(show, interrupts, history),
            cancel=interrupts.cancel,
        )


def _showing(
    show: Callable[[SolveProgress], None] | None, interrupts: Interrupts, history: History
) -> Callable[[SolveProgress], None]:
    def on_progress(progress: SolveProgress) -> None:
        history.add(progress)
        if progress.event == "checkpoint":
            print_note(f"tailgate: {progress.doing}; the search goes on, and the last one is kept")
        if progress.event == "end":
            # A signal that comes while the result is put together must not cost it.
            interrupts.search_is_over()
        if show is not None:
            show(progress)

    return on_progress


def _cuts(left_out: list[str]) -> tuple[str, ...]:
    if _ALL_CUTS in left_out:
        return ()
    return tuple(name for name in CUTS if name not in left_out)


# The end.


def _tell(
    instance: Instance, result: SolveResult, arguments: argparse.Namespace, history: History
) -> ExitCode:
    solution = result.solution or _without_routes(instance, result, arguments)
    violations = verify(instance, solution)
    if violations:
        print_note(
            f"tailgate: the result does not pass the judge: {violations[0]}; this is a bug in "
            "Tailgate, please report it with the instance and the options"
        )
        return ExitCode.VERIFICATION_FAILED
    failures = _write_files(instance, solution, arguments, history)
    if arguments.json:
        print_json(result.to_dict())
    elif arguments.quiet:
        print(result.status if result.objective is None else cost_text(result.objective))
    else:
        print(_report(instance, result))
    if failures:
        # Told after the result, which is not to be lost with its files.
        raise failures[0]
    for path in (arguments.out, arguments.report):
        if path is not None and not arguments.quiet:
            print_note(f"written: {path}")
    if result.solution is not None and result.solution.routes:
        _tell_what_is_next(arguments)
    if result.status == "infeasible":
        return ExitCode.INFEASIBLE
    return ExitCode.INTERRUPTED if result.reason == "interrupted" else ExitCode.DONE


def _tell_what_is_next(arguments: argparse.Namespace) -> None:
    """Lead somebody who sits there on to the sheets."""
    if arguments.json or not progress_is_welcome(quiet=arguments.quiet):
        return
    if arguments.out is None:
        print_note("to keep this plan and to print its loading sheets, add --out plan.json")
    else:
        words = ("tailgate", "show", arguments.instance, arguments.out, "--out", "plans")
        print_note(f"loading sheets to print: {shlex.join(map(str, words))}")


def _write_files(
    instance: Instance, solution: Solution, arguments: argparse.Namespace, history: History
) -> list[InputError]:
    """Write what can be written, and return what went wrong."""
    texts: dict[Path | None, Callable[[], str]] = {
        arguments.out: solution.to_json,
        arguments.report: lambda: html_report(instance, solution, history=history.moments),
    }
    failures = []
    for path, text in texts.items():
        try:
            if path is not None:
                write_text(path, text())
        except InputError as error:
            failures.append(error)
    return failures


def _without_routes(
    instance: Instance, result: SolveResult, arguments: argparse.Namespace
) -> Solution:
    return solution_without_routes(
        instance,
        result.status,
        result.lower_bound,
        seed=arguments.seed,
        seconds=result.seconds,
        options={"screen": arguments.screen, "time_limit": arguments.time_limit},
    )


def _report(instance: Instance, result: SolveResult) -> str:
    unit = instance.units.distance_unit
    lines = [result.headline]
    if result.objective is not None:
        lines.append(f"  objective    {with_unit(cost_text(result.objective), unit)}")
    if result.lower_bound is not None:
        lines.append(f"  lower bound  {with_unit(result.bound_text, unit)}")
    if result.gap is not None:
        lines.append(f"  gap          {gap_text(result.gap)}")
    lines += [
        f"  conventions  {conventions_text(result.conventions)}",
        f"  search       {counted(result.nodes, 'node')}, "
        f"{counted(result.exact_checks, 'loading check')}",
        f"  time         {_seconds_text(result)}",
    ]
    if result.routes:
        lines.append(
            f"  verified     {counted(len(result.routes), 'route')}, loading plans and costs "
            "found valid by the judge"
        )
        lines += ["", _truck_table(instance, result.routes)]
    return "\n".join(lines)


def _seconds_text(result: SolveResult) -> str:
    parts = [
        f"{name} {duration_text(seconds)}"
        for name, seconds in result.seconds_by_part.items()
        if seconds > 0
    ]
    total = duration_text(result.seconds)
    return f"{total}: {', '.join(parts)}" if parts else total


def _truck_table(instance: Instance, routes: tuple[Route, ...]) -> str:
    units, vehicle = instance.units, instance.vehicle
    capacity = with_unit(units.weight_text(vehicle.capacity), units.weight_unit)
    costs = with_equal_decimals(cost_text(route.cost) for route in routes)
    # Of the instance, not of the route: a solution that was given may have another scale.
    loads = [[instance.customer(number) for number in route.customers] for route in routes]
    weights = with_equal_decimals(
        units.weight_text(sum(customer.weight for customer in load)) for load in loads
    )
    rows = [
        [
            str(number),
            cost,
            f"{100 * sum(customer.area for customer in load) / vehicle.area:.1f} %",
            f"{weight} of {capacity}",
            route_text(instance, route),
        ]
        for number, (route, load, cost, weight) in enumerate(
            zip(routes, loads, costs, weights, strict=True), 1
        )
    ]
    return table(["truck", "cost", "floor", "weight", "route"], rows, left=frozenset({"route"}))


def route_text(instance: Instance, route: Route) -> str:
    """Return the stops in order, in a form that ``tailgate pack --route`` takes, too."""
    labels = [instance.label(number) for number in route.customers]
    if all(label.isdecimal() for label in labels):
        return "-".join(labels)
    return ", ".join(f'"{label}"' if "," in label else label for label in labels)


def _gap(text: str) -> float:
    number, divisor = (text[:-1], 100.0) if text.endswith("%") else (text, 1.0)
    try:
        gap = float(number) / divisor
    except ValueError:
        gap = math.nan
    if not 0 <= gap < 1:
        raise argparse.ArgumentTypeError(
            f"must be a share from 0 to below 1, such as 0.01 or 1%, got {text!r}"
        )
    return gap
