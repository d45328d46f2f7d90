"""The restricted master problem: the best mixture of the routes known so far."""

from tailgate.master.restricted_master import MasterError, MasterSolution, RestrictedMaster

__all__ = ["MasterError", "MasterSolution", "RestrictedMaster"]
