"""Trains a network; a run that was interrupted goes on and ends as if nothing had happened."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import binary_cross_entropy_with_logits

from tailgate.io.text_file import write_text, writing
from tailgate.model.errors import InputError
from tailgate.research.learning.batches import Batches, slices
from tailgate.research.learning.calibration import Calibration, cheapest_threshold, fit_temperature
from tailgate.research.learning.configuration import PAPER, Configuration, read_configuration
from tailgate.research.learning.curves import draw_curves
from tailgate.research.learning.dataset import Dataset
from tailgate.research.learning.export import write_golden, write_weights
from tailgate.research.learning.metrics import or_none, roc_auc
from tailgate.research.learning.model import RouteNetwork
from tailgate.research.learning.prediction import Part, predict
from tailgate.research.learning.route_arrays import Routes
from tailgate.research.learning.splits import Split, apply_split, read_split, write_split

CONFIGURATION_FILE = "configuration.toml"
SPLIT_FILE = "split.json"
KEYS_FILE = "training_keys.npy"
METRICS_FILE = "metrics.jsonl"
CHECKPOINT_FILE = "checkpoint.pt"
BEST_FILE = "best.pt"
RESULT_FILE = "result.json"
WEIGHTS_FILE = "weights.safetensors"
GOLDEN_FILE = "weights.golden.json"
CURVES_FILE = "curves.svg"

LAST_LEARNING_RATE = 0.01
"""Of the first."""


@dataclass
class _State:
    """What a checkpoint holds."""

    epoch: int = 0
    best_score: float = -math.inf
    best_epoch: int = 0
    best_weights: dict[str, torch.Tensor] = field(default_factory=dict)
    history: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0


class Training:
    """One run in its folder."""

    def __init__(
        self, configuration: Configuration, dataset: Dataset, split: Split, folder: Path
    ) -> None:
        if dataset.is_test_only:
            raise InputError(
                "has published benchmark instances in it, which are for tests only",
                source=str(dataset.folder),
            )
        self.configuration = configuration
        self.dataset = dataset
        self.split = split
        self.folder = folder
        options = configuration.training
        torch.set_num_threads(options.threads)
        torch.use_deterministic_algorithms(True)
        torch.manual_seed(options.seed)
        parts = apply_split(split, dataset)
        self.train, self.validation = (Part.of(parts[part]) for part in ("train", "validation"))
        if not self.train.is_feasible.any() or self.train.is_feasible.all():
            raise InputError("has one verdict only; make a larger one", field="data set")
        self.network = RouteNetwork(configuration.model)
        self._optimizer = torch.optim.Adam(
            self.network.parameters(), lr=options.learning_rate, foreach=True
        )
        self._batches = Batches(configuration.model, self.train.customers)
        self._is_cheap = self.train.table.is_cheap
        self._state = _State()

    # --- The run ----------------------------------------------------------------------------------

    def begin(self) -> None:
        """Write down what the run is made of."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if (self.folder / CHECKPOINT_FILE).exists():
            raise InputError(
                "holds a run already; go on with it by --resume, or name another folder",
                source=str(self.folder),
            )
        write_text(self.folder / CONFIGURATION_FILE, self.configuration.to_toml())
        write_split(self.split, self.folder / SPLIT_FILE)
        with writing(self.folder / KEYS_FILE) as file:
            np.save(file, np.sort(self.train.table.keys))

    def resume(self) -> None:
        """Go on after the last whole epoch."""
        path = self.folder / CHECKPOINT_FILE
        if not path.exists():
            raise InputError("has no checkpoint to go on from", source=str(self.folder))
        stored = torch.load(path, weights_only=True)
        self.network.load_state_dict(stored["network"])
        self._optimizer.load_state_dict(stored["optimizer"])
        self._state = _State(**stored["state"])

    def run(self, on_epoch: Callable[[dict[str, Any]], None] | None = None) -> dict[str, Any]:
        """Train until the epochs are over or nothing improves; return the result."""
        state, options = self._state, self.configuration.training
        while state.epoch < options.epochs and not self._is_stuck:
            started = time.monotonic()
            loss = self._train_epoch(state.epoch)
            record = {
                "epoch": state.epoch + 1,
                "train_loss": loss,
                **self._validate(),
                "learning_rate": self._learning_rate(state.epoch + 1, 0.0),
            }
            state.epoch += 1
            if record["score"] > state.best_score:
                state.best_score, state.best_epoch = record["score"], state.epoch
                state.best_weights = {
                    name: value.clone() for name, value in self.network.state_dict().items()
                }
            record["seconds"] = round(time.monotonic() - started, 3)
            state.seconds += record["seconds"]
            state.history.append(record)
            self._save()
            if on_epoch is not None:
                on_epoch(record)
        return self._finish()

    @property
    def _is_stuck(self) -> bool:
        state = self._state
        return state.epoch - state.best_epoch >= self.configuration.training.patience

    def _train_epoch(self, epoch: int) -> float:
        options = self.configuration.training
        # A stream of its own for every epoch: nothing to be stored for a resumed run.
        stream = np.random.default_rng([options.seed, epoch])
        rows = self._rows_of_epoch(stream)
        positive_weight = self._positive_weight
        permutations = self._permutations
        total = weight_sum = 0.0
        self.network.train()
        for number, part in enumerate(slices(len(rows), options.batch)):
            taken = rows[part]
            routes = self.train.routes.select(taken)
            if options.reversal:
                backwards = stream.random(len(taken)) < 0.5
                stops = np.where(backwards[:, None], routes.reversed().stops, routes.stops)
                routes = Routes(stops, routes.stop_count)
            customers, places = self._batches.customers_of(routes)
            shuffled = stream if options.permutations > 1 else None
            batch = self._batches.routes(routes, places, stream=shuffled, permutations=permutations)
            labels = self.train.is_feasible[taken]
            weights = np.where(labels, positive_weight, 1.0)
            weights = weights * np.where(self._is_cheap[taken], options.cheap_weight, 1.0)
            target = torch.from_numpy(np.repeat(labels, permutations).astype(np.float32))
            weight = torch.from_numpy(np.repeat(weights, permutations).astype(np.float32))
            for group in self._optimizer.param_groups:
                group["lr"] = self._learning_rate(epoch, number * options.batch / len(rows))
            logits = self.network(customers, batch)
            loss = binary_cross_entropy_with_logits(logits, target, weight, reduction="sum")
            self._optimizer.zero_grad(set_to_none=True)
            (loss / weight.sum()).backward()
            self._optimizer.step()
            total += loss.item()
            weight_sum += weight.sum().item()
        return total / max(weight_sum, 1e-12)

    def _rows_of_epoch(self, stream: np.random.Generator) -> NDArray[np.int64]:
        options = self.configuration.training
        chosen = ~self._is_cheap
        if options.cheap_weight > 0:
            chosen = chosen | (stream.random(len(chosen)) < options.cheap_share)
        if not chosen.any():
            raise InputError("leaves nothing to train on", field="training.cheap_weight")
        return stream.permutation(np.flatnonzero(chosen))

    @property
    def _permutations(self) -> int:
        # Where the order of a customer's items makes no difference, one of them is all.
        model = self.configuration.model
        ordered = model.step == "item" and model.route_encoder == "gru"
        return self.configuration.training.permutations if ordered else 1

    @property
    def _positive_weight(self) -> float:
        options = self.configuration.training
        if options.positive_weight == "none":
            return 1.0
        # Both verdicts weigh the same in total.
        weight = np.where(self._is_cheap, options.cheap_weight * options.cheap_share, 1.0)
        positives = float(weight[self.train.is_feasible].sum())
        return float(weight[~self.train.is_feasible].sum()) / max(positives, 1e-12)

    def _learning_rate(self, epoch: int, part: float) -> float:
        options = self.configuration.training
        progress = min(1.0, (epoch + part) / options.epochs)
        cosine = 0.5 * (1 + math.cos(math.pi * progress))
        return options.learning_rate * (LAST_LEARNING_RATE + (1 - LAST_LEARNING_RATE) * cosine)

    def _validate(self) -> dict[str, Any]:
        logits = predict(self.network, self.validation)
        labels, rest = self.validation.is_feasible, ~self.validation.table.is_cheap
        weights = np.where(labels, self._positive_weight, 1.0)
        weights = weights * np.where(rest, 1.0, self.configuration.training.cheap_weight)
        losses = np.logaddexp(0, np.where(labels, -logits, logits))
        areas = [roc_auc(logits, labels), roc_auc(logits[rest], labels[rest])]
        known = [area for area in areas if not math.isnan(area)]
        return {
            "validation_loss": float((weights * losses).sum() / max(weights.sum(), 1e-12)),
            "validation_auc": or_none(areas[0]),
            "validation_auc_rest": or_none(areas[1]),
            # Both tests count alike.
            "score": float(np.mean(known)) if known else -float(losses.mean()),
        }

    def _save(self) -> None:
        stored = {
            "network": self.network.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "state": vars(self._state),
        }
        with writing(self.folder / CHECKPOINT_FILE) as file:
            torch.save(stored, file)
        lines = [json.dumps(record) for record in self._state.history]
        write_text(self.folder / METRICS_FILE, "\n".join(lines) + "\n")

    def _finish(self) -> dict[str, Any]:
        """Take the best epoch, calibrate it, and write the weights."""
        state = self._state
        self.network.load_state_dict(state.best_weights)
        calibration = calibrate(self.network, self.validation, self.configuration)
        result: dict[str, Any] = {
            "dataset": self.dataset.id,
            "split": self.split.by,
            "epochs": state.epoch,
            "best_epoch": state.best_epoch,
            "seconds": round(state.seconds, 1),
            "train_queries": len(self.train.table),
            "validation_queries": len(self.validation.table),
            "temperature": calibration.temperature,
            "shift": calibration.shift,
            "threshold": calibration.threshold,
        }
        best = {"network": state.best_weights, "model": self.configuration.to_dict()["model"]}
        with writing(self.folder / BEST_FILE) as file:
            torch.save(best, file)
        draw_curves(state.history, self.folder / CURVES_FILE)
        if self.configuration.model.architecture:
            write_weights(
                self.folder / WEIGHTS_FILE, self.network, calibration, trained_on=self.dataset.id
            )
            write_golden(self.folder / GOLDEN_FILE, self.network, calibration, self.validation)
        # Last: who finds it takes the run for finished.
        write_text(self.folder / RESULT_FILE, json.dumps(result, indent=2) + "\n")
        return result


