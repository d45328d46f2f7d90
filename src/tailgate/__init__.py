"""Tailgate: exact routing of trucks that are loaded and unloaded through the rear door."""

from __future__ import annotations

# Type checkers take it for true; the module typing itself takes long to load.
TYPE_CHECKING = False

__all__ = [
    "BoundResult",
    "Conventions",
    "Customer",
    "InputError",
    "Instance",
    "Item",
    "LoadingOracle",
    "LoadingResult",
    "Placement",
    "Plan",
    "Route",
    "Solution",
    "SolveProgress",
    "SolveResult",
    "TailgateError",
    "Units",
    "Vehicle",
    "Verdict",
    "Violation",
    "__version__",
    "bound",
    "check_loading",
    "generate_instance",
    "read",
    "read_solution",
    "solve",
    "verify",
    "write",
    "write_solution",
]

# Everything is loaded when it is first used: the help comes at once, Ctrl-C finds the program ready
# from its first moment, and an installation without a working core can say what is wrong with it.
_MODULE_OF_NAME = {
    "BoundResult": "tailgate.column_generation",
    "Conventions": "tailgate.conventions",
    "Customer": "tailgate.instance",
    "InputError": "tailgate.errors",
    "Instance": "tailgate.instance",
    "Item": "tailgate.instance",
    "LoadingOracle": "tailgate.loading",
    "LoadingResult": "tailgate.loading",
    "Placement": "tailgate.solution",
    "Plan": "tailgate.report.plan",
    "Route": "tailgate.solution",
    "Solution": "tailgate.solution",
    "SolveProgress": "tailgate.search.result",
    "SolveResult": "tailgate.search.result",
    "TailgateError": "tailgate.errors",
    "Units": "tailgate.units",
    "Vehicle": "tailgate.instance",
    "Verdict": "tailgate.loading",
    "Violation": "tailgate.verify",
    "bound": "tailgate.column_generation",
    "check_loading": "tailgate.loading",
    "generate_instance": "tailgate.generate",
    "read": "tailgate.formats",
    "read_solution": "tailgate.solution",
    "solve": "tailgate.search.solver",
    "write": "tailgate.formats",
    "write_solution": "tailgate.solution",
}

if TYPE_CHECKING:
    from tailgate.column_generation import BoundResult, bound
    from tailgate.conventions import Conventions
    from tailgate.errors import InputError, TailgateError
    from tailgate.formats import read, write
    from tailgate.generate import generate_instance
    from tailgate.instance import Customer, Instance, Item, Vehicle
    from tailgate.loading import LoadingOracle, LoadingResult, Verdict, check_loading
    from tailgate.report.plan import Plan
    from tailgate.search.result import SolveProgress, SolveResult
    from tailgate.search.solver import solve
    from tailgate.solution import Placement, Route, Solution, read_solution, write_solution
    from tailgate.units import Units
    from tailgate.verify import Violation, verify

    __version__: str
else:
    import importlib
    import sys
    from types import ModuleType

    class _Package(ModuleType):
        """The package, with a function that keeps its name from the module that holds it."""

        @property
        def verify(self) -> object:
            """The judge."""
            return importlib.import_module("tailgate.verify").verify

        @verify.setter
        def verify(self, module: object) -> None:
            """Ignore what the first import of the module ``tailgate.verify`` sets."""

    sys.modules[__name__].__class__ = _Package

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
