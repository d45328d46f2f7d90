"""``tailgate verify``: is this solution what it claims to be?"""

from __future__ import annotations

import argparse

from tailgate.cli.arguments import Commands, add_instance_argument
from tailgate.cli.exit_codes import ExitCode
from tailgate.cli.output import conventions_text, counted, print_json, with_unit
from tailgate.formats import read
from tailgate.rounding import cost_text
from tailgate.solution import Solution, read_solution
from tailgate.verify import Violation, verify

_DESCRIPTION = """\
Check a solution against its instance and list every violation: customers missing or visited
twice, weight, items outside the floor or overlapping, items in another stop's way, wrong costs
and totals, the number of vehicles, late arrivals. The conventions are those that the solution
states. The judge shares no code with the solver.

Exit code 0 means valid, 4 means that something is violated."""

_EXAMPLES = """\
  tailgate verify city.txt city-solution.json
  tailgate verify city.txt city-solution.json --json"""


def add_command(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add(
        "verify",
        run,
        description=_DESCRIPTION,
        examples=_EXAMPLES,
    )
    add_instance_argument(parser)
    parser.add_argument("solution", metavar="SOLUTION", help="solution file (JSON)")


def run(arguments: argparse.Namespace) -> ExitCode:
    """Judge the solution."""
    # The judge must not lean on the solver, not even to look at the instance.
    instance = read(arguments.instance, check_loading=False)
    solution = read_solution(arguments.solution)
    violations = verify(instance, solution)
    if arguments.json:
        print_json(
            {
                "valid": not violations,
                "violations": [_violation_content(violation) for violation in violations],
            }
        )
    elif arguments.quiet:
        print("invalid" if violations else "valid")
    elif violations:
        print(f"invalid: {counted(len(violations), 'violation')}")
        for violation in violations:
            print(f"  {violation.kind}: {violation.message}")
    else:
        print(_valid_text(solution))
    return ExitCode.VERIFICATION_FAILED if violations else ExitCode.DONE


def _valid_text(solution: Solution) -> str:
    cost = ""
    if solution.objective is not None:
        cost = f", cost {with_unit(cost_text(solution.objective), solution.units.distance_unit)}"
    rules = conventions_text(solution.conventions)
    return f"valid: {counted(len(solution.routes), 'route')}{cost}\n  conventions: {rules}"


def _violation_content(violation: Violation) -> dict[str, object]:
    return {
        "kind": violation.kind,
        "message": violation.message,
        "route": violation.route,
        "customer": violation.customer,
    }
