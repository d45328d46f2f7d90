"""The network in torch and its training: symmetric, repeatable, and fit for the core."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from query_sets import make_small_dataset
from tailgate.apps.cli.main import build_parser, main
from tailgate.model.errors import InputError
from tailgate.model.instance import Customer, Instance, Item, Vehicle
from tailgate.research.generate import generate_instance
from tailgate.research.learning.batches import Batches
from tailgate.research.learning.calibration import Calibration
from tailgate.research.learning.configuration import PRESETS, Configuration
from tailgate.research.learning.dataset import Dataset
from tailgate.research.learning.evaluation import ModelScores, evaluate_run, test_queries
from tailgate.research.learning.export import write_weights
from tailgate.research.learning.metrics import sigmoid
from tailgate.research.learning.model import Attention, CustomerBatch, RouteBatch, RouteNetwork
from tailgate.research.learning.prediction import Part, predict
from tailgate.research.learning.query_file import QueryTable
from tailgate.research.learning.route_arrays import route_arrays
from tailgate.research.learning.splits import make_split
from tailgate.research.learning.training import (
    GOLDEN_FILE,
    METRICS_FILE,
    WEIGHTS_FILE,
    Training,
    read_run,
)
from tailgate.solver.network import Predictor, read_weights

# pytest would take it for a test.
queries_for_test = test_queries
del test_queries

EPOCHS = 4


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """A data set of nine instances, three of each class."""
    return make_small_dataset(tmp_path_factory.mktemp("data") / "set")


def quick(name: str, **changes: Any) -> Configuration:
    """A preset with few epochs and small batches."""
    settings = {"epochs": EPOCHS, "batch": 64, "permutations": 2} | changes
    if PRESETS[name].training.permutations == 1:
        del settings["permutations"]
    return PRESETS[name].with_training(**settings)


def network(name: str, seed: int = 0) -> RouteNetwork:
    """A network with random weights."""
    torch.manual_seed(seed)
    return RouteNetwork(PRESETS[name].model)


# --- The network ----------------------------------------------------------------------------------


def test_attention_is_that_of_torch() -> None:
    """Ours is written out for speed; padding must not take part."""
    torch.manual_seed(0)
    ours = Attention(16, 4)
    torch.nn.init.normal_(ours.in_proj_bias)
    theirs = torch.nn.MultiheadAttention(16, 4, batch_first=True)
    theirs.load_state_dict(ours.state_dict())
    x = torch.randn(7, 5, 16)
    is_entry = torch.arange(5) < torch.tensor([1, 2, 3, 4, 5, 5, 2])[:, None]
    expected, _ = theirs(x, x, x, key_padding_mask=~is_entry)
    assert torch.allclose(ours(x, is_entry)[is_entry], expected[is_entry], atol=1e-6)


def test_reading_all_routes_at_once_is_reading_each_step_by_step() -> None:
    """The loop over steps sorts routes, lets them end, and puts them back."""
    net = network("paper")
    embedded = torch.randn(50, 16)
    lengths = torch.randint(1, 9, (40,))
    steps = torch.randint(0, 50, (40, 8))
    routes = RouteBatch(steps, steps, lengths, torch.zeros(40, 0))
    logits = net.read(embedded, routes)
    for row in range(40):
        state = torch.zeros(1, 16)
        for step in range(int(lengths[row])):
            state = net.gru(embedded[steps[row, step]][None], state)
        assert torch.allclose(net.head(state)[0, 0], logits[row], atol=1e-6)


@pytest.mark.parametrize("name", PRESETS)
def test_a_batch_gives_what_each_route_gives_alone(name: str, dataset: Dataset) -> None:
    """Padding of customers and of routes leaves no trace."""
    net = network(name)
    table = dataset.queries.select(np.arange(0, len(dataset.queries), 40))
    together = predict(net, Part.of(table))
    for row in range(len(table)):
        alone = predict(net, Part.of(table.select(np.array([row]))))
        assert alone[0] == pytest.approx(together[row], abs=1e-5)


@pytest.mark.parametrize("name", PRESETS)
def test_training_batches_give_what_predictions_give(name: str, dataset: Dataset) -> None:
    """Customers are embedded batch by batch in training, once for all in a prediction."""
    net = network(name)
    table = dataset.queries
    customers, routes = route_arrays(table)
    rows = np.random.default_rng(0).permutation(len(table))[:50]
    batches = Batches(net.configuration, customers)
    chosen = routes.select(rows)
    batch, places = batches.customers_of(chosen)
    logits = net(batch, batches.routes(chosen, places)).detach().numpy()
    assert np.allclose(logits, predict(net, Part.of(table))[rows], atol=1e-5)


def with_shuffled_items(table: QueryTable, seed: int) -> QueryTable:
    """The same queries, with the items of each customer in another order."""
    stream = np.random.default_rng(seed)
    stop_of_item = np.repeat(np.arange(len(table.items_per_stop)), table.items_per_stop)
    order = np.lexsort((stream.random(len(stop_of_item)), stop_of_item))
    return replace(table, item_sizes=table.item_sizes[order])


@pytest.mark.parametrize(
    ("name", "invariant"), [("default", True), ("pooled", True), ("paper", False)]
)
def test_our_network_does_not_see_the_order_of_items(
    name: str, invariant: bool, dataset: Dataset
) -> None:
    """By construction; the paper's has to learn it from permutations."""
    net = network(name)
    first = predict(net, Part.of(dataset.queries))
    second = predict(net, Part.of(with_shuffled_items(dataset.queries, 1)))
    assert np.allclose(first, second, atol=1e-5) == invariant


