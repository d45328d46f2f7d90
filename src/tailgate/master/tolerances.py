"""All tolerances of the linear programmes, in one place."""

REDUCED_COST_TOLERANCE = 1e-6
"""A route counts as improving below minus this, for costs up to `COSTS_OF_ORDINARY_SIZE`."""

COSTS_OF_ORDINARY_SIZE = 1e3
"""Beyond it the tolerance grows with the largest distance: floats are no finer there."""

POSITIVE_VALUE = 1e-7
"""A column with less is not in use."""

ARTIFICIAL_VALUE = 1e-6
"""So much of all artificial columns together is rounding."""

SOLVER_FEASIBILITY = 1e-9
"""Asked of HiGHS for primal and dual feasibility: well below the tolerances above."""


def reduced_cost_tolerance(largest_distance: float) -> float:
    """Return how negative a reduced cost must be to count."""
    return REDUCED_COST_TOLERANCE * max(1.0, largest_distance / COSTS_OF_ORDINARY_SIZE)
