"""The four variants of the loading problem: items as given or turned, unloaded in order or not."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tailgate.model.conventions import Conventions, TurnConvention
from tailgate.model.instance import Instance


@dataclass(frozen=True, slots=True)
class Variant:
    """Whether every item may be turned, and whether every stop unloads straight out of the door."""

    name: str
    literature: str
    """Its name in the literature [Fuellerer and others 2009]."""
    turn: bool
    lifo: bool

    def of(self, instance: Instance) -> Instance:
        """Return the same instance under these rules."""
        turn: TurnConvention = "all" if self.turn else "as-given"
        conventions = replace(instance.conventions, turn=turn, lifo=self.lifo)
        return replace(instance, conventions=conventions)


AS_GIVEN = Variant("as given", "2|SO|L", turn=False, lifo=True)
TURNED = Variant("turned", "2|SR|L", turn=True, lifo=True)
ANY_ORDER = Variant("any order", "2|UO|L", turn=False, lifo=False)
TURNED_ANY_ORDER = Variant("turned, any order", "2|UR|L", turn=True, lifo=False)
VARIANTS = (AS_GIVEN, TURNED, ANY_ORDER, TURNED_ANY_ORDER)


def variant_name(rules: Conventions) -> str:
    """Return what is not as in the exact literature, in a few words: nothing for LIFO as given."""
    turned = {"all": "turned", "none": "not turned", "as-given": ""}[rules.turn]
    return ", ".join(word for word in (turned, "" if rules.lifo else "any order") if word)
