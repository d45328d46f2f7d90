"""The best solution made of a pool of routes, or the proof that none is good enough."""

from tailgate.solver.search.finishing.pool_finish import PoolFinish, PoolFinishResult

__all__ = ["PoolFinish", "PoolFinishResult"]
