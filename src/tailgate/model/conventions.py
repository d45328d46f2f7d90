"""The rules of the game that the literature and the planners do not share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import ClassVar, Literal, TypedDict, cast, get_args

from tailgate.model import validation
from tailgate.model.errors import InputError

DistanceConvention = Literal["truncated", "rounded", "exact"]
FleetConvention = Literal["exactly", "at-most"]
SingleCustomerConvention = Literal["forbid", "allow"]
TurnConvention = Literal["as-given", "all", "none"]


class ConventionOverrides(TypedDict, total=False):
    """The conventions a caller states; those left out keep the default of the file format."""

    distance: DistanceConvention
    fleet: FleetConvention
    single_customer_routes: SingleCustomerConvention
    lifo: bool
    turn: TurnConvention


@dataclass(frozen=True, slots=True)
class Conventions:
    """How distances are measured, how many vehicles leave, and what a route may be.

    Parameters
    ----------
    distance : {"exact", "rounded", "truncated"}
        Euclidean distance as it is, rounded to an integer, or cut off to one.
    fleet : {"at-most", "exactly"}
        Whether some vehicles may stay at the depot, or all of them leave.
    single_customer_routes : {"allow", "forbid"}
        Whether a route may have one customer only.
    lifo : bool
        Whether every stop unloads straight out of the door, without moving other goods.
    turn : {"as-given", "all", "none"}
        Which items may be turned by a quarter: those of which the instance says so, all, or none.

    Examples
    --------
    >>> Conventions.BENCHMARK.text
    'distance truncated, fleet exactly, single_customer_routes forbid, lifo on'
    """

    distance: DistanceConvention = "exact"
    fleet: FleetConvention = "at-most"
    single_customer_routes: SingleCustomerConvention = "allow"
    lifo: bool = True
    turn: TurnConvention = "as-given"

    BENCHMARK: ClassVar[Conventions]
    PLANNER: ClassVar[Conventions]

    def __post_init__(self) -> None:
        """Refuse a word that is not one of the choices."""
        validation.choice(self.distance, "distance", get_args(DistanceConvention))
        validation.choice(self.fleet, "fleet", get_args(FleetConvention))
        validation.choice(
            self.single_customer_routes,
            "single_customer_routes",
            get_args(SingleCustomerConvention),
        )
        validation.boolean(self.lifo, "lifo")
        validation.choice(self.turn, "turn", get_args(TurnConvention))

    def overridden(self, overrides: ConventionOverrides) -> Conventions:
        """Return these conventions with those of ``overrides`` in their place.

        Parameters
        ----------
        overrides : dict
            Single conventions by their names.
        """
        for key in overrides:
            _refuse_unknown(key)
        return replace(self, **overrides)

    def to_dict(self) -> dict[str, str | bool]:
        """Return the conventions as every log and every solution file states them.

        Which items may be turned is stated only where it is not the instance that says so.
        """
        stated: dict[str, str | bool] = asdict(self)
        if self.turn == "as-given":
            del stated["turn"]
        return stated

    @property
    def text(self) -> str:
        """The rules in one line, for people."""
        return ", ".join(
            f"{name} {'on' if value is True else 'off' if value is False else value}"
            for name, value in self.to_dict().items()
        )

    @classmethod
    def from_dict(cls, stated: Mapping[str, object]) -> Conventions:
        """Return the conventions that a dictionary states; the planner's where it is silent.

        Parameters
        ----------
        stated : dict
            Conventions by their names, as ``to_dict`` returns them.
        """
        # The constructor checks the values, so the cast is for the type checker alone.
        return cls.PLANNER.overridden(cast(ConventionOverrides, dict(stated)))


def _refuse_unknown(key: str) -> None:
    known = tuple(ConventionOverrides.__annotations__)
    if key not in known:
        hint = validation.did_you_mean(str(key), known)
        listed = ", ".join(known)
        raise InputError(
            f"is not a convention (known: {listed}){hint}", field=validation.label(key)
        )


Conventions.PLANNER = Conventions()
Conventions.BENCHMARK = Conventions(
    distance="truncated", fleet="exactly", single_customer_routes="forbid", lifo=True
)
