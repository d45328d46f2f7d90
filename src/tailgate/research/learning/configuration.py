"""All choices of a training run; stored with it, and read from a file in TOML."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from tailgate.io.text_file import read_text, source_text
from tailgate.model.errors import InputError
from tailgate.solver.network.features import CUSTOMER_FEATURES, ROUTE_FEATURES

ItemEncoder = Literal["attention", "mlp"]
RouteEncoder = Literal["gru", "attention"]
Step = Literal["item", "customer"]


@dataclass(frozen=True, slots=True)
class ModelConfiguration:
    """The network."""

    item_encoder: ItemEncoder = "attention"
    """What mixes the items of one customer."""
    route_encoder: RouteEncoder = "gru"
    """What reads the route."""
    step: Step = "item"
    """What it reads in one step; a customer's items are averaged, so that their order is lost."""
    sorted_items: bool = False
    """Whether a customer's items are read in a fixed order, the widest first, whatever the file
    says: then their order there cannot matter either, and no permutations are needed."""
    hidden: int = 16
    heads: int = 4
    layers: int = 2
    feed_forward: int = 64
    customer_features: tuple[str, ...] = ()
    """Simple numbers that a step sees beside the items; only with step "customer"."""
    route_features: tuple[str, ...] = ()
    """Simple numbers about the whole route that the head sees."""

    @property
    def architecture(self) -> str:
        """The name in a file of weights; empty where the core cannot run it."""
        if self.item_encoder != "attention" or self.route_encoder != "gru":
            return ""
        return "paper" if self.step == "item" else "invariant"


@dataclass(frozen=True, slots=True)
class TrainingConfiguration:
    """How it is trained."""

    batch: int = 512
    """Routes per step; each with all its permutations."""
    permutations: int = 10
    """Orders of the items within each customer, drawn anew every time."""
    reversal: bool = False
    """Whether routes are read backwards half of the time: their verdict is the same."""
    learning_rate: float = 0.001
    """At the beginning; it falls to a hundredth along half a cosine."""
    epochs: int = 30
    patience: int = 8
    """Epochs without progress on the validation set before it ends."""
    positive_weight: Literal["balanced", "none"] = "balanced"
    """Weight of feasible routes in the loss: such that both verdicts weigh the same, or one."""
    cheap_weight: float = 1.0
    """Weight of queries that bounds and dives settle; zero leaves them out."""
    cheap_share: float = 1.0
    """Of those queries, how many are taken in each epoch."""
    threshold: Literal["half", "cost"] = "half"
    """One half, as in the paper; or where errors cost least, with calibrated probabilities."""
    false_positive_cost: float = 3.0
    """Of a cut and another round, in checks; a false negative costs one check."""
    seed: int = 0
    threads: int = 1
    """Part of the configuration, for sums depend on it in their last digits. The batches are too
    small for more to be faster."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """A whole run."""

    model: ModelConfiguration = field(default_factory=ModelConfiguration)
    training: TrainingConfiguration = field(default_factory=TrainingConfiguration)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, for JSON and TOML."""
        return asdict(self)

    def to_toml(self) -> str:
        """Return it as TOML."""
        lines = []
        for part, values in self.to_dict().items():
            lines.append(f"[{part}]")
            lines += [f"{name} = {_toml(value)}" for name, value in values.items()]
            lines.append("")
        return "\n".join(lines)

    def with_training(self, **changes: Any) -> Configuration:
        """Return it with other values of the training."""
        return replace(self, training=replace(self.training, **changes))


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "[" + ", ".join(_toml(one) for one in value) + "]"
    return f'"{value}"' if isinstance(value, str) else repr(value)