def calibrate(network: RouteNetwork, validation: Part, configuration: Configuration) -> Calibration:
    """Fit probabilities and threshold to the queries that a network is asked in earnest."""
    logits, labels = predict(network, validation), validation.is_feasible
    options = configuration.training
    if options.threshold == "half":
        return fit_temperature(logits, labels, shift=False)
    rest = ~validation.table.is_cheap
    if not 0 < labels[rest].sum() < rest.sum():
        rest = np.ones_like(rest)
    fitted = fit_temperature(logits[rest], labels[rest], shift=True)
    threshold = cheapest_threshold(
        fitted.probabilities(logits[rest]), labels[rest], options.false_positive_cost
    )
    return Calibration(fitted.temperature, fitted.shift, threshold)


@dataclass(frozen=True)
class TrainedRun:
    """A finished run that was read from its folder."""

    folder: Path
    configuration: Configuration
    split: Split
    network: RouteNetwork
    calibration: Calibration
    result: dict[str, Any]
    training_keys: NDArray[np.bytes_]


def read_run(folder: Path) -> TrainedRun:
    """Read the best network of a run."""
    if not (folder / RESULT_FILE).exists():
        raise InputError(
            "is not a finished training run; end it with: tailgate train --resume",
            source=str(folder),
        )
    configuration = read_configuration(folder / CONFIGURATION_FILE, PAPER)
    result = json.loads((folder / RESULT_FILE).read_text(encoding="utf-8"))
    network = RouteNetwork(configuration.model)
    network.load_state_dict(torch.load(folder / BEST_FILE, weights_only=True)["network"])
    return TrainedRun(
        folder=folder,
        configuration=configuration,
        split=read_split(folder / SPLIT_FILE),
        network=network,
        calibration=Calibration(result["temperature"], result["shift"], result["threshold"]),
        result=result,
        training_keys=np.load(folder / KEYS_FILE),
    )
