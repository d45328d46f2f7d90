"""Road matrices among the dropped files: those that orders name, and those dropped for orders."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from tailgate.apps.serve.dropped_file import DroppedFile, plain_name, reading_folder
from tailgate.io.csv_folder import MATRIX_FILE
from tailgate.io.draft import Draft, DraftTravel
from tailgate.io.matrix_file import (
    FIELDS,
    Matrices,
    file_beside,
    read_matrix_file,
    read_square,
)
from tailgate.io.matrix_rows import MatrixField, PlaceNames
from tailgate.model.errors import InputError
from tailgate.model.matrix import Matrix
from tailgate.model.validation import shown

_SQUARES: dict[str, MatrixField] = {f"{field}.csv": field for field in FIELDS}
# What our own matrices and the answers of map services have, those that say why there is none too.
_MARKS = (b'"distances"', b'"durations"', b'"sources_to_targets"', b'"code"', b'"error"')
_OWN_FORMATS = b'"tailgate-'


def is_road_file(file: DroppedFile) -> bool:
    """Tell whether a file holds roads, and no orders."""
    if file.base_name == MATRIX_FILE or file.base_name in _SQUARES:
        return True
    if file.suffix != ".json" or _OWN_FORMATS in file.content:
        return False
    return any(mark in file.content for mark in _MARKS)


def put_named_roads(
    orders: DroppedFile, others: Sequence[DroppedFile], folder: Path
) -> DroppedFile | None:
    """Write the file that orders in JSON name into their folder, and return which it was."""
    name = _named_in(orders)
    if name is None:
        return None
    try:
        target = file_beside(folder, name)
    except InputError:
        # Their reader says the same, with the line.
        return None
    nearest = [file for file in others if file.path == orders.path.parent / name]
    found = nearest or [file for file in others if file.path.name == Path(name).name]
    if len(found) != 1:
        raise InputError(
            f"{shown(name)} is not among the files; drop the orders and their matrix together, or "
            "a zip of both",
            source=orders.path.name,
            field="travel.file",
        )
    # A name that no file can have is complained about by the reader.
    with suppress(OSError):
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(found[0].content)
    return found[0]


def _named_in(orders: DroppedFile) -> str | None:
    """Return the file that orders name; complaints about them are their reader's."""
    if b'"file"' not in orders.content:
        return None
    try:
        root = json.loads(orders.content)
    except (ValueError, RecursionError):
        return None
    travel = root.get("travel") if isinstance(root, dict) else None
    name = travel.get("file") if isinstance(travel, dict) else None
    return name if isinstance(name, str) else None


def with_roads(draft: Draft, files: Sequence[DroppedFile]) -> Draft:
    """Return orders with the matrices of these files, and with what they had of others."""
    names = PlaceNames([customer.name for customer in draft.customers], draft.depot_name)
    read: dict[MatrixField, Matrix] = {}
    for file in files:
        matrices = _matrices(file, names, draft)
        for field in FIELDS:
            matrix = getattr(matrices, field)
            if matrix is not None and field in read:
                raise InputError(
                    f"has {field}, as another file has; drop one of them", source=file.path.name
                )
            if matrix is not None:
                read[field] = matrix
    before = draft.travel
    for field in FIELDS:
        matrix = getattr(before, field)
        if field not in read and matrix is not None and matrix.places == names.count:
            read[field] = matrix
    travel = DraftTravel(
        "matrix",
        before.coordinates,
        speed=None if "durations" in read else before.speed,
        distances=read.get("distances"),
        durations=read.get("durations"),
    )
    return replace(draft, travel=travel, conventions=replace(draft.conventions, distance="exact"))


def _matrices(file: DroppedFile, names: PlaceNames, draft: Draft) -> Matrices:
    with reading_folder() as folder:
        target = (
            folder / f"{plain_name(file.path.stem)}{'.json' if file.suffix == '.json' else '.csv'}"
        )
        target.write_bytes(file.content)
        field = _SQUARES.get(file.base_name)
        if field is None:
            return read_matrix_file(target, names, draft.units)
        return Matrices(**{field: read_square(target).matrix(field, names, draft.units)})
