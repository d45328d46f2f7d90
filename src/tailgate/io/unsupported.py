"""What people ask for and no plan keeps: each is refused by its name, never ignored.

Readers say it with a sentence of this file, whatever the format, and add how to leave it out there.
"""

from __future__ import annotations

_DEPOTS = "several depots are not supported; plan the customers of each depot in a file of its own"
_TRIPS = "several trips a day are not supported: every vehicle leaves once"
_BREAKS = "breaks are not supported; take them off the shift or max_duration"
_PICKUPS = "pickups are not supported: all goods come from the depot"
_SPLITS = (
    "split deliveries are not supported: one vehicle brings all items of a customer; make two "
    "customers of it if they may come apart"
)
_STACKS = "stacking is not supported: items stand side by side on the floor"

DEPOT_FIELDS = {"vehicles": _DEPOTS}
ROOT_FIELDS = {"depots": _DEPOTS}
_RATES = (
    "rates are per unit of distance or time of the file: write cost_per_distance or cost_per_time, "
    "such as 0.4 a minute for 24 an hour"
)
VEHICLE_FIELDS = {
    **dict.fromkeys(("depot", "depots", "start_depot", "end_depot"), _DEPOTS),
    **dict.fromkeys(("trips", "max_trips", "reloads"), _TRIPS),
    **dict.fromkeys(("break", "breaks", "break_duration"), _BREAKS),
    **dict.fromkeys(("cost_per_hour", "cost_per_minute", "cost_per_km", "cost_per_mile"), _RATES),
}
CUSTOMER_FIELDS = {
    **dict.fromkeys(("pickup", "pickups", "pickup_items"), _PICKUPS),
    **dict.fromkeys(("split", "split_delivery", "split_deliveries"), _SPLITS),
    "depot": _DEPOTS,
}
ITEM_FIELDS = dict.fromkeys(("height", "stack", "stackable", "stacking", "layers"), _STACKS)
