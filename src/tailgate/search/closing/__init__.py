"""The end of a node: the best solution made of a list of routes, or the proof that none is good."""

from tailgate.search.closing.closing import Closing, ClosingProgress, ClosingResult

__all__ = ["Closing", "ClosingProgress", "ClosingResult"]
