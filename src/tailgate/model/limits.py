"""The largest values that are stored, so that an area and a squared distance fit 64 bits."""

from __future__ import annotations

MAX_LENGTH = 10**9
MAX_WEIGHT = 10**15
MAX_COORDINATE = 10**9
MAX_TIME = 10**12
MAX_COST = 10**9
MAX_CUSTOMERS = 100_000
MAX_KINDS = 1_000
MAX_ITEMS_PER_CUSTOMER = 1_000
MAX_ITEMS = 200_000
MAX_INFO_CHARACTERS = 1_000

MOST_PLACES_IN_TABLES = 1_001
"""Of more places no table is made unless time and memory allow it: it grows with their square."""

DECIMALS_REMEDY = "; store decimals as integers and say so with Units(...)"
