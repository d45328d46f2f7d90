"""Places on the globe, for programs that show maps."""

from __future__ import annotations

from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.units import decimal_text

_OTHER_COORDINATES = {
    "x/y": "the places of this instance have x and y on a plane",
    "none": "the places of this instance have no coordinates",
}


def refuse_without_globe(instance: Instance, file_format: str, *, field: str | None = None) -> None:
    """Complain where places are not latitudes and longitudes."""
    coordinates = instance.travel.coordinates
    if coordinates != "lat/lon":
        raise InputError(
            f"{file_format} needs latitudes and longitudes, but {_OTHER_COORDINATES[coordinates]}; "
            "give lat and lon of the depot and of every customer",
            field=field,
        )


def longitude_and_latitude(instance: Instance, number: int) -> tuple[str, str]:
    """Return where a place is, as exact decimals: 0 is the depot, i customer i."""
    place = instance.depot
    if number:
        customer = instance.customer(number)
        place = customer.x, customer.y
    scale = instance.units.coordinate_scale
    return decimal_text(place[0], scale), decimal_text(place[1], scale)
