"""The network that guesses whether a route can be loaded: its weights, its use, its training.

Only `Predictor` and `read_weights` are used to solve; what trains a network needs torch and is
imported by nobody else.
"""

from tailgate.solver.network.predictor import Predictor
from tailgate.solver.network.weights import Weights, read_weights

__all__ = ["Predictor", "Weights", "read_weights"]
