"""The loading check beside CP-SAT.

Nothing is loaded here, for OR-Tools and HiGHS do not go together in one process.
"""
