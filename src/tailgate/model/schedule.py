"""When a vehicle leaves, serves its stops and is back."""

from __future__ import annotations

from dataclasses import dataclass

from tailgate.model import validation


@dataclass(frozen=True, slots=True)
class StopTimes:
    """One stop of a schedule; times are in the instance's unit of time.

    Parameters
    ----------
    customer : int
        The customer's number.
    arrival : int or float
        When the vehicle comes.
    start : int or float
        When the service begins; the vehicle waits until then.
    end : int or float
        When the service ends, and the vehicle goes on.
    """

    customer: int
    arrival: int | float
    start: int | float
    end: int | float

    def __post_init__(self) -> None:
        """Refuse what is not a number."""
        most = validation.MAX_PLAIN_INTEGER
        validation.store_integers(self, "customer", low=-most, high=most)
        validation.store_numbers(self, "arrival", "start", "end")


@dataclass(frozen=True, slots=True)
class Schedule:
    """The times of a route, in the instance's unit of time.

    Parameters
    ----------
    departure : int or float
        When the vehicle leaves the depot.
    stops : tuple of StopTimes
        The stops in the order of the visits.
    back : int or float
        When it is back at the depot.
    duration : int or float
        From departure to return, with service and waiting.
    """

    departure: int | float
    stops: tuple[StopTimes, ...]
    back: int | float
    duration: int | float

    def __post_init__(self) -> None:
        """Refuse what is not a number or a stop."""
        validation.store_numbers(self, "departure", "back", "duration")
        object.__setattr__(self, "stops", validation.tuple_of(self.stops, StopTimes, "stops"))
