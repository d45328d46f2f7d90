"""What the core can be handed to guess loading verdicts with."""

from __future__ import annotations

from typing import Protocol

from tailgate import _core


class CompiledGuess(Protocol):
    """A network in the core, for one instance. No result may rest on what it says."""

    @property
    def core(self) -> _core.RoutePredictor:
        """The network itself."""

    def logit_at(self, probability: float) -> float:
        """Return the output of the network that means a probability."""
