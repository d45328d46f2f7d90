"""All experiments by name, in the order in which they are run."""

from __future__ import annotations

import importlib

from tailgate.research.experiments.experiment import Experiment

# Where each stands; loaded when it is asked for, so that the help comes at once.
_CLASSES = {
    "root-cg": ("roots.pipelines", "RootPipelines"),
    "root-profile": ("roots.profile", "RootProfile"),
    "root-prunings": ("roots.prunings", "RootPrunings"),
    "root-growth": ("roots.scaling", "RootGrowth"),
    "perfect-network": ("roots.perfect_network", "PerfectNetwork"),
    "search-screens": ("optima.search_screens", "SearchScreens"),
    "network": ("learning.network", "Network"),
    "network-speed": ("learning.speed", "NetworkSpeed"),
    "training-curves": ("learning.curves", "TrainingCurves"),
    "optima": ("optima.experiment", "Optima"),
    "first-solutions": ("first_solutions", "FirstSolutions"),
    "loading": ("loading.experiment", "LoadingCheck"),
    "loading-labels": ("loading.label_check", "LoadingLabels"),
    "sawn-floors": ("loading.sawn_floors", "SawnFloors"),
    "loading-memory": ("loading.memory", "LoadingMemory"),
    "scaling": ("roots.scaling", "Scaling"),
    "lifo-price": ("optima.lifo_price", "LifoPrice"),
    "turning-price": ("optima.turning_price", "TurningPrice"),
    "vrptw": ("vrptw.experiment", "Vrptw"),
    "fleet": ("fleet.experiment", "Fleet"),
    "beside": ("beside.experiment", "Beside"),
}
NAMES = tuple(_CLASSES)
ALL = "all"


def make_experiments(name: str) -> list[Experiment]:
    """Return the experiment of this name, or all of them."""
    return [_make(one) for one in (NAMES if name == ALL else (name,))]


def _make(name: str) -> Experiment:
    module, kind = _CLASSES[name]
    found = getattr(importlib.import_module(f"tailgate.research.experiments.{module}"), kind)()
    assert isinstance(found, Experiment)
    return found
