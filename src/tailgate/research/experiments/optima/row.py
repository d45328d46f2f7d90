"""One line of the table of optima: what was proven, and the plan in a form as short as can be.

A plan is its routes and, for every item, the place of its corner; all else is in the instance,
which is not part of the repository. ``routes`` is ``3-7-12;4-5``. ``placements`` has the same
order: routes divided by ``;``, stops by ``/``, items (in the order of the instance) by a space, and
each item is ``x:y``, with a ``t`` behind it if it lies turned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any, cast

from tailgate.model.instance import Instance
from tailgate.model.judge import verify
from tailgate.model.solution import Placement, Route, Solution, Status
from tailgate.research.experiments import tables
from tailgate.research.experiments.optima.rules import conventions_of
from tailgate.solver.loading import placements_of, planned_route
from tailgate.solver.search.result import SolveResult

FAILED = "failed"
"""The status of a run that gave no result: its process crashed, or its plan is none."""
PROVEN = ("optimal", "infeasible")

_AS_FOUND = ("status", "reason", "objective", "lower_bound", "nodes", "exact_checks")
_SECONDS_DECIMALS = 3
_GAP_DECIMALS = 9

Number = int | float


@dataclass(frozen=True, slots=True)
class Row:
    """The result for one instance under one set of rules."""

    instance: str
    n: int
    vehicles: int
    conventions: str
    status: str
    reason: str
    objective: Number | None = None
    lower_bound: Number | None = None
    gap: float | None = None
    seconds: float = 0.0
    nodes: int = 0
    exact_checks: int = 0
    columns: int = 0
    commit: str = ""
    routes: str = ""
    placements: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What there is one row of."""
        return self.conventions, self.instance

    @property
    def is_proven(self) -> bool:
        """Whether nothing is left to be done."""
        return self.status in PROVEN

    @property
    def is_complete(self) -> bool:
        """Whether the run came to an end of its own."""
        return self.status != FAILED and self.reason != "interrupted"

    @property
    def is_published(self) -> bool:
        """Whether it has the name of a published instance, four digits."""
        return len(self.instance) == 4 and self.instance.isdecimal()

    @property
    def packing_class(self) -> int:
        """The last two digits of the name."""
        return int(self.instance[2:])

    @property
    def claim(self) -> str:
        """What the row says, in a few words."""
        return (
            f"{self.instance} ({self.conventions}): {self.status}, objective "
            f"{_text(self.objective) or '-'}, lower bound {_text(self.lower_bound) or '-'}, "
            f"commit {self.commit}"
        )


def _number(text: str) -> Number:
    return int(text) if text.removeprefix("-").isdecimal() else float(text)


_PARSERS: dict[str, Callable[[str], Any]] = {
    "int": int,
    "float": float,
    "str": str,
    "Number | None": lambda text: _number(text) if text else None,
    "float | None": lambda text: float(text) if text else None,
}
COLUMNS = tuple(field.name for field in fields(Row))


def row_of(
    result: SolveResult, name: str, instance: Instance, conventions: str, commit: str
) -> Row:
    """Return what a search has found."""
    gap = result.gap
    return Row(
        instance=name,
        n=instance.n,
        vehicles=instance.vehicle_count,
        conventions=conventions,
        **{name: getattr(result, name) for name in _AS_FOUND},
        gap=None if gap is None else round(gap, _GAP_DECIMALS),
        seconds=round(result.seconds, _SECONDS_DECIMALS),
        columns=int(result.statistics.get("columns", 0)),
        commit=commit,
        routes=";".join("-".join(map(str, route.customers)) for route in result.routes),
        placements=";".join(_places_text(route) for route in result.routes),
    )


def failed_row(
    name: str, conventions: str, reason: str, *, seconds: float, commit: str, size: tuple[int, int]
) -> Row:
    """Return the row of a run that gave no result; the size is customers and vehicles."""
    return Row(
        instance=name,
        n=size[0],
        vehicles=size[1],
        conventions=conventions,
        status=FAILED,
        reason=reason,
        seconds=round(seconds, _SECONDS_DECIMALS),
        commit=commit,
    )


# Plans.


def _places_text(route: Route) -> str:
    places = {(one.customer, one.item): _word(one) for one in route.placements}
    return "/".join(
        " ".join(place for (customer, _), place in sorted(places.items()) if customer == number)
        for number in route.customers
    )


