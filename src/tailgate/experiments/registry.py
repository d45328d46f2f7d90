"""All experiments by name, in the order in which they are run."""

from __future__ import annotations

import importlib

from tailgate.experiments.experiment import Experiment

# Where each stands; loaded when it is asked for, so that the help comes at once.
_CLASSES = {
    "root-cg": ("roots.pipelines", "RootPipelines"),
    "search-screens": ("optima.search_screens", "SearchScreens"),
    "network": ("learning.network", "Network"),
    "training-curves": ("learning.curves", "TrainingCurves"),
    "optima": ("optima.experiment", "Optima"),
    "loading": ("loading.experiment", "LoadingCheck"),
    "scaling": ("roots.scaling", "Scaling"),
    "unloading-price": ("optima.unloading_price", "UnloadingPrice"),
}
NAMES = tuple(_CLASSES)
ALL = "all"


def make_experiments(name: str) -> list[Experiment]:
    """Return the experiment of this name, or all of them."""
    return [_make(one) for one in (NAMES if name == ALL else (name,))]


def _make(name: str) -> Experiment:
    module, kind = _CLASSES[name]
    found = getattr(importlib.import_module(f"tailgate.experiments.{module}"), kind)()
    assert isinstance(found, Experiment)
    return found
