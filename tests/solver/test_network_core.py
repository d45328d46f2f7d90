"""Weights are read with care, and the core computes what numpy and torch compute."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import math
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from network_reference import (
    HEADS,
    HIDDEN,
    LAYERS,
    Array,
    Stop,
    Tensors,
    random_tensors,
    reference_logit,
    stops_of,
    write_weights,
)
from tailgate.model.errors import InputError
from tailgate.model.instance import Customer, Instance, Item, Vehicle
from tailgate.research.generate import generate_instance
from tailgate.solver.network import Predictor, read_weights
from tailgate.solver.network import weights as weights_module
from tailgate.solver.network.features import CUSTOMER_FEATURES, ROUTE_FEATURES

# What the arithmetic of 32-bit floats may cost.
TOLERANCE = 1e-5
DATA = Path(weights_module.__file__).parent / "data"

without_torch = importlib.util.find_spec("torch") is None


def random_routes(instance: Instance, count: int, seed: int) -> list[tuple[int, ...]]:
    """Draw routes of up to nine customers."""
    dice = random.Random(seed)
    customers = range(1, instance.n + 1)
    return [
        tuple(dice.sample(customers, dice.randint(1, min(9, instance.n)))) for _ in range(count)
    ]


def logit(probability: float) -> float:
    """Undo the sigmoid."""
    return math.log(probability / (1 - probability))


# What it computes.


@pytest.mark.parametrize("packing_class", [2, 3, 4, 5])
def test_the_papers_network_is_that_of_numpy(packing_class: int, tmp_path: Path) -> None:
    """The reference is written from the formulas, in double precision."""
    instance = generate_instance(25, packing_class, seed=packing_class)
    tensors = random_tensors(packing_class)
    predictor = Predictor(instance, write_weights(tmp_path / "w", tensors))
    for route in random_routes(instance, 60, packing_class):
        expected = reference_logit(tensors, stops_of(instance, route))
        assert logit(predictor.probability(route)) == pytest.approx(
            expected, abs=TOLERANCE, rel=TOLERANCE
        )


def test_the_invariant_network_is_that_of_numpy(tmp_path: Path) -> None:
    """With a step per customer, and numbers about customers and routes beside the items."""
    instance = generate_instance(25, 4, seed=1)
    tensors = random_tensors(
        1, customer_features=len(CUSTOMER_FEATURES), route_features=len(ROUTE_FEATURES)
    )
    path = write_weights(
        tmp_path / "w",
        tensors,
        architecture="invariant",
        customer_features=",".join(CUSTOMER_FEATURES),
        route_features=",".join(ROUTE_FEATURES),
    )
    predictor = Predictor(instance, path)
    for route in random_routes(instance, 100, 1):
        stops = stops_of(instance, route)
        expected = reference_logit(
            tensors,
            stops,
            step_per_customer=True,
            customer_features=[
                [feature(stop) for feature in CUSTOMER_FEATURES.values()] for stop in stops
            ],
            route_features=[
                sum(feature(stop) for stop in stops) for feature in ROUTE_FEATURES.values()
            ],
        )
        assert logit(predictor.probability(route)) == pytest.approx(
            expected, abs=TOLERANCE, rel=TOLERANCE
        )


def test_sorted_items_are_read_the_widest_first(tmp_path: Path) -> None:
    """Of the same width, the longest; so the order in the instance cannot matter."""
    instance = generate_instance(15, 5, seed=1)
    tensors = random_tensors(2)
    path = write_weights(tmp_path / "w", tensors, item_order="sorted")
    predictor = Predictor(instance, path)
    for route in random_routes(instance, 40, 2):
        stops = [
            sorted(stop, key=lambda item: (-item[0], -item[1]))
            for stop in stops_of(instance, route)
        ]
        assert logit(predictor.probability(route)) == pytest.approx(
            reference_logit(tensors, stops), abs=TOLERANCE, rel=TOLERANCE
        )


def torch_logits(tensors: Tensors, routes: Sequence[Sequence[Stop]]) -> list[float]:
    """Let torch compute the paper's network with its own layers."""
    torch: Any = importlib.import_module("torch")
    # Beside other tests, more threads than processors take many times as long.
    torch.set_num_threads(1)
    nn = torch.nn
    embed = nn.Linear(2, HIDDEN)
    layers = [
        nn.TransformerEncoderLayer(HIDDEN, HEADS, 64, dropout=0.0, batch_first=True).eval()
        for _ in range(LAYERS)
    ]
    gru = nn.GRU(HIDDEN, HIDDEN, batch_first=True)
    head = nn.Sequential(nn.Linear(HIDDEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1))

    def load(module: Any, prefix: str, rename: Callable[[str], str]) -> None:
        module.load_state_dict(
            {
                rename(name.removeprefix(prefix)): torch.from_numpy(tensor.copy())
                for name, tensor in tensors.items()
                if name.startswith(prefix)
            }
        )

    load(embed, "embed.", lambda name: name)
    for number, layer in enumerate(layers):
        load(layer, f"layers.{number}.", lambda name: name.replace("attention.", "self_attn."))
    load(gru, "gru.", lambda name: f"{name}_l0")
    load(head, "head.", lambda name: name)
    logits = []
    with torch.no_grad():
        for stops in routes:
            embedded = []
            for stop in stops:
                x = embed(torch.tensor(stop, dtype=torch.float32)[None])
                for layer in layers:
                    x = layer(x)
                embedded.append(x)
            _, state = gru(torch.cat(embedded, dim=1))
            logits.append(float(head(state[0, 0])))
    return logits


