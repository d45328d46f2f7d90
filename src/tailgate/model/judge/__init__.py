"""The judge: does a solution keep every rule of its instance?

It shares no code with the solver and trusts nothing that the solution says about itself: distances,
totals and loading are worked out again, with arithmetic of its own.
"""

from tailgate.model.judge.judging import verify
from tailgate.model.judge.loading import MAX_PAIRS_NAMED
from tailgate.model.judge.violation import Violation, ViolationKind

__all__ = ["MAX_PAIRS_NAMED", "Violation", "ViolationKind", "verify"]
