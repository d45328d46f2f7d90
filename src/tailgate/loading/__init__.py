"""The loading oracle: can a route be loaded so that every stop unloads straight out of the door?"""

from tailgate.loading.guess import CompiledGuess
from tailgate.loading.oracle import LoadingOracle, check_loading, find_unloadable_customer
from tailgate.loading.placements import placements_of
from tailgate.loading.result import LoadingResult, Query, Verdict, planned_route

__all__ = [
    "CompiledGuess",
    "LoadingOracle",
    "LoadingResult",
    "Query",
    "Verdict",
    "check_loading",
    "find_unloadable_customer",
    "placements_of",
    "planned_route",
]
