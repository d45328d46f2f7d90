"""All tolerances of the linear programmes, in one place."""

import math

LARGEST_DISTANCE = 1024.0
"""Costs are scaled by a power of two, which is exact, to bring the largest distance just below."""

REDUCED_COST_TOLERANCE = 1e-6
"""A route counts as improving below minus this, in scaled costs."""

POSITIVE_VALUE = 1e-7
"""A column with less is not in use."""

ARTIFICIAL_VALUE = 1e-6
"""So much of all artificial columns together is rounding."""

SOLVER_FEASIBILITY = 1e-9
"""Asked of HiGHS for primal and dual feasibility: well below the tolerances above."""

SOLVER_FEASIBILITY_AT_LEAST = 1e-7
"""Where HiGHS cannot do that: its own default. Bounds do not rest on it."""


def cost_scale(largest_distance: float) -> float:
    """Return the power of two by which costs are multiplied for the LP solver."""
    if not largest_distance > 0:
        return 1.0
    return 2.0 ** math.floor(math.log2(LARGEST_DISTANCE / largest_distance))
