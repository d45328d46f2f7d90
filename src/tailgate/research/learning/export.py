"""Writes a trained network as a file of weights that the core reads (docs/formats.md)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tailgate.io.text_file import write_text, writing
from tailgate.model.errors import InputError
from tailgate.research.learning.calibration import Calibration
from tailgate.research.learning.model import RouteNetwork
from tailgate.research.learning.prediction import Part, predict

FORMAT = "tailgate-weights-1"
GOLDEN_ROUTES = 40
_ALIGNMENT = 8
"""Bytes; the numbers begin at a multiple of it, as the safetensors format advises."""


def write_weights(
    path: Path, network: RouteNetwork, calibration: Calibration, *, trained_on: str
) -> None:
    """Write the weights in safetensors format; the shift becomes part of the last bias."""
    configuration = network.configuration
    if not configuration.architecture:
        raise InputError("cannot be run by the core, only by torch", field="model")
    header: dict[str, object] = {}
    numbers = b""
    for name, array in _arrays(network, calibration).items():
        content = array.tobytes()
        header[name] = {
            "dtype": "F32",
            "shape": list(array.shape),
            "data_offsets": [len(numbers), len(numbers) + len(content)],
        }
        numbers += content
    header["__metadata__"] = {
        "format": FORMAT,
        "architecture": configuration.architecture,
        "item_order": "sorted" if configuration.sorted_items else "given",
        "heads": str(configuration.heads),
        "threshold": repr(calibration.threshold),
        "temperature": repr(calibration.temperature),
        "customer_features": ",".join(configuration.customer_features),
        "route_features": ",".join(configuration.route_features),
        "trained_on": trained_on,
        "sha256": hashlib.sha256(numbers).hexdigest(),
    }
    text = json.dumps(header).encode("utf-8")
    text += b" " * (-len(text) % _ALIGNMENT)
    with writing(path) as file:
        file.write(len(text).to_bytes(8, "little") + text + numbers)


def write_golden(path: Path, network: RouteNetwork, calibration: Calibration, part: Part) -> None:
    """Write what torch says of some routes, which the core must say as well."""
    table = part.table
    floors, counts = np.unique(table.floor, axis=0, return_counts=True)
    floor = floors[np.argmax(counts)]
    rows = np.flatnonzero((table.floor == floor).all(1))
    # Spread over the whole set: all classes and lengths.
    rows = rows[np.linspace(0, len(rows) - 1, GOLDEN_ROUTES).astype(int)]
    chosen = table.select(rows)
    logits = predict(network, Part.of(chosen)) + calibration.shift
    stop_starts, item_starts = chosen.stop_starts.tolist(), chosen.item_starts.tolist()
    sizes = chosen.item_sizes.tolist()
    content = {
        "weights_sha256": hashlib.sha256(
            b"".join(array.tobytes() for array in _arrays(network, calibration).values())
        ).hexdigest(),
        "floor": floor.tolist(),
        "routes": [
            {
                "stops": [
                    sizes[item_starts[stop] : item_starts[stop + 1]]
                    for stop in range(stop_starts[number], stop_starts[number + 1])
                ],
                "logit": round(float(logit), 6),
            }
            for number, logit in enumerate(logits)
        ],
    }
    write_text(path, json.dumps(content) + "\n")


def _arrays(network: RouteNetwork, calibration: Calibration) -> dict[str, NDArray[np.float32]]:
    """Return the weights as they stand in the file, with the shift in the last bias."""
    arrays = {
        name: tensor.detach().numpy().astype("<f4") for name, tensor in network.state_dict().items()
    }
    last = arrays["head.2.bias"]
    arrays["head.2.bias"] = (last + np.float32(calibration.shift)).astype("<f4")
    return arrays
