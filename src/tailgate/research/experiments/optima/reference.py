"""Published optima, to hold ours against."""

from __future__ import annotations

from dataclasses import dataclass

# Under the conventions "benchmark". Iori, Salazar-González and Vigo (2007); the last line, values
# that independent programs have agreed on.
KNOWN_OPTIMA = {
    **{"0102": 285, "0103": 280, "0104": 288, "0105": 279, "0202": 342, "0203": 347},
    **{"0302": 396, "0304": 374, "0402": 434, "0404": 438},
    **{"1102": 708, "1202": 605, "1702": 851, "1902": 774, "2304": 1068},
}


@dataclass(frozen=True, slots=True)
class PaperSearch:
    """An instance that the neural column generation paper has closed, and how far others were."""

    optimum: int
    seconds: float
    bound_before: float
    cost_before: int
    seconds_before: float


# Its table "Performance comparison on the solved open instance 2304".
PAPER_SEARCHES = {"2304": PaperSearch(1068, 49_544.6, 1066.78, 1069, 69_948.96)}
