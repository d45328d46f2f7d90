"""``tailgate bound``: how little can any plan cost at all?"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from tailgate.cli.arguments import (
    Commands,
    add_convention_options,
    add_instance_argument,
    add_screen_options,
    add_verbose_option,
    convention_overrides,
    positive_seconds,
    refuse_verbose_and_quiet,
)
from tailgate.cli.bound_progress import watching_bound
from tailgate.cli.exit_codes import ExitCode
from tailgate.cli.output import (
    conventions_text,
    counted,
    duration_text,
    print_json,
    print_note,
    with_unit,
)
from tailgate.column_generation import BoundResult, bound
from tailgate.errors import InputError
from tailgate.formats import read
from tailgate.instance import Instance
from tailgate.rounding import bound_text, cost_text

_DESCRIPTION = """\
Prove a lower bound on the cost of every plan: the linear relaxation over all routes that can be
loaded, solved by column generation. The result has one of these statuses:

  converged    the relaxation is solved: no plan costs less than the LP value
  time_limit   stopped by --time-limit; the lower bound is valid all the same, but the LP value
               is no bound: it is that of the routes found so far
  interrupted  the same after Ctrl-C, with exit code 130
  undecided    the same after a loading question that is beyond the memory of the check
  memory_limit the same when there was no more memory
  lp_failure   the same after an LP that its solver failed to solve in every way it was asked
  infeasible   it is proven that no plan exists, with exit code 3