@pytest.mark.skipif(
    without_torch, reason="torch is not there: pip install tailgate[train]; numpy is compared above"
)
def test_the_core_is_equal_to_torch(tmp_path: Path) -> None:
    """What was trained is what is used."""
    for seed, packing_class in enumerate((2, 3, 4, 5)):
        instance = generate_instance(20, packing_class, seed=seed)
        tensors = random_tensors(seed)
        predictor = Predictor(instance, write_weights(tmp_path / "w", tensors))
        routes = random_routes(instance, 30, seed)
        expected = torch_logits(tensors, [stops_of(instance, route) for route in routes])
        for route, value in zip(routes, expected, strict=True):
            assert logit(predictor.probability(route)) == pytest.approx(
                value, abs=TOLERANCE, rel=TOLERANCE
            )


def golden_files() -> list[Path]:
    """Return the golden vectors that come with the package."""
    return sorted(DATA.glob("*.golden.json"))


def test_packaged_weights_have_golden_vectors() -> None:
    """Each network of the package comes with answers that it must give."""
    names = {path.name.removesuffix(".safetensors") for path in DATA.glob("*.safetensors")}
    assert names == {path.name.removesuffix(".golden.json") for path in golden_files()}
    for path in DATA.glob("*.safetensors"):
        assert path.stat().st_size < 200_000


@pytest.mark.parametrize("path", golden_files(), ids=lambda path: path.name)
def test_golden_vectors_come_out(path: Path) -> None:
    """Torch has written them at the end of training; torch is not needed here."""
    golden = json.loads(path.read_text(encoding="utf-8"))
    weights = read_weights(path.with_name(path.name.replace(".golden.json", ".safetensors")))
    assert weights.sha256 == golden["weights_sha256"]
    width, length = golden["floor"]
    for route in golden["routes"]:
        instance = Instance(
            name="golden",
            depot=(0, 0),
            customers=tuple(
                Customer(1, 1, 1, tuple(Item(*size) for size in stop)) for stop in route["stops"]
            ),
            vehicle=Vehicle(width=width, length=length, capacity=len(route["stops"])),
            vehicle_count=len(route["stops"]),
        )
        probability = Predictor(instance, weights).probability(range(1, instance.n + 1))
        expected = 1 / (1 + math.exp(-route["logit"] / weights.temperature))
        assert probability == pytest.approx(expected, abs=TOLERANCE)


# The door to it.


@pytest.fixture
def weights_file(tmp_path: Path) -> Path:
    """Return a file of random weights."""
    return write_weights(tmp_path / "random.safetensors", random_tensors(0))


def test_many_at_once_are_the_same(weights_file: Path) -> None:
    """In whatever order the core works on them."""
    instance = generate_instance(12, 3, seed=0)
    routes = random_routes(instance, 50, 0)
    predictor, other = Predictor(instance, weights_file), Predictor(instance, weights_file)
    one_by_one = [predictor.probability(route) for route in routes]
    assert other.probabilities(routes).tolist() == one_by_one
    assert other.probabilities([]).shape == (0,)
    assert predictor.calls == other.calls == len(routes)
    assert predictor.seconds > 0


