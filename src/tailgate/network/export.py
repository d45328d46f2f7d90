"""Writes a trained network as a file of weights that the core reads (docs/formats.md)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np

from tailgate.errors import InputError
from tailgate.network.calibration import Calibration
from tailgate.network.model import RouteNetwork
from tailgate.text_file import cannot_be_written, replacing

FORMAT = "tailgate-weights-1"
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
    for name, tensor in network.state_dict().items():
        array = tensor.detach().numpy().astype("<f4")
        if name == "head.2.bias":
            array = (array + np.float32(calibration.shift)).astype("<f4")
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
    try:
        with replacing(path) as file:
            file.write(len(text).to_bytes(8, "little") + text + numbers)
    except (OSError, ValueError, RuntimeError) as error:
        raise cannot_be_written(path, error) from error
