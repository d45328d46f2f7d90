"""Column generation: the linear relaxation over all routes that can be loaded."""

from tailgate.solver.column_generation.bound_result import BoundResult, Progress
from tailgate.solver.column_generation.column_generation import ColumnGeneration
from tailgate.solver.column_generation.first_columns import (
    MANY_CUSTOMERS,
    FirstColumns,
    RoutesFirst,
)
from tailgate.solver.column_generation.relaxation import Relaxation, Subproblem
from tailgate.solver.column_generation.root_relaxation import MAX_SECONDS, RootRelaxation, bound
from tailgate.solver.column_generation.trivial_infeasibility import is_trivially_infeasible
from tailgate.solver.column_generation.watcher import Step, Watcher

__all__ = [
    "MANY_CUSTOMERS",
    "MAX_SECONDS",
    "BoundResult",
    "ColumnGeneration",
    "FirstColumns",
    "Progress",
    "Relaxation",
    "RootRelaxation",
    "RoutesFirst",
    "Step",
    "Subproblem",
    "Watcher",
    "bound",
    "is_trivially_infeasible",
]
