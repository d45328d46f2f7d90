"""Reading the weights of a network: numbers only, nothing that could be executed.

The file is in safetensors format: eight bytes with the length of a header (little-endian), the
header as JSON, then the numbers as 32-bit floats. It needs no library. Its checksum shows damage.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tailgate.io.text_file import read_bytes, source_text
from tailgate.model.aliases import PathLike
from tailgate.model.errors import InputError
from tailgate.solver.network.features import CUSTOMER_FEATURES, ROUTE_FEATURES

FORMAT: Final = "tailgate-weights-1"
ARCHITECTURES: Final = ("paper", "invariant")
"""A step of the GRU per item, or per customer."""
ITEM_ORDERS: Final = ("given", "sorted")
DEFAULT_HEADS: Final = 4
PACKAGED: Final = ("default", "paper")
"""Names of networks that come with the package: our best, and the one of the paper."""

_FOLDER = Path(__file__).parent / "data"
_LENGTH_BYTES = 8
_MAX_HEADER_BYTES = 1_000_000
_MAX_COUNT = 2**40
_DAMAGED = "the file is damaged: {}; copy it again, or train a network with `tailgate train`"
_REMEDY = "name a file that `tailgate train` has written, or use the screen `exact`, without any"
_FOREIGN = f"this is no file of network weights that `tailgate train` has written; {_REMEDY}"

Array = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Weights:
    """A trained network, and how to understand what it says."""

    architecture: str
    item_order: str
    """In which the items of a customer are read: as given, or sorted, the widest first."""
    heads: int
    threshold: float
    """From this probability on a route is predicted feasible."""
    temperature: float
    """Divides the logit, so that probabilities come true."""
    customer_features: tuple[str, ...]
    route_features: tuple[str, ...]
    trained_on: str
    """Of which data set it has learned."""
    sha256: str
    """Of its numbers."""
    tensors: Mapping[str, Array]
    source: str


def read_weights(path: PathLike | None = None) -> Weights:
    """Read the weights of a network.

    Parameters
    ----------
    path
        A file of weights (safetensors), or the name of a network of the package; its default if
        None.

    Raises
    ------
    InputError
        The file is absent, damaged, of another version, or does not fit its architecture.
    """
    name = "default" if path is None else path
    if name in PACKAGED:
        path = _FOLDER / f"{name}.safetensors"
        if not path.is_file():
            raise InputError(
                f"the network '{name}' is not part of this installation; install Tailgate again, "
                + _REMEDY,
                field="weights",
            )
    assert path is not None
    return _parse(read_bytes(path), source_text(path))


def _parse(content: bytes, source: str) -> Weights:
    header, numbers = _split(content, source)
    metadata = header.pop("__metadata__", None)
    if not isinstance(metadata, dict) or metadata.get("format") is None:
        raise InputError(_FOREIGN, source=source)
    if metadata["format"] != FORMAT:
        raise InputError(
            f"the format is {metadata['format']!r}, and this version of Tailgate reads {FORMAT!r}; "
            "train the network again",
            source=source,
        )
    sha256 = hashlib.sha256(numbers).hexdigest()
    if metadata.get("sha256") != sha256:
        raise InputError(_DAMAGED.format("its checksum is wrong"), source=source)
    return Weights(
        architecture=_choice(metadata, "architecture", ARCHITECTURES, source),
        item_order=_choice({"item_order": "given", **metadata}, "item_order", ITEM_ORDERS, source),
        heads=int(_number({"heads": DEFAULT_HEADS, **metadata}, "heads", 1, 1024, source)),
        threshold=_number(metadata, "threshold", 0, 1, source),
        temperature=_number(metadata, "temperature", 1e-6, 1e6, source),
        customer_features=_names(metadata, "customer_features", CUSTOMER_FEATURES, source),
        route_features=_names(metadata, "route_features", ROUTE_FEATURES, source),
        trained_on=str(metadata.get("trained_on", "")),
        sha256=sha256,
        tensors=MappingProxyType(
            {name: _tensor(name, entry, numbers, source) for name, entry in header.items()}
        ),
        source=source,
    )


def _split(content: bytes, source: str) -> tuple[dict[str, Any], bytes]:
    length = int.from_bytes(content[:_LENGTH_BYTES], "little")
    start = _LENGTH_BYTES + length
    if len(content) < _LENGTH_BYTES or not 2 <= length <= _MAX_HEADER_BYTES:
        raise InputError(_FOREIGN, source=source)
    if start > len(content):
        raise InputError(_DAMAGED.format("it ends too early"), source=source)
    try:
        header = json.loads(content[_LENGTH_BYTES:start].decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(_FOREIGN, source=source) from error
    if not isinstance(header, dict):
        raise InputError(_FOREIGN, source=source)
    return header, content[start:]


def _tensor(name: str, entry: object, numbers: bytes, source: str) -> Array:
    if not isinstance(entry, dict) or entry.get("dtype") != "F32":
        raise InputError("is not of 32-bit floats", source=source, field=name)
    shape, offsets = _counts(entry.get("shape")), _counts(entry.get("data_offsets"))
    if shape is None or len(shape) > 2 or offsets is None or len(offsets) != 2:
        raise InputError("lacks shape or place", source=source, field=name)
    begin, end = offsets
    if not begin <= end <= len(numbers) or end - begin != 4 * math.prod(shape):
        raise InputError("is not where the header says", source=source, field=name)
    array = np.frombuffer(numbers[begin:end], dtype="<f4").reshape(shape).astype(np.float32)
    if not np.isfinite(array).all():
        raise InputError("has numbers that are not finite", source=source, field=name)
    array.flags.writeable = False
    return array


def _counts(value: object) -> list[int] | None:
    if not isinstance(value, list):
        return None
    counts = [count for count in value if type(count) is int and 0 <= count < _MAX_COUNT]
    return counts if len(counts) == len(value) else None


def _choice(metadata: dict[str, Any], key: str, known: tuple[str, ...], source: str) -> str:
    value = metadata.get(key)
    if value not in known:
        raise InputError(
            f"is {value!r}; this version knows {', '.join(known)}", source=source, field=key
        )
    return str(value)


def _number(metadata: dict[str, Any], key: str, low: float, high: float, source: str) -> float:
    text = metadata.get(key)
    try:
        value = float(str(text))
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        raise InputError(f"is {text!r}, not from {low} to {high}", source=source, field=key)
    return value


def _names(
    metadata: dict[str, Any], key: str, known: Mapping[str, object], source: str
) -> tuple[str, ...]:
    names = tuple(name for name in str(metadata.get(key, "")).split(",") if name)
    for name in names:
        if name not in known:
            raise InputError(
                f"has {name!r}; this version knows {', '.join(known)}", source=source, field=key
            )
    return names
