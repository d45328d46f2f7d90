"""``tailgate what-if``: what would one truck more save, and what would one less cost?"""

from __future__ import annotations

import argparse
from pathlib import Path

from tailgate.apps.cli import arguments as options
from tailgate.apps.cli.exit_codes import ExitCode
from tailgate.apps.cli.fleet_variants import (
    Counts,
    all_counts,
    count_range,
    varied_kinds,
    with_counts,
)
from tailgate.apps.cli.instance_warnings import read_with_warnings, warnings_content
from tailgate.apps.cli.leaving_out import add_leave_out, refuse_without_costs
from tailgate.apps.cli.output import print_note, print_result
from tailgate.apps.cli.task_progress import watching_tasks
from tailgate.apps.cli.variant_result import (
    VariantResult,
    refused,
    solve_variant,
    variant_arguments,
    variant_result,
    with_conclusions,
)
from tailgate.apps.cli.what_if_files import prepare_folder, write_variants
from tailgate.apps.cli.what_if_table import WhatIfTable
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.solver.search.incumbent import InvalidPlanError
from tailgate.solver.search.result import ContradictoryResultError
from tailgate.solver.workers import Lost, Task, choose_workers

_DESCRIPTION = """\
Solve the same orders with other numbers of vehicles, and print what each fleet costs, with its
bound: what one truck more or less is worth. Several --vehicles make a grid; kinds that are not
named stay as they are.

What one more saves is proven: a number where both optima are, otherwise the least and the most that
it can be. Where vehicles may stay at the depot (--fleet at-most), a bound holds for every smaller
fleet, and a plan for every larger one; the table draws these conclusions. A fleet that has no plan
says why. With --leave-out, what one more saves is said of fleets that leave out as much. Ctrl-C
ends the searches and prints what is there."""

_EXAMPLES = """\
  tailgate what-if orders.json --vehicles 2..4
  tailgate what-if orders.json --vehicles "12 t=2..4" --time-limit 60 --jobs 2
  tailgate what-if orders.json --vehicles "12 t=1..3" --vehicles van=3..5 --out variants
  tailgate what-if orders.json --vehicles van=2 --leave-out cost"""

_RANDOMNESS = "seed of the search for good plans; it changes the way, not the optimum"


def add_command(commands: options.Commands) -> None:
    """Add the command and its options."""
    parser = commands.add("what-if", run, _DESCRIPTION, _EXAMPLES, randomness=_RANDOMNESS)
    options.add_instance_argument(parser)
    parser.add_argument(
        "--vehicles",
        metavar="KIND=A..B",
        type=count_range,
        action="append",
        required=True,
        help='from A to B vehicles of a kind, such as "12 t=2..4"; may be repeated for other '
        "kinds; where there is one kind, A..B will do",
    )
    options.add_time_limit(parser, "stop each search after S seconds with its plan and bound")
    options.add_gap(parser)
    add_leave_out(parser)
    parser.add_argument(
        "--out",
        metavar="DIR",
        type=Path,
        help="write the orders and the plan of each variant into this folder, for tailgate compare",
    )
    words = "solve N variants at a time, each in a process of its own (default 1)"
    options.add_number(parser, "--jobs", "N", words, default=1)
    options.add_ray_option(parser)
    options.add_convention_options(parser, default="what the instance says")


def run(arguments: argparse.Namespace) -> ExitCode:
    """Solve the variants, and print what is there, however it ended."""
    if arguments.out is not None:
        prepare_folder(arguments.out)
    instance = read_with_warnings(arguments)
    refuse_without_costs(arguments, instance)
    varied = varied_kinds(instance, arguments.vehicles)
    asked = all_counts(instance, varied)
    orders, results = _variants(instance, asked)
    is_interrupted = False
    try:
        _solve(orders, results, arguments, len(asked))
    except KeyboardInterrupt:
        is_interrupted = True
    except (InvalidPlanError, ContradictoryResultError) as error:
        print_note(f"tailgate: {error}")
        return ExitCode.VERIFICATION_FAILED
    found = {counts: results[counts] for counts in asked if counts in results}
    if instance.conventions.fleet == "at-most" and arguments.leave_out is None:
        found = with_conclusions(found, orders)
    answer = WhatIfTable(instance, tuple(varied), found, arguments.leave_out)
    print_result(
        arguments,
        {
            **answer.to_dict(),
            "conventions": instance.conventions.to_dict(),
            "interrupted": is_interrupted,
            **warnings_content(instance),
        },
        bare="\n".join(_bare(result) for result in found.values()),
        text=f"{answer.text}\n\n  conventions  {instance.conventions.text}",
    )
    if arguments.out is not None:
        write_variants(arguments.out, answer, orders, quiet=arguments.quiet)
    if is_interrupted:
        print_note(f"interrupted; {len(found)} of {len(asked)} variants are solved")
        return ExitCode.INTERRUPTED
    none = all(result.has_none for result in found.values())
    return ExitCode.INFEASIBLE if none else ExitCode.DONE


def _variants(
    instance: Instance, asked: list[Counts]
) -> tuple[dict[Counts, Instance], dict[Counts, VariantResult]]:
    """Return the orders with each fleet, and what is wrong with fleets that are none."""
    orders: dict[Counts, Instance] = {}
    results: dict[Counts, VariantResult] = {}
    for counts in asked:
        try:
            orders[counts] = with_counts(instance, counts)
        except InputError as error:
            results[counts] = refused(counts, error)
    return orders, results


def _solve(
    orders: dict[Counts, Instance],
    results: dict[Counts, VariantResult],
    arguments: argparse.Namespace,
    count: int,
) -> None:
    """Solve all variants, and keep each result as it comes."""
    names = ("time_limit", "gap", "seed", "leave_out")
    search = {name: getattr(arguments, name) for name in names}
    keys = {"-".join(map(str, counts)): counts for counts in orders}
    tasks = [
        Task(key, solve_variant, variant_arguments(orders[counts], search))
        for key, counts in keys.items()
    ]
    workers = choose_workers(arguments.jobs, arguments.ray)
    with watching_tasks("what if", quiet=arguments.quiet, is_logged=not arguments.json) as watch:
        for outcome in workers.run(tasks):
            counts = keys[outcome.key]
            if isinstance(outcome, Lost):
                print_note(f"tailgate: {outcome.reason}")
                continue
            results[counts] = variant_result(counts, outcome.value)
            watch(len(results), count, f"{outcome.key}: {results[counts].status}")


def _bare(result: VariantResult) -> str:
    cost = result.status if result.objective is None else str(result.objective)
    return f"{'-'.join(map(str, result.counts))} {cost}"