PAPER = Configuration()
_OUR_TRAINING = TrainingConfiguration(
    permutations=1, reversal=True, positive_weight="none", threshold="cost"
)
SORTED = Configuration(
    model=ModelConfiguration(sorted_items=True, route_features=tuple(ROUTE_FEATURES)),
    training=_OUR_TRAINING,
)
POOLED = Configuration(
    model=ModelConfiguration(
        step="customer",
        customer_features=tuple(CUSTOMER_FEATURES),
        route_features=tuple(ROUTE_FEATURES),
    ),
    training=_OUR_TRAINING,
)
PRESETS: dict[str, Configuration] = {
    "default": SORTED,
    "pooled": POOLED,
    "paper": PAPER,
    "paper-no-augmentation": PAPER.with_training(permutations=1),
    "paper-mlp": replace(PAPER, model=replace(PAPER.model, item_encoder="mlp")),
    "paper-positional": replace(PAPER, model=replace(PAPER.model, route_encoder="attention")),
}
"""By the name that `tailgate train --model` takes."""
ABLATIONS = ("paper", "paper-no-augmentation", "paper-mlp", "paper-positional")
"""The rows of the paper's table, in its order."""


_COUNTS = (
    *("hidden", "heads", "layers", "feed_forward"),
    *("batch", "permutations", "epochs", "patience", "threads"),
)
_RANGES: dict[str, tuple[float, float]] = {
    **dict.fromkeys(_COUNTS, (1, 100_000)),
    **dict.fromkeys(("cheap_weight", "cheap_share"), (0.0, 1.0)),
    "learning_rate": (1e-8, 1.0),
    "false_positive_cost": (0.001, 1000.0),
}
_FEATURES = {"customer_features": CUSTOMER_FEATURES, "route_features": ROUTE_FEATURES}


def read_configuration(path: Path, base: Configuration) -> Configuration:
    """Read a file; what it does not say is as in the base."""
    source = source_text(path)
    try:
        content = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is not TOML: {error}", source=source) from error
    return configuration_from(content, base, source=source)


def configuration_from(
    content: Mapping[str, Any], base: Configuration, *, source: str
) -> Configuration:
    """Check plain data and make a configuration of it."""
    for name in content:
        if name not in ("model", "training"):
            raise InputError("is unknown; there are model and training", source=source, field=name)
    made = Configuration(
        model=_section(base.model, content.get("model", {}), "model", source),
        training=_section(base.training, content.get("training", {}), "training", source),
    )
    _check(made, source)
    return made


def _section(base: Any, values: object, part: str, source: str) -> Any:
    if not isinstance(values, dict):
        raise InputError("must be a table of values", source=source, field=part)
    known = {one.name: getattr(base, one.name) for one in fields(base)}
    changes = {}
    for name, value in values.items():
        place = f"{part}.{name}"
        if name not in known:
            raise InputError(
                f"is unknown; there are {', '.join(known)}", source=source, field=place
            )
        if isinstance(known[name], tuple):
            if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
                raise InputError("must be a list of names", source=source, field=place)
            value = tuple(value)
        elif isinstance(known[name], float) and type(value) is int:
            value = float(value)
        elif type(value) is not type(known[name]):
            kind = type(known[name]).__name__
            raise InputError(f"must be of the kind {kind}", source=source, field=place)
        changes[name] = value
    return replace(base, **changes)


def _check(made: Configuration, source: str) -> None:
    model, training = made.model, made.training

    def refuse(place: str, problem: str) -> None:
        raise InputError(problem, source=source, field=place)

    for part, section in (("model", model), ("training", training)):
        kinds = get_type_hints(type(section))
        for name, value in asdict(section).items():
            place, choices = f"{part}.{name}", get_args(kinds[name])
            if get_origin(kinds[name]) is Literal and value not in choices:
                refuse(place, f"must be one of {', '.join(choices)}")
            for feature in value if name in _FEATURES else ():
                if feature not in _FEATURES[name]:
                    refuse(place, f"has no {feature}; there are {', '.join(_FEATURES[name])}")
            low, high = _RANGES.get(name, (-math.inf, math.inf))
            if name in _RANGES and not low <= value <= high:
                refuse(place, f"must be from {low:g} to {high:g}")
    if model.customer_features and model.step != "customer":
        refuse("model.customer_features", 'needs step = "customer"')
    if model.hidden % model.heads or model.hidden % 2:
        refuse("model.hidden", "must be even and a multiple of model.heads")
    if training.seed < 0:
        refuse("training.seed", "must not be negative")
