"""The network once more, in numpy and double precision, with random weights and a writer of files.

Nothing here comes from the package but the format it is to read.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tailgate.model.instance import Instance

Array = npt.NDArray[np.float32]
Tensors = dict[str, Array]
Stop = Sequence[tuple[float, float]]

HIDDEN, HEADS, LAYERS, INNER = 16, 4, 2, 64


def random_tensors(
    seed: int, *, customer_features: int = 0, route_features: int = 0, scale: float = 0.5
) -> Tensors:
    """Draw weights of all the shapes that the file has."""
    shapes: dict[str, tuple[int, ...]] = {"embed.weight": (HIDDEN, 2), "embed.bias": (HIDDEN,)}
    for layer in range(LAYERS):
        shapes |= {
            f"layers.{layer}.{name}": shape
            for name, shape in {
                "attention.in_proj_weight": (3 * HIDDEN, HIDDEN),
                "attention.in_proj_bias": (3 * HIDDEN,),
                "attention.out_proj.weight": (HIDDEN, HIDDEN),
                "attention.out_proj.bias": (HIDDEN,),
                "norm1.weight": (HIDDEN,),
                "norm1.bias": (HIDDEN,),
                "linear1.weight": (INNER, HIDDEN),
                "linear1.bias": (INNER,),
                "linear2.weight": (HIDDEN, INNER),
                "linear2.bias": (HIDDEN,),
                "norm2.weight": (HIDDEN,),
                "norm2.bias": (HIDDEN,),
            }.items()
        }
    shapes |= {
        "gru.weight_ih": (3 * HIDDEN, HIDDEN + customer_features),
        "gru.weight_hh": (3 * HIDDEN, HIDDEN),
        "gru.bias_ih": (3 * HIDDEN,),
        "gru.bias_hh": (3 * HIDDEN,),
        "head.0.weight": (HIDDEN, HIDDEN + route_features),
        "head.0.bias": (HIDDEN,),
        "head.2.weight": (1, HIDDEN),
        "head.2.bias": (1,),
    }
    dice = np.random.default_rng(seed)
    return {
        name: (scale * dice.standard_normal(shape)).astype(np.float32)
        for name, shape in shapes.items()
    }


def write_weights(path: Path, tensors: Mapping[str, Array], **metadata: str) -> Path:
    """Write a file of weights; metadata replace or add to the usual ones."""
    header: dict[str, object] = {}
    numbers = b""
    for name, tensor in tensors.items():
        own = np.ascontiguousarray(tensor, dtype="<f4").tobytes()
        header[name] = {
            "dtype": "F32",
            "shape": list(tensor.shape),
            "data_offsets": [len(numbers), len(numbers) + len(own)],
        }
        numbers += own
    header["__metadata__"] = {
        "format": "tailgate-weights-1",
        "architecture": "paper",
        "threshold": "0.5",
        "temperature": "1.0",
        "trained_on": "nothing",
        "sha256": hashlib.sha256(numbers).hexdigest(),
        **metadata,
    }
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + numbers)
    return path


def stops_of(instance: Instance, route: Sequence[int]) -> list[Stop]:
    """Return the items of a route's customers as shares of the floor."""
    vehicle = instance.vehicle
    return [
        [
            (item.width / vehicle.width, item.length / vehicle.length)
            for item in instance.customer(number).items
        ]
        for number in route
    ]


def reference_logit(
    tensors: Mapping[str, Array],
    stops: Sequence[Stop],
    *,
    step_per_customer: bool = False,
    customer_features: Sequence[Sequence[float]] | None = None,
    route_features: Sequence[float] = (),
) -> float:
    """Work out what the network says of a route."""
    weights = {name: tensor.astype(float) for name, tensor in tensors.items()}
    state = np.zeros(HIDDEN)
    for index, stop in enumerate(stops):
        if not stop:
            continue
        embedded = _encode(weights, np.array(stop, float))
        if step_per_customer:
            features = [] if customer_features is None else customer_features[index]
            embedded = np.concatenate([embedded.mean(axis=0), features])[None, :]
        for vector in embedded:
            state = _gru(weights, vector, state)
    inner = _linear(weights, "head.0", np.concatenate([state, route_features]))
    return float(_linear(weights, "head.2", np.maximum(inner, 0))[0])


Weights = Mapping[str, npt.NDArray[np.float64]]
Vector = npt.NDArray[np.float64]


def _linear(weights: Weights, name: str, x: Vector) -> Vector:
    return np.asarray(x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"])


def _norm(weights: Weights, name: str, x: Vector) -> Vector:
    centred = x - x.mean(axis=-1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5)
    return np.asarray(scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"])


def _encode(weights: Weights, items: Vector) -> Vector:
    x = _linear(weights, "embed", items)
    for layer in range(LAYERS):
        name = f"layers.{layer}"
        projected = (
            x @ weights[f"{name}.attention.in_proj_weight"].T
            + weights[f"{name}.attention.in_proj_bias"]
        )
        heads = []
        for head in range(HEADS):
            size = HIDDEN // HEADS
            query, key, value = (
                projected[:, part * HIDDEN + head * size :][:, :size] for part in range(3)
            )
            scores = np.exp(query @ key.T / math.sqrt(size))
            heads.append(scores / scores.sum(axis=1, keepdims=True) @ value)
        attended = _linear(weights, f"{name}.attention.out_proj", np.concatenate(heads, axis=1))
        x = _norm(weights, f"{name}.norm1", x + attended)
        inner = np.maximum(_linear(weights, f"{name}.linear1", x), 0)
        x = _norm(weights, f"{name}.norm2", x + _linear(weights, f"{name}.linear2", inner))
    return x


def _gru(weights: Weights, x: Vector, state: Vector) -> Vector:
    from_input = x @ weights["gru.weight_ih"].T + weights["gru.bias_ih"]
    from_state = state @ weights["gru.weight_hh"].T + weights["gru.bias_hh"]
    gates = 1 / (1 + np.exp(-(from_input + from_state)[: 2 * HIDDEN]))
    reset, update = gates[:HIDDEN], gates[HIDDEN:]
    candidate = np.tanh(from_input[2 * HIDDEN :] + reset * from_state[2 * HIDDEN :])
    return np.asarray((1 - update) * candidate + update * state)
