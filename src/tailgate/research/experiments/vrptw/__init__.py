"""The 2L-VRPTW of the literature: time windows, and unloading in any order."""
