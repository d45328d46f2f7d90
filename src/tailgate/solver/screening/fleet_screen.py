"""The screens of all kinds of vehicles, as column generation sees them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from tailgate.model.instance import Instance
from tailgate.solver.column import Column, columns_of
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.pricing import Pricer
from tailgate.solver.screening.screen import Screen
from tailgate.solver.time_limit import TimeLimit


class FleetScreen:
    """One screen for each kind of vehicle; kinds with the same floor share a loading oracle."""

    def __init__(self, instance: Instance, screens: Sequence[Screen]) -> None:
        """Take a screen for each kind, in the order of the instance."""
        self.instance = instance
        self.by_kind = tuple(screens)
        for screen in self.by_kind:
            floor = screen.oracle.instance.vehicle
            screen.pricers_of_smaller_floors = tuple(
                other.pricer
                for other in self.by_kind
                if other is not screen
                and other.oracle.instance.vehicle.width <= floor.width
                and other.oracle.instance.vehicle.length <= floor.length
            )
            screen.oracle.learn_from(self.different_oracles)

    @property
    def pricers(self) -> tuple[Pricer, ...]:
        """By kind."""
        return tuple(screen.pricer for screen in self.by_kind)

    @property
    def oracles(self) -> tuple[LoadingOracle, ...]:
        """By kind; kinds with the same floor have the same."""
        return tuple(screen.oracle for screen in self.by_kind)

    @cached_property
    def different_oracles(self) -> tuple[LoadingOracle, ...]:
        """Each once."""
        return tuple({id(oracle): oracle for oracle in self.oracles}.values())

    def check_columns_in_use(
        self,
        support: Mapping[Column, float],
        time_limit: TimeLimit,
        *,
        proof_limit: int | None = None,
    ) -> tuple[Column, ...]:
        """Prove the columns in doubt that are in use; return those that are refuted.

        `proof_limit` is that of `Screen.check_columns_in_use`.
        """
        refuted: list[Column] = []
        for kind, screen in enumerate(self.by_kind):
            own = {column.route: value for column, value in support.items() if column.kind == kind}
            found = screen.check_columns_in_use(own, time_limit, proof_limit=proof_limit)
            refuted += columns_of(kind, found)
        return tuple(refuted)

    def is_in_doubt(self, column: Column) -> bool:
        """Return whether a column is neither proven nor refuted yet."""
        return self.by_kind[column.kind].is_in_doubt(column.route)

    @property
    def checks(self) -> dict[str, float]:
        """The statistics of all loading oracles."""
        return _sums(oracle.statistics for oracle in self.different_oracles)

    @property
    def checking_seconds(self) -> float:
        """How long networks and loading checks took."""
        checks = sum(oracle.statistics["seconds"] for oracle in self.different_oracles)
        return checks + self.network_seconds

    @property
    def pricing(self) -> dict[str, float]:
        """The statistics of all pricers."""
        return _sums(pricer.statistics for pricer in self.pricers)

    @property
    def network_calls(self) -> int:
        """How often a network was asked."""
        return sum(screen.network_calls for screen in self.by_kind)

    @property
    def network_seconds(self) -> float:
        """How long that took."""
        return sum(screen.network_seconds for screen in self.by_kind)

    @property
    def false_positive_cuts(self) -> int:
        """How many columns that a network has let in were taken out again."""
        return sum(screen.false_positive_cuts for screen in self.by_kind)

    @property
    def statistics(self) -> dict[str, float]:
        """What else the screens have counted."""
        return _sums(screen.statistics for screen in self.by_kind)


def _sums(counts: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return the sum of each count."""
    sums: dict[str, float] = {}
    for one in counts:
        for name, value in one.items():
            sums[name] = sums.get(name, 0) + value
    return sums
