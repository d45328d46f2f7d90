"""From queries to what a network reads: splits, metrics, calibration, configurations."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from query_sets import make_small_dataset
from tailgate.model.errors import InputError
from tailgate.research.learning.baselines import simple_features
from tailgate.research.learning.calibration import cheapest_threshold, fit_temperature
from tailgate.research.learning.configuration import (
    PAPER,
    PRESETS,
    configuration_from,
    read_configuration,
)
from tailgate.research.learning.dataset import Dataset
from tailgate.research.learning.metrics import (
    average_precision,
    calibration_error,
    roc_auc,
    scores,
    sigmoid,
)
from tailgate.research.learning.query_file import QueryTable
from tailgate.research.learning.route_arrays import NO_STOP, route_arrays
from tailgate.research.learning.splits import (
    PARTS,
    apply_split,
    make_split,
    read_split,
    write_split,
)

predictions = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0]), st.booleans()),
    min_size=2,
    max_size=40,
)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """A data set of nine instances, three of each class."""
    return make_small_dataset(tmp_path_factory.mktemp("data") / "set")


# --- Splits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_no_instance_and_no_query_is_in_two_parts(dataset: Dataset, seed: int) -> None:
    """A network that has seen the answer proves nothing."""
    parts = apply_split(make_split(dataset, seed=seed), dataset)
    for first, second in (("train", "validation"), ("train", "test"), ("validation", "test")):
        assert not set(parts[first].instance) & set(parts[second].instance)
        assert not set(parts[first].keys) & set(parts[second].keys)


def test_every_class_is_in_every_part(dataset: Dataset) -> None:
    """Figures by class need all of them."""
    parts = apply_split(make_split(dataset), dataset)
    assert all(set(part.packing_class) == {2, 3, 4} for part in parts.values())


def test_a_split_by_row_shares_instances_but_no_queries(dataset: Dataset) -> None:
    """The paper's way, for comparison."""
    parts = apply_split(make_split(dataset, by="row"), dataset)
    assert set(parts["train"].instance) & set(parts["test"].instance)
    assert not set(parts["train"].keys) & set(parts["test"].keys)
    known = dataset.queries.select(dataset.queries.is_known)
    assert sum(len(part) for part in parts.values()) == len(np.unique(known.keys))


def test_a_query_of_two_instances_stays_in_the_test(dataset: Dataset) -> None:
    """The test part is as it would be without training."""
    table = dataset.queries
    split = make_split(dataset)
    test_row = int(np.flatnonzero(np.isin(table.instance, split.instances["test"]))[0])
    train_row = int(np.flatnonzero(np.isin(table.instance, split.instances["train"]))[0])
    keys = table.keys.copy()
    keys[train_row] = keys[test_row]
    parts = apply_split(split, replace(dataset, queries=replace(table, keys=keys)))
    assert keys[test_row] in parts["test"].keys
    assert keys[test_row] not in parts["train"].keys


def test_unknown_verdicts_are_in_no_part(dataset: Dataset) -> None:
    """A limit that was reached is no label."""
    table = dataset.queries
    verdict = table.verdict.copy()
    verdict[::2] = "unknown"
    changed = replace(dataset, queries=replace(table, verdict=verdict))
    parts = apply_split(make_split(changed), changed)
    assert not any("unknown" in part.verdict for part in parts.values())


def test_a_split_is_a_file(dataset: Dataset, tmp_path: Path) -> None:
    """Whoever repeats a test needs the very same one; of another data set it is refused."""
    split = make_split(dataset, seed=4)
    write_split(split, tmp_path / "split.json")
    assert read_split(tmp_path / "split.json") == split
    with pytest.raises(InputError, match="make a new split"):
        apply_split(replace(split, dataset="other"), dataset)