The bound holds under the conventions that are printed with it; another convention is another
problem."""

_EXAMPLES = """\
  tailgate bound city.txt
  tailgate bound city.txt --time-limit 60 --json
  tailgate bound city.json --fleet exactly --single-customer-routes forbid
  tailgate bound city.txt --record queries.parquet --verbose"""

_EXIT_CODES = {
    "converged": ExitCode.DONE,
    "time_limit": ExitCode.DONE,
    "interrupted": ExitCode.INTERRUPTED,
    "undecided": ExitCode.DONE,
    "memory_limit": ExitCode.DONE,
    "lp_failure": ExitCode.DONE,
    "infeasible": ExitCode.INFEASIBLE,
}
# Values of the LP come with the tolerance of its solver; so must what is concluded from them.
_TOLERANCE = 1e-6


def add_command(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add(
        "bound",
        run,
        description=_DESCRIPTION,
        examples=_EXAMPLES,
        randomness="seed of the search for the first routes; it changes the way, not the value",
    )
    add_instance_argument(parser)
    add_screen_options(parser)
    parser.add_argument(
        "--time-limit",
        metavar="S",
        type=positive_seconds,
        help="stop after S seconds with the bound proven until then (default: no limit)",
    )
    parser.add_argument(
        "--record",
        metavar="FILE.parquet",
        type=Path,
        help="store every loading query with its verdict and effort (needs the extra "
        "tailgate[record])",
    )
    add_verbose_option(parser)
    add_convention_options(parser, default="what the instance says")


def run(arguments: argparse.Namespace) -> ExitCode:
    """Compute the bound and tell what it means."""
    refuse_verbose_and_quiet(arguments)
    if arguments.record is not None and arguments.record.suffix != ".parquet":
        # Also protects the instance from being overwritten by a slip of the pen.
        raise InputError("is a Parquet file; name it .parquet", field="--record")
    instance = read(arguments.instance, **convention_overrides(arguments))
    with watching_bound(quiet=arguments.quiet, verbose=arguments.verbose) as on_progress:
        result = bound(
            instance,
            screen=arguments.screen,
            weights=arguments.weights,
            time_limit=arguments.time_limit,
            seed=arguments.seed,
            on_progress=on_progress,
            record=arguments.record,
        )
    if arguments.json:
        print_json(result.to_dict())
    elif arguments.quiet:
        print(_bare_result(instance, result))
    else:
        print(_report(instance, result))
    if arguments.record is not None and not arguments.quiet:
        print_note(f"recorded: {arguments.record}")
    return _EXIT_CODES[result.status]


def _bare_result(instance: Instance, result: BoundResult) -> str:
    if result.status == "infeasible":
        return "infeasible"
    return _bound_text(instance, result)


def _report(instance: Instance, result: BoundResult) -> str:
    checks = (
        f"{counted(result.exact_checks, 'loading check')}: {result.checks_feasible:,} feasible, "
        f"{result.checks_infeasible:,} infeasible, {result.checks_unknown:,} unknown"
    )
    if result.status == "converged" and result.checks_unknown:
        checks += " at a first look (nothing above rests on them)"
    lines = [_headline(instance, result)]
    unit = instance.units.distance_unit
    if result.status != "infeasible":
        lines += [
            f"  LP value     {_lp_value_text(instance, result)}",
            f"  lower bound  {with_unit(_bound_text(instance, result), unit)}",
        ]
    lines += [
        f"  conventions  {conventions_text(result.conventions)}",
        f"  iterations   {result.iterations:,}",
        f"  columns      {result.columns:,}",
        f"  checks       {checks}",
    ]
    if result.network_calls or result.false_positive_cuts:
        lines.append(
            f"  network      {counted(result.network_calls, 'call')}, "
            f"{counted(result.false_positive_cuts, 'false-positive cut')}"
        )
    lines.append(f"  time         {_seconds_text(result)}")
    return "\n".join(lines)


def _headline(instance: Instance, result: BoundResult) -> str:
    after = duration_text(result.seconds["total"])
    match result.status:
        case "converged":
            return f"converged after {after}: {_meaning(instance, result)}"
        case "infeasible":
            return (
                f"infeasible: proven after {after} that no plan serves every customer under these "
                f"conventions; {_remedy(instance)}"
            )
        case "time_limit" | "interrupted" | "undecided" | "memory_limit" | "lp_failure":
            stopped = {
                "time_limit": "time limit",
                "interrupted": "interrupted",
                "undecided": "a loading question beyond the memory of the check",
                "memory_limit": "out of memory",
                "lp_failure": "the LP solver failed in every way it was asked",
            }[result.status]
            return f"{stopped} after {after}: {_meaning(instance, result)}"


def _meaning(instance: Instance, result: BoundResult) -> str:
    """Say what the bound says about plans."""
    if not result.lower_bound:
        return "no bound above zero is proven yet"
    proven = with_unit(_bound_text(instance, result), instance.units.distance_unit)
    if _is_plan(result):
        return f"the relaxation's solution is itself a plan, and {proven} is the optimum"
    said = f"no plan costs less than {proven}"
    if result.status != "converged":
        said = f"not converged, but proven that {said}"
    if instance.conventions.distance != "exact":
        # Whole distances make whole costs.
        least = math.ceil(result.lower_bound - _TOLERANCE)
        if least > result.lower_bound:
            said += f"; distances are whole numbers, so none less than {least}"
    return said


def _is_plan(result: BoundResult) -> bool:
    """Tell whether the relaxation is solved, and uses every route wholly or not at all."""
    used = [value for _, value in result.support]
    return result.status == "converged" and bool(used) and min(used) > 1 - _TOLERANCE


def _bound_text(instance: Instance, result: BoundResult) -> str:
    """Return the bound; that of a plan reads like the plan's cost, as in `tailgate solve`."""
    if _is_plan(result):
        return cost_text(sum(instance.route_cost(customers) for customers, _ in result.support))
    return bound_text(result.lower_bound or 0)


def _lp_value_text(instance: Instance, result: BoundResult) -> str:
    if result.lp_value is None:
        return "none yet"
    value = with_unit(cost_text(result.lp_value), instance.units.distance_unit)
    if result.status == "converged":
        return value
    return f"{value}  (of the routes found so far: not a bound)"


def _remedy(instance: Instance) -> str:
    """Name what could make a plan possible."""
    looser = ["another number of vehicles"]
    if instance.conventions.fleet == "exactly":
        looser.append("--fleet at-most")
    if instance.conventions.single_customer_routes == "forbid":
        looser.append("--single-customer-routes allow")
    if instance.conventions.lifo:
        looser.append("--no-lifo")
    return f"{', '.join(looser)} may help"


def _seconds_text(result: BoundResult) -> str:
    parts = [
        f"{name} {duration_text(seconds)}"
        for name, seconds in result.seconds.items()
        if name != "total" and seconds > 0
    ]
    total = duration_text(result.seconds["total"])
    return f"{total}: {', '.join(parts)}" if parts else total