def test_permutations_keep_items_with_their_customer(dataset: Dataset) -> None:
    """Every drawn order holds the same items, stop by stop; over many, all orders occur."""
    customers, routes = route_arrays(dataset.queries)
    batches = Batches(PRESETS["paper"].model, customers)
    few = routes.select(np.arange(20))
    given = batches.routes(few)
    drawn = batches.routes(few, stream=np.random.default_rng(0), permutations=50)
    for row in range(20):
        length = int(given.lengths[row])
        stops = given.stop[row, :length].tolist()
        seen = set()
        for one in range(50 * row, 50 * row + 50):
            assert int(drawn.lengths[one]) == length
            assert drawn.stop[one, :length].tolist() == stops
            steps = drawn.steps[one, :length].tolist()
            assert sorted(zip(stops, steps, strict=True)) == sorted(
                zip(stops, given.steps[row, :length].tolist(), strict=True)
            )
            seen.add(tuple(steps))
        sizes = [len(list(group)) for _, group in itertools.groupby(stops)]
        if max(sizes) > 1:
            assert len(seen) > 1


# --- Training -------------------------------------------------------------------------------------


def train(configuration: Configuration, dataset: Dataset, folder: Path) -> list[dict[str, Any]]:
    """Run it to the end; return the metrics without the clock."""
    training = Training(configuration, dataset, make_split(dataset), folder)
    training.begin()
    training.run()
    return metrics_of(folder)


def metrics_of(folder: Path) -> list[dict[str, Any]]:
    """Read what a run wrote about its epochs."""
    lines = (folder / METRICS_FILE).read_text(encoding="utf-8").splitlines()
    records: list[dict[str, Any]] = [json.loads(line) for line in lines]
    for record in records:
        del record["seconds"]
    return records


@pytest.mark.parametrize("name", PRESETS)
def test_every_model_learns(name: str, dataset: Dataset, tmp_path: Path) -> None:
    """The loss falls on a few hundred queries already."""
    records = train(quick(name), dataset, tmp_path / "run")
    assert records[-1]["train_loss"] < records[0]["train_loss"]


@pytest.mark.parametrize("name", ["paper", "default"])
def test_a_resumed_run_is_the_uninterrupted_one(
    name: str, dataset: Dataset, tmp_path: Path
) -> None:
    """To the last bit: weights, metrics, threshold."""
    configuration = quick(name)
    expected = train(configuration, dataset, tmp_path / "whole")

    class StopError(Exception):
        """In place of Ctrl-C, after two epochs."""

    def stop(record: dict[str, Any]) -> None:
        if record["epoch"] == 2:
            raise StopError

    folder = tmp_path / "parts"
    first = Training(configuration, dataset, make_split(dataset), folder)
    first.begin()
    with pytest.raises(StopError):
        first.run(stop)
    # Another process would have drawn other numbers meanwhile.
    torch.manual_seed(123)
    second = Training(configuration, dataset, make_split(dataset), folder)
    second.resume()
    second.run()
    assert metrics_of(folder) == expected
    whole, parts = (tmp_path / run / WEIGHTS_FILE for run in ("whole", "parts"))
    assert whole.read_bytes() == parts.read_bytes()


