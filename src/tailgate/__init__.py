"""Tailgate: exact routing of trucks that are loaded and unloaded through the rear door."""

from importlib.metadata import version

from tailgate.conventions import Conventions
from tailgate.errors import InputError, TailgateError
from tailgate.formats import read
from tailgate.generate import generate_instance
from tailgate.instance import Customer, Instance, Item, Vehicle
from tailgate.loading import LoadingOracle, LoadingResult, Verdict, check_loading
from tailgate.solution import Placement, Route, Solution, read_solution, write_solution
from tailgate.units import Units
from tailgate.verify import Violation, verify

__version__ = version("tailgate")

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
