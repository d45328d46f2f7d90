"""The kinds of vehicles of an instance, and their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import InitVar, dataclass, field, replace
from typing import TYPE_CHECKING

from tailgate.model import validation
from tailgate.model.errors import InputError, SeveralKindsError
from tailgate.model.instance_checks import checked_kinds
from tailgate.model.limits import MAX_CUSTOMERS
from tailgate.model.vehicle import Vehicle


class Fleet:
    """What an instance knows of its vehicles."""

    __slots__ = ()

    vehicles: tuple[Vehicle, ...]

    @property
    def vehicle(self) -> Vehicle:
        """The only kind of vehicle; an error where there are several."""
        vehicles = self.vehicles
        if len(vehicles) > 1:
            raise self._several_kinds()
        return vehicles[0]

    @property
    def vehicle_count(self) -> int:
        """How many vehicles there are, of all kinds."""
        return sum(vehicle.count for vehicle in self.vehicles)

    @property
    def has_kinds(self) -> bool:
        """Whether there is more than one kind of vehicle."""
        return len(self.vehicles) > 1

    def kind_named(self, name: str) -> int:
        """Return the index of the kind of vehicle that people call ``name``.

        Parameters
        ----------
        name : str
            The name of a kind.
        """
        names = [vehicle.name for vehicle in self.vehicles]
        if name in names:
            return names.index(name)
        hint = validation.did_you_mean(name, names)
        raise InputError(f"there is no kind of vehicle {validation.shown(name)}{hint}")

    def _several_kinds(self) -> SeveralKindsError:
        return SeveralKindsError([vehicle.name for vehicle in self.vehicles])


if TYPE_CHECKING:

    @dataclass(frozen=True)
    class OneKind:
        """For type checkers: `dataclasses.replace` takes these, as the constructor does."""

        vehicle: InitVar[Vehicle | None] = field(default=None, kw_only=True)
        vehicle_count: InitVar[int | None] = field(default=None, kw_only=True)
else:

    class OneKind:
        """At run time the constructor takes them."""

        __slots__ = ()


def kinds_of(
    vehicle: Vehicle | None, count: int | None, vehicles: Sequence[Vehicle] | None
) -> tuple[Vehicle, ...]:
    """Return the kinds of vehicles, however they were given."""
    kinds = () if vehicles is None else validation.tuple_of(vehicles, Vehicle, "vehicles")
    if vehicles is not None and vehicle is None and count is None:
        return checked_kinds(kinds)
    if len(kinds) > 1:
        raise InputError(
            "says what the only kind of vehicle is, but there are several; change vehicles",
            field="vehicle" if vehicle is not None else "vehicle_count",
        )
    only = kinds[0] if vehicle is None and kinds else vehicle
    if not isinstance(only, Vehicle):
        raise validation.refused(only, "vehicle", "be a Vehicle")
    if count is None:
        count = kinds[0].count if kinds and only.count == 1 else only.count
    count = validation.integer(count, "vehicle_count", low=1, high=MAX_CUSTOMERS)
    return checked_kinds([replace(only, count=count)])
