"""What looks like a mistake in an instance that is valid: units mixed up, sides exchanged.

Nothing is refused here. Each rule is a function of the instance alone. It returns what it sees and
what to do about it, and stays silent where that has another good reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from tailgate.model.fleet_plausibility import (
    Seen,
    cheap_to_leave_out,
    expensive_to_leave_out,
    first_optional,
    leave_out_in_distance,
    unlike_floors,
)
from tailgate.model.instance import Instance, Item, Vehicle
from tailgate.model.turn_plausibility import item_that_would_fit, would_fit_turned
from tailgate.model.units import with_unit

Subject = Literal["floor", "weight", "distance", "time", "cost"]

# Of a side of the floor, and of its area: where all items are smaller, it is hardly meant so.
TINY_SHARE = 0.02
TINY_AREA = 0.02
# With fewer items, a nearly empty truck is nothing special.
FEWEST_ITEMS = 3
# No truck is so many times wider than long.
WIDE_FLOOR = 2
# Where distances are cut to integers, so few units say next to nothing.
SHORT_WHOLE_DISTANCES = 5
SHORT_DISTANCES = 0.5
# Degrees are far from their zero, compared with the area that is served; with fewer decimals nobody
# could find a customer.
DEGREES_SPREAD = 10
DEGREES_AWAY = 3
DEGREES_SCALE = 100
AMPLE_WEIGHTS = 50
AMPLE_TIMES = 3
MOST_CUSTOMERS = 0.8
FAR_DEGREES = 10
FEWEST_WINDOWS = 5
LONG_SERVICE = 5
_DAYS = frozenset({"d", "day", "days"})


@dataclass(frozen=True, slots=True)
class PlausibilityWarning:
    """Something that looks like a mistake: what was seen, with its numbers, and what to do.

    Parameters
    ----------
    code : str
        Which rule has found it.
    message : str
        What was seen, with its numbers.
    remedy : str
        What to do.
    subject : {"floor", "weight", "distance", "time", "cost"}
        What it is about.
    field : str
        Where to look first, such as ``vehicle.width`` or ``customers[0].x``, and
        ``vehicles[0].width`` where there are several kinds.
    """

    code: str
    message: str
    remedy: str
    subject: Subject
    field: str

    def __str__(self) -> str:
        """Return one sentence."""
        return f"{self.message}; {self.remedy}"

    def to_dict(self) -> dict[str, str]:
        """Return it for JSON."""
        return {name: getattr(self, name) for name in ("code", "message", "remedy", "field")}


def check_plausibility(instance: Instance) -> tuple[PlausibilityWarning, ...]:
    """Return what looks like a mistake, and may be none; an instance that is fine has no warnings.

    Parameters
    ----------
    instance : Instance
        A valid instance.

    Examples
    --------
    >>> import tailgate
    >>> tailgate.check_plausibility(tailgate.read("examples/garden_centres"))
    ()
    """
    seen_by_rule = {code: rule(instance) for code, (_, _, rule) in RULES.items()}
    return tuple(
        PlausibilityWarning(code, *seen, RULES[code][0], _field(instance, RULES[code][1]))
        for code, seen in seen_by_rule.items()
        if seen is not None
    )


def _field(instance: Instance, place: str | Callable[[Instance], str]) -> str:
    field = place if isinstance(place, str) else place(instance)
    return field.replace("vehicle.", "vehicles[0].") if instance.has_kinds else field


# The floor.


def _tiny_items(instance: Instance) -> Seen:
    """Items in metres on a floor in centimetres, or the like."""
    items, vehicle = _items(instance), _smallest(instance)
    if not items or _are_unit_squares(items):
        return None
    floor = _size_text(instance, vehicle.width, vehicle.length)
    width, length = (max(getattr(item, side) for item in items) for side in ("width", "length"))
    if width < TINY_SHARE * vehicle.width and length < TINY_SHARE * vehicle.length:
        size = _size_text(instance, width, length)
        message = f"the largest item is at most {size}, on a floor of {floor}"
        return message, "give items and floor in the same unit"
    share = sum(item.area for item in items) / vehicle.area
    if len(items) < FEWEST_ITEMS or share >= TINY_AREA:
        return None
    message = f"all items together cover {100 * share:.2g} % of one floor of {floor}"
    return message, "look whether items and floor are given in the same unit"


def _wide_floor(instance: Instance) -> Seen:
    """Width and length exchanged."""
    units, items = instance.units, _items(instance)
    are_long = bool(items) and all(
        item.length > item.width and not instance.may_turn(item) for item in items
    )
    most = 1 if are_long else WIDE_FLOOR
    wide = [kind for kind in instance.vehicles if kind.width > most * kind.length]
    if not wide:
        return None
    vehicle = wide[0]
    of_kind = f" of {vehicle.name}" if instance.has_kinds else ""
    seen = ", while every item is longer than wide" if are_long else ""
    width, length = (
        with_unit(units.length_text(side), units.length_unit)
        for side in (vehicle.width, vehicle.length)
    )
    return (
        f"the floor{of_kind} is wider ({width}) than long ({length}){seen}",
        "the width runs from side to side and the length from cab to door: exchange them if they "
        "are mixed up",
    )


# Weights.


def _ample_capacity(instance: Instance) -> Seen:
    """Weights in tonnes and a capacity in kilograms, or no weights at all."""
    units, capacity = instance.units, min(kind.capacity for kind in instance.vehicles)
    total = sum(customer.weight for customer in instance.customers)
    if capacity <= AMPLE_WEIGHTS * total or capacity == 1:
        # A capacity of one beside no weights says that they do not matter.
        return None
    weighs, allowed = (
        with_unit(units.weight_text(weight), units.weight_unit) for weight in (total, capacity)
    )
    if total == 0:
        message = f"no customer's goods weigh anything, and a truck may carry {allowed}"
        return message, "give the weights, or a capacity of 1 if they do not matter"
    message = f"all goods together weigh {weighs}, and one truck may carry {allowed}"
    return message, "give weights and capacity in the same unit"


# Distances.


def _degrees(instance: Instance) -> Seen:
    """Degrees instead of a plane."""
    if instance.travel.metric != "euclidean":
        return None
    if _is_in_degrees(instance) or not _look_like_degrees(instance):
        return None
    x, y = (instance.units.coordinate_text(value) for value in instance.depot)
    return (
        f"x and y look like degrees of longitude and latitude (the depot is at {x}, {y}), but "
        "distances are straight lines in a plane",
        "call them lat and lon, or convert them to kilometres or metres first",
    )


def _short_distances(instance: Instance) -> Seen:
    """Distances that are too short to be meant."""
    if instance.travel.metric != "euclidean":
        return None
    across = _across(instance)
    is_whole = instance.conventions.distance != "exact" and not instance.travel.decimals
    is_long = across >= (SHORT_WHOLE_DISTANCES if is_whole else SHORT_DISTANCES)
    if is_long or _is_in_degrees(instance) or _look_like_degrees(instance):
        return None
    if across == 0:
        return "all places are the same, so that every plan costs 0", "give x and y"
    message = f"all places are within {with_unit(f'{across:.3g}', instance.units.distance_unit)}"
    if not is_whole:
        return message, "look at the unit of x and y"
    return (
        f"{message}, and distances are made whole numbers",
        "use a smaller unit, such as metres, or exact distances",
    )


def _is_in_degrees(instance: Instance) -> bool:
    """Whether whoever has written the file knows that they are degrees."""
    unit = instance.units.distance_unit.casefold()
    return "deg" in unit or "°" in unit


def _look_like_degrees(instance: Instance) -> bool:
    scale = instance.units.coordinate_scale
    if scale < DEGREES_SCALE:
        return False
    low_x, high_x, low_y, high_y = (value / scale for value in _box(instance))
    furthest = sorted((max(-low_x, high_x), max(-low_y, high_y)))
    spread = max(high_x - low_x, high_y - low_y)
    centre = max(abs(low_x + high_x), abs(low_y + high_y)) / 2
    return (
        # One is a latitude, whichever it is.
        furthest[0] <= 90
        and furthest[1] <= 180
        and 0 < spread < DEGREES_SPREAD
        and centre > DEGREES_AWAY * spread
    )


# Times.


def _fractions_of_a_day(instance: Instance) -> Seen:
    """Times of a spreadsheet: 08:00 is a third there."""
    units = instance.units
    if {units.distance_unit.casefold(), units.time_unit.casefold()} & _DAYS or units.clock:
        return None
    stated: list[tuple[float | None, ...]] = [(instance.depot_ready, instance.depot_due)]
    stated += [(one.ready, one.due, one.service) for one in instance.customers]
    times = [time for of_one in stated for time in of_one if time]
    if len(times) < 2 or max(times) > 1 or not any(time % 1 for time in times):
        return None
    message = (
        f"all times are between 0 and 1, up to {max(times):.3g}, as a spreadsheet stores times of "
        "day"
    )
    if _is_time_distance(instance):
        return (
            message,
            "give them in the unit of distance: the time that a truck takes for a distance of 1 is "
            "1; or as a clock shows them, with a speed",
        )
    return message, "give them as a clock shows them, such as 08:00"


def _ample_windows(instance: Instance) -> Seen:
    """Minutes as kilometres: windows that no tour can miss."""
    if not _is_time_distance(instance):
        return None
    dues = [customer.due for customer in instance.customers if customer.due is not None]
    if len(dues) < max(FEWEST_WINDOWS, MOST_CUSTOMERS * instance.n):
        return None
    begin = max(instance.depot_ready, *(customer.ready for customer in instance.customers))
    tour = 2 * _half_round(instance) + sum(customer.service for customer in instance.customers)
    if begin + AMPLE_TIMES * tour > min(dues):
        return None
    return (
        f"no time window matters: the last one opens at {begin:g} and the first one closes at "
        f"{min(dues):g}, and a tour through all places, services included, takes about {tour:.3g}",
        "times are in the unit of distance: convert minutes by the speed of the trucks",
    )


def _is_time_distance(instance: Instance) -> bool:
    """Whether time is measured in distance, as in format 1."""
    return instance.travel.is_plain and not (instance.units.time_unit or instance.units.clock)


def _long_service(instance: Instance) -> Seen:
    """Minutes of service beside hours of opening."""
    pairs = [
        (customer.service, customer.due - customer.ready)
        for customer in instance.customers
        if customer.due is not None and customer.service
    ]
    if len(pairs) < 2 or not all(0 < LONG_SERVICE * width <= service for service, width in pairs):
        return None
    service, width = pairs[0]
    return (
        f"every service takes at least {LONG_SERVICE} times as long as its window is open (first "
        f"{service:g} and {width:g})",
        "give service and windows in the same unit",
    )


def _exchanged_degrees(instance: Instance) -> Seen:
    """Latitude and longitude exchanged for some places."""
    if instance.travel.coordinates != "lat/lon":
        return None
    scale = instance.units.coordinate_scale
    points = [instance.depot, *((one.x, one.y) for one in instance.customers)]
    middle = [sorted(values)[len(points) // 2] for values in zip(*points, strict=True)]
    for number, (longitude, latitude) in enumerate(points):
        away = _degrees_between((longitude, latitude), middle) / scale
        exchanged = _degrees_between((latitude, longitude), middle) / scale
        if away > FAR_DEGREES and exchanged < FAR_DEGREES / 5:
            who = f"customer {instance.label(number)}" if number else "the depot"
            return (
                f"{who} is {away:.0f} degrees away from most other places, but near to them if "
                "latitude and longitude are exchanged",
                "look whether lat and lon are in the right columns",
            )
    return None


def _degrees_between(point: tuple[int, int], other: Sequence[int]) -> float:
    return float(max(abs(point[0] - other[0]), abs(point[1] - other[1])))


def _first_timed(instance: Instance) -> str:
    for index, customer in enumerate(instance.customers):
        if customer.has_times:
            field = "due" if customer.due is not None else "ready" if customer.ready else "service"
            return f"customers[{index}].{field}"
    return "depot.due"


RULES: dict[str, tuple[Subject, str | Callable[[Instance], str], Callable[[Instance], Seen]]] = {
    "tiny_items": ("floor", "vehicle.width", _tiny_items),
    "wide_floor": ("floor", "vehicle.width", _wide_floor),
    "ample_capacity": ("weight", "vehicle.capacity", _ample_capacity),
    "degrees": ("distance", "depot.x", _degrees),
    "exchanged_degrees": ("distance", "depot.lat", _exchanged_degrees),
    "short_distances": ("distance", "depot.x", _short_distances),
    "fractions_of_a_day": ("time", _first_timed, _fractions_of_a_day),
    "ample_windows": ("time", _first_timed, _ample_windows),
    "long_service": ("time", _first_timed, _long_service),
    "unlike_floors": ("floor", "vehicle.width", unlike_floors),
    "would_fit_turned": ("floor", item_that_would_fit, would_fit_turned),
    "leave_out_in_distance": ("cost", first_optional, leave_out_in_distance),
    "cheap_to_leave_out": ("cost", first_optional, cheap_to_leave_out),
    "expensive_to_leave_out": ("cost", first_optional, expensive_to_leave_out),
}
"""By the code of the warning: its subject, where to look first, and the rule."""


# Shared.


def _items(instance: Instance) -> list[Item]:
    return [item for customer in instance.customers for item in customer.items]


def _smallest(instance: Instance) -> Vehicle:
    return min(instance.vehicles, key=lambda kind: kind.area)


def _are_unit_squares(items: list[Item]) -> bool:
    """Whether there is no loading problem, as in class 1 of the benchmark: it is meant so."""
    return all(item.width == item.length == 1 for item in items)


def _size_text(instance: Instance, width: int, length: int) -> str:
    units = instance.units
    sides = f"{units.length_text(width)} x {units.length_text(length)}"
    return with_unit(sides, units.length_unit)


def _box(instance: Instance) -> tuple[int, int, int, int]:
    """Return the least and the greatest x, and the least and the greatest y."""
    xs = [instance.depot[0], *(customer.x for customer in instance.customers)]
    ys = [instance.depot[1], *(customer.y for customer in instance.customers)]
    return min(xs), max(xs), min(ys), max(ys)


def _sides(instance: Instance) -> tuple[float, float]:
    low_x, high_x, low_y, high_y = _box(instance)
    scale = instance.units.coordinate_scale
    return (high_x - low_x) / scale, (high_y - low_y) / scale


def _across(instance: Instance) -> float:
    """Return the diagonal of the area that is served."""
    x, y = _sides(instance)
    return float((x * x + y * y) ** 0.5)


def _half_round(instance: Instance) -> float:
    """Return half of a tour through all places: strips of the area, up and down.

    A tour need not be longer than the square root of twice area and places, and twice the longer
    side (Beardwood, Halton and Hammersley 1959; the constant is a generous one).
    """
    x, y = _sides(instance)
    return float((2 * x * y * (instance.n + 1)) ** 0.5 / 2 + max(x, y))