def test_seeds_decide_everything(dataset: Dataset, tmp_path: Path) -> None:
    """The same seed the same network, another one another."""
    runs = [
        train(quick("default", seed=seed), dataset, tmp_path / f"run{number}")
        for number, seed in enumerate((0, 0, 1))
    ]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_training_ends_when_nothing_improves(dataset: Dataset, tmp_path: Path) -> None:
    """With a step too small to matter, after as many epochs as it has patience."""
    configuration = quick("default", epochs=20, patience=3, learning_rate=1e-8)
    assert len(train(configuration, dataset, tmp_path / "run")) < 20


def test_only_the_rest_can_be_trained_on(dataset: Dataset, tmp_path: Path) -> None:
    """Queries that bounds and dives settle may weigh nothing."""
    table = dataset.queries
    is_cheap = table.is_cheap.copy()
    is_cheap[::2] = False
    changed = replace(dataset, queries=replace(table, is_cheap=is_cheap))
    records = train(quick("default", cheap_weight=0.0), changed, tmp_path / "run")
    assert records[-1]["train_loss"] < records[0]["train_loss"]


def test_nothing_is_trained_on_published_instances(tmp_path: Path) -> None:
    """They are for tests only."""
    published = make_small_dataset(tmp_path / "set", name="2l_cvrp01")
    with pytest.raises(InputError, match="for tests only"):
        Training(PRESETS["default"], published, make_split(published), tmp_path / "run")


def test_a_folder_with_a_run_is_not_overwritten(dataset: Dataset, tmp_path: Path) -> None:
    """Hours of work may be in it."""
    configuration = quick("default", epochs=1)
    train(configuration, dataset, tmp_path / "run")
    with pytest.raises(InputError, match="--resume"):
        Training(configuration, dataset, make_split(dataset), tmp_path / "run").begin()


# --- Weights for the core -------------------------------------------------------------------------


def torch_logits(net: RouteNetwork, instance: Instance, routes: list[tuple[int, ...]]) -> Any:
    """What torch says of routes, by way of the arrays that training uses."""
    sizes = [[(i.width, i.length) for i in customer.items] for customer in instance.customers]
    stops = [sizes[customer - 1] for route in routes for customer in route]
    count = len(routes)
    words = np.full(count, "feasible")
    table = QueryTable(
        keys=np.array([b"%d" % number for number in range(count)]),
        instance=words,
        packing_class=np.zeros(count, dtype=np.int8),
        floor=np.tile([[instance.vehicle.width, instance.vehicle.length]], (count, 1)),
        stop_count=np.array([len(route) for route in routes], dtype=np.int32),
        items_per_stop=np.array([len(stop) for stop in stops], dtype=np.int32),
        item_sizes=np.array([item for stop in stops for item in stop], dtype=np.int32),
        item_turns=np.zeros(sum(len(stop) for stop in stops), dtype=bool),
        verdict=words,
        decided_by=words,
        is_cheap=np.zeros(count, dtype=bool),
        nodes=np.zeros(count, dtype=np.int64),
        phase=words,
    )
    return predict(net, Part.of(table))


@pytest.mark.parametrize("packing_class", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["paper", "default", "pooled"])
def test_the_core_computes_what_torch_computes(
    name: str, packing_class: int, tmp_path: Path
) -> None:
    """Through the file, with temperature and shift."""
    net = network(name, seed=packing_class)
    calibration = Calibration(temperature=1.7, shift=0.4, threshold=0.3)
    path = tmp_path / "weights.safetensors"
    write_weights(path, net, calibration, trained_on="nothing")
    instance = generate_instance(20, packing_class, seed=1)
    dice = np.random.default_rng(0)
    routes = [
        tuple(int(customer) for customer in 1 + dice.permutation(20)[: dice.integers(1, 9)])
        for _ in range(100)
    ]
    weights = read_weights(path)
    assert (weights.temperature, weights.threshold) == (1.7, 0.3)
    assert weights.trained_on == "nothing"
    predicted = Predictor(instance, weights).probabilities(routes)
    expected = calibration.probabilities(torch_logits(net, instance, routes))
    assert np.abs(predicted - expected).max() < 1e-5


def test_golden_vectors_are_what_the_core_says(dataset: Dataset, tmp_path: Path) -> None:
    """They travel with the weights, so that torch is not needed to check an installation."""
    train(quick("default", epochs=1), dataset, tmp_path / "run")
    weights = read_weights(tmp_path / "run" / WEIGHTS_FILE)
    golden = json.loads((tmp_path / "run" / GOLDEN_FILE).read_text(encoding="utf-8"))
    assert golden["weights_sha256"] == weights.sha256
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
        predicted = Predictor(instance, weights).probability(range(1, instance.n + 1))
        expected = sigmoid(np.array([route["logit"]]) / weights.temperature)[0]
        assert predicted == pytest.approx(expected, abs=1e-5)


