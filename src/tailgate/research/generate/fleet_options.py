"""What a generated fleet has: kinds of vehicles, orders that may wait, rules."""

from __future__ import annotations

from dataclasses import dataclass

from tailgate.model import validation

MOST_KINDS = 3


@dataclass(frozen=True, slots=True)
class FleetOptions:
    """Kinds of vehicles, orders that may be left out, and rules that customers have.

    Parameters
    ----------
    kinds : int
        1 to 3: the truck itself, a smaller one, and a van.
    optional_percent : int
        How many of a hundred customers may be left out for a cost.
    rules_percent : int
        How many of a hundred customers have a rule: kinds of vehicles that alone may come, a
        customer that must not, or must, be on the same vehicle, a place at the beginning or end.

    Examples
    --------
    >>> import tailgate
    >>> tailgate.generate_instance(8, 2, fleet=FleetOptions(kinds=2), seed=1).name
    'random-n8-c2-k2-s1'
    """

    kinds: int = 1
    optional_percent: int = 0
    rules_percent: int = 0

    def __post_init__(self) -> None:
        """Refuse what no instance can have."""
        validation.integer(self.kinds, "kinds", low=1, high=MOST_KINDS)
        for field in ("optional_percent", "rules_percent"):
            validation.integer(getattr(self, field), field, low=0, high=100)

    @property
    def name_parts(self) -> list[str]:
        """What the name of an instance says of it."""
        return [
            *([f"k{self.kinds}"] if self.kinds > 1 else []),
            *([f"o{self.optional_percent}"] if self.optional_percent else []),
            *([f"r{self.rules_percent}"] if self.rules_percent else []),
        ]
