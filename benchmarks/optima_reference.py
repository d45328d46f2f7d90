"""Published optima, to hold ours against."""

from __future__ import annotations

# Under the conventions "benchmark". Iori, Salazar-González and Vigo (2007); the last line, values
# that independent programs have agreed on.
KNOWN_OPTIMA = {
    **{"0102": 285, "0103": 280, "0104": 288, "0105": 279, "0202": 342, "0203": 347},
    **{"0302": 396, "0304": 374, "0402": 434, "0404": 438},
    **{"1102": 708, "1202": 605, "1702": 851, "1902": 774, "2304": 1068},
}