def test_the_threshold_and_the_temperature_count(weights_file: Path) -> None:
    """A route is predicted feasible from the threshold on; heat draws probabilities to a half."""
    instance = generate_instance(12, 3, seed=0)
    weights = read_weights(weights_file)
    cool = Predictor(instance, weights)
    hot = Predictor(instance, replace(weights, temperature=3.0))
    routes = random_routes(instance, 50, 0)
    probabilities = cool.probabilities(routes)
    for route, probability in zip(routes, probabilities, strict=True):
        assert logit(hot.probability(route)) == pytest.approx(logit(probability) / 3)
    for threshold in (0.0, float(np.median(probabilities)), 1.0):
        predictor = Predictor(instance, replace(weights, threshold=threshold))
        assert [predictor.predicts_feasible(route) for route in routes] == [
            probability >= threshold for probability in probabilities
        ]


def test_extreme_numbers_give_probabilities(tmp_path: Path) -> None:
    """Weights of a thousand are finite: so must be the answer."""
    instance = generate_instance(12, 3, seed=0)
    tensors = random_tensors(0, scale=1000.0)
    predictor = Predictor(instance, write_weights(tmp_path / "w", tensors))
    probabilities = predictor.probabilities(random_routes(instance, 50, 0))
    assert ((probabilities >= 0) & (probabilities <= 1)).all()


def test_customers_that_do_not_exist_are_named(weights_file: Path) -> None:
    """As the loading oracle does."""
    predictor = Predictor(generate_instance(5, 2, seed=0), weights_file)
    with pytest.raises(InputError, match=r"route: customer 6 .* 1 to 5"):
        predictor.probability((1, 6))
    with pytest.raises(InputError, match="customer 0"):
        predictor.probabilities([(1, 2), (0,)])


def test_no_torch_is_loaded(weights_file: Path) -> None:
    """It takes seconds and a gigabyte, and is there for training only."""
    script = (
        "import sys; from tailgate.solver.network import Predictor; "
        "from tailgate.research.generate import generate_instance; "
        f"print(Predictor(generate_instance(5, 2, seed=0), {str(weights_file)!r})"
        ".probability((1, 2))); import tailgate.solver.screening, tailgate.solver.search.solver; "
        "print('torch' in sys.modules)"
    )
    finished = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert finished.stdout.splitlines()[-1] == "False"


# Files that are no good.


def test_what_a_file_says_is_kept(tmp_path: Path) -> None:
    """The reader returns what the writer wrote."""
    tensors = random_tensors(3)
    path = write_weights(
        tmp_path / "w", tensors, threshold="0.25", temperature="1.5", trained_on="abc", heads="2"
    )
    weights = read_weights(path)
    assert (weights.architecture, weights.heads, weights.trained_on) == ("paper", 2, "abc")
    assert (weights.threshold, weights.temperature) == (0.25, 1.5)
    assert weights.source == str(path)
    assert weights.tensors.keys() == tensors.keys()
    for name, tensor in tensors.items():
        np.testing.assert_array_equal(weights.tensors[name], tensor)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """And the remedy with it."""
    with pytest.raises(InputError, match=r"nowhere.*spelling"):
        read_weights(tmp_path / "nowhere")
    with pytest.raises(InputError, match="folder"):
        read_weights(tmp_path)