def test_too_few_instances_are_refused(tmp_path: Path) -> None:
    """Each class needs one for each part."""
    small = make_small_dataset(tmp_path / "set", instances=4, queries=5)
    with pytest.raises(InputError, match=f"needs {len(PARTS)}"):
        make_split(small)


# --- Arrays ---------------------------------------------------------------------------------------


def test_routes_name_customers_with_the_right_items(dataset: Dataset) -> None:
    """Every stop of every route, against the flat table."""
    table = dataset.queries
    customers, routes = route_arrays(table)
    stop = item = 0
    for number in range(len(table)):
        for place in range(table.stop_count[number]):
            customer = routes.stops[number, place]
            count = int(table.items_per_stop[stop])
            sizes = table.item_sizes[item : item + count] / table.floor[number]
            assert customers.counts[customer] == count
            assert np.allclose(customers.items[customer, :count], sizes)
            stop, item = stop + 1, item + count
        assert (routes.stops[number, table.stop_count[number] :] == NO_STOP).all()


def test_a_route_backwards_is_the_route_backwards(dataset: Dataset) -> None:
    """Padding stays at the end, and twice backwards is forwards."""
    _, routes = route_arrays(dataset.queries)
    turned = routes.reversed()
    for stops, other, count in zip(routes.stops, turned.stops, routes.stop_count, strict=True):
        assert stops[:count][::-1].tolist() == other[:count].tolist()
        assert (other[count:] == NO_STOP).all()
    assert (turned.reversed().stops == routes.stops).all()


def test_simple_features_do_not_depend_on_direction_or_order(dataset: Dataset) -> None:
    """Nor does the verdict."""
    table = dataset.queries.select(np.arange(5))
    stops = [
        table.item_sizes[start:end]
        for start, end in zip(table.item_starts, table.item_starts[1:], strict=False)
    ]
    turned = [
        stop[::-1]
        for start, end in zip(table.stop_starts, table.stop_starts[1:], strict=False)
        for stop in stops[start:end][::-1]
    ]
    backwards = _with_stops(table, turned)
    assert np.allclose(simple_features(table), simple_features(backwards))


def _with_stops(table: QueryTable, stops: list[np.ndarray]) -> QueryTable:
    return replace(
        table,
        items_per_stop=np.array([len(stop) for stop in stops], dtype=np.int32),
        item_sizes=np.concatenate(stops),
    )


# --- Metrics --------------------------------------------------------------------------------------


@given(predictions)
def test_areas_are_those_of_scikit_learn(pairs: list[tuple[float, bool]]) -> None:
    """With ties, and against code that many people have looked at."""
    metrics = pytest.importorskip("sklearn.metrics")
    values = np.array([value for value, _ in pairs])
    labels = np.array([label for _, label in pairs])
    if labels.all() or not labels.any():
        assert math.isnan(roc_auc(values, labels))
        return
    assert roc_auc(values, labels) == pytest.approx(metrics.roc_auc_score(labels, values))
    expected = metrics.average_precision_score(labels, values)
    assert average_precision(values, labels) == pytest.approx(expected)
    measured = scores(values, labels, 0.5)
    assert measured.brier == pytest.approx(metrics.brier_score_loss(labels, values))
    expected = metrics.recall_score(labels, values >= 0.5)
    assert measured.true_positive_rate == pytest.approx(expected)


def test_perfect_predictions_have_perfect_scores() -> None:
    """Both rates, both areas one; no error left."""
    labels = np.array([True, False, True])
    measured = scores(labels.astype(float), labels, 0.5)
    assert (measured.true_positive_rate, measured.true_negative_rate) == (1, 1)
    assert (measured.roc_auc, measured.pr_auc) == (1, 1)
    assert (measured.brier, measured.calibration_error) == (0, 0)


def test_calibration_error_is_what_predictions_are_off() -> None:
    """Half of those predicted with 0.9 come true: off by 0.4."""
    labels = np.array([True, False] * 50)
    assert calibration_error(np.full(100, 0.9), labels) == pytest.approx(0.4)


