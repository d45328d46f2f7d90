"""``tailgate verify``: is this solution what it claims to be?"""

from __future__ import annotations

import argparse

from tailgate.apps.cli.arguments import Commands, add_instance_argument, add_solution_argument
from tailgate.apps.cli.exit_codes import ExitCode
from tailgate.apps.cli.output import print_result
from tailgate.apps.cli.standard_streams import read_orders, read_plan, refuse_both
from tailgate.model.cost_unit import CostUnit
from tailgate.model.judge import Violation, verify
from tailgate.model.rounding import counted
from tailgate.model.solution import Solution

_DESCRIPTION = """\
Check a solution against its instance and list every violation: customers missing or visited
twice, weight, items outside the floor or overlapping, items in another stop's way, wrong costs
and totals, the number of vehicles, late arrivals, missing roads, limits of a vehicle, schedules
that are not those of least duration. The conventions are those that the solution states. The judge
shares no code with the solver.

Exit code 0 means valid, 4 means that something is violated. A file that holds no plan (its status
is bound_only or infeasible) has nothing to verify, which is code 4 as well: bound and proof are
not judged."""

_EXAMPLES = """\
  tailgate verify city.txt city-solution.json
  tailgate verify city.txt city-solution.json --json"""


def add_command(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add("verify", run, _DESCRIPTION, _EXAMPLES)
    add_instance_argument(parser)
    add_solution_argument(parser)


def run(arguments: argparse.Namespace) -> ExitCode:
    """Judge the solution."""
    refuse_both(arguments.instance, arguments.solution, "SOLUTION")
    solution = read_plan(arguments.solution)
    instance = read_orders(arguments.instance, [solution])
    unit, violations = CostUnit.of_instance(instance), verify(instance, solution)
    if not violations and not solution.routes:
        # A script that ships what is valid must not ship nothing.
        why = _why_no_plan(solution, unit)
        violations = [Violation("no_plan", why)]
        bare, text = "no plan", f"no plan to verify: {why}"
    elif violations:
        listed = [f"  {one.kind}: {one.place}{one.message}" for one in violations]
        bare = "invalid"
        text = "\n".join([f"invalid: {counted(len(violations), 'violation')}", *listed])
    else:
        bare, text = "valid", _valid_text(solution, unit)
    print_result(
        arguments,
        {"valid": not violations, "violations": [violation.to_dict() for violation in violations]},
        bare=bare,
        text=text,
    )
    return ExitCode.VERIFICATION_FAILED if violations else ExitCode.DONE


def _why_no_plan(solution: Solution, unit: CostUnit) -> str:
    if solution.status == "infeasible":
        return "the file states that there is no plan; the judge checks plans, not proofs"
    bound = unit.bound_text(solution.lower_bound or 0)
    return (
        f"the file states that no plan was found, and a lower bound of {bound}; the judge checks "
        "plans, not bounds"
    )


def _valid_text(solution: Solution, unit: CostUnit) -> str:
    cost = ""
    if solution.objective is not None:
        cost = f", cost {unit.cost_text(solution.objective)}"
    routes = counted(len(solution.routes), "route")
    return f"valid: {routes}{cost}\n  conventions: {solution.conventions.text}"
