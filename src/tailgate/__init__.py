"""Tailgate: exact routing of trucks that are loaded and unloaded through the rear door."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from tailgate.conventions import Conventions
from tailgate.errors import InputError, TailgateError
from tailgate.instance import Customer, Instance, Item, Vehicle
from tailgate.solution import Placement, Route, Solution, read_solution, write_solution
from tailgate.units import Units

# Not in the table of names below: the first import of the module would set ``tailgate.verify`` to
# the module, and hide the function of that name for good.
from tailgate.verify import Violation, verify

__all__ = [
    "Conventions",
    "Customer",
    "InputError",
    "Instance",
    "Item",
    "LoadingOracle",
    "LoadingResult",
    "Placement",
    "Route",
    "Solution",
    "TailgateError",
    "Units",
    "Vehicle",
    "Verdict",
    "Violation",
    "__version__",
    "check_loading",
    "generate_instance",
    "read",
    "read_solution",
    "verify",
    "write_solution",
]

# What needs the compiled core or numpy is loaded when it is first used: the help comes at once, and
# an installation without a working core can still say what is wrong with it.
_MODULE_OF_NAME = {
    "LoadingOracle": "tailgate.loading",
    "LoadingResult": "tailgate.loading",
    "Verdict": "tailgate.loading",
    "check_loading": "tailgate.loading",
    "generate_instance": "tailgate.generate",
    "read": "tailgate.formats",
}

if TYPE_CHECKING:
    from tailgate.formats import read
    from tailgate.generate import generate_instance
    from tailgate.loading import LoadingOracle, LoadingResult, Verdict, check_loading

    __version__: str
else:
    # Hidden from type checkers, which would otherwise believe in every name.
    def __getattr__(name: str) -> object:
        """Load a public name at its first use (PEP 562)."""
        if name == "__version__":
            value = importlib.import_module("importlib.metadata").version("tailgate")
        elif name in _MODULE_OF_NAME:
            value = getattr(importlib.import_module(_MODULE_OF_NAME[name]), name)
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    """List the public names whether or not they are loaded yet."""
    return sorted({*globals(), *__all__})
