"""Data sets of loading queries are made here; `network` reads them and learns from them.

A package of its own, for it drives the complete solver, while the solver uses the network.
"""

from tailgate.research.dataset.making import DatasetOptions, Done, make_dataset

__all__ = ["DatasetOptions", "Done", "make_dataset"]
