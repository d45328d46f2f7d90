"""``tailgate bound``: how little can any plan cost at all?"""

from __future__ import annotations

import argparse
import math
from itertools import repeat

from tailgate.apps.cli import arguments as options
from tailgate.apps.cli.exit_codes import ExitCode
from tailgate.apps.cli.instance_warnings import read_with_warnings, warnings_content
from tailgate.apps.cli.output import duration_text, print_note, print_result, times_text
from tailgate.apps.cli.turning_text import turning_lines
from tailgate.apps.cli.watching import watching
from tailgate.apps.wording import TERMINAL
from tailgate.model.cost_unit import CostUnit
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.matrix import plain
from tailgate.model.rounding import counted, number_text
from tailgate.model.units import with_unit
from tailgate.solver.column_generation import BoundResult, bound
from tailgate.solver.search.infeasibility import explain

_DESCRIPTION = """\
Prove a lower bound on the cost of every plan: the linear relaxation over all routes that can be
loaded, solved by column generation. The result has one of these statuses:

  converged    the relaxation is solved: no plan costs less than the LP value
  time_limit   stopped by --time-limit; the lower bound is valid all the same, but the LP value
               is no bound: it is that of the routes found so far
  interrupted  the same after Ctrl-C, with exit code 130
  undecided    the same after a loading query that is beyond the memory of the check
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

_EXIT_CODES = {"interrupted": ExitCode.INTERRUPTED, "infeasible": ExitCode.INFEASIBLE}
_REACHED = {
    "converged": "converged",
    "time_limit": "time limit",
    "interrupted": "interrupted",
    "undecided": "a loading query beyond the memory of the check",
    "memory_limit": "out of memory",
    "lp_failure": "the LP solver failed in every way it was asked",
}
# Values of the LP come with the tolerance of its solver; so must what is concluded from them.
_TOLERANCE = 1e-6
_RANDOMNESS = "seed of the search for the first routes; it changes the way, not the value"


def add_command(commands: options.Commands) -> None:
    """Add the command and its options."""
    parser = commands.add("bound", run, _DESCRIPTION, _EXAMPLES, randomness=_RANDOMNESS)
    options.add_instance_argument(parser)
    options.add_time_limit(parser, "stop after S seconds with the bound proven until then")
    record = (
        "store every loading query with its verdict and effort (needs the extra tailgate[record])"
    )
    options.add_files(parser, {"--record FILE.parquet": record})
    options.add_search_options(parser)


def run(arguments: argparse.Namespace) -> ExitCode:
    """Compute the bound and say what it means."""
    options.refuse_verbose_and_quiet(arguments)
    if arguments.record is not None and arguments.record.suffix != ".parquet":
        # A mistyped name must not overwrite the instance.
        raise InputError("is a Parquet file; name it .parquet", field="--record")
    instance = read_with_warnings(arguments)
    with watching(
        CostUnit.of_instance(instance), quiet=arguments.quiet, verbose=arguments.verbose
    ) as on_progress:
        result = bound(
            instance,
            screen=arguments.screen,
            weights=arguments.weights,
            time_limit=arguments.time_limit,
            seed=arguments.seed,
            on_progress=on_progress,
            record=arguments.record,
        )
    print_result(
        arguments,
        {**result.to_dict(), **warnings_content(instance)},
        bare="infeasible"
        if result.status == "infeasible"
        else _bound_text(instance, result, CostUnit()),
        text=_report(instance, result),
    )
    if arguments.record is not None and not arguments.quiet:
        print_note(f"recorded: {arguments.record}")
    return _EXIT_CODES.get(result.status, ExitCode.DONE)


def _report(instance: Instance, result: BoundResult) -> str:
    checks = (
        f"{counted(result.exact_checks, 'loading check')}: {result.checks_feasible:,} feasible, "
        f"{result.checks_infeasible:,} infeasible, {result.checks_unknown:,} unknown"
    )
    if result.status == "converged" and result.checks_unknown:
        checks += " in a quick check (nothing above rests on them)"
    lines = [_headline(instance, result)]
    if result.status != "infeasible":
        lines += [
            f"  LP value     {_lp_value_text(instance, result)}",
            f"  lower bound  {_bound_text(instance, result, CostUnit.of_instance(instance))}",
        ]
    lines += [
        f"  conventions  {result.conventions.text}",
        *turning_lines(instance),
        f"  iterations   {result.iterations:,}",
        f"  columns      {result.columns:,}",
        f"  checks       {checks}",
    ]
    if result.network_calls or result.false_positive_cuts:
        lines.append(
            f"  network      {counted(result.network_calls, 'call')}, "
            f"{counted(result.false_positive_cuts, 'false-positive cut')}"
        )
    parts = {name: seconds for name, seconds in result.seconds.items() if name != "total"}
    lines.append(f"  time         {times_text(result.seconds['total'], parts)}")
    return "\n".join(lines)


def _headline(instance: Instance, result: BoundResult) -> str:
    after = duration_text(result.seconds["total"])
    if result.status == "infeasible":
        explanation = explain(instance).sentence(TERMINAL)
        return (
            f"infeasible: proven after {after} that no plan serves every customer under these "
            f"conventions: {explanation}"
        )
    return f"{_REACHED[result.status]} after {after}: {_meaning(instance, result)}"


def _meaning(instance: Instance, result: BoundResult) -> str:
    """Say what the bound says about plans."""
    if not result.lower_bound:
        return "no bound above zero is proven yet"
    unit = CostUnit.of_instance(instance)
    proven = _bound_text(instance, result, unit)
    if _is_plan(result):
        return f"the relaxation's solution is itself a plan, and {proven} is the optimum"
    said = f"no plan costs less than {proven}"
    if result.status != "converged":
        said = f"not converged, but proven that {said}"
    step = instance.cost_step
    if step is not None:
        least = plain(step * math.ceil(result.lower_bound / step - _TOLERANCE))
        if least > result.lower_bound:
            every = f"costs are multiples of {with_unit(number_text(plain(step)), unit.name)}"
            if step == 1 and all(kind.costs_distance_only for kind in instance.vehicles):
                every = "distances are whole numbers"
            said += f"; {every}, so none less than {unit.cost_text(least)}"
    return said


def _is_plan(result: BoundResult) -> bool:
    """Return whether the relaxation is solved, and its solution is integral."""
    used = [value for _, value in (*result.support, *result.left_out)]
    return result.status == "converged" and bool(used) and min(used) > 1 - _TOLERANCE


def _bound_text(instance: Instance, result: BoundResult, unit: CostUnit) -> str:
    """Return the bound; that of a plan reads like the plan's cost, as in `tailgate solve`."""
    if _is_plan(result):
        kinds = map(instance.kind_named, result.vehicles) if result.vehicles else repeat(0)
        routes = zip(kinds, (customers for customers, _ in result.support), strict=False)
        left_out = (customer for customer, _ in result.left_out)
        return unit.cost_text(instance.total_cost(routes, left_out))
    return unit.bound_text(result.lower_bound or 0)


def _lp_value_text(instance: Instance, result: BoundResult) -> str:
    if result.lp_value is None:
        return "none yet"
    value = CostUnit.of_instance(instance).cost_text(result.lp_value)
    if result.status == "converged":
        return value
    return f"{value}  (of the routes found so far: not a bound)"
