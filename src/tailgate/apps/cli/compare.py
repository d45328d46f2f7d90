"""``tailgate compare``: plans side by side."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from tailgate.apps.cli.arguments import Commands
from tailgate.apps.cli.exit_codes import ExitCode
from tailgate.apps.cli.output import print_json, print_note, print_result, table
from tailgate.apps.cli.standard_streams import (
    INSTANCE_MARK,
    read_orders,
    refuse_standard_stream,
)
from tailgate.io import read_solution
from tailgate.io.text_file import read_text
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.judge import verify
from tailgate.model.rounding import counted
from tailgate.model.solution import Solution
from tailgate.report.comparison import Comparison, comparison_titles
from tailgate.report.plan_figures import PlanFigures

_DESCRIPTION = """\
Put plans side by side: trucks used by kind, distance, hours, cost, bound and what is left out, and
which customers ride with another truck than in the first plan. Trucks that share most customers are
taken for the same truck.

The orders may stand among the files. Each solution finds its own by their fingerprint, is verified
by the judge, and its customers are called by name. Plans of different orders can be compared: name
all of them. Without any orders the figures are those that the solutions state, not verified, and
customers are numbers."""

_EXAMPLES = """\
  tailgate compare orders.json today.json cheaper.json
  tailgate compare today.json cheaper.json
  tailgate compare monday.json monday-plan.json tuesday.json tuesday-plan.json --json"""


def add_command(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add("compare", run, _DESCRIPTION, _EXAMPLES)
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="two solution files or more (JSON), the one to compare with first; and their orders, "
        "in any format, if they are at hand",
    )


def run(arguments: argparse.Namespace) -> ExitCode:
    """Judge the plans, and put them side by side."""
    solutions, orders = _read(arguments.files)
    if len(solutions) < 2:
        raise InputError(
            f"there {'is one solution' if solutions else 'is no solution'} among the files; name "
            "two or more to compare"
        )
    plans = []
    invalid = False
    for title, (path, solution) in zip(_titles(solutions), solutions, strict=True):
        instance = _orders_of(path, solution, orders)
        violations = [] if instance is None else verify(instance, solution)
        if violations:
            invalid = True
            print_note(
                f"tailgate: {path}: the plan has {counted(len(violations), 'violation')}: "
                f"{violations[0]}; see: tailgate verify"
            )
        plans.append(PlanFigures(title, solution, instance))
    if invalid:
        if arguments.json:
            print_json({"valid": False, "plans": [], "changes": []})
        return ExitCode.VERIFICATION_FAILED
    comparison = Comparison(tuple(plans))
    print_result(
        arguments,
        {"verified": bool(orders), **comparison.to_dict()},
        bare="\n".join(plan.cost_text or plan.solution.status for plan in plans),
        text=_text(comparison, is_verified=bool(orders)),
    )
    return ExitCode.DONE


def _read(files: Sequence[str]) -> tuple[list[tuple[str, Solution]], dict[str, Instance]]:
    """Read the solutions in their order, and the orders by their fingerprint."""
    solutions: list[tuple[str, Solution]] = []
    names = []
    for name in files:
        refuse_standard_stream(name, "FILE")
        path = Path(name)
        if path.suffix.lower() == ".json" and INSTANCE_MARK not in read_text(path):
            solutions.append((name, read_solution(path)))
        else:
            names.append(name)
    orders = [read_orders(name, [solution for _, solution in solutions]) for name in names]
    return solutions, {instance.sha256: instance for instance in orders}


def _titles(solutions: Sequence[tuple[str, Solution]]) -> list[str]:
    names = [Path(name).stem for name, _ in solutions]
    if len(set(names)) < len(names):
        names = [name for name, _ in solutions]
    return comparison_titles(names)


def _orders_of(path: str, solution: Solution, orders: Mapping[str, Instance]) -> Instance | None:
    if not orders:
        return None
    if solution.instance_sha256 not in orders:
        raise InputError(
            "is a solution of other orders than those that are given; name its own orders, too, or "
            "leave out all orders to compare what the solutions state",
            source=path,
        )
    return orders[solution.instance_sha256]


def _text(comparison: Comparison, *, is_verified: bool) -> str:
    header = ["", *(plan.title for plan in comparison.plans)]
    rows = [[row.name, *row.texts] for row in comparison.rows]
    lines = [table(header, rows, left=frozenset({""}))]
    for change in comparison.changes:
        lines += ["", f"{change.after.title} beside {change.before.title}:"]
        lines += [f"  {sentence}" for sentence in change.sentences]
    if not is_verified:
        lines += ["", "not verified: name the orders, too, to have the plans checked"]
    return "\n".join(lines)
