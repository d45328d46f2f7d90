"""The road matrices of a form: packed, for they are carried along and not edited cell by cell.

A thousand places have a million roads, which the page sends with every check.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from tailgate.io.draft import DraftTravel
from tailgate.io.matrix_file import FIELDS, Matrices
from tailgate.model.json_document import JsonValue
from tailgate.model.limits import MAX_TIME
from tailgate.model.matrix import NO_ROAD, Matrix
from tailgate.model.rounding import counted

Form = dict[str, object]

_STEP = re.compile(r"(\d{1,15})(?:/(\d{1,15}))?", re.ASCII)
_NARROW, _WIDE = "<i4", "<i8"
_LARGEST_NARROW = 2**31 - 1
# Quick, and nearly as small as it gets: the last digits of roads are noise.
_COMPRESSION = 1


def roads_form(travel: DraftTravel) -> Form | None:
    """Return the matrices of a draft, with a line that says what they are."""
    matrices = {field: getattr(travel, field) for field in FIELDS}
    if not any(matrices.values()):
        return None
    return {"text": roads_text(travel), **{name: _packed(one) for name, one in matrices.items()}}


def roads_text(travel: DraftTravel) -> str:
    """Say in one line what matrices there are.

    >>> roads_text(DraftTravel("matrix", "none", distances=Matrix.of([[0, 1], [2, 0]], "")))
    'road matrix, 2 places, asymmetric; distances'
    """
    named = {field: getattr(travel, field) for field in FIELDS}
    matrices = {field: matrix for field, matrix in named.items() if matrix is not None}
    first = next(iter(matrices.values()))
    symmetry = "symmetric" if all(m.is_symmetric for m in matrices.values()) else "asymmetric"
    text = f"road matrix, {counted(first.places, 'place')}, {symmetry}; {' and '.join(matrices)}"
    missing = int((first.stored == NO_ROAD).sum())
    return f"{text}, {counted(missing, 'pair')} without a road" if missing else text


def _packed(matrix: Matrix | None) -> Form | None:
    if matrix is None:
        return None
    kind = _NARROW if matrix.stored.max(initial=0) <= _LARGEST_NARROW else _WIDE
    content = zlib.compress(matrix.stored.astype(kind).tobytes(), _COMPRESSION)
    return {
        "places": matrix.places,
        "step": str(matrix.step),
        "stored": base64.b64encode(content).decode("ascii"),
    }


def read_roads(value: JsonValue, most_places: int) -> Matrices:
    """Unpack the matrices of a form; what `roads_form` never packs raises ``InputError``."""
    members = value.members(required=("text", *FIELDS))
    matrices = {
        field: _unpacked(members[field], field, most_places)
        for field in FIELDS
        if not members[field].is_null
    }
    if len({matrix.places for matrix in matrices.values()}) != 1:
        value.fail("must have matrices over the same places")
    return Matrices(**matrices)


def _unpacked(value: JsonValue, field: str, most_places: int) -> Matrix:
    import numpy as np

    members = value.members(required=("places", "step", "stored"))
    places = members["places"].integer(low=1, high=most_places)
    step = _step(members["step"])
    # One byte more than there may be, so that more is noticed.
    content = _content(members["stored"], 8 * places * places + 1)
    kinds = {places * places * np.dtype(kind).itemsize: kind for kind in (_NARROW, _WIDE)}
    if len(content) not in kinds:
        members["stored"].fail(f"must hold {places} x {places} integers")
    entries = np.frombuffer(content, dtype=kinds[len(content)]).reshape(places, places)
    real = np.where(entries == NO_ROAD, np.nan, entries.astype(np.float64))
    with value.placing_errors():
        matrix = Matrix.of(real, field, step=step)
    if int(matrix.stored.max(initial=0)) * step > MAX_TIME:
        members["step"].fail("makes roads that are too long")
    return matrix


def _step(value: JsonValue) -> Fraction:
    match = _STEP.fullmatch(value.string())
    numerator, denominator = (int(part or 1) for part in match.groups()) if match else (0, 1)
    if not numerator or not denominator:
        value.fail("must be a fraction above 0, such as 1/60")
    return Fraction(numerator, denominator)


def _content(value: JsonValue, most_bytes: int) -> bytes:
    """Unpack as many bytes as there may be, whatever the packed text claims to hold."""
    unpacking = zlib.decompressobj()
    try:
        packed = base64.b64decode(value.string(), validate=True)
        content = unpacking.decompress(packed, most_bytes)
    except (binascii.Error, ValueError, zlib.error):
        value.fail("must be packed integers, as the page got them")
    return content


def with_places(travel: DraftTravel, places: Sequence[int]) -> DraftTravel:
    """Return the roads between some of the places, in this order; the depot is the first."""
    matrix = travel.durations if travel.distances is None else travel.distances
    if matrix is None or list(places) == list(range(matrix.places)):
        return travel
    distances, durations = (_picked(getattr(travel, field), places) for field in FIELDS)
    return replace(travel, distances=distances, durations=durations)


def _picked(matrix: Matrix | None, places: Sequence[int]) -> Matrix | None:
    import numpy as np

    if matrix is None:
        return None
    return Matrix(np.ascontiguousarray(matrix.stored[np.ix_(places, places)]), matrix.step)
