"""One way to run HiGHS on a linear programme: what it does not solve is tried again otherwise."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tailgate.model.errors import TailgateError
from tailgate.solver.highs import highspy, run_highs
from tailgate.solver.master.tolerances import SOLVER_FEASIBILITY, SOLVER_FEASIBILITY_AT_LEAST
from tailgate.solver.time_limit import TimeLimit

DUAL_SIMPLEX, PRIMAL_SIMPLEX = 1, 4
"""New columns leave a basis primal feasible, new rows and limits leave it dual feasible."""

_ATTEMPTS = (
    (False, "simplex", SOLVER_FEASIBILITY),
    (True, "simplex", SOLVER_FEASIBILITY),
    (True, "simplex", SOLVER_FEASIBILITY_AT_LEAST),
    (True, "ipm", SOLVER_FEASIBILITY_AT_LEAST),
)
"""From scratch or from the last basis, by which solver, how precisely."""


class MasterError(TailgateError):
    """HiGHS did not solve a linear programme, also after several other attempts."""


def prepare(highs: highspy.Highs) -> None:
    """Set what does not change from one run to the next."""
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    # Presolve would throw away the basis of the solution before.
    highs.setOptionValue("presolve", "off")


def run_lp(
    highs: highspy.Highs, strategy: int, time_limit: TimeLimit
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None:
    """Return optimal values of the columns and duals of the rows, or None if the time is over."""
    for from_scratch, solver, tolerance in _ATTEMPTS:
        if from_scratch:
            highs.clearSolver()
        highs.setOptionValue("solver", solver)
        highs.setOptionValue("simplex_strategy", strategy)
        highs.setOptionValue("primal_feasibility_tolerance", tolerance)
        highs.setOptionValue("dual_feasibility_tolerance", tolerance)
        status = run_highs(highs, time_limit)
        if status is None:
            return None
        solution = highs.getSolution()
        if (
            status == highspy.HighsModelStatus.kOptimal
            and solution.value_valid
            and solution.dual_valid
        ):
            values, duals = np.asarray(solution.col_value), np.asarray(solution.row_dual)
            if np.isfinite(values).all() and np.isfinite(duals).all():
                return values, duals
    name = highs.modelStatusToString(highs.getModelStatus())
    raise MasterError(
        f"the LP solver HiGHS gave up on a problem of {highs.getNumCol()} columns ({name}), also "
        "from scratch, less precisely and by interior points"
    )
