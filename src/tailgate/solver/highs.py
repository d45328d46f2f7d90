"""HiGHS, imported and run in this one place.

A HiGHS that cannot be used is explained, and what it says counts only if no limit struck while it
worked: see `run_highs`.

OR-Tools brings a HiGHS of its own. From highspy 1.15 on both bring it as a shared library of the
same name, of which a process loads the first one only: whichever package comes second misses
functions, or worse, calls those of another version.
"""

from __future__ import annotations

import importlib.util
import math
import sys
import warnings
from collections.abc import Callable

from tailgate.model.errors import HighsImportError
from tailgate.solver.time_limit import TimeLimit

_FIRST_SHARED = (1, 15)
"""From this version on, highspy brings HiGHS as a shared library, as OR-Tools does."""
_WHAT = "HiGHS, which solves the linear programmes,"


def _explanation(error: ImportError) -> str:
    """Say why the import failed, and what helps."""
    if isinstance(error, ModuleNotFoundError) and error.name == "highspy":
        return f"{_WHAT} is not installed; install it: {HighsImportError.REMEDY}"
    if "ortools" in sys.modules:
        return (
            f"{_WHAT} cannot be loaded beside OR-Tools, which has loaded another version of it "
            f"into this process ({error}); install one that works beside it and start Python "
            f"again: {HighsImportError.REMEDY}"
        )
    return f"{_WHAT} cannot be loaded ({error}); install it again: {HighsImportError.REMEDY}"


try:
    import highspy as highspy
    from highspy.highs import HighsCallbackEvent as HighsCallbackEvent
except ImportError as error:
    raise HighsImportError(_explanation(error)) from error


def _check_version() -> None:
    """Refuse a package whose calls go to the library of another version."""
    compiled_for = (
        f"{highspy.HIGHS_VERSION_MAJOR}.{highspy.HIGHS_VERSION_MINOR}.{highspy.HIGHS_VERSION_PATCH}"
    )
    loaded = highspy.Highs().version()
    if loaded != compiled_for:
        raise HighsImportError(
            f"{_WHAT} is mixed up: highspy {compiled_for} has got the library of version {loaded}, "
            "which another package such as OR-Tools has loaded into this process; install one "
            f"that works beside it and start Python again: {HighsImportError.REMEDY}"
        )


_check_version()


def warn_of_or_tools() -> None:
    """Say before anything is solved that OR-Tools cannot be imported later in this process."""
    version = (highspy.HIGHS_VERSION_MAJOR, highspy.HIGHS_VERSION_MINOR)
    is_shared = version >= _FIRST_SHARED
    if is_shared and "ortools" not in sys.modules and importlib.util.find_spec("ortools"):
        warnings.warn(
            f"highspy {version[0]}.{version[1]} and OR-Tools cannot be loaded into one process: "
            "OR-Tools will fail to import from now on; install a highspy that works beside it and "
            f"start Python again: {HighsImportError.REMEDY}",
            RuntimeWarning,
            stacklevel=2,
        )


warn_of_or_tools()


_CUT_SHORT = frozenset(
    {
        highspy.HighsModelStatus.kTimeLimit,
        highspy.HighsModelStatus.kIterationLimit,
        highspy.HighsModelStatus.kSolutionLimit,
        highspy.HighsModelStatus.kInterrupt,
    }
)


def run_highs(
    highs: highspy.Highs, time_limit: TimeLimit, run: Callable[[], object] | None = None
) -> highspy.HighsModelStatus | None:
    """Run a solver within a limit; return its status, or `None` if it was cut short.

    A solver that is cut off may name any status, so its word is not taken for it: where our limit
    (`TimeLimit.completed`) or its own had struck when it returned, nothing that it says counts.

    ``run`` runs it, in another thread perhaps; without it, it runs here.
    """
    remaining = time_limit.remaining
    # The clock of HiGHS counts all runs of a solver.
    limit = math.inf if remaining is None else highs.getRunTime() + remaining
    highs.setOptionValue("time_limit", limit)
    (highs.run if run is None else run)()
    status = highs.getModelStatus()
    claim = highs.getRunTime() < limit and status not in _CUT_SHORT
    return status if time_limit.completed(claim) else None