def solution_of(row: Row, instance: Instance) -> Solution | None:
    """Return the plan with its loading plans, as it would stand in a solution file.

    ``None`` if the row has none. ``ValueError`` says what is wrong with the row; whether the plan
    keeps the rules is for the judge.
    """
    if not row.routes:
        return None
    if (row.n, row.vehicles) != (instance.n, instance.vehicle_count):
        raise ValueError(
            f"the row has {row.n} customers and {row.vehicles} vehicles, the instance "
            f"{instance.n} and {instance.vehicle_count}"
        )
    routes, places = row.routes.split(";"), row.placements.split(";")
    if len(routes) != len(places):
        raise ValueError(f"there are {len(routes)} routes and {len(places)} loading plans")
    return Solution(
        instance_name=instance.name,
        instance_sha256=instance.sha256,
        conventions=conventions_of(row.conventions),
        # A word that is no status is refused by the constructor.
        status=cast(Status, row.status),
        objective=row.objective,
        lower_bound=row.lower_bound,
        gap=row.gap,
        routes=tuple(
            _route(path, plan, instance) for path, plan in zip(routes, places, strict=True)
        ),
        solver={"commit": row.commit, "seconds": row.seconds, "nodes": row.nodes},
        units=instance.units,
    )


def _route(path: str, plan: str, instance: Instance) -> Route:
    numbers = tuple(int(number) for number in path.split("-"))
    absent = [number for number in numbers if not 1 <= number <= instance.n]
    if absent:
        raise ValueError(f"route {path}: there is no customer {absent[0]}")
    customers = [instance.customer(number) for number in numbers]
    stops = plan.split("/")
    if len(stops) != len(numbers):
        raise ValueError(f"route {path}: its loading plan has {len(stops)} stops")
    positions = []
    for number, customer, words in zip(numbers, customers, stops, strict=True):
        positions.append([_place(word) for word in words.split()])
        if len(positions[-1]) != len(customer.items):
            count = len(positions[-1])
            raise ValueError(f"route {path}: customer {number} has {count} items there")
    lifo = instance.conventions.lifo
    return planned_route(instance, numbers, placements_of(instance, numbers, positions, lifo=lifo))


_TURNED = "t"
"""After the place of an item that lies turned."""


def _word(placement: Placement) -> str:
    return f"{placement.x}:{placement.y}{_TURNED if placement.turned else ''}"


def _place(word: str) -> tuple[int, int, bool]:
    x, _, y = word.removesuffix(_TURNED).partition(":")
    return int(x), int(y), word.endswith(_TURNED)


def problems_of(row: Row, instance: Instance) -> list[str]:
    """Return what is wrong with a row's plan, or with its having none; mostly nothing."""
    try:
        solution = solution_of(row, instance)
    except ValueError as error:
        return [str(error)]
    if solution is None:
        if row.objective is not None or row.status in ("optimal", "feasible"):
            return [f"the status is {row.status}, yet there is no plan"]
        return []
    problems = [str(violation) for violation in verify(instance, solution)]
    if row.status == "optimal" and not meets(row.objective, row.lower_bound):
        problems.append(f"the bound {row.lower_bound} does not prove that it is optimal")
    return problems


def meets(objective: Number | None, bound: Number | None) -> bool:
    """Tell whether the bound leaves no room for a cheaper plan.

    A search rounds its bound up to the next possible cost, and takes costs for the same that
    differ by less than this.
    """
    return objective is not None and bound is not None and bound >= objective * (1 - 1e-7)


# Lines.


def _text(value: object) -> str:
    return "" if value is None else str(value)


def csv_text(rows: Iterable[Row]) -> str:
    """Return the whole table."""
    return tables.csv_text(COLUMNS, map(astuple, rows))


def row_from_cells(cells: Sequence[str]) -> Row:
    """Read the cells of a line; ``ValueError`` says what is wrong."""
    if len(cells) != len(COLUMNS):
        raise ValueError(f"has {len(cells)} fields instead of {len(COLUMNS)}")
    row = Row(
        **{
            field.name: _PARSERS[str(field.type)](cell)
            for field, cell in zip(fields(Row), cells, strict=True)
        }
    )
    conventions_of(row.conventions)
    return row
