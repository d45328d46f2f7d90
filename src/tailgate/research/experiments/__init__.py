"""The paper's tables and figures, and ours beside them.

Nothing is loaded here: OR-Tools, which one experiment asks, and HiGHS do not go together in one
process.
"""