def test_an_ablation_is_no_network_for_the_core(tmp_path: Path) -> None:
    """Its file could not be read by anything."""
    with pytest.raises(InputError, match="only by torch"):
        write_weights(tmp_path / "w", network("paper-mlp"), Calibration(), trained_on="")


# --- Evaluation -----------------------------------------------------------------------------------


def test_a_run_is_tested_on_what_it_has_not_seen(dataset: Dataset, tmp_path: Path) -> None:
    """The test part of its data set; of another one, all but what it was trained on."""
    train(quick("default", epochs=1), dataset, tmp_path / "run")
    run = read_run(tmp_path / "run")
    assert set(queries_for_test(run, dataset).instance) == set(run.split.instances["test"])
    other = replace(dataset, manifest={**dataset.manifest, "id": "other"})
    queries = queries_for_test(run, other)
    assert not np.isin(queries.keys, run.training_keys).any()
    known = np.unique(dataset.queries.keys[dataset.queries.is_known])
    assert len(queries) == len(known) - np.isin(known, run.training_keys).sum()


def test_probabilities_of_a_run_are_calibrated_logits(dataset: Dataset, tmp_path: Path) -> None:
    """The measured network is the exported one."""
    train(quick("default", epochs=1), dataset, tmp_path / "run")
    run = read_run(tmp_path / "run")
    queries = queries_for_test(run, dataset)
    logits = predict(run.network, Part.of(queries))
    shifted = (logits + run.calibration.shift) / run.calibration.temperature
    evaluation = evaluate_run(run, queries)
    brier = float(np.mean((sigmoid(shifted) - queries.is_feasible) ** 2))
    assert evaluation.groups["all", "overall"].brier == pytest.approx(brier)
    counts = [
        score.count
        for (which, group), score in evaluation.groups.items()
        if which == "all" and group.startswith("class")
    ]
    assert sum(counts) == len(queries)
    summary = ModelScores("twice", [evaluation, evaluation]).groups["all", "overall"]["brier"]
    assert summary.mean == pytest.approx(brier)
    assert summary.deviation == 0


# --- The commands ---------------------------------------------------------------------------------


def test_the_quick_commands_run_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From nothing to a tested network, as the documentation shows it."""
    data, run_folder = str(tmp_path / "data"), str(tmp_path / "run")
    # Enough for a part of each kind, with both verdicts in all of them.
    few = ["--instances", "9", "--customers", "10-12", "--seconds", "0.3"]
    assert main(["dataset", "--quick", *few, "--out", data, "--quiet"]) == 0
    assert main(["train", "--quick", "--data", data, "--out", run_folder, "--quiet"]) == 0
    assert main(["train", "--resume", "--data", data, "--out", run_folder, "--quiet"]) == 0
    capsys.readouterr()
    assert main(["evaluate", run_folder, "--data", data, "--baselines", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [model["model"] for model in printed["models"]] == ["network", "logistic", "boosting"]
    assert main(["evaluate", run_folder, "--data", data]) == 0
    assert "after bounds and dives" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["dataset", "train", "evaluate"])
def test_examples_in_the_help_can_be_parsed(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An example that does not parse teaches the wrong thing."""
    assert main([command, "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    examples = [line.split()[1:] for line in lines if line.startswith("  tailgate ")]
    assert len(examples) >= 3
    parser = build_parser()
    for example in examples:
        assert parser.parse_args(example).run is not None


def test_mistakes_are_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No folder, no run, no such model."""
    for argv in (
        ["train", "--data", str(tmp_path), "--out", str(tmp_path / "run")],
        ["evaluate", str(tmp_path), "--data", str(tmp_path)],
        ["train", "--data", "a", "--out", "b", "--model", "lstm"],
    ):
        assert main(argv) == 2
        assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_customers_without_items_can_be_embedded() -> None:
    """A real order may be cancelled; nothing becomes undefined."""
    net = network("default")
    features = len(net.configuration.customer_features)
    batch = CustomerBatch(
        torch.zeros(1, 2, 2), torch.zeros(1, 2, dtype=torch.bool), torch.zeros(1, features)
    )
    assert torch.isfinite(net.embedded(batch)).all()