def test_a_network_that_is_not_installed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without weights there is no prediction, and nothing else is taken instead."""
    monkeypatch.setattr(weights_module, "_FOLDER", tmp_path)
    for name in (None, "default", "paper"):
        with pytest.raises(InputError, match=r"not part of this installation.*exact"):
            read_weights(name)
    write_weights(tmp_path / "paper.safetensors", random_tensors(0), trained_on="here")
    assert read_weights("paper").trained_on == "here"


def test_every_damaged_byte_is_noticed(weights_file: Path) -> None:
    """A file that differs anywhere is refused, or says the same in another way."""
    content = weights_file.read_bytes()
    good = read_weights(weights_file)
    instance = generate_instance(3, 2, seed=0)
    dice = random.Random(0)
    accepted = 0
    for _ in range(300):
        position = dice.choice((dice.randrange(len(content)), dice.randrange(3_000)))
        damaged = bytearray(content)
        damaged[position] ^= 1 << dice.randrange(8)
        weights_file.write_bytes(damaged)
        with suppress(InputError):
            weights = read_weights(weights_file)
            Predictor(instance, weights)
            # A letter of the description, or a number of it that is as good as another.
            assert weights.sha256 == good.sha256
            accepted += 1
    assert accepted < 60


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 100, 1_000, 10_000, -1])
def test_a_file_that_ends_too_early_is_noticed(weights_file: Path, length: int) -> None:
    """A copy may have been cut short anywhere."""
    content = weights_file.read_bytes()
    weights_file.write_bytes(content[:length])
    with pytest.raises(InputError, match=r"damaged|no file of network weights"):
        read_weights(weights_file)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"PK\x03\x04 pickled by torch", id="torch"),
        pytest.param(b"0102\n# a benchmark file\n 15 --- number of customers", id="text"),
        pytest.param((2).to_bytes(8, "little") + b"{}", id="empty header"),
        pytest.param((2).to_bytes(8, "little") + b"[]", id="a list"),
        pytest.param((60_000).to_bytes(8, "little") + b"[" * 60_000, id="deep"),
        pytest.param(
            (31).to_bytes(8, "little") + b'{"__metadata__": {"made": "by"}}'[:31], id="cut"
        ),
        pytest.param(
            (32).to_bytes(8, "little") + b'{"__metadata__": {"made": "by"}}', id="safetensors"
        ),
    ],
)
def test_foreign_files_are_refused(content: bytes, tmp_path: Path) -> None:
    """Nothing is executed, nothing is guessed, and the remedy is named."""
    path = tmp_path / "foreign"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"tailgate train.*exact"):
        read_weights(path)


@pytest.mark.parametrize(
    ("metadata", "words"),
    [
        ({"format": "tailgate-weights-2"}, "tailgate-weights-2.*reads"),
        ({"sha256": hashlib.sha256(b"").hexdigest()}, "checksum"),
        ({"architecture": "transformer"}, "architecture.*'transformer'.*paper"),
        ({"item_order": "random"}, "item_order.*'random'.*sorted"),
        ({"threshold": "1.5"}, "threshold.*1.5"),
        ({"threshold": "nan"}, "threshold"),
        ({"threshold": "much"}, "threshold"),
        ({"temperature": "0"}, "temperature"),
        ({"temperature": "inf"}, "temperature"),
        ({"heads": "0"}, "heads"),
        ({"customer_features": "colour"}, "customer_features.*colour"),
        ({"route_features": "area,colour"}, "route_features.*colour"),
    ],
)
def test_metadata_are_looked_at(metadata: dict[str, str], words: str, tmp_path: Path) -> None:
    """What this version does not know it does not use."""
    path = write_weights(tmp_path / "w", random_tensors(0), **metadata)
    with pytest.raises(InputError, match=words):
        read_weights(path)


def change_header(path: Path, name: str, **changes: object) -> None:
    """Change an entry of the header."""
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    header[name] |= changes
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + content[8 + length :])


@pytest.mark.parametrize(
    "changes",
    [
        {"dtype": "F64"},
        {"shape": [2, 17]},
        {"shape": [-2, -16]},
        {"shape": None},
        {"shape": [1] * 100},
        {"shape": ["16", "2"]},
        {"data_offsets": [0]},
        {"data_offsets": [10**9, 10**9 + 128]},
        {"data_offsets": [128, 0]},
    ],
)
def test_tensors_are_where_the_header_says(changes: dict[str, object], weights_file: Path) -> None:
    """The header is not part of the checksum: it is looked at by itself."""
    change_header(weights_file, "embed.weight", **changes)
    with pytest.raises(InputError, match=r"embed\.weight"):
        read_weights(weights_file)


def changed(tensors: Tensors, name: str, tensor: Array | None) -> Tensors:
    """Return other tensors: one is replaced, added or left out."""
    rest = {other: value for other, value in tensors.items() if other != name}
    return rest if tensor is None else {**rest, name: tensor}


@pytest.mark.parametrize(
    ("name", "tensor"),
    [
        ("gru.bias_hh", None),
        ("gru.weight_hh", np.zeros((47, 16), np.float32)),
        ("layers.1.norm2.bias", np.zeros(15, np.float32)),
        ("layers.2.norm2.bias", np.zeros(16, np.float32)),
        ("head.2.weight", np.zeros((2, 16), np.float32)),
        ("head.2.bias", np.array([np.nan], np.float32)),
    ],
)
def test_tensors_that_do_not_fit_are_named(name: str, tensor: Array | None, tmp_path: Path) -> None:
    """A file of another network with the right checksum."""
    path = write_weights(tmp_path / "w", changed(random_tensors(0), name, tensor))
    with pytest.raises(InputError, match=rf"w: .*{name}"):
        Predictor(generate_instance(3, 2, seed=0), path)


def test_features_that_are_not_declared_are_missed(tmp_path: Path) -> None:
    """The numbers must mean what they meant in training."""
    path = write_weights(
        tmp_path / "w", random_tensors(0, customer_features=1), architecture="invariant"
    )
    with pytest.raises(InputError, match="0 features, and the network takes 1"):
        Predictor(generate_instance(3, 2, seed=0), path)