# --- Calibration ----------------------------------------------------------------------------------


@pytest.mark.parametrize("shift", [0.0, 1.5])
@pytest.mark.parametrize("temperature", [0.5, 1.0, 3.0])
def test_temperature_and_shift_are_found_again(temperature: float, shift: float) -> None:
    """Labels are drawn from known probabilities; the logits hide them."""
    stream = np.random.default_rng(0)
    logits = stream.normal(0, 4, 50_000)
    labels = stream.random(50_000) < sigmoid((logits + shift) / temperature)
    fitted = fit_temperature(logits, labels, shift=True)
    assert fitted.temperature == pytest.approx(temperature, rel=0.05)
    assert fitted.shift == pytest.approx(shift, abs=0.1)
    assert calibration_error(fitted.probabilities(logits), labels) < 0.01


def test_without_a_shift_no_prediction_changes_sides() -> None:
    """One half stays one half, as in the paper."""
    stream = np.random.default_rng(0)
    logits = stream.normal(1, 2, 1_000)
    fitted = fit_temperature(logits, stream.random(1_000) < 0.3, shift=False)
    assert ((fitted.probabilities(logits) >= 0.5) == (logits >= 0)).all()


def test_one_verdict_alone_teaches_no_temperature() -> None:
    """It would run off to zero."""
    assert fit_temperature(np.ones(5), np.ones(5, dtype=bool), shift=True).temperature == 1


@given(predictions, st.sampled_from([0.2, 1.0, 3.0, 10.0]))
def test_no_threshold_is_cheaper(pairs: list[tuple[float, bool]], price: float) -> None:
    """Against all thresholds there are."""
    values = np.array([value for value, _ in pairs])
    labels = np.array([label for _, label in pairs])

    def cost(threshold: float) -> float:
        predicted = values >= threshold
        return float((labels & ~predicted).sum() + price * (~labels & predicted).sum())

    chosen = cheapest_threshold(values, labels, price)
    assert 0 <= chosen <= 1
    assert cost(chosen) <= min(cost(threshold) for threshold in np.linspace(0, 1, 101)) + 1e-9


# --- Configurations -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_a_configuration_survives_its_file(name: str, tmp_path: Path) -> None:
    """A run is repeated from what is stored with it."""
    path = tmp_path / "configuration.toml"
    path.write_text(PRESETS[name].to_toml(), encoding="utf-8")
    assert read_configuration(path, PAPER) == PRESETS[name]


def test_the_papers_network_is_configured_as_in_the_paper() -> None:
    """Table of training details: hidden 16, 4 heads, 2 layers, batch 512, ten permutations."""
    model, training = PAPER.model, PAPER.training
    assert (model.hidden, model.heads, model.layers) == (16, 4, 2)
    assert (training.batch, training.permutations) == (512, 10)
    assert (model.item_encoder, model.route_encoder, model.step) == ("attention", "gru", "item")


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ({"modle": {}}, "modle"),
        ({"model": {"hiden": 3}}, "model.hiden"),
        ({"model": {"hidden": "16"}}, "model.hidden"),
        ({"model": {"hidden": 18}}, "model.hidden"),
        ({"model": {"item_encoder": "lstm"}}, "model.item_encoder"),
        ({"model": {"route_features": ["colour"]}}, "model.route_features"),
        ({"model": {"customer_features": ["area"]}}, "model.customer_features"),
        ({"training": {"batch": 0}}, "training.batch"),
        ({"training": {"reversal": 1}}, "training.reversal"),
        ({"training": {"learning_rate": 5}}, "training.learning_rate"),
        ({"training": 3}, "training"),
    ],
)
def test_bad_configurations_name_the_place(content: dict[str, object], place: str) -> None:
    """A typing error must not cost two hours."""
    with pytest.raises(InputError) as caught:
        configuration_from(content, PAPER, source="file.toml")
    assert caught.value.field == place
