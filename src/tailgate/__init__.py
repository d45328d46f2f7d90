"""Tailgate: exact routing of trucks that are loaded and unloaded through the rear door."""

from __future__ import annotations

from tailgate.model.notebook_display import Display, register_display

# Type checkers take it for true; the module typing itself takes long to load.
TYPE_CHECKING = False

# Everything is loaded when it is first used: the help comes at once, Ctrl-C finds the program ready
# from its first moment, and an installation without a working core can say what is wrong with it.
_NAMES_BY_MODULE = {
    "tailgate.model.conventions": ["Conventions"],
    "tailgate.model.errors": ["InputError", "TailgateError"],
    "tailgate.model.instance": ["Customer", "Instance", "Item", "Vehicle"],
    "tailgate.model.judge": ["Violation", "verify"],
    "tailgate.model.plausibility": ["PlausibilityWarning", "check_plausibility"],
    "tailgate.model.solution": ["LeftOut", "Placement", "Route", "Solution"],
    "tailgate.model.travel": ["Travel"],
    "tailgate.model.units": ["Units"],
    "tailgate.io": ["read_solution", "write", "write_solution"],
    "tailgate.solver.loading": [
        "LoadingOracle",
        "LoadingResult",
        "Verdict",
        "check_loading",
        "read",
    ],
    "tailgate.solver.column_generation": ["BoundResult", "bound"],
    "tailgate.solver.search.result": ["SolveProgress", "SolveResult"],
    "tailgate.solver.search.solver": ["solve"],
    "tailgate.report.plan": ["Plan"],
    "tailgate.research.generate": ["generate_instance"],
}
_MODULE_OF_NAME = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names}

__all__ = sorted({*_MODULE_OF_NAME, "__version__"})

if TYPE_CHECKING:
    from tailgate.io import read_solution as read_solution
    from tailgate.io import write as write
    from tailgate.io import write_solution as write_solution
    from tailgate.model.conventions import Conventions as Conventions
    from tailgate.model.errors import InputError as InputError
    from tailgate.model.errors import TailgateError as TailgateError
    from tailgate.model.instance import Customer as Customer
    from tailgate.model.instance import Instance as Instance
    from tailgate.model.instance import Item as Item
    from tailgate.model.instance import Vehicle as Vehicle
    from tailgate.model.judge import Violation as Violation
    from tailgate.model.judge import verify as verify
    from tailgate.model.plausibility import PlausibilityWarning as PlausibilityWarning
    from tailgate.model.plausibility import check_plausibility as check_plausibility
    from tailgate.model.solution import LeftOut as LeftOut
    from tailgate.model.solution import Placement as Placement
    from tailgate.model.solution import Route as Route
    from tailgate.model.solution import Solution as Solution
    from tailgate.model.travel import Travel as Travel
    from tailgate.model.units import Units as Units
    from tailgate.report.plan import Plan as Plan
    from tailgate.research.generate import generate_instance as generate_instance
    from tailgate.solver.column_generation import BoundResult as BoundResult
    from tailgate.solver.column_generation import bound as bound
    from tailgate.solver.loading import LoadingOracle as LoadingOracle
    from tailgate.solver.loading import LoadingResult as LoadingResult
    from tailgate.solver.loading import Verdict as Verdict
    from tailgate.solver.loading import check_loading as check_loading
    from tailgate.solver.loading import read as read
    from tailgate.solver.search.result import SolveProgress as SolveProgress
    from tailgate.solver.search.result import SolveResult as SolveResult
    from tailgate.solver.search.solver import solve as solve

    __version__: str
else:
    import importlib

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


def _load_display() -> Display:
    from tailgate.report import notebook_display

    return notebook_display


register_display(_load_display)


def __dir__() -> list[str]:
    """List the public names whether or not they are loaded yet."""
    return sorted({*globals(), *__all__})
