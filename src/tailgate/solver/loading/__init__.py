"""The loading oracle: can a route be loaded so that every stop unloads straight out of the door?"""

from tailgate.solver.loading.guess import CompiledGuess
from tailgate.solver.loading.loadable_instance import read, read_text_instance
from tailgate.solver.loading.oracle import LoadingOracle, check_loading, find_unloadable_customer
from tailgate.solver.loading.result import (
    LoadingResult,
    Query,
    Verdict,
    on_the_road,
    placements_of,
    planned_route,
)

__all__ = [
    "CompiledGuess",
    "LoadingOracle",
    "LoadingResult",
    "Query",
    "Verdict",
    "check_loading",
    "find_unloadable_customer",
    "on_the_road",
    "placements_of",
    "planned_route",
    "read",
    "read_text_instance",
]
