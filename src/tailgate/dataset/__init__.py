"""Data sets of loading questions are made here; `network` reads them and learns from them.

A room of its own, for it drives the whole solver, while the solver uses the network.
"""

from tailgate.dataset.making import DatasetOptions, Done, make_dataset

__all__ = ["DatasetOptions", "Done", "make_dataset"]
