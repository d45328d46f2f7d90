"""``--leave-out``: as few orders as possible are left out, and the rest is planned."""

from __future__ import annotations

import argparse

from tailgate.model.errors import InputError
from tailgate.model.instance import Instance

OPTION = "--leave-out"


def add_leave_out(parser: argparse.ArgumentParser) -> None:
    """Add the leave to serve less than all orders."""
    parser.add_argument(
        OPTION,
        nargs="?",
        const="cost",
        choices=("cost", "number"),
        help="leave out as little as can be, then find the cheapest plan for the rest: by cost "
        "(the default) of the orders that have a leave-out cost, or by number of any orders, even "
        "such as must be served",
    )


def leaves_out_any(arguments: argparse.Namespace) -> bool:
    """Return whether orders may be left out that must be served: also such as fit no vehicle."""
    return getattr(arguments, "leave_out", None) == "number"


def refuse_without_costs(arguments: argparse.Namespace, instance: Instance) -> None:
    """Refuse to weigh costs where no order has one."""
    if arguments.leave_out == "cost" and not instance.optional:
        raise InputError(
            "no order has a leave-out cost, so that none may be left out; state such costs, or "
            f"choose {OPTION} number",
            field=OPTION,
        )
